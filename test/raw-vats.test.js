// Raw vats of both forms that make random syscalls with random bodies: to usual vats, vatAdmin and devices. They harm nobody but
// themselves, and the run is the same when it is resumed and when vats are on a thread. More, from the seed that is
// given: SWINGSET_RUNNER_RAW_SEEDS=1000 SWINGSET_RUNNER_RAW_FIRST=100 npx ava test/raw-vats.test.js --timeout=2h

import path from 'node:path';
import process from 'node:process';
import test from 'ava';
import { defaultCacheDir, loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { storeDigest } from '#store';
import { makeRandom } from '#testkit';

const first = Number(process.env.SWINGSET_RUNNER_RAW_FIRST ?? 1);
const count = Number(process.env.SWINGSET_RUNNER_RAW_SEEDS ?? 5);

const baseDir = path.join(import.meta.dirname, 'fixtures', 'raw-vats');

/**
 * @typedef {object} How
 * @property {'current' | '2020-09'} profile
 * @property {number} seed
 * @property {number} [stopAfter]  cranks, after which the run is resumed from its store
 * @property {number} [workers]
 */

/** @param {How} how */
const run = async ({ profile, seed, stopAfter, workers = 0 }) => {
  const store = makeMemoryStore();
  /** @type {string[]} */
  const printed = [];
  const options = {
    ...{ store, workers, cacheDir: defaultCacheDir() },
    observer: {
      onConsole: (
        /** @type {string} */ vat,
        /** @type {string} */ level,
        /** @type {string} */ text,
      ) => void printed.push(`${vat} ${level} ${text}`),
      onVatError: () => {},
    },
  };
  const config = loadConfig({ baseDir, argv: [String(seed)] });
  let simulation = await makeSimulation(config, { ...options, profile });
  if (stopAfter !== undefined) {
    await simulation.runCranks(stopAfter);
    await simulation.commit();
    await simulation.leave();
    simulation = await makeSimulation(undefined, { ...options, resume: true });
  }
  await simulation.run();
  const { state, data } = simulation.status(simulation.bootstrapResult);
  const outcome = {
    ...{ state, answer: data?.body, hash: simulation.activityHash() },
    ...{ cranks: simulation.cranks.all, printed },
  };
  await simulation.close();
  return { ...outcome, digest: storeDigest(store) };
};

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test.serial(
    `${profile}: raw vats with random bodies harm nobody, seeds from ${first}`,
    async t => {
      for (let seed = first; seed < first + count; seed += 1) {
        const plain = await run({ profile, seed });
        t.is(plain.state, 'data', `seed ${seed}`);
        t.is(plain.answer, profile === 'current' ? '#"hi"' : '"hi"', `seed ${seed}`);
        const stopAfter = 1 + makeRandom(seed).below(plain.cranks);
        t.deepEqual(
          await run({ profile, seed, stopAfter }),
          plain,
          `seed ${seed}, at ${stopAfter}`,
        );
        t.deepEqual(await run({ profile, seed, workers: 1 }), plain, `seed ${seed}, on a thread`);
      }
    },
  );
}
