// A caller gets an answer for anything that a method throws, rejects with or returns. A reason that the system cannot look at must
// not keep the result pending for good.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      const { mallory } = vats;
      const count = await E(mallory).count();
      let settled = 0;
      for (let number = 0; number < count; number += 1) {
        for (const way of [
          'throws',
          'rejects',
          'returns',
          'returnsWithin',
          'passes',
          'rejectsLater',
          'thenable',
        ]) {
          const done = () => {
            settled += 1;
          };
          E(mallory)[way](number, E(mallory).count()).then(done, done);
        }
      }
      for (let turn = 0; turn < 20; turn += 1) await E(mallory).count();
      console.log(`${settled === count * 7 ? 'all' : settled} settled of ${count}`);
    },
  });
