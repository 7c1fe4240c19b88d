// A process for one vat with a memory limit; see worker.js, which needs a locked-down realm.

import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import { boundBuffers, ensureLockdown } from '#loader';
import { makeBoard } from './board.js';
import { makeSocketChannel } from './channel.js';
import { frameDescriptor, heapIsFull, lifeDescriptor } from './process-signs.js';

/**
 * @typedef {object} ProcessStart
 * @property {'current' | '2020-09'} profile
 * @property {import('../engine/engine-flags.js').EngineFlags} engineFlags
 * @property {number} heapBytes
 * @property {string} [cacheDir]
 * @property {number} [delays]  for tests: seed of random waits after deliveries
 */

// The vat may never end its crank, and nobody else ends this process if its parent process is killed: so a separate
// thread waits for the end of a socket that only the parent holds.
const watchLife = `
  const { readSync } = require('node:fs');
  try { readSync(${lifeDescriptor}, Buffer.alloc(1)); } catch {}
  process.kill(process.pid, 'SIGKILL');
`;

/** End at once: the other thread waits in a system call, and `process.exit` would wait for it. @returns {never} */
const end = () => {
  for (;;) process.kill(process.pid, 'SIGKILL');
};

/**
 * @param {ProcessStart} start
 * @param {() => void} keepCode  called once all modules are loaded
 */
export const runProcess = async (start, keepCode) => {
  new Worker(watchLife, { eval: true }).unref();
  await ensureLockdown();
  const { runWorker } = await import('./worker.js');
  const { forceCollection } = await import('../engine/collection.js');
  const { setEngineFlags } = await import('../engine/engine-flags.js');
  const { profiles } = await import('#kernel');

  // The engine takes code only under the flags under which it was kept, and the next process begins without these.
  keepCode();
  setEngineFlags(start.engineFlags, profiles[start.profile].collectsObjects);
  boundBuffers({
    mostBytes: start.heapBytes + process.memoryUsage().arrayBuffers,
    measure: () => process.memoryUsage().arrayBuffers,
    collect: forceCollection,
    onBeyond() {
      fs.writeSync(2, `array buffers: ${heapIsFull}\n`);
      end();
    },
  });

  const channel = makeSocketChannel(frameDescriptor, end);
  const board = makeBoard();
  await runWorker({ ...start, board }, channel, { postMessage: channel.notify }, () => {});
};
