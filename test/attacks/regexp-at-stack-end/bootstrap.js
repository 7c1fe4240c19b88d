// The engine compiles a regular expression when it is first searched for, and the engines of Node 20 and 22 end the
// process if the stack ends meanwhile. Mallory searches at each depth near the end, by every way there is.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap({ mallory, bob }) {
      const count = await E(mallory).count();
      for (let way = 0; way < count; way += 1) await E(mallory).search(way);
      await E(bob).tell();
    },
  });
