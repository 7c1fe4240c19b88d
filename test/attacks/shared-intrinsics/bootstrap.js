// Mallory tries to change what all vats share, or to leave a mark on it that bob can read: prototypes, constructors, what
// the system gives to every vat, what passes through it.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      const marked = await E(vats.mallory).mark();
      console.log(`marked: ${marked.join() || 'nothing'}`);
      console.log(`bob sees: ${(await E(vats.bob).look()).join() || 'nothing'}`);
    },
    async runBenchmarkRound() {
      return [{}.mallory, [].mallory, (() => {}).mallory, Promise.resolve().mallory];
    },
  });
