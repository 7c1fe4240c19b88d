// Vats created and terminated one after another, from a bundle that the kernel already knows, in a
// process of its own. Started by suite.js.

import fs from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadConfig, makeSimulation, openLmdbStore, runRounds } from '#host';
import { answer, withTemporaryFolder } from '../process.js';

/**
 * @typedef {object} ManyOptions
 * @property {number} count  vats
 * @property {'current' | '2020-09'} profile
 */

/** @typedef {{ heapBytes: number, keys: number, bytes: number }} Footprint  after a collection; of the store */

/** @typedef {{ eachMs: number[], before: Footprint, after: Footprint, activityHash: string }} ManyResult */

setFlagsFromString('--expose-gc');
const collect = /** @type {() => void} */ (runInNewContext('gc'));

const bootstrap = `
import { E, Far } from '@endo/far';
export const buildRootObject = () => {
  let service;
  return Far('bootstrap', {
    bootstrap(vats, devices) {
      service = E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
    },
    async runBenchmarkRound() {
      const { root, adminNode } = await E(service).createVatByName('small');
      E(root).end();
      return E(adminNode).done();
    },
  });
};
`;

const small = `
import { Far } from '@endo/far';
export const buildRootObject = ({ exitVat }) => Far('small', { end: () => exitVat('over') });
`;

const config = {
  bootstrap: 'bootstrap',
  bundles: { small: { sourceSpec: 'vat-small.js' } },
  vats: { bootstrap: { sourceSpec: 'bootstrap.js' } },
};

/** Uncounted rounds at the start, in which code is compiled and tables get their first size. */
const warmup = 200;

/** The number of rounds whose mean is one figure. */
const together = 100;

await answer((/** @type {ManyOptions} */ { count, profile }) =>
  withTemporaryFolder('vats', async dir => {
    fs.writeFileSync(path.join(dir, 'bootstrap.js'), bootstrap);
    fs.writeFileSync(path.join(dir, 'vat-small.js'), small);
    fs.writeFileSync(path.join(dir, 'swingset.json'), JSON.stringify(config));
    // On disk, so that transcripts, which grow with every crank, are not in the heap.
    const store = openLmdbStore({ dir: path.join(dir, 'state'), durability: 'none', create: true });
    const simulation = await makeSimulation(loadConfig({ baseDir: dir }), {
      store,
      profile,
      engineFlags: 'speed',
    });

    /** @returns {Footprint} */
    const look = () => {
      collect();
      collect();
      let keys = 0;
      let bytes = 0;
      for (const [key, value] of store.entries('')) {
        // The hash is a stream of all cranks.
        if (key.startsWith('hash.')) continue;
        keys += 1;
        bytes += key.length + value.length;
      }
      return { heapBytes: process.memoryUsage().heapUsed, keys, bytes };
    };

    let rounds = Math.min(warmup, count);
    await runRounds(simulation, { rounds });
    const before = look();
    /** @type {number[]} */
    const eachMs = [];
    const end = rounds + count;
    while (rounds < end) {
      const next = Math.min(rounds + together, end);
      const start = performance.now();
      await runRounds(simulation, { rounds: next });
      eachMs.push((performance.now() - start) / (next - rounds));
      rounds = next;
    }
    /** @type {ManyResult} */
    const result = { eachMs, before, after: look(), activityHash: simulation.activityHash() };
    await simulation.close();
    return result;
  }),
);
