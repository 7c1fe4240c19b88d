import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('user', {
    talkToBot(bot, name) {
      console.log(`user: asking ${name}`);
      E(bot)
        .encourageMe('user')
        .then(praise => console.log(`user: ${name} says "${praise}"`));
      return 'asked, not yet answered';
    },
  });
