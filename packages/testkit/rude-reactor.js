// The reactors of a rude vat, and its report of them, which lies in every way: wrong numbers, tags that are past, foreign
// or never asked for, cranks that are doubled, missing or too many, ports that cannot be.
//
// When they run, and whether a crank has syscalls, follows from the seed and the tag alone: so cranks that they run by
// themselves change nothing in the vat, and a replay may leave them out.

import { ReactorReport, TagLog } from '#model';
import { makeRandom } from './random.js';
import { lie, setNext, wrongNumbers } from './rude-report.js';
import { Refused, Reported } from './scripted-vat.js';

/** @import { CapData, Delivery, ReactorShape, When } from '#model' */
/** @import { Random } from './random.js' */
/** @import { Ask, Call } from './scripted-vat.js' */

/** @typedef {{ timeNs: number, microstep: number, stage: number }} StagedTag */

/**
 * @typedef {object} RudeReactorOptions
 * @property {string} seed
 * @property {ReactorShape | undefined} shape  undefined: the vat has no reactors, and sometimes reports some
 * @property {number} lying  probability of a lie
 * @property {boolean} liesAtStart  its ports may be wrong too; a vat that is connected must have its ports
 * @property {boolean} liesInRuns  its lies depend on how far it may run by itself
 * @property {number} periodNs
 */

/** @type {readonly any[]} */
const wrongChannels = [...wrongNumbers, undefined, 7, 1000];

export class RudeReactor {
  #options;

  #quiet = new TagLog(64);

  #report = new ReactorReport(this.#quiet);

  /** Channels of its outputs. */
  #outputs;

  /** Whether the vat has made a syscall in the present crank. */
  #hasCalled = false;

  /** Asks for physical time, in the present crank. @type {Ask} */
  #ask = () => {
    throw Error('no crank is under way');
  };

  /** @param {RudeReactorOptions} options */
  constructor(options) {
    this.#options = options;
    this.#outputs = options.shape?.outputs.reduce((sum, [, width]) => sum + width, 0) ?? 0;
  }

  /** Whether its vat is connected, so that the run needs it. */
  get mustStart() {
    return this.#options.shape !== undefined && !this.#options.liesAtStart;
  }

  /** @param {string} what @param {StagedTag | When} tag */
  #randomAt(what, { timeNs, microstep, stage }) {
    return makeRandom(`${this.#options.seed}/${what}/${timeNs}/${microstep}/${stage}`);
  }

  /**
   * The actions of a crank that only reactors do.
   *
   * @param {Random} random
   * @param {() => CapData} someData
   * @param {number} rudeness
   * @returns {((call: Call) => void)[]}
   */
  actions(random, someData, rudeness) {
    if (this.#options.shape === undefined) return [];
    const write = (/** @type {Call} */ call) => {
      const isWrong = random.chance(rudeness / 2);
      if (this.#outputs === 0 && !isWrong) return;
      const channel = isWrong ? random.pick(wrongChannels) : random.below(this.#outputs);
      call('setPort', channel, someData());
    };
    const readClock = () => {
      const kind = random.pick(/** @type {const} */ (['clock', 'deadline']));
      const answer = this.#ask([kind, random.below(5000), random.below(3)]);
      if (answer.kind === 'value') random.stir(String(answer.value));
    };
    const stop = (/** @type {Call} */ call) => {
      const isDeclared = this.#options.shape?.mayRequestStop === true;
      if (random.chance(isDeclared ? 0.1 : rudeness / 4)) call('requestStop');
    };
    return [write, write, write, write, readClock, stop];
  }

  /**
   * @param {Delivery} delivery
   * @param {When & { isRepeated?: boolean }} when
   * @param {Ask} ask
   * @param {Call} call
   * @param {(call: Call) => string | Refused | undefined} actWith  lets the vat act, in a crank that is told on its own
   * @returns {string | Refused | Reported | undefined}
   */
  run(delivery, when, ask, call, actWith) {
    this.#ask = question => {
      this.#hasCalled = true;
      return ask(question);
    };
    this.#hasCalled = false;
    const act = () =>
      actWith((...syscall) => {
        this.#hasCalled = true;
        return call(...syscall);
      });
    const { shape, lying } = this.#options;
    const [kind] = delivery;
    if (kind === 'react') return this.#react(delivery, when, act);
    const end = act();
    if (end instanceof Refused) return end;
    const random = this.#randomAt(`of ${kind}`, when);
    const isLying = random.chance(shape === undefined ? lying / 8 : lying / 3);
    if (shape === undefined && !isLying) return end;
    const report = this.#begin(when);
    if (kind === 'startVat') report.shape = shape ?? null;
    report.isLoud = true;
    setNext(this.#report, this.#nextOf(when, true));
    const mayLie = kind !== 'startVat' || this.#options.liesAtStart;
    if (shape === undefined || (isLying && mayLie)) return this.#lie(random, when, end ?? null);
    if (kind !== 'startVat' && random.chance(0.1)) return end;
    return new Reported(report, end ?? null);
  }

  /** @param {StagedTag | When} tag */
  #begin({ timeNs, microstep, stage }) {
    const report = (this.#report = new ReactorReport(this.#quiet));
    report.quiet.clear();
    Object.assign(report, { timeNs, microstep, stage });
    report.counts.fill(1);
    return report;
  }

  /**
   * When they run behind a tag.
   *
   * @param {StagedTag | When} tag
   * @param {boolean} isMessage
   * @returns {StagedTag | undefined}
   */
  #nextOf(tag, isMessage) {
    const { timeNs, microstep, stage } = tag;
    const { periodNs } = this.#options;
    const random = this.#randomAt('next', tag);
    if (random.chance(0.04)) return undefined;
    if (isMessage && random.chance(0.4)) return { timeNs, microstep, stage: 0 };
    if (this.#options.liesInRuns && !isMessage && random.chance(0.03))
      return { timeNs, microstep, stage: stage + 1 };
    if (random.chance(0.15)) return { timeNs, microstep: microstep + 1, stage: 0 };
    return { timeNs: (Math.floor(timeNs / periodNs) + 1) * periodNs, microstep: 0, stage: 0 };
  }

  /**
   * @param {Extract<Delivery, ['react', ...any]>} delivery
   * @param {When & { isRepeated?: boolean }} when
   * @param {() => string | Refused | undefined} act
   */
  #react([, values, isLast, stages], when, act) {
    const { lying, liesInRuns } = this.#options;
    const isGiven = values.length > 0 || isLast || stages.length > 0;
    const { grant = null } = when;
    const report = this.#begin(when);
    /** @type {StagedTag} */
    let tag = { timeNs: when.timeNs, microstep: when.microstep, stage: when.stage };
    for (;;) {
      const random = this.#randomAt('what', tag);
      const isLying = random.chance(lying / 4);
      const draw = random.below(20);
      const isFirst = report.quiet.length === 0;
      // A lie is told in a run of its own, unless the run may make a difference to it.
      // Nothing to do after all.
      const isIdle = draw >= 8 && draw < 10 && (random.chance(0.3) || tag.microstep > 0);
      if ((isLying || isIdle) && !isFirst && !liesInRuns) {
        setNext(this.#report, tag);
        return new Reported(report);
      }
      const next = this.#nextOf(tag, false);
      if (when.isRepeated || isGiven || draw < 8) {
        Object.assign(report, tag, { isLoud: true });
        const end = act();
        setNext(this.#report, next);
        const isRefused = end instanceof Refused;
        if (isRefused && isGiven) return end;
        const fault = isRefused ? 'it broke' : (end ?? null);
        return isLying ? this.#lie(random, when, fault) : new Reported(report, fault);
      }
      Object.assign(report, tag);
      const isNothing = isFirst && isIdle;
      if (!isNothing) {
        report.quiet.add(tag.timeNs, tag.microstep, tag.stage);
        report.quietCounts.fill(3 * report.quiet.length);
      }
      setNext(this.#report, next);
      if (isLying) return this.#lie(random, when, null);
      const { length } = report.quiet;
      const isWithin =
        grant !== null &&
        next !== undefined &&
        length < Math.min(grant.cranks, 60) &&
        (next.timeNs < grant.timeNs ||
          (next.timeNs === grant.timeNs && next.microstep < grant.microstep));
      if (isNothing || !isWithin) return new Reported(report);
      tag = next;
    }
  }

  /** @param {Random} random @param {When} when @param {string | null} fault */
  #lie(random, when, fault) {
    const { liesInRuns, shape } = this.#options;
    const hasCalled = this.#hasCalled;
    lie(this.#report, { random, when, liesInRuns, shape, hasCalled });
    return new Reported(random.chance(0.05) ? null : this.#report, fault);
  }
}
