// Mallory calls each power of vats (`testLog`, `exitVat`, `makeMarshal`, meters, `transformTildot`, `disavow`, `D`) with odd
// values, many times and late, and so do vats that end by it.
import { E, Far } from '@endo/far';

export const buildRootObject = () => {
  let vats;
  const names = ['mallory', 'leaver', 'failer', 'disavower'];
  const attackAll = async number => {
    for (const name of names) {
      await E(vats[name])
        .attack(number, vats.bob)
        .then(
          answer => console.log(`${name}: ${answer}`),
          error => console.log(`${name} failed: ${error}`),
        );
    }
    console.log(`bob: ${await E(vats.bob).hello()}`);
  };
  return Far('bootstrap', {
    bootstrap(given) {
      vats = given;
      return attackAll(0);
    },
    runBenchmarkRound: () => attackAll(1),
  });
};
