// Runs cranks in blocks and measures each block. A block ends after `blockSize` cranks, when the queue is empty, or at
// a bound on logical time; then it is committed. A slice of time runs many blocks in one macrotask, since a turn of the
// event loop costs as much as a small block.

import { Fail } from '#model';
import { javaScriptClock } from '#observe/clock.js';
import { forceCollection } from './engine/collection.js';
import { makeLimits } from './limits.js';
import { inMacrotask } from './engine/macrotask.js';

/** @import { Clock } from '#observe/clock.js' */
/** @import { CycleMeter } from './engine/cycle-meter.js' */
/** @import { LimitOptions } from './limits.js' */
/** @import { RealTime } from './real-time.js' */
/** @import { Simulation } from './simulation.js' */

/** The longest delay of Ctrl-C, the progress bar and the disk's answers, unless one block takes longer. */
const sliceNs = 5_000_000;

/**
 * Measurements of a block. The object is reused for the next block.
 *
 * @typedef {object} BlockTaken
 * @property {number} steps  number of cranks
 * @property {number} btimeNs  from the block's start to the end of its commit, without forced collections
 * @property {number} ctimeNs  the commit's part of it; 0 if blocks are not committed
 * @property {number} forcedCount  number of collections by `forceGc`, in the block and after it
 * @property {number} forcedNs  their time, which no other time includes
 * @property {number} [cycles]  in the time of `btimeNs`, if there is a meter
 * @property {number} [instructions]
 */

/**
 * @typedef {object} BlockRunOptions
 * @property {number} [blockSize=200]  cranks per block
 * @property {number} [maxCranks=Infinity]  stop after so many
 * @property {boolean} [commitsBlocks=true]  whether blocks are committed
 * @property {false | 'block' | 'crank'} [forceGc=false]  run the engine's collector after each block or crank
 * @property {() => void} [prepareCommit]  called before the first commit, and not measured
 * @property {() => boolean} [shouldStop]  called before each block; a begun block is finished
 * @property {number} [untilNs=Infinity]  bound on logical time, in nanoseconds since the start of the run
 * @property {Clock} [clock]  clock for measurements; default: Node's
 * @property {CycleMeter} [cycleMeter]  counts processor cycles of each block; default: none
 * @property {RealTime} [realTime]  waits for physical time; default: logical time leaps
 */

/** @typedef {BlockRunOptions & LimitOptions} BlockOptions */

/** @typedef {'quiet' | 'enough' | 'stopped' | 'until'} BlocksOutcome */

/**
 * @typedef {object} BlockEvents
 * @property {(elapsedNs: number) => void} onTime  called before each of the following callbacks and at the end, with the
 *   wall time since the last call, without forced collections
 * @property {() => boolean} onQuiet  the queue is empty: queue something and return true, or end the loop
 * @property {() => void} beforeCommit  values that it writes to the state are in the block
 * @property {(taken: BlockTaken) => void} afterCommit
 */

/** @typedef {undefined | BlocksOutcome} Outcome  of a slice of time */

/**
 * @param {Pick<Simulation, 'pump' | 'kernel' | 'commitBlock'>} simulation
 * @param {BlockOptions} options
 * @param {BlockEvents} events
 * @returns {Promise<BlocksOutcome>} `quiet`: the queue is empty; `enough`: `maxCranks` were run; `stopped`: by
 *   `shouldStop`; `until`: the next item comes after `untilNs`
 * @throws {UserError} if a limit is reached; earlier cranks are committed
 */
export const runBlocks = async (simulation, options, events) => {
  const {
    blockSize = 200,
    maxCranks = Infinity,
    commitsBlocks = true,
    forceGc = false,
    prepareCommit,
    shouldStop = () => false,
    untilNs = Infinity,
    realTime,
    clock = javaScriptClock,
    cycleMeter,
  } = options;
  const { nowNs } = clock;
  blockSize >= 1 || Fail`a block of ${blockSize} cranks`;
  const { kernel, pump } = simulation;
  const { onTime, onQuiet, beforeCommit, afterCommit } = events;
  const pumpSize = forceGc === 'crank' ? 1 : blockSize;
  const limits = makeLimits(kernel, options);
  realTime?.begin(kernel);

  /** @type {BlockTaken} */
  const taken = { steps: 0, btimeNs: 0, ctimeNs: 0, forcedCount: 0, forcedNs: 0 };
  let total = 0;
  let isInBlock = false;
  let startNs = 0;
  /** Time of the present block that is not measured. */
  let blockAsideNs = 0;
  /** The start of the unreported time, and the part of it that is not measured. */
  let untoldSinceNs = nowNs();
  let untoldAsideNs = 0;
  let isPrepared = prepareCommit === undefined;

  /** Act outside of the measured time. @param {() => void} act */
  const aside = act => {
    cycleMeter?.stop();
    const fromNs = nowNs();
    act();
    cycleMeter?.go();
    const ns = nowNs() - fromNs;
    blockAsideNs += ns;
    untoldAsideNs += ns;
    return ns;
  };

  const collectAside = () => {
    taken.forcedNs += Math.round(aside(forceCollection));
    taken.forcedCount += 1;
  };

  const tellTime = () => {
    const endNs = nowNs();
    onTime(Math.round(endNs - untoldSinceNs - untoldAsideNs));
    untoldSinceNs = endNs;
    untoldAsideNs = 0;
    return endNs;
  };

  const beginBlock = () => {
    isInBlock = true;
    taken.steps = 0;
    taken.forcedCount = 0;
    taken.forcedNs = 0;
    blockAsideNs = 0;
    startNs = nowNs();
    cycleMeter?.reset();
    cycleMeter?.go();
  };

  /** @returns {void | Promise<void>} */
  const endBlock = () => {
    if (!isPrepared && prepareCommit) {
      isPrepared = true;
      aside(prepareCommit);
    }
    const commitNs = tellTime();
    beforeCommit();
    realTime?.save(kernel);
    const committing = commitsBlocks ? simulation.commitBlock() : undefined;
    if (committing) return committing.then(() => tellBlock(commitNs));
    tellBlock(commitNs);
  };

  /** @param {number} commitNs */
  const tellBlock = commitNs => {
    const endNs = nowNs();
    isInBlock = false;
    if (cycleMeter) {
      cycleMeter.stop();
      taken.cycles = cycleMeter.cycles;
      taken.instructions = cycleMeter.instructions;
    }
    taken.btimeNs = Math.round(endNs - startNs - blockAsideNs);
    taken.ctimeNs = commitsBlocks ? Math.round(endNs - commitNs) : 0;
    if (forceGc !== false) collectAside();
    afterCommit(taken);
  };

  /** Cranks left of the block that was begun. */
  const cranksLeft = () => Math.min(blockSize - taken.steps, maxCranks - total);

  /** The present bound on logical time. */
  const boundNs = () => (realTime ? Math.min(untilNs, realTime.elapsedNs()) : untilNs);

  /** Whether the next item comes after a time. @param {number} timeNs */
  const isBeyond = timeNs => {
    if (timeNs === Infinity) return false;
    const nextNs = kernel.nextTimeNs;
    return nextNs !== undefined && nextNs > timeNs;
  };

  /**
   * Check between blocks whether to go on; a promise settles when the run may go on.
   *
   * @returns {Outcome | Promise<Outcome>}
   */
  const findObstacle = () => {
    if (limits.room() <= 0) throw limits.makeError();
    if (isBeyond(untilNs)) return 'until';
    if (realTime === undefined || !isBeyond(realTime.elapsedNs())) return undefined;
    tellTime();
    // Waiting time is not measured.
    const fromNs = nowNs();
    return realTime.nap(/** @type {number} */ (kernel.nextTimeNs)).then(() => {
      untoldAsideNs += nowNs() - fromNs;
      return undefined;
    });
  };

  /**
   * Run blocks until the slice of time is over (`undefined`), or the loop ends.
   *
   * @returns {Outcome | Promise<Outcome>} a promise must be awaited
   */
  const runSlice = () => {
    const sliceEndNs = nowNs() + sliceNs;
    do {
      if (!isInBlock) {
        if (total >= maxCranks) return 'enough';
        if (shouldStop()) return 'stopped';
        if (kernel.isQuiet) {
          tellTime();
          limits.noteRest();
          if (!onQuiet()) return 'quiet';
        }
        const obstacle = findObstacle();
        if (obstacle !== undefined) return obstacle;
        beginBlock();
      }
      const bound = boundNs();
      const { cranks, waiting } = pump(Math.min(pumpSize, cranksLeft(), limits.room()), bound);
      total += cranks;
      taken.steps += cranks;
      if (cranks > 0 && forceGc === 'crank') collectAside();
      if (waiting) return waiting.then(() => undefined);
      if (cranksLeft() === 0 || kernel.isQuiet || limits.room() <= 0 || isBeyond(bound)) {
        const ending = endBlock();
        if (ending) return ending.then(() => undefined);
      }
    } while (nowNs() < sliceEndNs);
    return undefined;
  };

  for (;;) {
    const outcome = await inMacrotask(runSlice);
    if (outcome !== undefined) {
      tellTime();
      realTime?.save(kernel);
      return outcome;
    }
  }
};
