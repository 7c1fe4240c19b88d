// Runs cranks a block at a time and tells what each block took. A block ends after `blockSize` cranks, or when the
// queue is empty, or at a time that is not to be passed yet; then it is committed. As many blocks as fit into a slice
// of time run in one macrotask, since turning the event loop between small blocks would cost as much as the blocks do.

import { Fail } from '#model';
import { javaScriptClock } from '#observe/clock.js';
import { forceCollection } from './collection.js';
import { makeLimits } from './limits.js';
import { inMacrotask } from './macrotask.js';

/** @import { Clock } from '#observe/clock.js' */
/** @import { CycleMeter } from './cycle-meter.js' */
/** @import { LimitOptions } from './limits.js' */
/** @import { RealTime } from './real-time.js' */
/** @import { Simulation } from './simulation.js' */

/** How long Ctrl-C, the progress bar and the disk's answers may have to wait, unless one block takes longer. */
const sliceNs = 5_000_000;

/**
 * Measurements of a block. The object is used again for the next block.
 *
 * @typedef {object} BlockTaken
 * @property {number} steps  cranks
 * @property {number} btimeNs  from the block's start to the end of its commit, without forced collections
 * @property {number} ctimeNs  the commit's part of it; 0 if blocks are not committed
 * @property {number} forcedCount  collections that `forceGc` made, in the block and behind it
 * @property {number} forcedNs  what they took, which is in no other time
 * @property {number} [cycles]  over the time of `btimeNs`, if there is a meter for them
 * @property {number} [instructions]
 */

/**
 * @typedef {object} BlockRunOptions
 * @property {number} [blockSize=200]  cranks a block
 * @property {number} [maxCranks=Infinity]  stop after so many
 * @property {boolean} [commitsBlocks=true]  false: nothing is committed here
 * @property {false | 'block' | 'crank'} [forceGc=false]  run the engine's collector after each
 * @property {() => void} [prepareCommit]  called before the first commit, and not measured
 * @property {() => boolean} [shouldStop]  asked before each block; a block that was begun is ended
 * @property {number} [untilNs=Infinity]  logical time does not go beyond, in nanoseconds since the start of the run
 * @property {Clock} [clock]  what times are read from; Node's by default
 * @property {CycleMeter} [cycleMeter]  counts processor cycles of each block; by default none are counted
 * @property {RealTime} [realTime]  wait for physical time; by default logical time leaps
 */

/** @typedef {BlockRunOptions & LimitOptions} BlockOptions */

/** @typedef {'quiet' | 'enough' | 'stopped' | 'until'} BlocksOutcome */

/**
 * @typedef {object} BlockEvents
 * @property {(elapsedNs: number) => void} onTime  called before each of the following and at the end, with the wall
 *   time since the last call, without forced collections
 * @property {() => boolean} onQuiet  the queue is empty: queue something and return true, or end the loop
 * @property {() => void} beforeCommit  what is written to the state here is in the block
 * @property {(taken: BlockTaken) => void} afterCommit
 */

/** @typedef {undefined | BlocksOutcome} Outcome  of a slice of time */

/**
 * @param {Pick<Simulation, 'pump' | 'kernel' | 'commitBlock'>} simulation
 * @param {BlockOptions} options
 * @param {BlockEvents} events
 * @returns {Promise<BlocksOutcome>} nothing is left, `maxCranks` were run, `shouldStop` said so, or what is left
 *   comes after `untilNs`
 * @throws {UserError} a limit is reached; what ran before it is committed
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
  /** Time of the present block that is left out of what is measured. */
  let blockAsideNs = 0;
  /** Since when time has not been told, and what of it is not measured. */
  let untoldSinceNs = nowNs();
  let untoldAsideNs = 0;
  let isPrepared = prepareCommit === undefined;

  /** @param {() => void} act  not a part of what is measured */
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

  /** How far logical time may go at the moment. */
  const boundNs = () => (realTime ? Math.min(untilNs, realTime.elapsedNs()) : untilNs);

  /** Whether what is left comes later. @param {number} timeNs */
  const isBeyond = timeNs => {
    if (timeNs === Infinity) return false;
    const nextNs = kernel.nextTimeNs;
    return nextNs !== undefined && nextNs > timeNs;
  };

  /**
   * Between blocks: whether to go on, and with a promise, when.
   *
   * @returns {Outcome | Promise<Outcome>}
   */
  const findObstacle = () => {
    if (limits.room() <= 0) throw limits.makeError();
    if (isBeyond(untilNs)) return 'until';
    if (realTime === undefined || !isBeyond(realTime.elapsedNs())) return undefined;
    tellTime();
    // Time in which the run only waits is not measured.
    const fromNs = nowNs();
    return realTime.nap(/** @type {number} */ (kernel.nextTimeNs)).then(() => {
      untoldAsideNs += nowNs() - fromNs;
      return undefined;
    });
  };

  /**
   * Blocks until the slice of time is over (`undefined`), or the loop.
   *
   * @returns {Outcome | Promise<Outcome>} a promise to be waited for
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
