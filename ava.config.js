import { availableParallelism } from 'node:os';

// Each test file runs in a process of its own, because lockdown() can be called only once in a realm.
export default {
  files: [
    'packages/*/test/**/*.test.js',
    'stats/test/**/*.test.js',
    'runner/test/**/*.test.js',
    'bench/**/*.test.js',
    'test/**/*.test.js',
  ],
  require: ['./packages/testkit/told-leaks.js'],
  workerThreads: false,
  // One more than there are cores, since many tests wait: for a timer, a signal, a disk, another process.
  concurrency: Math.max(2, availableParallelism() + 1),
  // Without any test of a file ending: the longest takes some seconds, on a machine that does nothing else.
  timeout: '5m',
};
