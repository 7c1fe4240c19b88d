// Random lives (fixtures/random-lives) that a host program drives by SwingSet's controller (run-controller.js). Whatever ends its
// runs, a count of cranks or a clock, and whenever it commits, continues from disk, from serialised data or on another
// machine, the state is the same, and so are the panics that it survives.
//
//   LIVES_RUNS=20 npx ava test/lives/controller.test.js      so many random programs beside some known ones
//   LIVES_RUNS=20 LIVES_FIRST=5 npx ava --timeout=5h test/lives/controller.test.js      those from seed 5 on
//   LIVES_SEED=12 npx ava test/lives/controller.test.js      that one alone

import path from 'node:path';
import test from 'ava';

import { replayRecording } from '#host';
import { makeRandom } from '#testkit';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { cellOf } from '../../packages/swingset/swing-store.js';
import { countTo, runController } from './run-controller.js';
import { cacheDir } from './run-lives.js';

/** @import { Random } from '#testkit' */
/** @import { ControllerLives, ControllerWay } from './run-controller.js' */

// The lines of vats are no part of the outcome, and many.
for (const level of /** @type {const} */ (['debug', 'info', 'log', 'warn', 'error']))
  console[level] = () => {};

/** @param {number} limit @param {number} ms */
const byClock = (limit, ms) => {
  const goesOn = countTo(limit);
  const endMs = performance.now() + ms;
  return () => goesOn() && performance.now() < endMs;
};

/** Programs without the features that came later. In the second, vats are ended before their start, so that bootstrap fails. */
const known = [3, 225302485];

const only = process.env.LIVES_SEED;
const firstSeed = Number(process.env.LIVES_FIRST ?? Math.floor(Math.random() * 1e9));
const others = Array.from({ length: Number(process.env.LIVES_RUNS ?? 0) }, (_, i) => firstSeed + i);
const seeds = only === undefined ? [...known, ...others] : [Number(only)];

/** @param {number} seed @param {Random} random @returns {ControllerLives} */
const makeLives = (seed, random) => {
  const rounds = 3 + random.below(6);
  const features = ['config', 'raw', 'sorts', 'options', 'ports'].filter(() => random.chance(0.5));
  const interrupts = [40 + random.below(100), 150 + random.below(200)];
  if (!known.includes(seed))
    features.push(
      ...['mail', 'bundles', 'panics', 'budgets', 'critical'].filter(() => random.chance(0.4)),
    );
  return { seed, rounds, features, interrupts };
};

/** @param {Random} random @param {string} dir @returns {Record<string, ControllerWay>} */
const makeWays = (random, dir) => {
  const few = (/** @type {number} */ limit) => countTo(Math.min(limit, 1 + random.below(60)));
  return {
    'under a policy of time': { goesOn: limit => byClock(limit, random.below(20)) },
    'under a policy of cranks, continued from disk or elsewhere': {
      dir,
      goesOn: few,
      afterRun: () => random.pick(['nothing', 'commit', 'commit', 'reopen', 'carry']),
    },
    'under a policy of cranks, serialised': {
      goesOn: few,
      afterRun: () => random.pick(['nothing', 'reopen', 'serialise']),
    },
    'watched, continued behind each run': {
      goesOn: few,
      afterRun: () => 'reopen',
      options: () => ({ slogSender: () => {}, verbose: true }),
    },
  };
};

for (const seed of seeds) {
  test.serial(`LIVES_SEED=${seed} does the same, however a host program runs it`, async t => {
    // No assertion: on a machine that does much else a program takes long.
    t.timeout(3_600_000);
    const random = makeRandom(`controller ${seed}`);
    const lives = makeLives(seed, random);
    const plain = await runController(lives, {
      goesOn: limit => (limit === Infinity ? undefined : countTo(limit)),
    });
    const { cranks, log, panics } = /** @type {Record<string, any>} */ (plain.outcome);
    t.log(lives.features.join(' '), cranks, log.length, ...panics);
    t.deepEqual(plain.outcome.audit, []);
    const ways = makeWays(random, path.join(temporaryDirectory(t), 'state'));
    for (const [name, way] of Object.entries(ways)) {
      const { outcome, swingStore } = await runController(lives, way).catch(error => {
        throw Error(`${name}: ${error.message}`, { cause: error });
      });
      await swingStore.hostStorage.close();
      t.deepEqual(outcome, plain.outcome, name);
    }
    const { store } = cellOf(plain.swingStore.kernelStorage);
    // The host's parts of devices are not recorded.
    if (!lives.features.includes('mail'))
      t.is((await replayRecording(store, { cacheDir })).difference, undefined);
    await plain.swingStore.hostStorage.close();
  });
}
