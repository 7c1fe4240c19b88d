// Random lives (fixtures/random-lives) on machines that talk by comms, over a carrier whose strings come late, in parts, mixed and
// repeatedly. Each machine does the same again with what it was given: on threads, overlapped, resumed behind any block, also
// where it lost what it had done since the last one, and repeated from its recording.
//
//   LIVES_RUNS=20 npx ava test/lives/machines.test.js      so many random programs beside a short known one
//   LIVES_RUNS=20 LIVES_FIRST=5 npx ava --timeout=5h test/lives/machines.test.js      those from seed 5 on
//   LIVES_SEED=12 npx ava test/lives/machines.test.js      that one alone

import test from 'ava';

import { replayRecording } from '#host';
import { makeOverlappingTransports, makeRandom } from '#testkit';
import { cacheDir, findDifferences } from './run-lives.js';
import { reliveMachine, runMachines } from './run-machines.js';

/** @import { CrankResult, Transport } from '#kernel' */
/** @import { Random } from '#testkit' */
/** @import { Given, MachineWay, MachinesLives } from './run-machines.js' */

const known = [44];

const only = process.env.LIVES_SEED;
const firstSeed = Number(process.env.LIVES_FIRST ?? Math.floor(Math.random() * 1e9));
const others = Array.from({ length: Number(process.env.LIVES_RUNS ?? 0) }, (_, i) => firstSeed + i);
const seeds = only === undefined ? [...known, ...others] : [Number(only)];

/** @param {number} seed @param {Random} random @returns {MachinesLives} */
const makeLives = (seed, random) => {
  if (known.includes(seed))
    return { seed, rounds: 3, names: ['a', 'b'], features: ['config', 'busy'] };
  const features = ['config', 'ports', 'raw', 'sorts', 'options', 'mail', 'clock', 'busy'];
  return {
    seed,
    rounds: 3 + random.below(5),
    names: random.chance(0.8) ? ['a', 'b'] : ['a', 'b', 'c'],
    features: features.filter(() => random.chance(0.5)),
  };
};

/** @param {Random} random @returns {Record<string, MachineWay>} */
const makeWays = random => {
  const blockSize = () => 1 + random.below(40);
  const overlapping = makeOverlappingTransports(random.below(1e6), { takesBack: true });
  return {
    'on threads, resumed with others, stopped at many times': {
      blockSize,
      until: timeNs => timeNs + random.below(9_000) * 1e6,
      options: () => ({ workers: random.pick([0, 1, 2, 3]), workerDelays: random.below(1e6) }),
      reopens: () => random.chance(0.1),
      loses: () => random.chance(0.05),
    },
    'overlapped and reordered, resumed now and then': {
      blockSize,
      options: () => ({ lookahead: 16, wrapTransport: overlapping.wrap }),
      reopens: () => random.chance(0.1),
      loses: () => random.chance(0.05),
    },
  };
};

/**
 * A way in which two messages that a vat sends in one crank change places, once.
 *
 * @returns {MachineWay & { swapped: () => number }}
 */
const makeSwapping = () => {
  let swapped = 0;
  /** @param {CrankResult} result */
  const swap = result => {
    const { syscalls } = result;
    const at = syscalls.findIndex((_, i) =>
      ['send', 'subscribe', 'send', 'subscribe'].every((type, j) => syscalls[i + j]?.[0] === type),
    );
    if (at < 0 || swapped > 0) return result;
    swapped += 1;
    const [before, pairs] = [syscalls.slice(0, at), syscalls.slice(at, at + 4)];
    const turned = [...pairs.slice(2), ...pairs.slice(0, 2)];
    return { ...result, syscalls: [...before, ...turned, ...syscalls.slice(at + 4)] };
  };
  /** @param {Transport} transport @returns {Transport} */
  const wrapTransport = transport => ({
    ...transport,
    finish() {
      const result = transport.finish();
      return 'then' in result ? result.then(swap) : swap(result);
    },
  });
  return { options: () => ({ wrapTransport }), swapped: () => swapped };
};

/**
 * The inputs of a machine, where the first messages of another one came without the last.
 *
 * @param {readonly Given[]} given
 */
const loseMessage = given => {
  const letters = given.map(({ kind, data }) => (kind === 'mail' ? JSON.parse(data) : undefined));
  const at = letters.findIndex(letter => letter?.messages.length > 0);
  const data = JSON.stringify({ ...letters[at], messages: letters[at].messages.slice(0, -1) });
  return given.with(at, { ...given[at], data });
};

test.serial('a fault in one of the machines is found', async t => {
  t.timeout(3_600_000);
  /** @type {MachinesLives} */
  const lives = { seed: 44, rounds: 1, names: ['a', 'b'], features: ['busy'] };
  const { given, ends } = await runMachines(lives);
  /** @param {readonly Given[]} gets @param {MachineWay} way */
  const findIn = (gets, way) =>
    reliveMachine(lives, 'b', gets, way).then(
      ({ outcome }) => findDifferences(outcome, ends.b.outcome),
      error => [error.message],
    );
  t.deepEqual(await findIn(given.b, {}), []);
  const swapping = makeSwapping();
  const [difference = ''] = await findIn(given.b, swapping);
  t.is(swapping.swapped(), 1);
  t.not(difference, '');
  t.log(difference.slice(0, 100));
  const [lost = ''] = await findIn(loseMessage(given.b), {});
  t.not(lost, '');
  t.log(lost.slice(0, 100));
});

for (const seed of seeds) {
  test.serial(`LIVES_SEED=${seed} does the same on each machine, however it is run`, async t => {
    // No assertion: on a machine that does much else a program takes long.
    t.timeout(3_600_000);
    const random = makeRandom(`ways of machines ${seed}`);
    const lives = makeLives(seed, random);
    const { given, ends, carried } = await runMachines(lives);
    t.true(carried > 0);
    t.log(lives.features.join(' '), `${carried} letters`);
    for (const [at, name] of lives.names.entries()) {
      const { outcome, hash, store } = ends[name];
      t.log(name, outcome.cranks, `given ${given[name].length}`);
      t.deepEqual(outcome.audit, []);
      const ways = Object.entries(makeWays(random));
      // In the short one each machine has a way of its own.
      for (const [how, way] of known.includes(seed) ? [ways[at]] : ways) {
        const other = await reliveMachine(lives, name, given[name], way).catch(error => {
          throw Error(`${name} ${how}: ${error.message}`, { cause: error });
        });
        t.deepEqual(findDifferences(other.outcome, outcome), [], `${name} ${how}`);
      }
      const { difference, activityHash } = await replayRecording(store, { cacheDir });
      t.is(difference, undefined);
      t.is(activityHash, hash);
    }
  });
}
