// A round of demos/pingpong, by kind of store: seven cranks, one commit, one row with all stats.
// Also the figures that must not grow with the rounds: their time, the heap, the database.

import { spreadOf } from '#measure';
import { ask } from '../process.js';

/** @import { Figure } from '#measure' */
/** @import { Suite } from '../suite.js' */
/** @import { RunOptions, RunResult } from './run.js' */

const configurations = /** @type {const} */ ([
  { name: 'memory', store: 'memory', profile: 'current' },
  { name: 'LMDB, none', store: 'none', profile: 'current' },
  { name: 'LMDB, group', store: 'group', profile: 'current' },
  { name: 'LMDB, commit', store: 'commit', profile: 'current' },
  { name: 'LMDB, commit, --keepawake', store: 'commit', profile: 'current', keepsAwake: true },
  { name: 'memory, 2020-09', store: 'memory', profile: '2020-09' },
]);

const batch = 100;
const nsPerUs = 1_000;

/** A disk slower than this would take all of the suite's time. */
const slowTurnMs = 8_000;

const module = new URL('run.js', import.meta.url);

/** @param {RunOptions} options @returns {Promise<RunResult>} */
const run = options => ask(module, { batch, ...options });

/** @param {number[]} values */
const sum = values => values.reduce((total, value) => total + value, 0);

/**
 * @param {string} name
 * @param {string} unit
 * @param {number[]} values
 * @param {Record<string, unknown>} params
 * @returns {Figure}
 */
const figure = (name, unit, values, params) => ({ name, unit, ...spreadOf(values), params });

/** @param {number[]} batchNs  of whole batches */
const perRoundUs = batchNs => batchNs.map(ns => ns / batch / nsPerUs);

/**
 * Run each configuration several times, alternately.
 *
 * @param {{ rounds: number, warmup: number, turns: number, pageWrites: number }} size
 */
const measureRounds = async ({ rounds, warmup, turns, pageWrites }) => {
  const runs = configurations.map(configuration => ({
    ...configuration,
    results: /** @type {RunResult[]} */ ([]),
    isSlow: false,
  }));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const one of runs) {
      if (one.isSlow) continue;
      const { name: _, results, isSlow: _slow, ...options } = one;
      const startMs = performance.now();
      results.push(
        await run({
          ...options,
          rounds,
          warmup,
          pageWrites: one.name === 'LMDB, commit' ? pageWrites : 0,
        }),
      );
      one.isSlow = performance.now() - startMs > slowTurnMs;
    }
  }
  return runs;
};

/**
 * @param {Awaited<ReturnType<typeof measureRounds>>} runs
 * @param {{ rounds: number, warmup: number }} size
 * @returns {Figure[]}
 */
const roundFigures = (runs, { rounds, warmup }) => {
  const figures = runs.flatMap(({ name, store, profile, results }) => {
    const { cranksPerRound } = results[0];
    const params = { store, profile, rounds, warmup, cranksPerRound };
    const batches = { ...params, batch, turns: results.length };
    return [
      figure(
        `${name}: a round, whole runs`,
        'us',
        results.map(({ batchNs }) => sum(batchNs) / rounds / nsPerUs),
        params,
      ),
      figure(
        `${name}: a round, processor time of all threads`,
        'us',
        results.map(({ processorNs }) => processorNs / rounds / nsPerUs),
        params,
      ),
      figure(
        `${name}: a round, by batch`,
        'us',
        results.flatMap(({ batchNs }) => perRoundUs(batchNs)),
        batches,
      ),
      figure(
        `${name}: its commit, by batch`,
        'us',
        results.flatMap(({ commitNs }) => perRoundUs(commitNs)),
        batches,
      ),
    ];
  });
  /** @type {(name: string, bytes: number, of: (result: RunResult) => number[]) => Figure} */
  const disk = (name, bytes, of) => {
    const ns = runs.flatMap(({ results }) => results.flatMap(of));
    return figure(
      `disk: ${name}`,
      'us',
      ns.map(one => one / nsPerUs),
      { bytes },
    );
  };
  return [
    ...figures,
    disk('write and fdatasync of one page', 4096, one => one.pageWriteNs),
    disk(
      "write and fdatasync of a round's record, at a run's pace",
      3310,
      one => one.recordWriteNs,
    ),
    disk('the same, the core kept awake', 3310, one => one.awakeWriteNs),
  ];
};

/**
 * A long run: whether round 100,000 costs as much as round 1,000, and what has grown.
 *
 * @param {string} name
 * @param {'memory' | 'none'} store
 * @param {{ warmup: number, looks: number[], edge: number }} size
 */
const measureGrowth = async (name, store, { warmup, looks, edge }) => {
  const rounds = looks[looks.length - 1];
  const result = await run({ store, rounds, warmup, looks });
  const params = { store, rounds, warmup };
  const edgeBatches = edge / batch;
  const first = perRoundUs(result.batchNs.slice(0, edgeBatches));
  const last = perRoundUs(result.batchNs.slice(-edgeBatches));
  const heaps = result.looks.map(look =>
    figure(
      `${name}: heap after ${look.rounds} rounds and a collection`,
      'bytes',
      [look.heapBytes],
      params,
    ),
  );
  const early = result.looks[0];
  const late = result.looks[result.looks.length - 1];
  const cranks = late.cranks - early.cranks;
  const grown = late.rounds - early.rounds;
  const between = { ...params, fromRounds: early.rounds };
  /** @type {(name: string, value: number) => Figure} */
  const growth = (what, value) => figure(`${name}: ${what}`, 'bytes', [value], between);
  const transcripts = late.transcriptBytes - early.transcriptBytes;
  const inputs = late.inputBytes - early.inputBytes;
  const figures = [
    figure(`${name}: the first ${edge} of ${rounds} rounds`, 'us', first, { ...params, batch }),
    figure(`${name}: the last ${edge} of ${rounds} rounds`, 'us', last, { ...params, batch }),
    figure(
      `${name}: last to first, medians`,
      'ratio',
      [spreadOf(last).median / spreadOf(first).median],
      params,
    ),
    ...heaps,
    figure(
      `${name}: growth of the heap`,
      'bytes a round',
      [(late.heapBytes - early.heapBytes) / grown],
      between,
    ),
    growth('transcripts, a crank', transcripts / cranks),
    growth('inputs, a round', inputs / grown),
  ];
  if (store === 'none') {
    const disk = late.diskBytes - early.diskBytes;
    figures.push(
      growth('database, a crank', disk / cranks),
      growth(
        'database beyond transcripts and inputs, a crank',
        (disk - transcripts - inputs) / cranks,
      ),
    );
  }
  return { figures, activityHash: result.activityHash };
};

/** @type {Suite} */
export default {
  about: 'a round of demos/pingpong, one commit a round, all stats logged; and what may not grow',
  async run({ small }) {
    const size = small
      ? { rounds: 200, warmup: 100, turns: 1, pageWrites: 4 }
      : { rounds: 10_000, warmup: 2_000, turns: 3, pageWrites: 200 };
    const growthSize = small
      ? { warmup: 100, looks: [200, 300, 400], edge: 100 }
      : { warmup: 5_000, looks: [10_000, 50_000, 100_000], edge: 1_000 };
    const runs = await measureRounds(size);
    const figures = roundFigures(runs, size);
    const growths = [];
    for (const [name, store] of /** @type {const} */ ([
      ['memory', 'memory'],
      ['LMDB, none', 'none'],
    ])) {
      const { figures: grown, activityHash } = await measureGrowth(name, store, growthSize);
      figures.push(...grown);
      growths.push(activityHash);
    }
    const current = runs.filter(({ profile }) => profile === 'current');
    const hashes = new Set(current.flatMap(({ results }) => results.map(one => one.activityHash)));
    if (hashes.size !== 1 || growths[0] !== growths[1]) {
      throw Error(`the activity hash of the same rounds depends on the kind of store`);
    }
    return { figures, digest: [...hashes][0] };
  },
};
