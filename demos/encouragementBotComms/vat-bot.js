import { Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bot', {
    encourageMe(name) {
      console.log(`bot: ${name} wants to be encouraged`);
      return `well done so far, ${name}`;
    },
  });
