// The classes of Node's own errors come out of TextDecoder and its like. All vats and the host share them: a property that is
// left on one is read by another vat, and a method that is put on one runs in the host.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      await E(vats.mallory).leave('a secret that no message carried');
      console.log(`bob reads ${await E(vats.bob).read()}`);
    },
  });
