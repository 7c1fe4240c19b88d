// Remotables of an interface share a prototype. Mallory takes prototypes as weak keys, lets go of them, makes others of the same
// interfaces after the engine may have collected the first ones, and tells which are new. When the engine collects is a
// matter of the machine, so the answer would differ between runs.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      await E(vats.mallory).keep();
      for (let round = 0; round < 6; round += 1) {
        // eslint-disable-next-line no-await-in-loop
        console.log(`known: ${await E(vats.mallory).count()}`);
      }
    },
  });
