// Mallory asks the engine's module loader for things, with the later spellings of a dynamic import (`import.source`,
// `import.defer`), which SES's check for `import(` does not know: files, and mutable objects that all vats share. She goes
// by each evaluator that she has or can make, and by each way around the transforms of a compartment.
import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('bootstrap', {
    async bootstrap(vats) {
      await E(vats.mallory).mark();
      await E(vats.bob).look();
    },
  });
