// Threads begin before the simulation is made. Those that it does not need, and those of a simulation that is not made, are
// ended.

import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

/** @import { Worker } from 'node:worker_threads' */

const vat = `
  import { Far } from '@endo/far';
  export const buildRootObject = () => Far('root', { bootstrap: () => 'done' });
`;

/**
 * Make a simulation, and note the threads that are begun meanwhile.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {Record<string, string>} files
 * @param {object} options
 * @param {(worker: Worker, at: number) => void} [onBegun]
 */
const makeNoting = async (t, files, options, onBegun = () => {}) => {
  const baseDir = temporaryDirectory(t);
  for (const [name, text] of Object.entries(files))
    fs.writeFileSync(path.join(baseDir, name), text);
  /** @type {Worker[]} */
  const begun = [];
  const note = (/** @type {Worker} */ worker) => onBegun(worker, begun.push(worker));
  process.on('worker', note);
  try {
    const simulation = await makeSimulation(loadConfig({ baseDir }), {
      store: makeMemoryStore(),
      ...options,
    });
    return { simulation, begun };
  } catch (error) {
    return { error: /** @type {Error} */ (error), begun };
  } finally {
    process.off('worker', note);
  }
};

// Node gives a thread that has ended this number.
const hasEnded = (/** @type {Worker} */ worker) => worker.threadId === -1;

test.serial('a source that does not parse leaves no thread', async t => {
  const files = { 'bootstrap.js': vat, 'vat-a.js': 'export const buildRootObject = ;' };
  const { error, begun } = await makeNoting(t, files, { workers: 2 });
  t.regex(String(error), /vat-a\.js:1/);
  t.is(begun.length, 2);
  t.true(begun.every(hasEnded));
});

test.serial(
  'a vat that cannot be where it must be leaves no thread, also not of vats before it',
  async t => {
    const config = {
      bootstrap: 'bootstrap',
      vats: {
        bootstrap: { sourceSpec: 'bootstrap.js' },
        a: {
          sourceSpec: 'vat-a.js',
          creationOptions: { managerType: 'local', limits: { crankMs: 2_000 } },
        },
      },
    };
    const files = {
      'bootstrap.js': vat,
      'vat-a.js': vat,
      'swingset.json': JSON.stringify(config),
    };
    const { error, begun } = await makeNoting(t, files, { workers: 2 });
    t.regex(String(error), /managerType is "local"/);
    t.is(begun.length, 1);
    t.true(begun.every(hasEnded));
  },
);

test.serial('a wrong option begins no thread', async t => {
  const { error, begun } = await makeNoting(t, { 'bootstrap.js': vat }, { workers: 2, clock: 5 });
  t.regex(String(error), /clock/);
  t.is(begun.length, 0);
});

test.serial('there are as many threads as vats, and close() ends them', async t => {
  const files = { 'bootstrap.js': vat, 'vat-a.js': vat };
  const { simulation, begun } = await makeNoting(t, files, { workers: 4 });
  t.is(begun.length, 2);
  await simulation?.run();
  t.is(simulation?.workers().length, 2);
  t.false(begun.some(hasEnded));
  await simulation?.close();
  t.true(begun.every(hasEnded));
});

test.serial('a thread that ends before it is taken is the only one to be made again', async t => {
  const files = { 'bootstrap.js': vat, 'vat-a.js': vat };
  const { simulation, begun } = await makeNoting(t, files, { workers: 2 }, (worker, count) => {
    if (count === 1) void worker.terminate();
  });
  await simulation?.run();
  t.is(begun.length, 3);
  t.is(simulation?.workers().length, 2);
  await simulation?.close();
  t.true(begun.every(hasEnded));
});

test.serial('a thread that no vat needs is ended when the simulation is made', async t => {
  const config = {
    bootstrap: 'bootstrap',
    vats: {
      bootstrap: { sourceSpec: 'bootstrap.js' },
      a: { sourceSpec: 'vat-a.js', creationOptions: { managerType: 'local' } },
    },
  };
  const files = {
    'bootstrap.js': vat,
    'vat-a.js': vat,
    'swingset.json': JSON.stringify(config),
  };
  const { simulation, begun } = await makeNoting(t, files, { workers: 4 });
  t.is(begun.length, 1);
  t.is(simulation?.workers().length, 1);
  await simulation?.close();
});
