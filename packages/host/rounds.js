// A run from its setup through the rounds of its benchmark, as SwingSet's runner of 2020 did it: after the setup has
// come to rest, each round sends `runBenchmarkRound` to the bootstrap vat, runs until nothing is queued, and lets go
// of the round's result if it has settled.
//
// How far a run has come is in the store, written with the block that it describes, so that a run that was stopped
// goes on where it was and ends as one that ran through:
//
//   host.rounds       "WANTED DONE CURRENT"; CURRENT is the result of the round under way, or -
//   host.setup        cranks and counters when the setup was at rest, JSON
//   local.progress    "BLOCKS SETUPNS ROUNDSNS FORCED FORCEDNS REAPS REAPSNS"; see `Collections`
//
// Results are in the stream `host.results`, for rounds may all have different ones, and tables shall not grow with rounds:
// a round's number (varint), counted from 0, and the result (text) of this and the following rounds.

import { ByteReader, decimal, quote, UserError } from '#model';
import { roundMethod } from './find-method.js';
import { runBlocks } from './blocks.js';

/** @import { Counter, Kernel, PromiseStatus } from '#kernel' */
/** @import { BlockOptions, BlockTaken } from './blocks.js' */
/** @import { Simulation } from './simulation.js' */

/** @typedef {{ cranks: { all: number, control: number }, counters: Record<string, Counter> }} Setup */

/**
 * @typedef {object} Progress
 * @property {Setup | undefined} setup  undefined while the setup runs
 * @property {number | undefined} wanted  rounds; undefined if nobody has said and the setup is not over
 * @property {number} done
 * @property {string | undefined} current  result of the round under way
 * @property {number} blocks
 * @property {number} setupNs
 * @property {number} roundsNs
 * @property {Collections} forced  those of `forceGc`, which are in no other time
 * @property {Collections} reaps  those inside `bringOutYourDead`, which are parts of its cranks and of their time
 */

/** Full collections of the engine's. @typedef {{ count: number, ns: number }} Collections */

/** Reads values of the host's own. @typedef {Pick<Kernel, 'getHostValue'>} HostValues */

/** And results too. @typedef {Pick<Kernel, 'getHostValue' | 'readHostStream'>} HostRecord */

/** A round that nobody counted otherwise. */
export const defaultRounds = 100;

const setupKey = 'host.setup';
const roundsKey = 'host.rounds';
const resultStream = 'host.results';
const progressKey = 'local.progress';

/**
 * A field that has held a fraction is ready for any number. A field that has only held integers of 32 bits changes its kind
 * when a larger one comes, and V8 discards all code that knows the object (docs/v8-in-a-locked-down-realm.md).
 */
const fraction = 0.5;

/** @param {HostValues} values @returns {Progress} */
export const readProgress = values => {
  const setup = values.getHostValue(setupKey);
  const [wanted, done, current] = (values.getHostValue(roundsKey) ?? '- 0 -').split(' ');
  const local = (values.getHostValue(progressKey) ?? '').split(' ').map(Number);
  const [blocks = 0, setupNs = 0, roundsNs = 0, forced = 0, forcedNs = 0, reaps = 0, reapsNs = 0] =
    local;
  const progress = {
    setup: setup === undefined ? undefined : JSON.parse(setup),
    wanted: wanted === '-' ? undefined : Number(wanted),
    done: Number(done),
    current: current === '-' ? undefined : current,
    blocks,
    setupNs: fraction,
    roundsNs: fraction,
    forced: { count: forced, ns: forcedNs },
    reaps: { count: reaps, ns: reapsNs },
  };
  progress.setupNs = setupNs;
  progress.roundsNs = roundsNs;
  return progress;
};

/**
 * Whether a run has come to its end: the setup is over, and so are all rounds that were wanted.
 *
 * @param {Progress} progress
 */
export const isFinished = ({ setup, wanted, done, current }) =>
  setup !== undefined && current === undefined && done >= (wanted ?? 0);

/**
 * Results, each with the first round that had it.
 *
 * @param {HostRecord} record
 * @returns {{ from: number, text: string }[]}
 */
const readStretches = record => {
  const reader = new ByteReader(record.readHostStream(resultStream));
  const stretches = [];
  while (!reader.done) stretches.push({ from: reader.varint(), text: reader.text() });
  return stretches;
};

/**
 * The results of all rounds.
 *
 * @param {HostRecord} record
 * @returns {string[]}
 */
export const readResults = record => {
  const { done } = readProgress(record);
  const stretches = readStretches(record);
  /** @type {string[]} */
  const results = [];
  stretches.forEach(({ text }, i) => {
    const next = stretches[i + 1]?.from ?? done;
    while (results.length < next) results.push(text);
  });
  return results;
};

/**
 * @param {PromiseStatus} status
 * @param {string} pending  what to say of a promise that has not settled
 */
export const describeResult = ({ state, data }, pending) =>
  data === null
    ? pending
    : `${state === 'rejected' ? 'rejected' : 'fulfilled'}: ${JSON.stringify(data)}`;

/**
 * Writes down each round's result, and spares making the text of one that is as the one before.
 *
 * @param {HostRecord & Pick<Kernel, 'hostStream'>} kernel
 * @param {Progress} progress
 */
const makeResultWriter = (kernel, progress) => {
  let lastText = progress.done > 0 ? readStretches(kernel).at(-1)?.text : undefined;
  let lastState = '';
  let lastBody = '';
  return (/** @type {PromiseStatus} */ status) => {
    const { state, data } = status;
    const isData = data !== null && data.slots.length === 0;
    if (isData && state === lastState && data.body === lastBody) return;
    lastState = isData ? state : '';
    lastBody = isData ? data.body : '';
    const text = describeResult(status, 'did not finish');
    if (text === lastText) return;
    lastText = text;
    const writer = kernel.hostStream(resultStream);
    writer.varint(progress.done);
    writer.text(text);
  };
};

/**
 * @typedef {object} RunOptions
 * @property {number} [rounds]  in all, with those that the state has done already; by default those that the state
 *   wants, or else 100 if the bootstrap vat has a method for them
 * @property {boolean} [commitsAtEnd=true]  false leaves what blocks have not committed to the caller
 * @property {(taken: BlockTaken, progress: Progress) => void} [onBlock]  after each block; both objects are used
 *   again
 */

/**
 * Run to the end: the setup, then the rounds. What the state has done already is not done again.
 *
 * @param {Simulation} simulation
 * @param {RunOptions & Omit<BlockOptions, 'maxCranks'>} [options]
 * @returns {Promise<'finished' | 'stopped' | 'until'>} all is committed, unless the options say otherwise; `until`: what
 *   is left comes after `untilNs`
 * @throws {UserError} the state has done more rounds than are wanted, the bootstrap vat has no method for them, or a
 *   limit is reached
 */
export const runRounds = async (simulation, options = {}) => {
  const { rounds, commitsAtEnd = true, onBlock = () => {}, ...blocks } = options;
  const { kernel, bootstrapVat } = simulation;
  const progress = readProgress(kernel);
  const writeResult = makeResultWriter(kernel, progress);
  /** @type {(() => string) | undefined} */
  let queueRound;

  const save = () => {
    const { wanted, done, current } = progress;
    kernel.setHostValue(roundsKey, `${wanted ?? '-'} ${decimal(done)} ${current ?? '-'}`);
  };

  const chooseRounds = () => {
    // A launcher hands rounds on.
    const roundVat = simulation.launches ?? bootstrapVat;
    const hasRounds = simulation.rootHasMethod(roundVat, roundMethod);
    if (progress.wanted === undefined) {
      const isRejected = simulation.status(simulation.bootstrapResult).state === 'rejected';
      progress.wanted = hasRounds && !isRejected ? defaultRounds : 0;
    } else if (progress.wanted > progress.done && hasRounds === false) {
      throw new UserError(
        `the root object of vat ${quote(roundVat)} has no method ${roundMethod}(), so that it cannot run ${progress.wanted} rounds; leave --benchmark out, or add the method`,
      );
    }
  };

  const endRound = (/** @type {string} */ result) => {
    const status = kernel.promiseStatus(result);
    writeResult(status);
    if (status.data !== null) kernel.release(result);
    progress.done += 1;
    progress.current = undefined;
  };

  const onQuiet = () => {
    if (progress.setup === undefined) {
      progress.setup = { cranks: kernel.cranks, counters: kernel.counters.toRecord() };
      kernel.setHostValue(setupKey, JSON.stringify(progress.setup));
    }
    if (kernel.isStopped) {
      progress.wanted = progress.done;
      save();
      return false;
    }
    if (progress.current !== undefined) endRound(progress.current);
    if (queueRound === undefined) {
      chooseRounds();
      if (progress.done < /** @type {number} */ (progress.wanted)) {
        queueRound = simulation.prepareMessage(bootstrapVat, roundMethod);
      }
    }
    if (progress.done < /** @type {number} */ (progress.wanted) && queueRound) {
      progress.current = queueRound();
    }
    save();
    if (progress.current !== undefined) return true;
    // Nothing comes any more: programs of reactors that still wait for something end.
    if (!kernel.hasPrograms) return false;
    kernel.stopPrograms();
    return true;
  };

  if (rounds !== undefined) {
    if (rounds < progress.done) {
      throw new UserError(
        `the state has done ${progress.done} rounds already, more than --benchmark ${rounds}; the number is that of the whole run: give a larger one`,
      );
    }
    progress.wanted = rounds;
    save();
  }

  const saveTimes = makeTimesWriter(kernel, progress);
  const events = { onQuiet, ...keepTimes(simulation, progress, saveTimes, onBlock) };
  const outcome = await runBlocks(simulation, blocks, events);
  saveTimes();
  if (commitsAtEnd) await simulation.commit();
  return outcome === 'stopped' || outcome === 'until' ? outcome : 'finished';
};

/**
 * The result of a round that is over and left it pending: the first of them.
 *
 * @param {Pick<Simulation, 'kernel' | 'bootstrapResult'>} simulation
 * @returns {string | undefined}
 */
export const findPendingRound = ({ kernel, bootstrapResult }) => {
  for (const kref of kernel.state.held.keys())
    if (kref !== bootstrapResult && kernel.promiseStatus(kref).state === 'unresolved') return kref;
  return undefined;
};

/**
 * Run some cranks of the setup, or of the round under way; no round is begun.
 *
 * @param {Simulation} simulation
 * @param {BlockOptions & Pick<RunOptions, 'onBlock'>} options
 * @returns {Promise<number>} how many were run
 */
export const runSome = async (simulation, { onBlock = () => {}, ...blocks }) => {
  const { kernel } = simulation;
  const progress = readProgress(kernel);
  const before = kernel.cranks.all;
  const saveTimes = makeTimesWriter(kernel, progress);
  const events = {
    onQuiet: () => false,
    ...keepTimes(simulation, progress, saveTimes, onBlock),
  };
  await runBlocks(simulation, blocks, events);
  saveTimes();
  return kernel.cranks.all - before;
};

/**
 * Writes down the number of blocks and their times. Most of it is as it was after the block before.
 *
 * @param {Pick<Kernel, 'setHostValue'>} kernel
 * @param {Progress} progress
 */
const makeTimesWriter = (kernel, progress) => {
  const { forced, reaps } = progress;
  let setupNs = -1;
  let setup = '';
  let counted = -1;
  let collections = '';
  return () => {
    if (setupNs !== progress.setupNs) {
      setupNs = progress.setupNs;
      setup = ` ${decimal(setupNs)} `;
    }
    // None of them takes no time without being counted.
    if (counted !== forced.count + reaps.count) {
      counted = forced.count + reaps.count;
      collections = ` ${forced.count} ${forced.ns} ${reaps.count} ${reaps.ns}`;
    }
    const { blocks, roundsNs } = progress;
    kernel.setHostValue(progressKey, decimal(blocks) + setup + decimal(roundsNs) + collections);
  };
};

/**
 * Events that keep the number of blocks, their time, and what was spent on collections.
 *
 * @param {Pick<Simulation, 'collections'>} simulation
 * @param {Progress} progress
 * @param {() => void} saveTimes
 * @param {NonNullable<RunOptions['onBlock']>} onBlock
 */
const keepTimes = ({ collections }, progress, saveTimes, onBlock) => ({
  onTime(/** @type {number} */ elapsedNs) {
    if (progress.setup === undefined) progress.setupNs += elapsedNs;
    else progress.roundsNs += elapsedNs;
  },
  beforeCommit() {
    progress.blocks += 1;
    const { count, ns } = collections.take();
    progress.reaps.count += count;
    progress.reaps.ns += ns;
    saveTimes();
  },
  afterCommit(/** @type {BlockTaken} */ taken) {
    progress.forced.count += taken.forcedCount;
    progress.forced.ns += taken.forcedNs;
    onBlock(taken, progress);
  },
});
