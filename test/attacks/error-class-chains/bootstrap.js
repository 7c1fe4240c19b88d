// Classes of errors inherit from each other, up to the engine's own Error, whose hooks see every error of the process. Mallory
// takes errors of every maker that it can get one of, the reactor library's and those of `using` among them, goes up their
// classes, and leaves hooks and marks on each; bob then throws an error with his purse on it.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      await E(vats.mallory).lurk();
      await E(vats.bob)
        .work()
        .catch(() => {});
      const loot = await E(vats.mallory).report();
      console.log(`loot: ${loot.join() || 'nothing'}`);
      console.log(`bob sees: ${await E(vats.bob).look()}`);
    },
  });
