// The program of a worker thread: it loads run-thread.js, which has what it does.

import { workerData } from 'node:worker_threads';
import { openProgram } from './open-program.js';

const { program, keepCode } = await openProgram(
  workerData.cacheDir,
  'run-thread.js',
  () => import('./run-thread.js'),
);
await program.runThread(workerData, keepCode);
