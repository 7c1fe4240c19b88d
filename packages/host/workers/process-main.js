// The program of a process for one vat with a memory limit; see worker.js. It is not a thread, since the engine ends
// the whole process if a thread's isolate has no room for one large object (a growing array, the table of a Map, a
// string).

import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import { boundBuffers, ensureLockdown } from '#loader';
import { Fail } from '#model';
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
new Worker(watchLife, { eval: true }).unref();

/** End at once: the other thread waits in a system call, and `process.exit` would wait for it. @returns {never} */
const end = () => {
  for (;;) process.kill(process.pid, 'SIGKILL');
};

/** @type {ProcessStart} */
const start = JSON.parse(process.argv[2] ?? Fail`this is the program of a process for a vat`);
await ensureLockdown();
const { runWorker } = await import('./worker.js');
const { forceCollection } = await import('../engine/collection.js');
const { setEngineFlags } = await import('../engine/engine-flags.js');
const { profiles } = await import('#kernel');

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
await runWorker({ ...start, board }, channel, { postMessage: channel.notify });
