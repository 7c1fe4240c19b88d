// One run of demos/pingpong in a process of its own, as the runner makes it with --logall: a row of stats for each
// block, one commit a round. Started by suite.js; alone, with the options as JSON, it serves a profiler:
//
//   node --cpu-prof bench/pingpong/run.js '{"store":"memory","warmup":2000,"rounds":20000}'

import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import {
  defaultCacheDir,
  loadConfig,
  makeMemoryStore,
  makeSimulation,
  openKeepAwake,
  openLmdbStore,
  runRounds,
} from '#host';
import { forceCollection } from '../../packages/host/engine/collection.js';
import { startRecording } from '../../runner/session/recording.js';
import { answer, withTemporaryFolder } from '../process.js';
import { timePageWrites, timeRecordWrites } from '../disk.js';

/** @import { BlockTaken, Progress } from '#host' */

/**
 * @typedef {object} RunOptions
 * @property {'memory' | 'none' | 'group' | 'commit'} store  memory, or LMDB of that durability
 * @property {'current' | '2020-09'} [profile]
 * @property {boolean} [keepsAwake]  the core does not sleep while the disk is waited for, as with `--keepawake`
 * @property {number} warmup  rounds that do not count
 * @property {number} rounds  those that follow
 * @property {number} [batch]  rounds of a batch; 100 by default
 * @property {number[]} [looks]  the numbers of rounds after which heap, database and streams are
 *   measured
 * @property {number} [pageWrites]  the number of measurements of the disk itself, half before the
 *   run and half after
 */

/**
 * @typedef {object} Look
 * @property {number} rounds  warm-up left out
 * @property {number} cranks  of the whole run
 * @property {number} heapBytes  after a forced collection
 * @property {number} diskBytes  the whole database, with nothing left in the log beside it
 * @property {number} transcriptBytes
 * @property {number} inputBytes
 */

/**
 * @typedef {object} RunResult
 * @property {number[]} batchNs  wall time of each batch: cranks, commits, rows of stats, event loop
 * @property {number[]} commitNs  the commits' part of it
 * @property {number} processorNs  of all threads of the process, for all rounds except the warm-up
 * @property {Look[]} looks
 * @property {number[]} pageWriteNs
 * @property {number[]} recordWriteNs  of as many bytes as a round's commit writes, with the work of
 *   a round between two writes
 * @property {number[]} awakeWriteNs  the same with the core kept awake; empty where that is
 *   impossible
 * @property {number} cranksPerRound
 * @property {string} activityHash
 */

const demo = fileURLToPath(new URL('../../demos/pingpong', import.meta.url));

/** More cranks than a round has, so that a block is a round. */
const blockSize = 250;

const nsPerMs = 1_000_000;

/** Bytes that a round's commit writes to the log, and about the time of a round without the commit. */
const roundRecord = { bytes: 3_310, workMs: 0.05 };

/**
 * @param {RunOptions['store']} kind
 * @param {string} dir
 * @param {(() => void) | undefined} keepAwake
 */
const openStore = (kind, dir, keepAwake) => {
  if (kind === 'memory') return makeMemoryStore();
  return openLmdbStore({
    dir: join(dir, 'state'),
    durability: kind,
    create: true,
    ...(keepAwake && { beforeWait: keepAwake }),
  });
};

/**
 * @param {string} dir  empty
 * @param {RunOptions} options
 * @returns {Promise<RunResult>}
 */
const run = async (dir, options) => {
  const { profile = 'current', warmup, rounds, batch = 100, looks = [], pageWrites = 0 } = options;
  /** @type {RunResult} */
  const result = {
    batchNs: [],
    commitNs: [],
    processorNs: 0,
    looks: [],
    pageWriteNs: [],
    recordWriteNs: [],
    awakeWriteNs: [],
    cranksPerRound: 0,
    activityHash: '',
  };
  const { keepAwake } = await openKeepAwake();
  const timeDisk = () => {
    const asked = { ...roundRecord, times: pageWrites / 2 };
    result.pageWriteNs.push(...timePageWrites(dir, asked.times));
    result.recordWriteNs.push(...timeRecordWrites(dir, asked));
    if (keepAwake === undefined) return;
    result.awakeWriteNs.push(...timeRecordWrites(dir, { ...asked, beforeWait: keepAwake }));
  };
  timeDisk();
  const store = openStore(options.store, dir, options.keepsAwake ? keepAwake : undefined);
  const simulation = await makeSimulation(loadConfig({ baseDir: demo }), {
    store,
    profile,
    cacheDir: defaultCacheDir(),
    engineFlags: 'speed',
  });
  const recording = startRecording(simulation, {
    path: join(dir, 'stats.tsv'),
    groups: { times: true, memory: true, disk: true, counters: true },
    resumeAfterBlock: undefined,
  });

  let isCounting = false;
  let done = 0;
  let since = 0;
  let commitNs = 0;
  /** @param {BlockTaken} taken @param {Progress} progress */
  const onBlock = (taken, progress) => {
    recording.row(taken, progress);
    if (!isCounting) return;
    done += 1;
    commitNs += taken.ctimeNs;
    if (done % batch !== 0) return;
    const now = performance.now();
    result.batchNs.push((now - since) * nsPerMs);
    result.commitNs.push(commitNs);
    commitNs = 0;
    since = now;
  };
  /** @param {number} upTo  rounds in all */
  const runTo = upTo => runRounds(simulation, { rounds: upTo, blockSize, onBlock });

  /** @param {string} prefix */
  const streamBytes = prefix =>
    store
      .streamNames()
      .filter(name => name.startsWith(prefix))
      .reduce((sum, name) => sum + store.streamLength(name), 0);

  await runTo(warmup);
  isCounting = true;
  const before = simulation.cranks.all;
  const usageBefore = process.cpuUsage();
  for (const stop of new Set([...looks, rounds])) {
    since = performance.now();
    await runTo(warmup + stop);
    if (!looks.includes(stop)) continue;
    forceCollection();
    result.looks.push({
      rounds: stop,
      cranks: simulation.cranks.all,
      heapBytes: process.memoryUsage().heapUsed,
      diskBytes: store.diskBytes(),
      transcriptBytes: streamBytes('t.'),
      inputBytes: streamBytes('inputs'),
    });
  }
  const { user, system } = process.cpuUsage(usageBefore);
  result.processorNs = (user + system) * 1_000;
  result.cranksPerRound = (simulation.cranks.all - before) / rounds;
  result.activityHash = simulation.activityHash();
  recording.close();
  await simulation.close();
  timeDisk();
  return result;
};

await answer(options =>
  withTemporaryFolder('pingpong', dir => run(dir, /** @type {RunOptions} */ (options))),
);
