// Mallory takes another vat's purse without having been given anything of it. An error that Node itself throws has a class
// of Node's own; behind that lies the engine's Error. If that one can be changed, a hook on it sees each error whose
// stack is asked for, in whatever vat, and what hangs on it.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      await E(vats.mallory).lurk();
      await E(vats.bob)
        .fail()
        .catch(() => {});
      await E(vats.mallory).show();
      console.log(`bob has ${await E(vats.bob).count()}`);
    },
  });
