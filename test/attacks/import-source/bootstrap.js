// SES refuses a text that has `import(`. Newer engines have more spellings of a dynamic import, `import.source(x)` and
// `import.defer(x)`; they reach the host's module loader, which reads files, and hands out objects that all vats share.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      await E(vats.mallory).leave('a secret that no message carried');
      const read = await E(vats.bob).read();
      console.log(`bob reads ${read.join() || 'nothing'}`);
    },
  });
