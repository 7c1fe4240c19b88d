import { E, Far } from '@endo/far';

const things = Array.from({ length: 10 }, () => Far('thing', {}));

export const buildRootObject = () =>
  Far('bob', {
    async sendAll(mallory) {
      // eslint-disable-next-line no-await-in-loop
      for (const thing of things) await E(mallory).take(thing);
    },
  });
