// Calls of a simulation that runs in the background, many at once, each with other arguments. Started by suite.js; alone,
// with the options as JSON, it serves a profiler:
//
//   node --cpu-prof bench/calls/run.js '{"kind":"memory","batches":20,"batch":10000,"alone":1000}'

import fs from 'node:fs';
import { join } from 'node:path';
import { defaultCacheDir, loadConfig, makeMemoryStore, makeSimulation, openLmdbStore } from '#host';
import { answer, withTemporaryFolder } from '../process.js';

/**
 * @typedef {object} RunOptions
 * @property {'memory' | 'group' | 'commit'} kind  of store, and its durability
 * @property {number} batches
 * @property {number} batch  calls of a batch, all made at once
 * @property {number} alone  calls that are made one after another
 */

/**
 * @typedef {object} RunResult
 * @property {number[]} perSecond  answered calls, one value per batch
 * @property {number} aloneUs  a call that waits for the one before it
 * @property {number} sum  of all answers
 */

const sources = {
  'bootstrap.js': `
    import { Far } from '@endo/far';
    export const buildRootObject = () => Far('bootstrap', { bootstrap() {} });
  `,
  'vat-bank.js': `
    import { Far } from '@endo/far';
    export const buildRootObject = () => {
      const balances = new Map();
      return Far('bank', {
        deposit: (owner, { amount }) => {
          const balance = (balances.get(owner) ?? 0) + amount;
          balances.set(owner, balance);
          return { owner, balance };
        },
      });
    };
  `,
};

/** @param {string} dir @param {RunOptions['kind']} kind */
const openStore = (dir, kind) =>
  kind === 'memory'
    ? makeMemoryStore()
    : openLmdbStore({ dir: join(dir, 'state'), durability: kind, create: true });

/**
 * @param {string} dir  empty
 * @param {RunOptions} options
 * @returns {Promise<RunResult>}
 */
const run = async (dir, { kind, batches, batch, alone }) => {
  for (const [name, text] of Object.entries(sources)) fs.writeFileSync(join(dir, name), text);
  const simulation = await makeSimulation(loadConfig({ baseDir: dir }), {
    store: openStore(dir, kind),
    cacheDir: defaultCacheDir(),
  });
  simulation.start();
  let count = 0;
  let sum = 0;
  const deposit = async () => {
    count += 1;
    const args = [`owner ${count % 1_000}`, { amount: count }];
    const { balance } = await simulation.call('bank', 'deposit', args);
    sum += balance;
  };
  /** @type {number[]} */
  const perSecond = [];
  for (let i = 0; i < batches; i += 1) {
    const startMs = performance.now();
    await Promise.all(Array.from({ length: batch }, deposit));
    perSecond.push((batch * 1_000) / (performance.now() - startMs));
  }
  const startMs = performance.now();
  for (let i = 0; i < alone; i += 1) await deposit();
  const aloneUs = ((performance.now() - startMs) * 1_000) / alone;
  await simulation.stop();
  await simulation.close();
  return { perSecond, aloneUs, sum };
};

await answer(options =>
  withTemporaryFolder('calls', dir => run(dir, /** @type {RunOptions} */ (options))),
);
