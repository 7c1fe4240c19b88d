// Runs blocks in slices of time: calls enter, cranks run, the block is committed, until the event loop should turn or
// there is no work. A block that has to wait goes on in the next slice.

/** @import { Kernel } from '#kernel' */
/** @import { RealTime } from '../real-time.js' */
/** @import { Calls } from './calls.js' */

/** The longest delay of the server's other work, unless one block takes longer. */
const sliceMs = 5;

/** Least number of entries that may enter a block, however long the queue is. */
const fewest = 20;

/**
 * @typedef {object} BlockPowers
 * @property {Kernel} kernel
 * @property {Calls} calls
 * @property {(limit: number, untilNs?: number) => { cranks: number, waiting: Promise<void> | null }} pump
 * @property {() => void | Promise<void>} commitBlock
 * @property {() => boolean} isSetUp  whether the result of `bootstrap` has settled
 */

/** @typedef {{ blockSize?: number, realTime: RealTime | undefined }} Started  options of `start` */

export class Slices {
  #powers;

  #getStarted;

  #isSetUp = false;

  // State of the present block.
  #isInBlock = false;

  #cranksLeft = 0;

  #instantNs = 0;

  #isChanged = false;

  /**
   * @param {BlockPowers} powers
   * @param {() => Started | undefined} getStarted  called each time, since the simulation may be started during the run
   */
  constructor(powers, getStarted) {
    this.#powers = powers;
    this.#getStarted = getStarted;
  }

  /** Let calls enter, between two blocks. @param {number} blockSize @returns {number} number of entries */
  enter(blockSize) {
    const { calls, kernel } = this.#powers;
    if (!calls.hasEntries || !this.#checkSetUp()) return 0;
    return calls.enter(Math.max(fewest, blockSize - kernel.state.queue.size));
  }

  #checkSetUp() {
    if (this.#isSetUp) return true;
    const { kernel, isSetUp } = this.#powers;
    // Bootstrap may wait for a timer as long as the run lasts; then calls do not wait for it.
    const isAtRest = kernel.isQuiet || (kernel.nextTimeNs ?? 0) > kernel.now.timeNs;
    this.#isSetUp = isAtRest || isSetUp();
    return this.#isSetUp;
  }

  /** The bound on logical time. A block for calls of a simulation that is not started is of one instant. */
  #boundNs() {
    const started = this.#getStarted();
    if (started !== undefined) return started.realTime?.elapsedNs() ?? Infinity;
    return this.#isInBlock ? this.#instantNs : Infinity;
  }

  /** Whether there is work up to a bound on logical time. @param {number} boundNs */
  #hasWork(boundNs) {
    const { kernel, calls } = this.#powers;
    if (kernel.isQuiet) return false;
    // A simulation that is not started runs only for waiting calls.
    if (this.#getStarted() === undefined && !calls.isAwaited && !calls.hasEntries) return false;
    return (kernel.nextTimeNs ?? 0) <= boundNs;
  }

  /**
   * Run blocks until the slice of time is over, there is no work, or the run has to wait.
   *
   * @param {boolean} isClosed  if true, no further block is begun
   * @returns {'more' | 'idle' | Promise<unknown>}  a promise must be awaited before the next slice
   */
  run(isClosed) {
    const { pump } = this.#powers;
    const blockSize = this.#getStarted()?.blockSize ?? 200;
    const endMs = performance.now() + sliceMs;
    do {
      if (!this.#isInBlock) {
        if (isClosed) return 'idle';
        const entered = this.enter(blockSize);
        this.#isChanged = entered > 0;
        if (entered === 0 && !this.#hasWork(this.#boundNs())) return 'idle';
        this.#isInBlock = true;
        this.#cranksLeft = blockSize;
        const { kernel } = this.#powers;
        this.#instantNs = kernel.nextTimeNs ?? kernel.now.timeNs;
      }
      const boundNs = this.#boundNs();
      const { cranks, waiting } = pump(this.#cranksLeft, boundNs);
      this.#cranksLeft -= cranks;
      if (cranks > 0) this.#isChanged = true;
      if (waiting !== null) return waiting;
      if (this.#cranksLeft <= 0 || !this.#hasMore(boundNs)) {
        const ending = this.#endBlock();
        if (ending !== undefined) return ending;
      }
    } while (performance.now() < endMs);
    return 'more';
  }

  /** @param {number} boundNs */
  #hasMore(boundNs) {
    const { kernel } = this.#powers;
    return !kernel.isQuiet && (kernel.nextTimeNs ?? 0) <= boundNs;
  }

  /** @returns {void | Promise<void>} */
  #endBlock() {
    this.#isInBlock = false;
    if (!this.#isChanged) return undefined;
    const { calls, commitBlock, kernel } = this.#powers;
    calls.collect();
    this.#getStarted()?.realTime?.save(kernel);
    const committing = commitBlock();
    if (committing) return committing.then(() => calls.committed());
    return calls.committed();
  }
}
