// Lockdown makes properties of shared prototypes into accessors, so that what inherits from them can be assigned to. A method
// behind an accessor is frozen only if somebody thought of it. Mallory asks every accessor of every prototype for what it
// gives, and leaves a mark on that.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      await E(vats.mallory).mark();
      console.log(`bob sees: ${(await E(vats.bob).look()).join() || 'nothing'}`);
    },
  });
