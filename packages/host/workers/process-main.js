// The program of a process for one vat whose memory is bounded: see worker.js. Why not a thread: where a thread's isolate has no
// room for one large object (an array that grows, the table of a Map, a string), the engine ends the whole process.

import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import { boundBuffers, ensureLockdown } from '#loader';
import { Fail } from '#model';
import { makeSocketChannel } from './channel.js';
import { frameDescriptor, heapIsFull, lifeDescriptor } from './process-signs.js';

/**
 * @typedef {object} ProcessStart
 * @property {'current' | '2020-09'} profile
 * @property {import('../engine-flags.js').EngineFlags} engineFlags
 * @property {number} heapBytes
 * @property {string} [cacheDir]
 * @property {number} [delays]  for tests: the seed of random waits behind deliveries
 */

// The vat may never end its crank, and nobody stops it when the process that began this one has been killed: so a thread of
// its own waits for the end of a socket that only that process holds.
const watchLife = `
  const { readSync } = require('node:fs');
  try { readSync(${lifeDescriptor}, Buffer.alloc(1)); } catch {}
  process.kill(process.pid, 'SIGKILL');
`;
new Worker(watchLife, { eval: true }).unref();

/** End at once: the other thread is waiting in a system call, and leaving in good order would wait for it. @returns {never} */
const end = () => {
  for (;;) process.kill(process.pid, 'SIGKILL');
};

/** @type {ProcessStart} */
const start = JSON.parse(process.argv[2] ?? Fail`this is the program of a process for a vat`);
await ensureLockdown();
const { runWorker } = await import('./worker.js');
const { forceCollection } = await import('../collection.js');
const { setEngineFlags } = await import('../engine-flags.js');
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
const board = new SharedArrayBuffer(8);
await runWorker({ ...start, board }, channel, { postMessage: channel.notify });
