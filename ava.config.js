// Each test file runs in a process of its own, because lockdown() can be called only once in a realm.
export default {
  files: [
    'packages/*/test/**/*.test.js',
    'stats/test/**/*.test.js',
    'runner/test/**/*.test.js',
    'test/**/*.test.js',
  ],
  workerThreads: false,
  concurrency: 2,
  timeout: '5m',
};
