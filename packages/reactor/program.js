// A program: a main reactor, run from its start to its end. In a fast program logical time does not wait; otherwise it
// follows the clock.

import { UserError, formatTag } from '#model';
import { assemble } from './assemble.js';
import { start } from './life.js';
import { describe } from './node.js';
import { insistOptions } from './options.js';
import { Reactor } from './reactor.js';
import { Scheduler } from './scheduler.js';
import { makeClock } from './system-clock.js';
import { duration } from './time.js';

/** @import { Clock } from './system-clock.js' */
/** @import { Duration } from './time.js' */
/** @import { Observer } from './observer.js' */

/**
 * A clock that a program can wait for.
 *
 * @typedef {Clock & { sleep: (untilNs: number) => { done: Promise<void>, wake: () => void } }} WaitingClock
 */

/**
 * @typedef {object} ProgramOptions
 * @property {Duration} [timeout]  the program's last tag is at this time, microstep 0
 * @property {boolean} [keepalive]  whether it goes on when no event is pending; default: true if it has physical
 *   actions and is not fast
 * @property {boolean} [fast=false]  whether it does not wait for the clock
 * @property {WaitingClock} [clock]  by default the system's, from the moment of the start
 * @property {bigint} [startTime=0n]  absolute time of the start in nanoseconds
 * @property {number} [maxMicrosteps=Infinity]  microsteps at one time, at most; more are an error
 * @property {Observer} [observer]  called for tags and reactions, for example to write a trace
 */

/** Nanoseconds that a fast program runs before it yields to the event loop. */
const sliceNs = 5_000_000;

const programOptions = Object.freeze({
  timeout: 'value',
  keepalive: 'flag',
  fast: 'flag',
  clock: 'value',
  startTime: 'value',
  maxMicrosteps: 'value',
  observer: 'value',
});

/**
 * @param {ProgramOptions} options
 * @throws {UserError} an option is unknown, or its value is of a wrong type
 */
const insistProgramOptions = options => {
  const {
    clock,
    startTime,
    maxMicrosteps,
    observer,
    fast = false,
  } = insistOptions(options, programOptions, 'a program');
  /** @param {string} name @param {unknown} value @param {string} remedy */
  const refuse = (name, value, remedy) => {
    throw new UserError(`a program: its ${name} is ${describe(value)}; give ${remedy}`);
  };
  const lacks = (/** @type {any} */ value, /** @type {readonly string[]} */ methods) =>
    value !== undefined && !methods.every(method => typeof value?.[method] === 'function');
  const timing = fast ? ['nowNs'] : ['nowNs', 'sleep'];
  if (lacks(clock, timing)) {
    refuse('clock', clock, `an object that can ${timing.join(' and ')}`);
  }
  const telling = ['tagBegan', 'reacted', 'ended'];
  if (lacks(observer, telling)) {
    refuse('observer', observer, `an object that has ${telling.join(', ')}`);
  }
  if (startTime !== undefined && typeof startTime !== 'bigint') {
    refuse('startTime', startTime, 'nanoseconds as a bigint, like 0n');
  }
  if (maxMicrosteps !== undefined && !(typeof maxMicrosteps === 'number' && maxMicrosteps >= 0)) {
    refuse('maxMicrosteps', maxMicrosteps, 'a number from 0');
  }
};

/** Microsteps at one time after which a program without a bound says so, once at that time. */
const manyMicrosteps = 1_000_000;

/** @param {Scheduler} scheduler */
const tellOfManyMicrosteps = ({ maxMicrosteps, timeNs }) => {
  if (maxMicrosteps < Infinity) return;
  // eslint-disable-next-line no-restricted-globals -- a library has no other way to tell who runs it
  console.warn(
    `${manyMicrosteps} microsteps at ${timeNs} ns, and the program goes on; an action or "after" without a delay may go round, ` +
      'and "maxMicrosteps" ends such a program',
  );
};

/** A main reactor with all that it contains, ready to run once. */
export class Program {
  /** Starts the clock of a program that has none of its own; without effect once it has started. */
  #begin = () => {};

  /**
   * @param {Reactor} main
   * @param {ProgramOptions} [options]
   * @throws {UserError} for a program that cannot run: wrong connections or declarations, a cycle
   */
  constructor(main, options = {}) {
    if (!(main instanceof Reactor)) {
      throw new UserError(
        'a program is made from its main reactor; give an instance of a class that extends Reactor',
      );
    }
    const { node } = main;
    if (node.parent !== null || node.region !== null) {
      throw new UserError(
        `${node.path} is part of a program already; a main reactor is made without a container`,
      );
    }
    insistProgramOptions(options);
    const {
      timeout,
      fast = false,
      clock = this.#makeClock(),
      startTime = 0n,
      maxMicrosteps = Infinity,
      observer,
    } = options;
    this.main = main;
    this.fast = fast;
    this.clock = clock;
    this.observer = observer;
    const scheduler = new Scheduler(clock, observer);
    this.scheduler = scheduler;
    scheduler.startTime = startTime;
    scheduler.maxMicrosteps = maxMicrosteps;
    // A fast program does not read the system's clock, so that it does the same each time.
    scheduler.readsClock = !fast || options.clock !== undefined;
    if (timeout !== undefined) scheduler.stopTimeNs = duration(timeout, 'the timeout of a program');
    assemble(node, scheduler.region);
    const hasPhysical = node
      .subtree()
      .some(({ triggers }) => triggers.some(trigger => /** @type {any} */ (trigger).isPhysical));
    this.keepalive = options.keepalive ?? (hasPhysical && !fast);
    start(node, false);
    // There is a first tag even if nothing happens at it.
    scheduler.wantMicrostep();
  }

  /** A clock that starts with the program: what comes before, such as making its reactors, does not count. */
  #makeClock() {
    const clock = makeClock();
    this.#begin = () => {
      clock.begin();
      this.#begin = () => {};
    };
    return clock;
  }

  /** The present tag, as `1500ns.2`. @returns {string} */
  get tag() {
    return formatTag({
      timeNs: this.scheduler.timeNs,
      microstep: Math.max(this.scheduler.microstep, 0),
    });
  }

  /**
   * The counters so far.
   *
   * @returns {{ tags: number, reactions: number, events: number, portWrites: number, deadlineMisses: number }}
   */
  get counts() {
    const { tags, reactions, events, portWrites, deadlineMisses } = this.scheduler;
    return { tags, reactions, events, portWrites, deadlineMisses };
  }

  /**
   * Runs one tag, if there is one. When nothing is pending the program stops, unless it is kept alive.
   *
   * @returns {boolean} whether there was a tag
   */
  step() {
    const { scheduler } = this;
    this.#begin();
    if (!scheduler.prepareTag()) {
      if (scheduler.hasStopped || this.keepalive) return false;
      // Starvation: it ends one microstep after the last event.
      scheduler.requestStop();
      scheduler.prepareTag();
    } else if (!this.keepalive && scheduler.isStarved()) {
      scheduler.requestStop();
      scheduler.prepareTag();
    }
    scheduler.beginTag();
    if (scheduler.microstep === manyMicrosteps) tellOfManyMicrosteps(scheduler);
    scheduler.runReady();
    scheduler.endTag();
    return true;
  }

  /**
   * Runs a fast program to its end, synchronously.
   *
   * @returns {this}
   * @throws {UserError} when a reaction throws, or has called `requestErrorStop`
   */
  runFast() {
    try {
      while (this.step());
    } finally {
      this.observer?.ended();
    }
    if (!this.scheduler.hasStopped) {
      throw new UserError(
        'a program that is kept alive has no end in one go; use run(), or call requestStop',
      );
    }
    if (this.scheduler.failure) throw this.scheduler.failure;
    return this;
  }

  /**
   * Runs to the end, waiting for the clock unless the program is fast, and for physical actions if it is kept alive.
   *
   * @returns {Promise<this>}
   * @throws {UserError} a reaction threw, or there were too many microsteps at one time
   */
  async run() {
    try {
      await this.#run();
    } finally {
      this.observer?.ended();
    }
    if (this.scheduler.failure) throw this.scheduler.failure;
    return this;
  }

  async #run() {
    const { scheduler, clock, fast } = this;
    this.#begin();
    /** @type {(() => void) | null} */
    let wake = null;
    scheduler.onWake = () => wake?.();
    let sliceEndNs = clock.nowNs() + sliceNs;
    while (!scheduler.hasStopped) {
      const hasTag = scheduler.prepareTag() && (this.keepalive || !scheduler.isStarved());
      const nowNs = clock.nowNs();
      const untilNs = hasTag ? (fast ? 0 : scheduler.nextTimeNs) : this.keepalive ? Infinity : 0;
      if (untilNs > nowNs || nowNs > sliceEndNs) {
        const sleep = clock.sleep(untilNs);
        wake = sleep.wake;
        await sleep.done;
        wake = null;
        sliceEndNs = clock.nowNs() + sliceNs;
        // An earlier event may have been scheduled.
        continue;
      }
      this.step();
    }
  }
}

/**
 * Runs a main reactor to the end of its program.
 *
 * @param {Reactor} main
 * @param {ProgramOptions} [options]
 * @returns {Promise<Program>} the program, when it has ended
 * @throws {UserError} an option is unknown, or the program cannot run
 * @throws {unknown} what a reaction threw
 */
export const run = (main, options) => new Program(main, options).run();

/**
 * Runs a main reactor to its end without waiting, synchronously.
 *
 * @param {Reactor} main
 * @param {ProgramOptions} [options]
 * @returns {Program}
 * @throws {UserError} an option is unknown, or the program cannot run
 * @throws {unknown} what a reaction threw
 */
export const runFast = (main, options) => {
  insistOptions(options, programOptions, 'a program');
  return new Program(main, { ...options, fast: true }).runFast();
};

/** A main reactor that knows how it is run, as reactor-ts has it. */
export class App extends Reactor {
  #options;

  #success;

  #failure;

  /**
   * @param {Duration} [timeout]
   * @param {boolean} [keepAlive]
   * @param {boolean} [fast]
   * @param {() => void} [success]
   * @param {(error: unknown) => void} [failure]
   */
  constructor(timeout, keepAlive, fast = false, success = () => {}, failure = undefined) {
    super(null);
    this.#options = { timeout, fast, ...(keepAlive !== undefined && { keepalive: keepAlive }) };
    this.#success = success;
    this.#failure = failure;
  }

  /** Runs it to its end. */
  async _start() {
    try {
      const program = await run(this, this.#options);
      this.#success();
      return program;
    } catch (error) {
      if (this.#failure === undefined) throw error;
      this.#failure(error);
      return undefined;
    }
  }
}
