// The program of a worker thread; see worker.js, which needs a locked-down realm.

import { parentPort, workerData } from 'node:worker_threads';
import { ensureLockdown } from '#loader';
import { Fail } from '#model';

await ensureLockdown();
const { runWorker } = await import('./worker.js');
const { makeRingChannel } = await import('./channel.js');
const port = parentPort ?? Fail`this is the program of a worker thread`;
await runWorker(workerData, makeRingChannel(workerData), port);
