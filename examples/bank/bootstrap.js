// Opens the bank with the owners that stand behind `--` on the command line, or with two of its own.

import { E, Far } from '@endo/far';

export const buildRootObject = (_vatPowers, { argv = [] }) =>
  Far('bootstrap', {
    async bootstrap(vats) {
      const owners = argv.length > 0 ? argv : ['ann', 'bob'];
      for (const owner of owners) await E(vats.bank).open(owner, 100n);
    },
  });
