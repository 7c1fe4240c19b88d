// Mallory, a raw vat, fulfils promises to themselves: one, two to each other, and the result of a message of bob's. Bob knows them
// and sends messages to them afterwards: these must not go to names that the kernel has taken back, which would end him.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      await E(vats.bob).ask(vats.mallory);
      await E(vats.mallory).attack(vats.bob);
      await E(vats.bob).use();
      console.log(`bob ${await E(vats.bob).alive()}`);
    },
  });
