// Blocks in slices of time: calls enter, cranks run, the block is committed, until the event loop should turn or nothing is to
// be done. A block that waits for something goes on in the next slice.

/** @import { Kernel } from '#kernel' */
/** @import { RealTime } from '../real-time.js' */
/** @import { Calls } from './calls.js' */

/** How long a server's other work waits at most, unless one block takes longer. */
const sliceMs = 5;

/** So many messages enter a block at least, however much is queued. */
const fewest = 20;

/**
 * @typedef {object} BlockPowers
 * @property {Kernel} kernel
 * @property {Calls} calls
 * @property {(limit: number, untilNs?: number) => { cranks: number, waiting: Promise<void> | null }} pump
 * @property {() => void | Promise<void>} commitBlock
 * @property {() => boolean} isSetUp  whether `bootstrap` has come to its end
 */

/** @typedef {{ blockSize?: number, realTime: RealTime | undefined }} Started  how the run was started, if it was */

export class Slices {
  #powers;

  #getStarted;

  #isSetUp = false;

  // State of the block that was begun.
  #isInBlock = false;

  #cranksLeft = 0;

  #isChanged = false;

  /**
   * @param {BlockPowers} powers
   * @param {() => Started | undefined} getStarted  asked each time, since a device of the run may start the simulation
   */
  constructor(powers, getStarted) {
    this.#powers = powers;
    this.#getStarted = getStarted;
  }

  /** Between two blocks: calls enter. @param {number} blockSize @returns {number} how many things were done */
  enter(blockSize) {
    const { calls, kernel } = this.#powers;
    if (!calls.hasEntries || !this.#checkSetUp()) return 0;
    return calls.enter(Math.max(fewest, blockSize - kernel.state.queue.size));
  }

  #checkSetUp() {
    if (this.#isSetUp) return true;
    const { kernel, isSetUp } = this.#powers;
    // Bootstrap may wait for a timer as long as the run lasts, so calls do not wait for it then.
    const isAtRest = kernel.isQuiet || (kernel.nextTimeNs ?? 0) > kernel.now.timeNs;
    this.#isSetUp = isAtRest || isSetUp();
    return this.#isSetUp;
  }

  /** How far logical time may go. */
  #boundNs() {
    return this.#getStarted()?.realTime?.elapsedNs() ?? Infinity;
  }

  /** @param {number} boundNs  whether something is to be run up to it */
  #hasWork(boundNs) {
    const { kernel, calls } = this.#powers;
    if (kernel.isQuiet) return false;
    // Not started, the run waits for whom it is run.
    if (this.#getStarted() === undefined && !calls.isAwaited && !calls.hasEntries) return false;
    return (kernel.nextTimeNs ?? 0) <= boundNs;
  }

  /**
   * Blocks until the slice of time is over, nothing is to be done, or something has to be waited for.
   *
   * @param {boolean} isClosed  no further block is begun
   * @returns {'more' | 'idle' | Promise<unknown>}  a promise stands for more, later
   */
  run(isClosed) {
    const { pump } = this.#powers;
    const blockSize = this.#getStarted()?.blockSize ?? 200;
    const endMs = performance.now() + sliceMs;
    do {
      const boundNs = this.#boundNs();
      if (!this.#isInBlock) {
        if (isClosed) return 'idle';
        const entered = this.enter(blockSize);
        this.#isChanged = entered > 0;
        if (entered === 0 && !this.#hasWork(boundNs)) return 'idle';
        this.#isInBlock = true;
        this.#cranksLeft = blockSize;
      }
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
