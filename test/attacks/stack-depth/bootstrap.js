// How deep a vat can recurse is the engine's affair, and differs between a run and its resume. Mallory tells her depth in
// each round, so that her state cannot be brought back, and takes the state from everyone. She may lose hers: she alone is
// ended, and bob goes on.

import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  let vats;
  let round = 0;
  return Far('bootstrap', {
    bootstrap(all) {
      vats = all;
    },
    async runBenchmarkRound() {
      round += 1;
      const said = await E(vats.mallory)
        .tell()
        .then(
          () => 'told',
          error => error.message,
        );
      return `${said}, ${await E(vats.bob).count()}`;
    },
  });
};
