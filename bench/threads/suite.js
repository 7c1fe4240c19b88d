// Measures the gain from worker threads: each program with `workers: 'auto'` and without workers,
// in alternating pairs of processes. The hash checks that both runs are the same. On one core,
// `auto` means no workers.

import { createHash } from 'node:crypto';
import { spreadOf } from '#measure';
import { describePairs } from '../pairs.js';
import { ask, askInPairs } from '../process.js';
import { conversations, measureStep } from './step.js';

/** @import { Figure } from '#measure' */
/** @import { Suite } from '../suite.js' */
/** @import { RebuildResult } from './rebuild.js' */
/** @import { RunResult } from './run.js' */

const module = new URL('run.js', import.meta.url);

const rebuildModule = new URL('rebuild.js', import.meta.url);

/** `warmup` is long enough for the vats to reach the threads on which they stay. @type {{ name: string, program: string, argv?: string[], warmup: number, rounds: number, isCalibrated?: boolean }[]} */
const programs = [
  { name: 'eight markets', program: 'bench/threads/markets', warmup: 600, rounds: 100 },
  ...[2, 100, 10_000].map(accounts => ({
    name: `transfers among ${accounts} accounts`,
    program: 'demos/accounts',
    argv: [`accounts=${accounts}`, 'transfers=200', 'work=20000'],
    warmup: 10,
    rounds: 10,
  })),
  { name: 'pingpong', program: 'demos/pingpong', warmup: 10_000, rounds: 10_000 },
  { name: 'exchange', program: 'demos/exchange', warmup: 300, rounds: 300 },
  { name: 'swap', program: 'demos/swap', warmup: 200, rounds: 200 },
];

/** Microseconds of work in a crank: the mean over all cranks. */
const crankUs = [100, 200, 600];

/**
 * Choose the number of steps for each length of a crank.
 *
 * @param {boolean} small
 */
const calibrate = async small => {
  const { digest, stepUs } = await measureStep(small);
  return {
    digest,
    programs: crankUs.map(us => ({
      ...{ program: conversations, warmup: 100, rounds: 40 },
      name: `16 conversations, ${us} us a crank`,
      argv: [`work=${small ? 1_000 : Math.round(us / stepUs)}`],
      isCalibrated: true,
    })),
  };
};

/** The sizes of `--small`, which checks that the suite works: one wide and one narrow program with few rounds. */
const smallSize = { warmup: 1, rounds: 2 };

/** Rounds before a thread ends: few, and then about 10,000 cranks more. */
const rebuildRounds = [100, 1_530];

/**
 * Measures the restoring of vats after the end of their thread: a new thread and their bundles, and
 * the additional time for each 10,000 cranks.
 *
 * @param {boolean} small
 * @returns {Promise<Figure[]>}
 */
const measureRebuild = async small => {
  const turns = small ? 1 : 3;
  const [few, many] = small ? [5, 10] : rebuildRounds;
  const startMs = [];
  const perMs = [];
  for (let turn = 0; turn < turns; turn += 1) {
    /** @type {RebuildResult} */
    const short = await ask(rebuildModule, { rounds: few });
    /** @type {RebuildResult} */
    const long = await ask(rebuildModule, { rounds: many });
    startMs.push(short.ms);
    perMs.push(((long.ms - short.ms) * 10_000) / (long.cranks - short.cranks));
  }
  const params = { few, many, turns };
  return [
    { name: 'a thread ends: a new one', unit: 'ms', ...spreadOf(startMs), params },
    { name: 'a thread ends: 10,000 cranks more', unit: 'ms', ...spreadOf(perMs), params },
  ];
};

const labels = /** @type {const} */ ([
  'a round, none',
  'a round, auto',
  'a round, auto, processor time of all threads',
]);

/** @param {RunResult} result */
const timesOf = ({ roundUs, processorUs }) => ({ wall: roundUs, processor: processorUs });

/** @type {Suite} */
export default {
  about:
    'programs with worker threads as `--workers auto` places vats, beside none, in paired turns',
  async run({ small }) {
    const turns = small ? 1 : 3;
    const digest = createHash('sha256');
    /** @type {Figure[]} */
    const figures = [];
    const calibrated = await calibrate(small);
    digest.update(calibrated.digest);
    const chosen = small
      ? [calibrated.programs[0], ...programs.filter(({ name }) => name === 'pingpong')]
      : [...calibrated.programs, ...programs];
    for (const { name, isCalibrated = false, ...rest } of chosen) {
      const options = { argv: [], ...rest, ...(small && smallSize) };
      /** @type {[RunResult[], RunResult[]]} */
      const [withNone, withAuto] = await askInPairs(
        module,
        [
          { ...options, workers: 0 },
          { ...options, workers: 'auto' },
        ],
        turns,
      );
      // The calibrated work differs from machine to machine.
      if (!isCalibrated) digest.update(withNone[0].activityHash);
      const params = { ...options, turns, moves: withAuto.map(({ moves }) => moves) };
      const what = { name, unit: 'us', labels, params };
      figures.push(...describePairs(what, withNone.map(timesOf), withAuto.map(timesOf)));
    }
    figures.push(...(await measureRebuild(small)));
    return { figures, digest: digest.digest('hex') };
  },
};
