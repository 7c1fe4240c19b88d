// `bench ipc`: runs all paths, in turns, and computes the cost of single calls.

import { performance } from 'node:perf_hooks';
import { tmpdir } from 'node:os';
import { openCounters } from '#native';
import { describeCommit } from '../commit.js';
import { describeMachine } from '../machine.js';
import { describeNoise, watchNoise } from '../noise.js';
import { openBench } from './bench.js';
import { joinSamples, makeInstrument } from './instrument.js';
import { paths } from './paths.js';
import { unitOf } from './units.js';

/** @import { Counters } from '#native' */
/** @import { Column, Figures, Samples } from './instrument.js' */
/** @import { PathGroup } from './paths.js' */

/** The number of rounds of a path; rounds of different paths take turns. */
const rounds = 10;

/** The warm-up of each path: this time or this number of rounds, whichever ends first. */
const warmupMs = 400;
const warmupRounds = 12;

/** The largest number of marks of a call, which bounds the size of the records. */
const mostMarksPerCall = 2;

/**
 * @typedef {object} PathResult
 * @property {string} name
 * @property {PathGroup} group
 * @property {string} about
 * @property {number} together  calls of one sample
 * @property {Figures} figures  of a single call; `timer` is always there
 * @property {{ median: number, average: number }} ns
 */

/**
 * @typedef {object} IpcResult
 * @property {'ipc'} suite
 * @property {string} machine
 * @property {string} processor
 * @property {string} system  platform, processor's kind, version of Node
 * @property {string} commit
 * @property {string} noise  `idle`, or why not
 * @property {Counters['timer']} timer
 * @property {Counters['hardware']} hardware
 * @property {string} [notice]  about the addon
 * @property {number | undefined} core  to which the thread was pinned
 * @property {Column[]} columns
 * @property {Partial<Record<Column, string>>} units
 * @property {Figures} markCost  the cost of reading, which is subtracted
 * @property {PathResult[]} paths
 */

/**
 * @param {object} [options]
 * @param {number} [options.calls]  of each path; 50,000 by default
 * @param {string} [options.dir]  of the databases, on the disk to measure
 * @param {number} [options.core]  pin the thread to it
 * @param {Counters} [options.counters]  of this thread; opened by default
 * @param {(what: string) => void} [options.onProgress]
 * @returns {Promise<IpcResult>}
 */
export const measureIpc = async ({
  calls = 50_000,
  dir = tmpdir(),
  core,
  counters = openCounters(),
  onProgress = () => {},
} = {}) => {
  if (core !== undefined) counters.pin(core);
  const callsOfRound = Math.max(100, Math.ceil(calls / rounds));
  const instrument = makeInstrument((callsOfRound + 1) * mostMarksPerCall + 64, counters);
  const { columns } = instrument;
  const endWatch = await watchNoise();
  // The database first, since its directory may be invalid.
  const lmdb = await openBench(instrument, 'lmdb', dir);
  const benches = { lmdb, memory: await openBench(instrument, 'memory') };

  try {
    const runs = paths.map(path => ({
      path,
      bench: benches[path.store ?? 'memory'],
      calls: Math.ceil(callsOfRound * (path.share ?? 1)),
      parts: /** @type {Samples[]} */ ([]),
    }));
    for (const { path, bench, calls: n } of runs) {
      onProgress(`warming up: ${path.name}`);
      const untilMs = performance.now() + warmupMs;
      for (let i = 0; i < warmupRounds && performance.now() < untilMs; i += 1) {
        instrument.begin();
        await path.go(bench, n);
      }
    }
    for (let round = 1; round <= rounds; round += 1) {
      onProgress(`round ${round} of ${rounds}`);
      for (const { path, bench, calls: n, parts } of runs) {
        instrument.begin();
        await path.go(bench, n);
        parts.push(instrument.takeSamples(path.pattern, bench.isMessage));
      }
    }
    const cost = instrument.measureCost();
    onProgress('checking whether the machine is idle');
    const noise = describeNoise(await endWatch());
    const machine = describeMachine();
    const nsPerTick = 1e9 / counters.timer.hz;

    return {
      suite: 'ipc',
      machine: `${machine.cpu}, ${machine.cores} cores, ${machine.system}`,
      processor: counters.processor,
      system: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
      commit: describeCommit(),
      noise,
      timer: counters.timer,
      hardware: counters.hardware,
      ...(counters.notice !== undefined && { notice: counters.notice }),
      core,
      columns: [...columns],
      units: Object.fromEntries(
        columns.map(column => [column, unitOf(column, counters.timer.name)]),
      ),
      markCost: cost,
      paths: runs.map(({ path: { name, group, about, together = 1 }, parts }) => {
        const figures = instrument.describe(joinSamples(parts), { cost, together });
        const { median = NaN, average = NaN } = figures.timer ?? {};
        return {
          name,
          group,
          about,
          together,
          figures,
          ns: { median: median * nsPerTick, average: average * nsPerTick },
        };
      }),
    };
  } finally {
    for (const bench of Object.values(benches)) await bench.close();
    if (core !== undefined) counters.unpin();
  }
};
