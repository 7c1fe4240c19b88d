// A federate in a vat. The kernel chooses the tag and stage at which it runs, a crank at a time; where nothing can come
// from outside, the kernel grants how far the vat may run by itself, and such a run of cranks is reported at once.
//
// The kernel does not announce the end of a tag: a tag ends with the last stage that the vat has, or when the vat is
// next called at a later tag.

import { longestQuietRun, ReactorReport, UserError } from '#model';
import { Federate } from './federate.js';
import { outlineOf } from './outline.js';
import { Reactor } from './reactor.js';
import { insistSameDependencies, portsOf, tellCount } from './vat-report.js';

/** @type {readonly never[]} */
const nothing = Object.freeze([]);

/** @import { Grant, VatClock } from '#model' */
/** @import { Observer } from './observer.js' */
/** @import { Outline } from './outline.js' */

/**
 * A vat's reactors, and their report to the kernel, whose fields are copied into the vat's report when the vat has come
 * to rest (vat/supervisor/reactor-part.js).
 */
// eslint-disable-next-line house/max-class-lines -- its fields are what is told and what its own next crank begins from, so there is one copy of them
export class VatReactor extends ReactorReport {
  #federate;

  #scheduler;

  /** @type {number[]} */
  #stages = [];

  /** @type {readonly number[][]} */
  #dependencies;

  #isChecking = false;

  /** The clock's time while the host's own events are scheduled; -1 to read the clock. */
  #givenNs = -1;

  /** The stage up to which the present crank runs; -1 if it does not run the reactors. */
  #stage = -1;

  /** Counts that have been reported: tags, reactions, events, port writes, missed deadlines. */
  #told = [0, 0, 0, 0, 0];

  // Counts after the last quiet crank. They are taken after each crank, so they are fields, not a list.

  #seenTags = 0;

  #seenReactions = 0;

  #seenEvents = 0;

  #seenPortWrites = 0;

  #seenDeadlineMisses = 0;

  /**
   * @param {unknown} main  what `buildReactor` returned
   * @param {object} options
   * @param {Pick<VatClock, 'nowNs'> & Partial<VatClock>} options.clock
   * @param {number} options.timeNs  the time of the tag at which the vat starts
   * @param {number} options.microstep
   * @param {Observer} [options.observer]  called for tags and reactions
   * @param {boolean} [options.hasRoot]  whether the vat exports an object of its own; true by default
   * @param {(value: object) => void} [options.prepareValue]  called with each object that is written to a port
   * @throws {UserError} if it is no reactor, or the program cannot run
   */
  constructor(main, options) {
    if (!(main instanceof Reactor)) {
      throw new UserError(
        'buildReactor did not return a reactor; return an instance of a class that extends Reactor of swingset-runner/reactor',
      );
    }
    super();
    const { clock } = options;
    this.timeNs = options.timeNs;
    this.microstep = options.microstep;
    const federate = new Federate(main, {
      ...options,
      clock: {
        nowNs: () =>
          this.#givenNs >= 0 ? this.#givenNs : clock.nowNs(this.timeNs, this.microstep),
        ...(clock.isLate && { isLate: clock.isLate }),
      },
    });
    this.#federate = federate;
    this.#scheduler = federate.scheduler;
    this.#scheduler.takesCalls = true;
    if (options.prepareValue) this.#scheduler.prepareValue = options.prepareValue;
    this.mayRequestStop = /** @type {any} */ (main).mayRequestStop === true;
    if (!this.mayRequestStop)
      this.#scheduler.stopRefusal =
        'requestStop was called in a vat whose root reactor does not declare it; give it the field mayRequestStop = true';
    this.#scheduler.levelsAtOnce = true;
    this.#scheduler.onLevels = region => {
      if (region === this.#scheduler.region) this.#checkDependencies();
    };
    const { node } = main;
    /** @type {any[]} */
    this.actions = node.triggers.filter(trigger => /** @type {any} */ (trigger).isPhysical);
    this.#dependencies = federate.dependencies();
    this.shape = {
      inputs: portsOf(federate.inputs, node.ports, true),
      outputs: portsOf(federate.outputs, node.ports, false),
      actions: this.actions.map(({ path }) => String(path)),
      dependencies: [...this.#dependencies],
      mayRequestStop: this.mayRequestStop,
      hasRoot: options.hasRoot ?? true,
    };
    this.#scheduler.moveTo(options.timeNs, options.microstep);
    // A vat can reach it. How often it is asked for its next tag depends on grants, which a replay joins: so no getter or
    // method of the vat's own may take the place of what is there.
    Object.seal(this.#scheduler);
  }

  /** Whether `requestStop` was called in the last crank; reported once. @returns {boolean} */
  get hasRequestedStop() {
    const { stopTimeNs } = this.#scheduler;
    return stopTimeNs !== Infinity && !this.isStopping;
  }

  /** Whether the kernel knows the program's end. */
  isStopping = false;

  /** Checks that no mutation made an output depend on another input, since the stages are based on the dependencies. */
  #checkDependencies() {
    if (this.#isChecking || this.#federate.inputs.length === 0) return;
    this.#isChecking = true;
    insistSameDependencies(this.#federate, this.#dependencies, this.#federate.dependencies());
    if (this.#stages.length > 0) this.setStages(this.#stages);
    this.#isChecking = false;
  }

  /** @param {readonly number[]} stages  by input channel: the largest number of crossings between vats before it */
  setStages(stages) {
    this.#isChecking = true;
    this.#stages = [...stages];
    this.#federate.setStages(input => stages[input]);
    this.#isChecking = false;
  }

  /**
   * Begins a delivery that does not run the reactors: events that it schedules are as of this tag.
   *
   * @param {number} timeNs
   * @param {number} microstep
   */
  enter(timeNs, microstep) {
    const scheduler = this.#scheduler;
    this.isLoud = true;
    this.quiet.clear();
    if (scheduler.isInTag) scheduler.endTag();
    if (!scheduler.hasStopped) scheduler.moveTo(timeNs, microstep);
    this.timeNs = timeNs;
    this.microstep = microstep;
    this.#stage = -1;
  }

  /**
   * Runs a crank that gets values, or that ends the program.
   *
   * @param {number} timeNs
   * @param {number} microstep
   * @param {number} stage
   * @param {[channel: number, value: unknown][]} values
   * @param {boolean} isLast
   * @returns {readonly [output: number, value: unknown][]} the written outputs
   */
  runLoud(timeNs, microstep, stage, values, isLast) {
    const scheduler = this.#scheduler;
    this.quiet.clear();
    this.isLoud = true;
    this.#setCrank(timeNs, microstep, stage);
    const isSameTag =
      scheduler.isInTag && scheduler.timeNs === timeNs && scheduler.microstep === microstep;
    if (!isSameTag) {
      if (scheduler.isInTag) scheduler.endTag();
      if (isLast) this.stop(timeNs, microstep);
      if (!this.#takeActions(timeNs, microstep, values) && !isLast) return [];
      scheduler.beginTagAt(timeNs, microstep);
    }
    const federate = this.#federate;
    const { length } = federate.inputs;
    for (let i = 0; i < values.length; i += 1)
      if (values[i][0] < length) federate.setInput(values[i][0], values[i][1]);
    return federate.runStage(stage);
  }

  /**
   * Schedules physical actions for the host, at the time of the tag.
   *
   * @param {number} timeNs
   * @param {number} microstep
   * @param {[channel: number, value: unknown][]} values
   * @returns {boolean} whether there is an event at the tag; an action may have a delay, or be too soon after the last
   *   event
   */
  #takeActions(timeNs, microstep, values) {
    if (this.actions.length === 0) return true;
    const scheduler = this.#scheduler;
    const inputs = this.#federate.inputs.length;
    let hasPorts = values.length === 0;
    let isBefore = false;
    this.#givenNs = timeNs;
    for (const [channel, value] of values) {
      if (channel < inputs) {
        hasPorts = true;
        continue;
      }
      // The tag is the next microstep from here.
      if (microstep > 0 && !isBefore) scheduler.moveTo(timeNs, microstep - 1);
      isBefore = true;
      this.actions[channel - inputs].schedule(0, value);
    }
    this.#givenNs = -1;
    if (hasPorts) return true;
    const isNext =
      scheduler.prepareTag() &&
      scheduler.nextTimeNs === timeNs &&
      scheduler.nextMicrostep === microstep;
    if (isNext) return true;
    scheduler.moveTo(timeNs, microstep);
    return false;
  }

  /**
   * Runs a crank of its own, the first of a run, which the kernel asked for. If the vat finds nothing to do at its tag
   * after all, no crank has run.
   *
   * @param {number} timeNs
   * @param {number} microstep
   * @param {number} stage
   * @returns {readonly [output: number, value: unknown][] | null} the written outputs; null if no crank has run
   */
  runOwn(timeNs, microstep, stage) {
    const scheduler = this.#scheduler;
    this.quiet.clear();
    this.isLoud = false;
    this.#setCrank(timeNs, microstep, stage);
    const isSameTag =
      scheduler.isInTag && scheduler.timeNs === timeNs && scheduler.microstep === microstep;
    if (!isSameTag) {
      if (scheduler.isInTag) scheduler.endTag();
      const isThere =
        scheduler.prepareTag() &&
        scheduler.nextTimeNs === timeNs &&
        scheduler.nextMicrostep === microstep;
      if (!isThere) return null;
      scheduler.beginTag();
    } else {
      // As `runNext` does, the reactors are asked once, since a vat may count it.
      return this.#federate.nextStage() > stage ? null : this.#federate.runStage(stage);
    }
    return this.#runFound(stage);
  }

  /**
   * Runs the stage that was asked for, or a later one if it has nothing ready. A tag without ready reactions is a crank
   * too.
   *
   * @param {number} stage
   */
  #runFound(stage) {
    const federate = this.#federate;
    if (federate.lastStage > 0) {
      const ready = federate.nextStage();
      if (ready > stage && ready !== Infinity) return null;
    }
    return federate.runStage(stage);
  }

  /**
   * @param {number} timeNs
   * @param {number} microstep
   * @param {number} stage
   */
  #setCrank(timeNs, microstep, stage) {
    this.timeNs = timeNs;
    this.microstep = microstep;
    this.stage = stage;
    this.#stage = stage;
  }

  /** Finds the next run, after the crank has come to rest. */
  rest() {
    const scheduler = this.#scheduler;
    if (scheduler.isInTag) {
      const { lastStage } = this.#federate;
      if (lastStage > 0) {
        const ready = this.#federate.nextStage();
        if (ready !== Infinity) {
          this.#setNext(scheduler.timeNs, scheduler.microstep, ready);
          return;
        }
      }
      if (this.#stage < lastStage) {
        // More may come at this tag; delayed values and changes of mode become events only when it ends.
        if (scheduler.isLastTag()) this.#setNext(-1, 0, 0);
        else this.#setNext(scheduler.timeNs, scheduler.microstep + 1, 0);
        return;
      }
      scheduler.endTag();
    }
    if (scheduler.prepareTag()) this.#setNext(scheduler.nextTimeNs, scheduler.nextMicrostep, 0);
    else this.#setNext(-1, 0, 0);
  }

  /**
   * Sets the next run. A vat can reach its own scheduler, but must not take the kernel back in time.
   *
   * @param {number} timeNs  -1 for never
   * @param {number} microstep
   * @param {number} stage
   * @throws {Error} the tag and stage are not after those of the crank
   */
  #setNext(timeNs, microstep, stage) {
    const later = timeNs - this.timeNs || microstep - this.microstep || stage - this.#stage;
    const isBehind = later > 0 && Number.isSafeInteger(timeNs) && microstep >= 0 && stage >= 0;
    if (timeNs !== -1 && !(isBehind && Number.isInteger(microstep) && Number.isInteger(stage)))
      throw Error('the reactors want to run at a tag that is not behind the present one');
    this.nextTimeNs = timeNs;
    this.nextMicrostep = microstep;
    this.nextStage = stage;
  }

  /** Notes the crank that has come to rest as a quiet one. */
  noteQuiet() {
    this.quiet.add(this.timeNs, this.microstep, this.stage);
    const scheduler = this.#scheduler;
    this.#seenTags = scheduler.tags;
    this.#seenReactions = scheduler.reactions;
    this.#seenEvents = scheduler.events;
    this.#seenPortWrites = scheduler.portWrites;
    this.#seenDeadlineMisses = scheduler.deadlineMisses;
  }

  /**
   * Whether the next crank is within a grant, of which the cranks in `quiet` are used up.
   *
   * @param {Grant} grant
   * @returns {boolean}
   */
  isGranted({ timeNs, microstep, cranks }) {
    const { length } = this.quiet;
    if (length >= cranks || length >= longestQuietRun || this.nextTimeNs < 0) return false;
    return (
      this.nextTimeNs < timeNs || (this.nextTimeNs === timeNs && this.nextMicrostep < microstep)
    );
  }

  /**
   * Runs the next crank, after `rest`.
   *
   * @returns {readonly [output: number, value: unknown][] | null} like `runOwn`
   */
  runNext() {
    const scheduler = this.#scheduler;
    const { nextTimeNs, nextMicrostep, nextStage } = this;
    this.#setCrank(nextTimeNs, nextMicrostep, nextStage);
    if (scheduler.isInTag) {
      if (scheduler.timeNs === nextTimeNs && scheduler.microstep === nextMicrostep)
        return this.#runFound(nextStage);
      scheduler.endTag();
      const isThere =
        scheduler.prepareTag() &&
        scheduler.nextTimeNs === nextTimeNs &&
        scheduler.nextMicrostep === nextMicrostep;
      if (!isThere) return null;
    }
    scheduler.beginTag();
    return this.#runFound(nextStage);
  }

  /**
   * Goes on after a quiet crank of its own: does `rest`, `noteQuiet`, `isGranted` and `runNext` in one loop, as long as
   * nothing unusual happens. A vat that runs alone spends its time here.
   *
   * @param {Grant} grant
   * @param {() => void} drain  lets the vat come to rest
   * @param {{ readonly hasAny: boolean }} said  whether the vat has made a syscall or got an answer
   * @returns {readonly [output: number, value: unknown][]} the written outputs of the last crank, if there are any:
   *   then the vat has not come to rest. In either case that crank is not noted
   */
  goOnQuietly(grant, drain, said) {
    const scheduler = this.#scheduler;
    const federate = this.#federate;
    const { quiet } = this;
    const { timeNs: untilNs, microstep: untilMicrostep } = grant;
    const most = Math.min(grant.cranks, longestQuietRun) - 1;
    if (federate.lastStage > 0 || this.#stage !== 0) return nothing;
    for (;;) {
      if (this.hasRequestedStop || !scheduler.isInTag || quiet.length >= most) return nothing;
      // The end of the tag comes after all syscalls of the crank, and may read the clock.
      scheduler.endTag();
      if (said.hasAny || !scheduler.prepareTag()) return nothing;
      const { nextTimeNs: timeNs, nextMicrostep: microstep } = scheduler;
      const isWhole = Number.isSafeInteger(timeNs) && microstep >>> 0 === microstep;
      const isBehind =
        timeNs > this.timeNs || (timeNs === this.timeNs && microstep > this.microstep);
      const isGranted = timeNs < untilNs || (timeNs === untilNs && microstep < untilMicrostep);
      if (!isWhole || !isBehind || !isGranted) return nothing;
      this.noteQuiet();
      this.timeNs = timeNs;
      this.microstep = microstep;
      scheduler.beginTag();
      const outputs = federate.runStage(0);
      if (outputs.length > 0) return outputs;
      drain();
    }
  }

  /**
   * Ends the program at this tag.
   *
   * @param {number} timeNs
   * @param {number} microstep
   */
  stop(timeNs, microstep) {
    this.#scheduler.stopTimeNs = timeNs;
    this.#scheduler.stopMicrostep = microstep;
    this.isStopping = true;
  }

  /**
   * Describes the reactors as plain data. Changes nothing.
   *
   * @param {object} options
   * @param {readonly number[]} options.stages  by input channel, as the kernel has them; empty if all are 0. The vat
   *   gets them with its first reactions, so it may not have them yet
   * @param {number} [options.maxBank]  see `outlineOf`
   * @returns {Outline}
   */
  outline({ stages, ...options }) {
    const isEarly = this.#stages.length === 0 && stages.length > 0;
    if (isEarly) this.setStages(stages);
    const outline = outlineOf(this.#federate, options);
    if (isEarly) {
      this.setStages(stages.map(() => 0));
      this.#stages = [];
    }
    return outline;
  }

  /** The name of a channel of an output in error messages. @param {number} output  its number @returns {string} */
  outputName(output) {
    return `output ${this.#federate.outputs[output].path}`;
  }

  /**
   * Takes the counts since the last report: those of the quiet cranks, and those of the crank that is reported on its
   * own. Reactions after the last quiet crank, if no other crank is reported, wait for the next call, or belong to a
   * crank that failed and does not count.
   */
  tellCounts() {
    if (this.quiet.length > 0) {
      tellCount(this.quietCounts, this.#told, 0, this.#seenTags);
      tellCount(this.quietCounts, this.#told, 1, this.#seenReactions);
      tellCount(this.quietCounts, this.#told, 2, this.#seenEvents);
      tellCount(this.quietCounts, this.#told, 3, this.#seenPortWrites);
      tellCount(this.quietCounts, this.#told, 4, this.#seenDeadlineMisses);
    }
    if (!this.isLoud) return;
    const { tags, reactions, events, portWrites, deadlineMisses } = this.#scheduler;
    tellCount(this.counts, this.#told, 0, tags);
    tellCount(this.counts, this.#told, 1, reactions);
    tellCount(this.counts, this.#told, 2, events);
    tellCount(this.counts, this.#told, 3, portWrites);
    tellCount(this.counts, this.#told, 4, deadlineMisses);
  }
}
