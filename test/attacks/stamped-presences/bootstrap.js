// An imported object comes again and again, and its vat asks whether it is the one that it had. Weak collections know it by
// its reference, but a private field that a class of mallory's leaves on a presence (by a constructor that returns it) is gone
// with the presence. Were that collected when the engine likes, mallory would tell when it was.
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
