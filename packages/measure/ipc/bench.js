// Sets up the measurement: simulations with the vats of this folder, one for each store, and a
// thread that echoes messages.

import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { quote, UserError } from '#model';
import {
  defaultCacheDir,
  loadConfig,
  makeMemoryStore,
  makeSimulation,
  openLmdbStore,
  runSome,
} from '#host';

/** @import { Simulation } from '#host' */
/** @import { Instrument } from './instrument.js' */

const configFile = fileURLToPath(new URL('swingset.json', import.meta.url));

/** Cranks of a block, as in a run. */
const blockSize = 200;

/** @param {string} dir the value of --dir */
const makeFolder = dir => {
  try {
    return fs.mkdtempSync(join(dir, 'swingset-ipc-'));
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(
      `--dir ${quote(dir)}: cannot make a database there (${code}); name a directory that you may write to`,
      { cause: error },
    );
  }
};

/**
 * @param {Instrument} instrument
 * @param {'memory' | 'lmdb'} store
 * @param {string} [dir]  of the database
 */
export const openBench = async (instrument, store, dir) => {
  const { mark } = instrument;
  /** @type {'none' | 'cranks' | 'messages'} */
  let marked = 'none';
  /** For each marked crank, whether it delivers a message or a value of a port. @type {boolean[]} */
  const isMessage = [];
  const path = dir === undefined ? undefined : makeFolder(dir);
  /** @type {Simulation} */
  const simulation = await makeSimulation(loadConfig({ configFile }), {
    store:
      path === undefined
        ? makeMemoryStore()
        : openLmdbStore({ dir: path, durability: 'commit', create: true }),
    cacheDir: defaultCacheDir(),
    engineFlags: 'speed',
    vatPowers: { mark },
    wrapTransport: transport => ({
      ...transport,
      begin(delivery, answer, when) {
        const delivers = delivery[0] === 'message' || delivery[0] === 'react';
        if (marked === 'cranks' || (marked === 'messages' && delivers)) {
          isMessage.push(delivers);
          mark();
        }
        return transport.begin(delivery, answer, when);
      },
    }),
  });

  const run = () => runSome(simulation, { blockSize });

  /**
   * Queue a message, and run until nothing is queued.
   *
   * @param {string} vat
   * @param {string} method
   * @param {unknown[]} args
   */
  const send = async (vat, method, args) => {
    const result = simulation.queueToVatRoot(vat, method, args);
    await run();
    simulation.release(result);
  };

  /**
   * Send a message, and mark the beginning of cranks: of all, or of those that deliver a message.
   *
   * @param {string} vat
   * @param {string} method
   * @param {unknown[]} args
   * @param {'cranks' | 'messages'} which
   */
  const sendMarked = async (vat, method, args, which) => {
    isMessage.length = 0;
    marked = which;
    await send(vat, method, args);
    marked = 'none';
  };

  /** @type {Worker | undefined} */
  let worker;
  /** Send messages to the other thread and back. @param {number} times @returns {Promise<void>} */
  const bounce = times => {
    const thread = (worker ??= new Worker(new URL('echo-worker.js', import.meta.url), {
      execArgv: [],
    }));
    return new Promise((resolve, reject) => {
      let left = times;
      const next = () => {
        mark();
        if (left === 0) {
          thread.off('message', next);
          thread.off('error', reject);
          resolve();
        } else {
          left -= 1;
          thread.postMessage(left);
        }
      };
      thread.on('message', next);
      thread.once('error', reject);
      // The first answer shows that the thread has started.
      thread.postMessage(left);
    });
  };

  await run();
  await send('raw', 'write', []);
  return Object.freeze({
    instrument,
    send,
    sendMarked,
    /** For each crank of the last `sendMarked`, whether it delivers a message or a value of a port. */
    isMessage,
    bounce,
    async close() {
      await worker?.terminate();
      await simulation.close();
      if (path !== undefined) fs.rmSync(path, { recursive: true, force: true });
    },
  });
};

/** @typedef {Awaited<ReturnType<typeof openBench>>} Bench */
