// Drives the run for calls: in the background after `start`, or while a call waits for its answer. It runs blocks in
// slices of time between which the event loop turns; calls enter between two blocks.
//
// After `start`, logical time follows physical time: a repeating timer runs when it is due, and a call never waits for
// it. Otherwise logical time leaps, and the run goes no further than the answers need.

import { inMacrotask } from '../engine/macrotask.js';
import { makeRealTime } from '../real-time.js';
import { CallError } from './errors.js';
import { Nap } from './nap.js';
import { Slices } from './slices.js';

/** @import { RealTime } from '../real-time.js' */
/** @import { BlockPowers } from './slices.js' */

/** How long a call waits with nothing left to run, in a simulation that is not started: another call may answer it. */
const stuckAfterMs = 1_000;

/** The longest sleep; longer ones are split, since Node's timers have 31 bits. */
const longestNapMs = 1_000_000;

/** The longest delay of Node's timers, 24 days. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * @typedef {object} StartOptions
 * @property {'physical' | 'leaping'} [time='physical']  `physical`: a timer fires when it is due; `leaping`: logical time
 *   goes on to the next timer at once, as in `run()`
 * @property {RealTime} [realTime]  the physical time to follow, if the vats' reactors share its clock
 * @property {number} [blockSize=200]  most cranks of a block
 * @property {(error: unknown) => void} [onFailure]  called with the error that ended the run; default: a warning of the
 *   process. All calls are rejected in either case
 */

export class Driver {
  #powers;

  #slices;

  /** @type {(StartOptions & { realTime: RealTime | undefined }) | undefined} */
  #started;

  /** The running loop. @type {Promise<void> | undefined} */
  #loop;

  /**
   * Settles when a method such as `run` or `step`, which runs the simulation instead, is done.
   *
   * @type {Promise<unknown> | undefined}
   */
  #taken;

  #isStopping = false;

  #isClosed = false;

  #nap = new Nap();

  /** @type {unknown} */
  #failure;

  /** @param {BlockPowers} powers */
  constructor(powers) {
    this.#powers = powers;
    this.#slices = new Slices(powers, () => this.#started);
  }

  get isStarted() {
    return this.#started !== undefined;
  }

  /** Whether the loop is active. */
  get isActive() {
    return this.#loop !== undefined;
  }

  /** To be called when an entry waits. */
  wake() {
    if (this.#nap.isOn) this.#nap.end();
    else if (this.#loop === undefined && this.#taken === undefined && !this.#isClosed)
      this.#begin();
  }

  /** To be called when the host has queued work: ends the loop's sleep. */
  poke() {
    this.#nap.end();
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
   * Stop the loop, after waiting calls are answered. Not for a closed simulation.
   *
   * @param {number} withinMs  after this time they are rejected
   */
  async stop(withinMs) {
    const { calls } = this.#powers;
    calls.refuse(
      () => new CallError('STOPPED', 'the simulation is being stopped and takes no calls'),
    );
    this.#isStopping = true;
    const failAll = () => {
      calls.failAll(
        () => new CallError('STOPPED', 'the simulation was stopped before the call was answered'),
      );
      this.wake();
    };
    // A wait beyond the longest delay of a timer is unbounded.
    const timer = withinMs <= longestTimerMs ? setTimeout(failAll, withinMs) : undefined;
    this.#nap.end();
    await this.#loop;
    clearTimeout(timer);
    // close() may have come meanwhile.
    if (this.#isClosed) return;
    this.#started = undefined;
    this.#isStopping = false;
    calls.refuse(this.#failure === undefined ? undefined : () => this.#makeFailure());
  }

  /** Refuse new calls and reject waiting ones. */
  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { calls } = this.#powers;
    const makeError = () => new CallError('STOPPED', 'the simulation is closed');
    calls.refuse(makeError);
    calls.failAll(makeError);
    this.#isStopping = true;
    this.#nap.end();
    await this.#loop;
  }

  /**
   * Run `act` without the loop or another such method.
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

  /** Let calls enter, within `alone`. @param {number} blockSize @returns {number} number of entries */
  enter(blockSize) {
    return this.#slices.enter(blockSize);
  }

  #begin() {
    this.#loop = this.#run();
  }

  async #run() {
    const { calls } = this.#powers;
    let stuckSinceMs;
    try {
      for (;;) {
        // A slice that waits for another thread, a machine or the disk returns a promise, which is awaited here.
        const outcome = await inMacrotask(
          () => /** @type {'more' | 'idle' | Promise<'more'>} */ (this.#slices.run(this.#isClosed)),
        );
        if (outcome !== 'idle') continue;
        if (this.#mayEnd()) return;
        if (!calls.hasEntries) {
          await this.#nap.begin(this.#chooseNap());
          stuckSinceMs = this.#judgeStuck(stuckSinceMs);
        }
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      // In the job that decided to end, so that no start() or call() comes between.
      this.#loop = undefined;
      if (calls.hasEntries) this.wake();
    }
  }

  /** Whether the loop may end when there is no work. */
  #mayEnd() {
    const { calls } = this.#powers;
    if (this.#isClosed) return true;
    if (calls.hasEntries || calls.isAwaited) return false;
    return this.#started === undefined || this.#isStopping;
  }

  /**
   * In a simulation that is not started, reject calls that cannot be answered any more, after a while.
   *
   * @param {number | undefined} sinceMs  since when nothing was left to run
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
    // A clock that is advanced by hand wakes the loop itself.
    if (realTime === undefined || realTime.onAdvance !== undefined || next === undefined)
      return undefined;
    return Math.min(longestNapMs, Math.max(0, Math.ceil((next - realTime.elapsedNs()) / 1e6)));
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
