// The runtime of one app: the scheduler of packages/reactor with triggers in place of slots, and
// the functions that reactors may call.

import { Scheduler } from '#reactor';
import { Level } from '#schedule';
import { refuseSending } from './federation.js';
import { RunningOrder } from './running-order.js';
import { Tag, nowUs, nsOf, timeOfNs, timeOfUs } from './time.js';

/** @import { App } from './app.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Reactor } from './reactor.js' */
/** @import { TaggedEvent } from './event.js' */
/** @import { Timer } from './timer.js' */
/** @import { UtilityFunctions } from './types.js' */

/** Runs a reaction without further checks: reactions check their own deadline, and may return anything. */
class AppScheduler extends Scheduler {
  /** Called after a reaction that changed dependencies. */
  relevel = () => {};

  isChanged = false;

  /** New reactions that run at this tag and have no place in the order yet. @type {any[]} */
  unplaced = [];

  /** @param {any} reaction */
  react(reaction) {
    reaction.doReact();
    if (this.isChanged) this.relevel();
  }

  /** @throws {unknown} what a reaction threw: the other reactions of the tag do not run, and the program goes on */
  runReady() {
    try {
      super.runReady();
    } catch (error) {
      this.hasStopped = false;
      this.failure = null;
      this.region.ready.drain();
      this.takeUnplaced();
      throw error;
    }
  }

  /** @returns {any[]} those reactions, which are no longer queued */
  takeUnplaced() {
    const taken = this.unplaced;
    this.unplaced = [];
    for (const reaction of taken) reaction.queued = false;
    return taken;
  }
}

export class Runtime {
  #startUs = 0;

  /** @type {App} */
  #app;

  /** @type {Tag | undefined} */
  #tag = undefined;

  #tagStamp = -1;

  /** Reactions to run at the first tag, in the order of their addition. @type {Set<Reaction<any>>} */
  #startup = new Set();

  /** @type {Timer[]} */
  #timers = [];

  order = new RunningOrder();

  /** @type {Reactor[]} deleted at this tag, and removed at its end */
  #leaving = [];

  /** Whether an event is due at a time that never comes; the program then never ends by itself. */
  waitsForever = false;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    /** Nanoseconds since the start, in whole microseconds. */
    this.clock = { nowNs: () => (nowUs() - this.#startUs) * 1000 };
    const scheduler = new AppScheduler(this.clock);
    this.scheduler = scheduler;
    scheduler.relevel = () => this.orderReactions();
    const { region } = scheduler;
    /** @type {any} */
    this.region = region;
    /** @type {(place: any, value: unknown) => void} */
    region.write = ({ trigger }, value) => trigger.arrive(value);
    region.clear = () => {};
    this.util = this.#makeUtil();
  }

  /** The start of the program, on the clock of `performance.now`. */
  get startMs() {
    return this.#startUs / 1000 - performance.timeOrigin;
  }

  isRunning() {
    return this.#app._isActive;
  }

  /**
   * Make a reaction run at this tag, or at the first one.
   *
   * @param {Reaction<any>} reaction
   */
  stage(reaction) {
    if (!this.#app._isActive) this.#startup.add(reaction);
    else if (reaction.queued) return;
    else if (reaction.level !== null) this.region.ready.push(reaction);
    else {
      reaction.queued = true;
      this.scheduler.unplaced.push(reaction);
    }
  }

  /** @param {Timer} timer */
  initialize(timer) {
    if (!this.isRunning()) {
      this.#timers.push(timer);
      return;
    }
    const first = timer.offset.isZero() ? timer.period : timer.offset;
    if (first.isZero()) return;
    const event = this.scheduleIn(timer.slot, nsOf(first), null);
    if (event) event.timer = /** @type {any} */ (timer);
  }

  /** @param {TaggedEvent<any>} event */
  schedule({ trigger, tag, value }) {
    const { scheduler } = this;
    const elapsed = tag.time.subtract(this.util.getStartTime());
    const timeNs = nsOf(elapsed);
    const isNext = timeNs === scheduler.timeNs && tag.microstep === scheduler.microstep + 1;
    if (isNext) scheduler.schedule(trigger.slot, 0, value);
    else scheduler.scheduleAt(trigger.slot, timeNs, tag.microstep, value);
  }

  /**
   * @param {any} place
   * @param {number} delayNs  Infinity for an event that never comes
   * @param {unknown} value
   */
  scheduleIn(place, delayNs, value) {
    const { scheduler } = this;
    const timeNs = scheduler.timeNs + delayNs;
    if (timeNs > Number.MAX_SAFE_INTEGER) this.waitsForever = true;
    else if (!scheduler.hasStopped) return scheduler.schedule(place, delayNs, value);
    return null;
  }

  /**
   * Schedule an event by the clock, at the next microstep at the earliest.
   *
   * @param {any} place
   * @param {number} timeNs
   * @param {number} microstep
   * @param {unknown} value
   * @returns {boolean} whether the event comes at that time
   */
  schedulePhysical(place, timeNs, microstep, value) {
    const { scheduler } = this;
    if (timeNs > Number.MAX_SAFE_INTEGER) this.waitsForever = true;
    else if (scheduler.hasStopped) return false;
    else if (timeNs > scheduler.timeNs)
      return scheduler.scheduleAt(place, timeNs, microstep, value) !== null;
    else scheduler.schedule(place, 0, value);
    return false;
  }

  /** @param {Reactor} reactor */
  delete(reactor) {
    this.#leaving.push(reactor);
  }

  /**
   * After a change of connections, reactions or reactors: order the reactions again before the next
   * one runs.
   */
  change() {
    this.scheduler.isChanged = true;
  }

  /**
   * @throws {Error} for a cycle
   */
  orderReactions() {
    const { scheduler, order } = this;
    scheduler.isChanged = false;
    const unplaced = scheduler.takeUnplaced();
    if (!this.isRunning() || !order.takeChanges()) orderAll(this.#app, scheduler.region.ready);
    for (const reaction of unplaced) this.stage(reaction);
  }

  /** Start the program; its first tag is next. */
  start() {
    this.#startUs = nowUs();
    this.#tagStamp = -1;
    this.scheduler.isChanged = false;
    for (const reaction of this.#startup) this.stage(reaction);
    for (const timer of this.#timers) this.initialize(timer);
    this.scheduler.wantMicrostep();
  }

  /** Run the tag that the scheduler has prepared. @throws {unknown} what a reaction threw, when the tag has ended */
  step() {
    const { scheduler } = this;
    scheduler.beginTag();
    try {
      if (scheduler.isLastTag()) {
        // In reactor-ts the reactions at startup have all run before the first event, which is shutdown if the timeout is 0.
        if (scheduler.timeNs === 0 && scheduler.microstep <= 0) this.#runReady();
        this.#app.shutdown.arrive(null);
      }
      this.#runReady();
    } finally {
      if (this.#leaving.length > 0) this.#leave();
      scheduler.endTag();
    }
  }

  #runReady() {
    if (this.scheduler.isChanged) this.orderReactions();
    this.scheduler.runReady();
  }

  #leave() {
    const leaving = this.#leaving;
    this.#leaving = [];
    if (!this.scheduler.isLastTag()) for (const reactor of leaving) reactor._leave();
  }

  /** @returns {UtilityFunctions & { _isPast: (deadlineNs: number) => boolean }} */
  #makeUtil() {
    const { scheduler, clock } = this;
    const startTime = () => timeOfUs(this.#startUs);
    const getCurrentTag = () => {
      if (this.#tag === undefined || this.#tagStamp !== scheduler.tags) {
        const time = timeOfNs(scheduler.timeNs).add(startTime());
        this.#tag = new Tag(time, Math.max(scheduler.microstep, 0));
        this.#tagStamp = scheduler.tags;
      }
      return this.#tag;
    };
    return {
      requestStop: () => this.#app._shutdown(),
      reportError: message => this.#app._reportError(message),
      requestErrorStop: message => {
        this.#app._reportError(message);
        this.#app._shutdown();
      },
      isLastTAGProvisional: () => false,
      getCurrentTag,
      getCurrentLogicalTime: () => getCurrentTag().time,
      getCurrentPhysicalTime: () => timeOfUs(nowUs()),
      getStartTag: () => new Tag(startTime(), 0),
      getStartTime: startTime,
      getElapsedLogicalTime: () => timeOfNs(scheduler.timeNs),
      getElapsedPhysicalTime: () => timeOfNs(clock.nowNs()),
      sendRTIMessage: refuseSending('sendRTIMessage'),
      sendRTITimedMessage: refuseSending('sendRTITimedMessage'),
      sendRTIPortAbsent: refuseSending('sendRTIPortAbsent'),
      _isPast: deadlineNs => clock.nowNs() > scheduler.timeNs + deadlineNs,
    };
  }
}

/** @param {App} app @param {import('#schedule').ReadyQueue<any>} ready */
const orderAll = (app, ready) => {
  const waiting = ready.drain();
  for (const reaction of app._orderedReactions()) {
    reaction.level = new Level(0, Infinity, reaction.getPriority());
  }
  for (const reaction of waiting) ready.push(reaction);
};
