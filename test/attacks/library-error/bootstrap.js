// Mallory asks the libraries that vats share for their classes of errors. If one of them is the host program's `Error`,
// her hook on it sees the errors of all vats and of the host, and what hangs on them. Then she has the libraries encode
// an error whose text controls the terminal, which they print to the host's console.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      await E(vats.mallory).lurk();
      await E(vats.bob)
        .fail()
        .catch(() => {});
      await E(vats.mallory).print();
      await E(vats.mallory).show();
      console.log(`bob has ${await E(vats.bob).count()}`);
    },
  });
