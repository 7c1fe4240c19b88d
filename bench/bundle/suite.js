// From a vat's source file to a running vat: our bundles compared with those of
// @endo/bundle-source, on demos/pingpong's bob, which imports `@endo/far`. Ours leave that module
// to the runner; theirs include it and its dependencies.

import { spreadOf } from '#measure';
import { ask, askInTurns, withTemporaryFolder } from '../process.js';

/** @import { Figure } from '#measure' */
/** @import { Suite } from '../suite.js' */
/** @import { RunOptions, RunResult } from './run.js' */

const module = new URL('run.js', import.meta.url);

/** @type {(Omit<RunOptions, 'cacheDir' | 'again'> & { name: string })[]} */
const ways = [
  { name: 'ours, nothing cached', format: 'ours', isCold: true },
  { name: 'ours, compiled before', format: 'ours' },
  { name: 'bundle-source nestedEvaluate', format: 'nestedEvaluate' },
  { name: 'bundle-source endoScript', format: 'endoScript' },
];

/** @type {[what: string, unit: string, select: (result: RunResult) => number[]][]} */
const kinds = [
  ['bundle, first in a process', 'ms', one => [one.loadMs + one.firstBundleMs]],
  ['bundle again', 'ms', one => one.bundleMs],
  ['import, first in a process', 'ms', one => [one.firstImportMs]],
  ['import again', 'ms', one => one.importMs],
  ['size of the bundle', 'bytes', one => [one.bytes]],
];

/** @type {Suite} */
export default {
  about: "a vat's source bundled and imported, against @endo/bundle-source",
  run: ({ small }) =>
    withTemporaryFolder('bundle', async cacheDir => {
      const turns = small ? 1 : 5;
      const again = small ? 1 : 4;
      // An uncounted run fills the cache.
      await ask(module, { format: 'ours', cacheDir, again: 0 });
      // One of theirs shows that both kinds work.
      const tried = small ? ways.slice(0, 3) : ways;
      const cases = tried.map(({ name: _, ...way }) => ({ ...way, cacheDir, again }));
      /** @type {RunResult[][]} */
      const results = await askInTurns(module, cases, turns);
      /** @type {Figure[]} */
      const figures = kinds.flatMap(([what, unit, select]) =>
        tried.map(({ name }, i) => ({
          name: `${what}: ${name}`,
          unit,
          ...spreadOf(results[i].flatMap(select)),
          params: { processes: turns },
        })),
      );
      return { figures, digest: results[0][0].id };
    }),
};
