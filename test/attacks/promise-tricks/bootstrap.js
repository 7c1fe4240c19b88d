// Promises that are no usual ones, and handlers that mallory writes herself: what of them reaches another vat, or the system,
// must not run her code there, keep an answer from coming, or answer in another's name.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      const { mallory, bob } = vats;
      const kinds = await E(mallory).count();
      const seen = [];
      for (let kind = 0; kind < kinds; kind += 1) {
        const result = E(mallory).make(kind);
        // Bob is told of each promise and answers at once; a message is pipelined to it as well.
        seen.push(await E(bob).look(result));
        E(result)
          .anything(1)
          .catch(() => {});
        E(bob)
          .hold(harden([result]))
          .catch(() => {});
      }
      console.log(`bob answered ${seen.filter(each => each === 'looked').length} of ${kinds}`);
      console.log(`bob is ${await E(bob).state()}`);
    },
  });
