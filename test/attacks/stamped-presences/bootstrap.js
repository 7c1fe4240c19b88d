// An imported object is held weakly by its vat: when it comes again, it is the same presence, or a new one if the engine has
// collected the first. Weak collections know it by its reference, but a private field that a class of mallory's leaves on it
// (by a constructor that returns the presence) is gone with it. So mallory tells when the engine collects.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      for (let round = 0; round < 2; round += 1) {
        // eslint-disable-next-line no-await-in-loop
        await E(vats.bob).sendAll(vats.mallory);
        // eslint-disable-next-line no-await-in-loop
        console.log(`marked: ${await E(vats.mallory).count()}`);
      }
    },
  });
