// Opens accounts for the owners that follow `--` on the command line, or for two default owners.

import { E, Far } from '@endo/far';

export const buildRootObject = (_vatPowers, { argv = [] }) =>
  Far('bootstrap', {
    async bootstrap(vats) {
      const owners = argv.length > 0 ? argv : ['ann', 'bob'];
      for (const owner of owners) await E(vats.bank).open(owner, 100n);
    },
  });
