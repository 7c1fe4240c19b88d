// Mallory, a raw vat, names a promise that has just left her c-list: she subscribes to the result that she has settled in
// the same crank. She must be ended alone, whoever watches and wherever the run is resumed.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap({ mallory, bob }) {
      for (let i = 0; i < 3; i += 1) {
        await E(mallory)
          .hi(i)
          .then(
            value => console.log(`mallory ${value}`),
            error => console.log(`mallory failed: ${error.message}`),
          );
        console.log(await E(bob).hi(i));
      }
    },
  });
