// A vat that is made in the run, works a little, and can end itself.

import { E, Far } from '@endo/far';

export const buildRootObject = ({ exitVat, exitVatWithFailure }) => {
  let count = 0;

  return Far('dude', {
    async elsewhere(other) {
      const answer = await E(other).query();
      console.log(`dude: the query gave ${answer}`);
    },

    dude(isWelcome) {
      if (!isWelcome) throw Error('not today');
      count += 1;
      return `here, ${count} so far`;
    },

    dieHappy(completion) {
      exitVat(completion);
    },

    dieSad(reason) {
      exitVatWithFailure(reason);
    },
  });
};
