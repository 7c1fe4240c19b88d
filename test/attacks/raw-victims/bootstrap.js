// A raw vat writes the bodies of its messages itself. A body that is no message, or nothing at all, must not end the vat that
// it is sent to, whatever its form, nor be read as something else.
import { E, Far } from '@endo/far';

const targets = ['usual', 'old', 'raw'];

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      const count = await E(vats.mallory).count();
      for (let number = 0; number < count; number += 1)
        for (const target of targets) E(vats.mallory).attack(number, vats[target]);
      await E(vats.mallory).count();
      for (const target of targets) console.log(`${target}: ${await E(vats[target]).alive()}`);
    },
  });
