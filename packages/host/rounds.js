// Runs the setup and then the rounds of a benchmark, like SwingSet's runner of 2020: when nothing of the setup is
// queued any more, each round sends `runBenchmarkRound` to the bootstrap vat, runs until nothing is queued, and
// releases the round's result if it is resolved.
//
// The progress is in the store, committed with its block, so a stopped run continues where it was and ends like an
// uninterrupted one:
//
//   host.rounds       "WANTED DONE CURRENT"; CURRENT is the result of the round under way, or -
//   host.setup        cranks and counters at the end of the setup, JSON
//   local.progress    "BLOCKS SETUPNS ROUNDSNS FORCED FORCEDNS REAPS REAPSNS"; see `Collections`
//
// Results are in the stream `host.results`, since all rounds may have different ones, and tables must not grow with
// rounds. An entry has a round's number (varint), counted from 0, and the result (text) of this and the following
// rounds.

import { ByteReader, decimal, quote, UserError } from '#model';
import { roundMethod } from './vats/find-method.js';
import { runBlocks } from './blocks.js';

/** @import { Counter, Kernel, PromiseStatus } from '#kernel' */
/** @import { BlockOptions, BlockTaken } from './blocks.js' */
/** @import { Simulation } from './simulation.js' */

/** @typedef {{ cranks: { all: number, control: number }, counters: Record<string, Counter> }} Setup */

/**
 * @typedef {object} Progress
 * @property {Setup | undefined} setup  undefined while the setup runs
 * @property {number | undefined} wanted  rounds; undefined if not given and the setup is not over
 * @property {number} done
 * @property {string | undefined} current  result of the round under way
 * @property {number} blocks
 * @property {number} setupNs
 * @property {number} roundsNs
 * @property {Collections} forced  collections of `forceGc`, not in any other time
 * @property {Collections} reaps  collections inside `bringOutYourDead`, included in the times of their cranks
 */

/** Full collections of the engine. @typedef {{ count: number, ns: number }} Collections */

/** Reads the host's own values. @typedef {Pick<Kernel, 'getHostValue'>} HostValues */

/** Reads results as well. @typedef {Pick<Kernel, 'getHostValue' | 'readHostStream'>} HostRecord */

/** Number of rounds if none is given. */
export const defaultRounds = 100;

const setupKey = 'host.setup';
const roundsKey = 'host.rounds';
const resultStream = 'host.results';
const progressKey = 'local.progress';

/**
 * A field that has held a fraction accepts any number. A field that has only held 32-bit integers changes its
 * representation with the first larger one, and V8 then discards all code that depends on the object
 * (docs/v8-in-a-locked-down-realm.md).
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
 * Tell whether the setup and all wanted rounds are over.
 *
 * @param {Progress} progress
 */
export const isFinished = ({ setup, wanted, done, current }) =>
  setup !== undefined && current === undefined && done >= (wanted ?? 0);

/**
 * Insist that a run has not done more rounds than are wanted.
 *
 * @param {Pick<Progress, 'done'>} progress
 * @param {number} rounds
 * @throws {UserError}
 */
export const insistRounds = ({ done }, rounds) => {
  if (rounds < done)
    throw new UserError(
      `the state has done ${done} rounds already, more than --benchmark ${rounds}; the number is that of the whole run: give a larger one`,
    );
};

/**
 * Read the different results, each with its first round.
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
 * Read the results of all rounds.
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
 * @param {string} pending  the text for an unresolved promise
 */
export const describeResult = ({ state, data }, pending) =>
  data === null
    ? pending
    : `${state === 'rejected' ? 'rejected' : 'fulfilled'}: ${JSON.stringify(data)}`;

/**
 * Make the function that stores each round's result. It makes no text of a result equal to the one before.
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
 * @property {number} [rounds]  number of rounds of the whole run, including finished ones; by default the number in the
 *   state, or else 100 if the bootstrap vat has a method for them
 * @property {boolean} [commitsAtEnd=true]  if false, the caller commits the last block
 * @property {(taken: BlockTaken, progress: Progress) => void} [onBlock]  called after each block; both objects are
 *   reused
 */

/**
 * Run the setup, then the rounds, from the state's progress to the end.
 *
 * @param {Simulation} simulation
 * @param {RunOptions & Omit<BlockOptions, 'maxCranks'>} [options]
 * @returns {Promise<'finished' | 'stopped' | 'until'>} everything is committed, unless the options say otherwise;
 *   `until`: the remaining items come after `untilNs`
 * @throws {UserError} if the state has done more rounds than are wanted, the bootstrap vat has no method for them, or a
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
    // A launcher forwards rounds.
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
    // No round is left: programs of reactors that still wait end.
    if (!kernel.hasPrograms) return false;
    kernel.stopPrograms();
    return true;
  };

  if (rounds !== undefined) {
    insistRounds(progress, rounds);
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
 * Find the first unresolved result of a finished round.
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
 * Run some cranks of the setup, or of the round under way; begin no round.
 *
 * @param {Simulation} simulation
 * @param {BlockOptions & Pick<RunOptions, 'onBlock'>} options
 * @returns {Promise<number>} number of cranks run
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
 * Make the function that stores the number of blocks and their times. It reuses unchanged parts of the text.
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
    // The times change only with the counts.
    if (counted !== forced.count + reaps.count) {
      counted = forced.count + reaps.count;
      collections = ` ${forced.count} ${forced.ns} ${reaps.count} ${reaps.ns}`;
    }
    const { blocks, roundsNs } = progress;
    kernel.setHostValue(progressKey, decimal(blocks) + setup + decimal(roundsNs) + collections);
  };
};

/**
 * Make the events that update the number of blocks, their time, and the time of collections.
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
