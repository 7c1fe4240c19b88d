import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap(vats) {
      E(vats.user)
        .talkToBot(vats.bot, 'bot')
        .then(
          answer => console.log(`bootstrap: user says "${answer}"`),
          error => console.log(`bootstrap: user failed, ${error.message}`),
        );
    },
  });
