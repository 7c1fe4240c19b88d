// A worker thread; see worker.js, which needs a locked-down realm.

import { parentPort } from 'node:worker_threads';
import { ensureLockdown } from '#loader';
import { Fail } from '#model';

/** @typedef {import('./worker.js').WorkerStart & Parameters<typeof import('./channel.js').makeRingChannel>[0]} ThreadStart */

/**
 * @param {ThreadStart} start
 * @param {() => void} keepCode  called when a vat was made
 */
export const runThread = async (start, keepCode) => {
  await ensureLockdown();
  const { runWorker } = await import('./worker.js');
  const { makeRingChannel } = await import('./channel.js');
  const port = parentPort ?? Fail`this is the program of a worker thread`;
  await runWorker(start, makeRingChannel(start), port, keepCode);
};
