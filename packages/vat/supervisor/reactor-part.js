// A vat's reactors, between the kernel's deliveries and their scheduler: outgoing port values become capdata, and
// incoming capdata becomes values. The scheduler itself is given (packages/reactor/vat-reactor.js).

import { ReactorReport, tellThrown } from '#model';

/** @import { CapData, Grant, PortValue, TagLog, VatClock, When } from '#model' */
/** @import { SyscallBuffer } from './syscall-buffer.js' */

/** The parameters of a vat's outline. @typedef {{ stages: readonly number[], maxBank?: number }} OutlineOptions */

/** The values that leave by outputs in a crank. @typedef {readonly [output: number, value: unknown][]} Outputs */

/**
 * A vat's reactors as packages/reactor/vat-reactor.js makes them. Reports to the kernel are copies.
 *
 * @typedef {object} Program
 * @property {(stages: readonly number[]) => void} setStages
 * @property {(timeNs: number, microstep: number) => void} enter
 * @property {(timeNs: number, microstep: number, stage: number, values: [number, unknown][], isLast: boolean) => Outputs} runLoud
 * @property {(timeNs: number, microstep: number, stage: number) => Outputs | null} runOwn
 * @property {() => Outputs | null} runNext
 * @property {(grant: Grant, drain: () => void, said: { readonly hasAny: boolean }) => Outputs} goOnQuietly
 * @property {(output: number) => string} outputName
 * @property {(options: OutlineOptions) => unknown} outline
 * @property {() => void} rest
 * @property {() => void} noteQuiet
 * @property {(grant: Grant) => boolean} isGranted
 * @property {() => void} tellCounts
 * @property {boolean} isLoud
 * @property {boolean} isStopping
 * @property {boolean} hasRequestedStop
 * @property {TagLog} quiet
 * @property {number} timeNs
 * @property {number} microstep
 * @property {number} stage
 * @property {number} nextTimeNs
 * @property {number} nextMicrostep
 * @property {number} nextStage
 * @property {number[]} quietCounts  the same list each time, like `counts`
 * @property {number[]} counts
 * @property {any} shape
 */

/**
 * @callback MakeProgram
 * @param {unknown} main  what `buildReactor` returned
 * @param {{ clock: VatClock, timeNs: number, microstep: number, prepareValue: (value: object) => void, hasRoot?: boolean }} options
 * @returns {Program}
 */

/** Stands for `drain` when no job can be queued. */
const isAtRest = () => {};

export class ReactorPart {
  #program;

  #report;

  #syscalls;

  #marshal;

  #tellOf;

  #mayQueueJobs;

  /** @type {Grant | null} */
  #grant = null;

  /** Whether a crank of the reactors is under way. */
  #isRunning = false;

  /** Whether that crank came without values: if it makes no syscall, it is reported in a run. */
  #isOwn = false;

  /** Whether the present delivery is the first. */
  #isStarting = true;

  /**
   * @param {Program} program
   * @param {SyscallBuffer} syscalls
   * @param {{ hardenToCapData: (value: unknown) => CapData, fromCapData: (data: CapData) => unknown }} marshal
   * @param {(slots: readonly string[]) => void} tellOf  called with the slots of an outgoing value
   * @param {() => boolean} mayQueueJobs  whether the vat may have queued promise jobs when its reactions have run
   */
  constructor(program, syscalls, marshal, tellOf, mayQueueJobs) {
    this.#tellOf = tellOf;
    this.#mayQueueJobs = mayQueueJobs;
    this.#program = program;
    this.#report = new ReactorReport(program.quiet, program.quietCounts, program.counts);
    this.#syscalls = syscalls;
    this.#marshal = marshal;
  }

  /** The reactors as plain data, between deliveries. @param {OutlineOptions} options */
  outline(options) {
    return this.#program.outline(options);
  }

  /** Sets the tag for a delivery that does not run the reactors. @param {When} when */
  enter({ timeNs, microstep }) {
    this.#isStarting = false;
    this.#isRunning = false;
    this.#program.enter(timeNs, microstep);
  }

  /**
   * @param {PortValue[]} values
   * @param {boolean} isLast
   * @param {readonly number[]} stages
   * @param {When} when
   */
  react(values, isLast, stages, { timeNs, microstep, stage, grant = null }) {
    const program = this.#program;
    this.#isStarting = false;
    this.#grant = grant;
    this.#isRunning = true;
    this.#isOwn = values.length === 0 && !isLast && stages.length === 0;
    if (stages.length > 0) program.setStages(stages);
    if (this.#isOwn) {
      this.#tell(program.runOwn(timeNs, microstep, stage));
      return;
    }
    // Nearly always one value comes, and a list that grows from empty reserves 17 elements.
    /** @type {[number, unknown][]} */
    const given =
      values.length === 0 ? [] : [[values[0][0], this.#marshal.fromCapData(values[0][1])]];
    for (let i = 1; i < values.length; i += 1)
      given.push([values[i][0], this.#marshal.fromCapData(values[i][1])]);
    this.#tell(program.runLoud(timeNs, microstep, stage, given, isLast));
  }

  /** @param {Outputs | null} outputs */
  #tell(outputs) {
    if (outputs === null) {
      // If the end of the tag before has read the clock, this is a crank, or the answer would be lost.
      this.#isRunning = this.#syscalls.hasAny;
      return;
    }
    for (let i = 0; i < outputs.length; i += 1) this.#send(outputs[i][0], outputs[i][1]);
  }

  /**
   * @param {number} output
   * @param {unknown} value
   */
  #send(output, value) {
    /** @type {CapData} */
    let data;
    try {
      data = this.#marshal.hardenToCapData(value);
    } catch (error) {
      throw Error(
        `${this.#program.outputName(output)} was given a value that cannot be passed to another vat: ${tellThrown(error)}`,
        { cause: error },
      );
    }
    this.#syscalls.setPort(output, data);
    if (data.slots.length > 0) this.#tellOf(data.slots);
  }

  /**
   * Called when the vat has come to rest: goes on with its next crank, if it may.
   *
   * @returns {boolean} whether it does; then let it come to rest again
   */
  goesOn() {
    const program = this.#program;
    if (program.hasRequestedStop) {
      program.isStopping = true;
      this.#syscalls.requestStop();
    }
    program.rest();
    if (this.#isRunning) {
      if (!this.#isOwn || this.#syscalls.hasAny) program.isLoud = true;
      else program.noteQuiet();
    }
    if (program.isLoud || this.#grant === null || !this.#isOwn) return false;
    while (program.isGranted(this.#grant)) {
      this.#isRunning = true;
      this.#tell(program.runNext());
      if (this.#isRunning) return true;
      program.rest();
    }
    return false;
  }

  /**
   * Goes on with reactions, once for each call.
   *
   * @param {() => void} drain  lets the vat come to rest
   */
  goOn(drain) {
    while (this.goesOn()) {
      drain();
      const grant = /** @type {Grant} */ (this.#grant);
      if (this.#syscalls.hasAny) continue;
      // It gets no deliveries meanwhile, so only its own code can make a promise.
      const rest = this.#mayQueueJobs() ? drain : isAtRest;
      const outputs = this.#program.goOnQuietly(grant, rest, this.#syscalls);
      if (outputs.length === 0) continue;
      this.#tell(outputs);
      drain();
    }
  }

  /** The report to the kernel, once the vat has come to rest. @returns {ReactorReport} the same object each time */
  report() {
    const program = this.#program;
    const report = this.#report;
    const { isLoud, quiet } = program;
    if (isLoud || quiet.length > 0) program.tellCounts();
    report.isLoud = isLoud;
    report.timeNs = program.timeNs;
    report.microstep = program.microstep;
    report.stage = program.stage;
    report.nextTimeNs = program.nextTimeNs;
    report.nextMicrostep = program.nextMicrostep;
    report.nextStage = program.nextStage;
    report.shape = this.#isStarting ? program.shape : null;
    return report;
  }
}
