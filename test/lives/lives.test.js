// Random programs of real vats: they are made, act on virtual and durable data, are upgraded, leave, are ended, reach their limits,
// and are asked for their dead references, while a host interferes. Wide ones have vats with reactors and ports, raw and
// critical ones, vats that pipeline, devices with input, with wake-ups and with failures, reactors that read physical time, and
// bundles that are installed during the run as well. They do the same however they are run: on threads that dawdle and end, over moves, stopped at any
// time and resumed behind any block with other threads or on another machine, observed, and repeated from the recording.
//
//   LIVES_RUNS=100 npx ava test/lives      so many random ones beside two known ones
//   LIVES_RUNS=100 LIVES_FIRST=5 npx ava --timeout=5h test/lives      those from seed 5 on
//   LIVES_SEED=1234 npx ava test/lives     that one alone
//   LIVES_PROFILE=2020-09                  beside one of these: programs of 2020-09 only

import { rmSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';

import { exportState, importState, replayRecording } from '#host';
import { javaScriptClock } from '#observe';
import { makeSlog } from '#observe/slog';
import { makeTrace } from '#observe/trace.js';
import { openLmdbStore } from '#store';
import { makeOverlappingTransports, makeRandom } from '#testkit';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { cacheDir, findDifferences, laterFeatures, runLives, wideFeatures } from './run-lives.js';

/** @import { Random } from '#testkit' */
/** @import { Simulation } from '#host' */
/** @import { SimulationOptions } from '../../packages/host/simulation/options.js' */
/** @import { Lives, LivesWay } from './run-lives.js' */

const only = process.env.LIVES_SEED;
const runs = Number(process.env.LIVES_RUNS ?? 0);

/** Each longer run has other programs; the short one has one of each profile, since a program takes half a minute. */
const firstSeed = Number(process.env.LIVES_FIRST ?? Math.floor(Math.random() * 1e9));
const others = Array.from({ length: runs }, (_, i) => firstSeed + i);
/** Programs of a narrower kind, in longer runs. */
const known = [124868806];
/** One of a wide kind. */
const short = 124868807;

/** Tries of a way in which other vats went beyond their limits. */
const mostTries = 3;

/** Without it, programs of both profiles in the short run, and otherwise those of `current`. */
const wanted = process.env.LIVES_PROFILE;

/** @param {number} seed @returns {Lives} */
const makeLives2020 = seed => ({ seed, rounds: 8, features: ['2020-09'], profile: '2020-09' });

/** @param {number} seed @returns {Lives} */
const makeLives = seed => {
  if (wanted === '2020-09') return makeLives2020(seed);
  const random = makeRandom(`lives ${seed}`);
  const features = random.chance(0.5) ? ['limits'] : [];
  // Slow: each vat that hangs is waited for.
  if (features.length > 0 && random.chance(0.2)) features.push('hang');
  // Slow too: each such vat has a process.
  if (features.length > 0 && random.chance(0.2)) features.push('heap');
  if (random.chance(0.3)) features.push('config');
  if (!known.includes(seed)) features.push(...wideFeatures.filter(() => random.chance(0.6)));
  const rounds = 4 + random.below(8);
  // The short run has them, too.
  if (seed === short) features.push(...laterFeatures);
  else if (!known.includes(seed)) features.push(...laterFeatures.filter(() => random.chance(0.6)));
  if (seed !== short && features.includes('busy') && random.chance(0.2)) features.push('endowed');
  return { seed, rounds, features };
};

/** Vats that every program of a profile has. */
const movableVats = { current: ['ann', 'ben', 'bootstrap'], '2020-09': ['alice', 'bootstrap'] };

/**
 * The ways of running a program, each compared with the plain one.
 *
 * @param {readonly string[]} movable  vats
 * @param {Random} random
 * @param {string} dir
 * @returns {Record<string, LivesWay>}
 */
const makeWays = (movable, random, dir) => {
  const blockSize = () => 1 + random.below(40);
  const overlapping = makeOverlappingTransports(random.below(1e6), { takesBack: true });
  // The config has three vats or more, so so many threads are there from the start.
  const some = 2;
  /** The present number, in a run that goes on with another one each time. */
  let threads = 0;
  const changeThreads = () => {
    threads = random.pick([0, 1, 2, 3, 4]);
    return { workers: threads, workerDelays: random.below(1e6) };
  };
  /** @param {number} threads @returns {(simulation: Simulation) => void} */
  const disturb = threads => simulation => {
    if (threads > 0 && random.chance(0.15)) void simulation.killWorker(1 + random.below(threads));
    if (random.chance(0.15)) void simulation.killWorker(1 + random.below(2), true);
    const vat = random.pick(movable);
    if (random.chance(0.3)) simulation.moveVat(vat, random.below(threads + 1));
  };
  return {
    'on threads that end, between which vats move': {
      blockSize,
      options: () => ({ workers: some, workerDelays: random.below(1e6) }),
      onBlock: disturb(some),
    },
    'stopped at many times, resumed now and then or elsewhere, on disk': {
      blockSize,
      until: timeNs => timeNs + random.below(9_000) * 1e6,
      openStore: async isNew => {
        if (!isNew && random.chance(0.3)) await carry(dir);
        return openLmdbStore({ dir, durability: 'none', create: isNew });
      },
      options: changeThreads,
      reopens: () => random.chance(0.15),
      onBlock: simulation => disturb(threads)(simulation),
    },
    'watched, resumed behind each block': {
      blockSize: () => 20 + random.below(80),
      options: () => ({ ...changeThreads(), ...watch(random) }),
      reopens: () => true,
    },
    'overlapped and reordered, resumed now and then': {
      blockSize,
      options: () => ({ lookahead: 16, wrapTransport: overlapping.wrap }),
      reopens: () => random.chance(0.1),
    },
  };
};

/** Take a state to another machine. @param {string} dir */
const carry = async dir => {
  const file = `${dir}.file`;
  const store = openLmdbStore({ dir, durability: 'none', create: false });
  exportState(store, file, { replace: true, hasLocal: false });
  await store.close();
  await importState(file, dir, { replace: true });
};

/** Observers that read all that there is, and keep nothing. @param {Random} random @returns {Partial<SimulationOptions>} */
const watch = random => {
  const write = () => {};
  if (random.chance(0.5)) {
    const { crankObserver, begin } = makeSlog({ write });
    return { crankObserver, onKernel: begin };
  }
  const { close: _close, ...options } = makeTrace({ write, clock: javaScriptClock });
  return options;
};

/** Whether limits of time ran out for others than they should. @param {string[]} limits @param {string[]} wanted */
const hasOtherTimes = (limits, wanted) => {
  const [is, should] = [limits, wanted].map(all => all.filter(each => each.endsWith(': crankMs')));
  return is.join() !== should.join();
};

/** One crank at a time, with which the others are compared. @param {Lives} lives */
const runPlain = async lives => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await runLives(lives, { blockSize: () => 1, audits: true });
    } catch (error) {
      const { limits = [] } = /** @type {{ limits?: string[] }} */ (error);
      if (tries === mostTries || !hasOtherTimes(limits, [])) throw error;
    }
  }
};

const all =
  only === undefined
    ? [...[...(runs > 0 ? known : []), short, ...others].map(makeLives), makeLives2020(820000010)]
    : [makeLives(Number(only))];

for (const lives of all) {
  const { seed } = lives;
  const features = lives.features.join(' ') || 'no limits';
  test.serial(`LIVES_SEED=${seed} (${features}) does the same, however it is run`, async t => {
    // No assertion: on a machine that does much else a program takes long.
    t.timeout(3_600_000);
    const random = makeRandom(`ways of ${seed}`);
    const movable = movableVats[lives.profile ?? 'current'];
    const dir = path.join(temporaryDirectory(t), 'state');
    const { outcome, store, inputs, limits, hash } = await runPlain(lives);
    t.log(outcome.cranks, inputs, ...limits);
    for (const [name, way] of Object.entries(makeWays(movable, random, dir))) {
      for (let tries = 1; ; tries += 1) {
        const other = await runLives(lives, way).catch(error => {
          // A vat that a busy machine ended may have been one that bootstrap waits for.
          if (tries < mostTries && hasOtherTimes(error.limits ?? [], limits)) return undefined;
          throw Error(`${name}: ${error.message} ${error.limits}`, { cause: error });
        });
        // A limit of time that ran out on a busy machine is another input.
        const isOther = other !== undefined && hasOtherTimes(other.limits, limits);
        if (other !== undefined && !isOther) {
          t.deepEqual(findDifferences(other.outcome, outcome), [], name);
          break;
        }
        if (other !== undefined) t.log(name, ...other.limits);
        if (other !== undefined && tries === mostTries && !lives.features.includes('endowed')) {
          // With these inputs it is a run of its own, which must repeat itself.
          const kept = (await way.openStore?.(false)) ?? other.store;
          const again = await replayRecording(kept, { cacheDir });
          await kept.close();
          t.is(again.difference, undefined, name);
          t.is(again.activityHash, other.hash, name);
          break;
        }
        rmSync(dir, { recursive: true, force: true });
      }
    }
    if (lives.features.includes('endowed')) {
      await t.throwsAsync(replayRecording(store, { cacheDir }), { message: /given endowments/ });
      return;
    }
    const { difference, activityHash } = await replayRecording(store, { cacheDir });
    t.is(difference, undefined);
    t.is(activityHash, hash);
  });
}

if (only === undefined) {
  test.serial('a device with endowments does the same beside vats on threads', async t => {
    t.timeout(3_600_000);
    const lives = { seed: 820000011, rounds: 2, features: ['busy', 'endowed'] };
    const { outcome } = await runLives(lives);
    // Numbers that the host has mixed came to the vats.
    t.regex(JSON.stringify(outcome.said), /log node \d{4}/);
    const random = makeRandom('ways of endowed devices');
    const ways = makeWays(movableVats.current, random, path.join(temporaryDirectory(t), 'state'));
    const other = await runLives(lives, ways['on threads that end, between which vats move']);
    t.deepEqual(findDifferences(other.outcome, outcome), []);
  });
}
