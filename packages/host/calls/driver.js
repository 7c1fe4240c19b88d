// What runs the run for calls: in the background after `start`, or as long as a call waits for its answer. One block after
// another, in slices of time between which the event loop turns; calls enter between two blocks.
//
// Started, logical time goes with physical time: a repeating timer runs when it is due, and a call never waits for it.
// Not started, logical time leaps, and the run goes no further than the answers need.

import { inMacrotask } from '../macrotask.js';
import { makeRealTime } from '../real-time.js';
import { CallError } from './errors.js';

/** @import { Kernel } from '#kernel' */
/** @import { RealTime } from '../real-time.js' */
/** @import { Calls } from './calls.js' */

/** How long a server's other work waits at most, unless one block takes longer. */
const sliceMs = 5;

/** So many messages enter a block at least, however much is queued. */
const fewest = 20;

/** So long a call of a simulation that is not started waits with nothing left to run: another call may answer it. */
const stuckAfterMs = 1_000;

/** Longer sleeps are taken in parts: Node's timers have 31 bits. */
const longestNapMs = 1_000_000;

/**
 * @typedef {object} StartOptions
 * @property {'physical' | 'leaping'} [time]  `physical` (the default): a timer fires when it is due; `leaping`: logical time
 *   goes on to the next timer at once, as in `run()`
 * @property {RealTime} [realTime]  the physical time to go by, if a clock of the vats' reactors shares it
 * @property {number} [blockSize]  cranks a block at most, 200 by default
 * @property {(error: unknown) => void} [onFailure]  told why the run ended by itself; by default a warning of the process.
 *   All calls are rejected by it in either case
 */

/**
 * @typedef {object} DriverPowers
 * @property {Kernel} kernel
 * @property {Calls} calls
 * @property {(limit: number, untilNs?: number) => { cranks: number, waiting: Promise<void> | null }} pump
 * @property {() => void | Promise<void>} commitBlock
 * @property {() => boolean} isSetUp  whether `bootstrap` has come to its end
 */

// eslint-disable-next-line house/max-class-lines -- one loop with its wake-ups; start, stop and waiting share its private state
export class Driver {
  #powers;

  /** @type {(StartOptions & { realTime: RealTime | undefined }) | undefined} */
  #started;

  /** The loop that is under way. @type {Promise<void> | undefined} */
  #loop;

  /** Whoever runs the simulation instead. @type {Promise<unknown> | undefined} */
  #taken;

  #isSetUp = false;

  #isStopping = false;

  #isClosed = false;

  /** @type {(() => void) | undefined} ends the sleep of the loop */
  #wakeUp;

  /** @type {unknown} */
  #failure;

  // State of the block that was begun.
  #isInBlock = false;

  #cranksLeft = 0;

  #isChanged = false;

  /** @param {DriverPowers} powers */
  constructor(powers) {
    this.#powers = powers;
  }

  get isStarted() {
    return this.#started !== undefined;
  }

  /** Whether it runs blocks, or waits to. */
  get isActive() {
    return this.#loop !== undefined;
  }

  /** Something waits to enter. */
  wake() {
    if (this.#wakeUp !== undefined) this.#wakeUp();
    else if (this.#loop === undefined && this.#taken === undefined && !this.#isClosed)
      this.#begin();
  }

  /** The host has given the run something to do: if it is started, it goes on. */
  poke() {
    this.#wakeUp?.();
  }

  /** @param {StartOptions} options */
  start({ time = 'physical', realTime, ...options } = {}) {
    /** @type {RealTime | undefined} */
    const physical = time === 'physical' ? (realTime ?? makeRealTime()) : undefined;
    physical?.begin(this.#powers.kernel);
    physical?.onAdvance?.(() => this.poke());
    this.#started = { ...options, realTime: physical };
    this.#isStopping = false;
    this.wake();
  }

  /**
   * Run no more. Calls that wait are answered first.
   *
   * @param {number} withinMs  and rejected behind that
   */
  async stop(withinMs) {
    const { calls } = this.#powers;
    calls.refuse(
      () => new CallError('STOPPED', 'the simulation is being stopped and takes no calls'),
    );
    this.#isStopping = true;
    const timer = setTimeout(() => {
      calls.failAll(
        () => new CallError('STOPPED', 'the simulation was stopped before the call was answered'),
      );
      this.wake();
    }, withinMs);
    this.#wakeUp?.();
    await this.#loop;
    clearTimeout(timer);
    this.#started = undefined;
    this.#isStopping = false;
    calls.refuse(this.#failure === undefined ? undefined : () => this.#makeFailure());
  }

  /** Nothing is accepted any more, and what waits is rejected. */
  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { calls } = this.#powers;
    const makeError = () => new CallError('STOPPED', 'the simulation is closed');
    calls.refuse(makeError);
    calls.failAll(makeError);
    this.#isStopping = true;
    this.#wakeUp?.();
    await this.#loop;
  }

  /**
   * Have the run to oneself.
   *
   * @template T
   * @param {() => Promise<T>} act
   * @returns {Promise<T>}
   */
  async alone(act) {
    while (this.#loop !== undefined || this.#taken !== undefined)
      await (this.#loop ?? this.#taken?.catch(() => {}));
    const acting = act();
    this.#taken = acting;
    try {
      return await acting;
    } finally {
      this.#taken = undefined;
      if (this.#powers.calls.hasEntries || this.#powers.calls.isAwaited) this.wake();
    }
  }

  /** For who has the run to himself: calls enter. @param {number} blockSize @returns {number} how many things were done */
  enter(blockSize) {
    const { calls, kernel } = this.#powers;
    if (!calls.hasEntries || !this.#checkSetUp()) return 0;
    return calls.enter(Math.max(fewest, blockSize - kernel.state.queue.size));
  }

  #checkSetUp() {
    if (this.#isSetUp) return true;
    const { kernel, isSetUp } = this.#powers;
    // Whoever waits for a timer may wait for as long as the run is.
    const isAtRest = kernel.isQuiet || (kernel.nextTimeNs ?? 0) > kernel.now.timeNs;
    this.#isSetUp = isAtRest || isSetUp();
    return this.#isSetUp;
  }

  #begin() {
    this.#loop = this.#run().finally(() => {
      this.#loop = undefined;
      // What came while it ended.
      if (this.#powers.calls.hasEntries) this.wake();
    });
  }

  async #run() {
    const { calls } = this.#powers;
    let stuckSinceMs;
    try {
      for (;;) {
        // What has to be waited for is waited for here.
        const outcome = await inMacrotask(
          () => /** @type {'more' | 'idle' | Promise<'more'>} */ (this.#runSlice()),
        );
        if (outcome !== 'idle') continue;
        if (this.#mayEnd()) return;
        if (!calls.hasEntries) {
          const napMs = this.#chooseNap();
          await this.#sleep(napMs);
          stuckSinceMs = this.#judgeStuck(stuckSinceMs);
        }
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Nothing is to be done at the moment. */
  #mayEnd() {
    const { calls } = this.#powers;
    if (this.#isClosed) return true;
    if (calls.hasEntries || calls.isAwaited) return false;
    return this.#started === undefined || this.#isStopping;
  }

  /**
   * Calls that nothing can answer any more, in a simulation that is not started, are rejected after a while.
   *
   * @param {number | undefined} sinceMs  from when on nothing was left to run
   * @returns {number | undefined}
   */
  #judgeStuck(sinceMs) {
    const { calls, kernel } = this.#powers;
    if (this.#started !== undefined || !kernel.isQuiet || calls.hasEntries) return undefined;
    const nowMs = performance.now();
    if (sinceMs === undefined) return nowMs;
    if (nowMs - sinceMs < stuckAfterMs) return sinceMs;
    calls.rejectStuck();
    return undefined;
  }

  #chooseNap() {
    const { kernel } = this.#powers;
    if (this.#started === undefined) return stuckAfterMs / 4;
    const { realTime } = this.#started;
    const next = kernel.nextTimeNs;
    // Where somebody moves time on by hand, he wakes the loop.
    if (realTime === undefined || realTime.onAdvance !== undefined || next === undefined)
      return undefined;
    return Math.min(longestNapMs, Math.max(0, Math.ceil((next - realTime.elapsedNs()) / 1e6)));
  }

  /**
   * Until something comes, or for so long.
   *
   * @param {number | undefined} napMs
   * @returns {Promise<void>}
   */
  #sleep(napMs) {
    return new Promise(resolve => {
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      const wakeUp = () => {
        this.#wakeUp = undefined;
        if (timer !== undefined) clearTimeout(timer);
        resolve();
      };
      if (napMs !== undefined) timer = setTimeout(wakeUp, napMs);
      this.#wakeUp = wakeUp;
    });
  }

  /** How far logical time may go. */
  #boundNs() {
    return this.#started?.realTime?.elapsedNs() ?? Infinity;
  }

  /** @param {number} boundNs  whether something is to be run up to it */
  #hasWork(boundNs) {
    const { kernel, calls } = this.#powers;
    if (kernel.isQuiet) return false;
    // Not started, the run waits for whom it is run.
    if (this.#started === undefined && !calls.isAwaited && !calls.hasEntries) return false;
    return (kernel.nextTimeNs ?? 0) <= boundNs;
  }

  /**
   * Blocks until the slice of time is over, nothing is to be done, or something has to be waited for.
   *
   * @returns {'more' | 'idle' | Promise<unknown>}  a promise stands for more, later
   */
  #runSlice() {
    const { pump } = this.#powers;
    const blockSize = this.#started?.blockSize ?? 200;
    const endMs = performance.now() + sliceMs;
    do {
      const boundNs = this.#boundNs();
      if (!this.#isInBlock) {
        if (this.#isClosed) return 'idle';
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
    this.#started?.realTime?.save(kernel);
    const committing = commitBlock();
    if (committing) return committing.then(() => calls.committed());
    return calls.committed();
  }

  #makeFailure() {
    const { message } = /** @type {Error} */ (this.#failure);
    return new CallError('FAILED', `the run has failed: ${message}`, { cause: this.#failure });
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#failure = error;
    const { calls } = this.#powers;
    const makeError = () => this.#makeFailure();
    calls.refuse(makeError);
    calls.failAll(makeError);
    const started = this.#started;
    this.#started = undefined;
    if (started === undefined) return;
    if (started.onFailure !== undefined) started.onFailure(error);
    else
      process.emitWarning(
        `the simulation that was started has failed: ${/** @type {Error} */ (error).message}`,
      );
  }
}
