import { rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/**
 * Test files that take longest, in the order of that, from this folder. They begin first, so that none is left
 * alone at the end with a processor that has nothing to do.
 */
export const longest = [
  'test/attacks/attacks',
  'test/bench',
  'test/lives/lives',
  'packages/cluster/test/runs',
  'packages/cluster/test/virtual',
  'packages/cluster/test/moves-and-losses',
  'packages/cluster/test/ahead',
  'packages/cluster/test/faults',
  'test/workers',
  'test/workers-reactors',
  'test/bad-input',
  'test/package',
  'test/cluster-equality',
  'test/determinism',
  'runner/test/signals',
  'runner/test/state',
  'runner/test/inside',
  'packages/host/test/reactors/reactors-ahead',
  'packages/store/test/crash',
  'test/simulator',
  'runner/test/truth',
  'test/lives/controller',
  'test/limits/vat-limits',
].map(name => join(import.meta.dirname, `${name}.test.js`));

/** @param {string} file */
const rank = file => {
  const place = longest.indexOf(file);
  return place === -1 ? longest.length : place;
};

/** Compiled sources of all test files, for one run of ava: a change of the compiler finds nothing of before. */
const cacheDir = join(tmpdir(), `swingset-runner-tests-${process.pid}`);
process.once('exit', () => rmSync(cacheDir, { recursive: true, force: true }));

// Each test file runs in a process of its own, because lockdown() can be called only once in a realm.
export default {
  files: [
    'packages/*/test/**/*.test.js',
    'stats/test/**/*.test.js',
    'runner/test/**/*.test.js',
    'bench/**/*.test.js',
    'test/**/*.test.js',
  ],
  environmentVariables: { SWINGSET_RUNNER_CACHE_DIR: cacheDir },
  require: ['./packages/testkit/told-leaks.js'],
  workerThreads: false,
  // One more than there are cores, since many tests wait: for a timer, a signal, a disk, another process. With two more, two
  // cores take a tenth longer.
  concurrency: Math.max(2, availableParallelism() + 1),
  // Without any test of a file ending: the longest takes some seconds, on a machine that does nothing else.
  timeout: '5m',
  /** @param {string} a @param {string} b */
  sortTestFiles: (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1),
};
