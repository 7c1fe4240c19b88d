// Cranks of the vats' reactors. A vat may be granted to run by itself up to the first tag at which anything can come to
// it; its quiet cranks come back as one result, and are counted and hashed one by one.

import { Fail, isDeviceKref, numberOfId, reactorCounts } from '#model';
import { figure } from '../tables/figures.js';
import { extendRun } from './quiet-run.js';
import { copyShape } from './reactor-rows.js';

/** @import { Delivery, ReactorReport, Syscall, Tag, TagLog, When } from '#model' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { AgendaRow, ReactorEntry } from './reactor-rows.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { VatParts } from '../tables/vats.js' */
/** @import { CrankResult, Flight } from '../crank/flight.js' */
/** @import { Route } from '../crank/routing.js' */

/**
 * @param {Tag} tag
 * @param {Tag | undefined} other
 */
const earlier = (tag, other) =>
  other !== undefined &&
  (other.timeNs < tag.timeNs || (other.timeNs === tag.timeNs && other.microstep < tag.microstep))
    ? other
    : tag;

/**
 * The first tag after a bound.
 *
 * @param {Tag} until  a microstep of Infinity includes all of that time
 */
const behind = ({ timeNs, microstep }) =>
  microstep === Infinity
    ? { timeNs: timeNs + 1, microstep: 0 }
    : { timeNs, microstep: microstep + 1 };

/** Syscalls that reach no other vat, or only those of the vat's program. @type {ReadonlySet<Syscall[0]>} */
const ownKinds = new Set([
  'setPort',
  'requestStop',
  'vatstoreGet',
  'vatstoreGetNextKey',
  'vatstoreSet',
  'vatstoreDelete',
]);

/**
 * The references in a delivery.
 *
 * @param {Delivery} delivery
 * @returns {readonly string[]}
 */
const slotsOf = delivery => {
  switch (delivery[0]) {
    case 'startVat':
      return delivery[1].slots;
    case 'message':
      return delivery[2].slots;
    case 'notify':
      return delivery[1].flatMap(([, , { slots }]) => slots);
    case 'react':
      return delivery[1].flatMap(([, { slots }]) => slots);
    default:
      return [];
  }
};

/** Whether a syscall reaches other vats by ports or a stop request, or not at all. @param {Syscall} syscall */
const staysClosed = ([kind]) => ownKinds.has(kind);

/** Whether a vat's reactors run by themselves: they get nothing. @param {Route} found */
const isOwn = found =>
  found.step === 'react' && found.values.length === 0 && !found.isLast && found.stages.length === 0;

/**
 * Whether a vat may be granted to run on by itself in a crank, however early that began.
 *
 * @param {KernelState} state
 * @param {Flight} flight
 */
export const mayRunOn = ({ reactors }, { found, parts }) =>
  isOwn(found) && parts !== null && !reactors.requireOf(parts).row.canCallDevice;

export class Reactions {
  #state;

  #at;

  /** @param {KernelState} state */
  constructor(state) {
    this.#state = state;
    const { counters } = state;
    this.#at = {
      dispatches: counters.find('dispatches'),
      react: counters.find('dispatchReact'),
      counts: reactorCounts.map(name => counters.find(name)),
    };
  }

  /**
   * The tag of a delivery to reactors, with a grant if it has no values.
   *
   * @param {Flight} flight  its item has been taken
   * @param {number} room  cranks that may run
   * @param {Tag} until  items of a later tag wait
   * @returns {When}
   */
  when({ item, found, parts }, room, until) {
    if (!isOwn(found) || parts === null) return item;
    return this.grant(item, this.#state.reactors.requireOf(parts), room, until);
  }

  /**
   * How far a vat may run by itself: up to the next item of any other vat, since everything that comes to the vat
   * follows from one, and up to the end of its program. A vat whose code has a device gets no grant: a device call
   * writes to the tables, which must have reached its crank by then.
   *
   * @param {Item} item  already taken, without values
   * @param {ReactorEntry} entry  of its vat
   * @param {number} room  cranks that may run
   * @param {Tag} until  items of a later tag wait
   * @returns {When}
   */
  grant(item, { row, agenda }, room, until) {
    if (row.canCallDevice) return item;
    const { stopTimeNs, stopMicrostep, isStopping, values } = agenda;
    let end = earlier(behind(until), this.#state.queue.peek());
    end = earlier(end, values.first);
    if (stopTimeNs >= 0 && !isStopping)
      end = earlier(end, { timeNs: stopTimeNs, microstep: stopMicrostep });
    const { timeNs, microstep, stage } = item;
    const grant = { timeNs: end.timeNs, microstep: end.microstep, cranks: room };
    return { timeNs, microstep, stage, grant };
  }

  /**
   * Notes whether a crank that is about to be kept gives the vat's code a device. A vat that exports no object of its
   * own never sees messages to its root, such as the devices that come with `bootstrap`.
   *
   * @param {Flight} flight
   */
  noteDevices({ found, plan, parts }) {
    // A delivery without references is one object in both notations.
    if (plan === null || parts === null || plan.namesNothing) return;
    const { reactors } = this.#state;
    const row = reactors.findOf(parts)?.row;
    if (row === undefined || row.canCallDevice) return;
    const isUnseen =
      !row.shape.hasRoot &&
      found.step === 'deliver' &&
      found.target === parts.clist.findKref('o+0');
    if (isUnseen || !slotsOf(plan.kernelDelivery).some(isDeviceKref)) return;
    reactors.rows.touch(row);
    row.canCallDevice = true;
  }

  /**
   * Records the quiet cranks of a result.
   *
   * @param {Flight} flight
   * @param {ReactorReport} report
   * @returns {number} their number
   */
  takeQuiet({ vatId, parts }, report) {
    const state = this.#state;
    const { figures, counters, hash, reactors } = state;
    const { quiet } = report;
    const count = quiet.length;
    const agenda = reactors.change(reactors.requireOf(parts ?? Fail`reactors of no vat`));
    if (count > 0) {
      hash.addQuiet(numberOfId(vatId), quiet);
      const { numbers } = figures;
      figures.write(figure.crankNumber, numbers[figure.crankNumber] + count);
      figures.write(figure.nowTimeNs, quiet.lastTimeNs);
      figures.write(figure.nowMicrostep, quiet.lastMicrostep);
      counters.add(this.#at.dispatches, count);
      counters.add(this.#at.react, count);
      agenda.quiet = extendRun(agenda.quiet, quiet);
      this.#count(report.quietCounts);
    }
    // A vat whose next crank fails does not run again.
    this.#setNext(agenda, report);
    return count;
  }

  /**
   * Notes, for a crank that is about to be kept, when the vat's reactors run next and what they counted.
   *
   * @param {Pick<Flight, 'parts' | 'found'>} flight
   * @param {ReactorReport} report
   * @param {Pick<CrankResult, 'syscalls'>} result
   */
  note({ parts, found }, report, { syscalls }) {
    if (parts === null) throw Fail`a report of no vat`;
    const { reactors } = this.#state;
    if (report.shape !== null) reactors.add(parts.id, copyShape(report.shape));
    const entry = reactors.requireOf(parts);
    this.#setNext(reactors.change(entry), report);
    const mayOpen = entry.isClosed && found.step === 'react' && syscalls.length > 0;
    if (mayOpen && !syscalls.every(staysClosed)) {
      entry.isClosed = false;
      this.#state.reactors.unforeseen += 1;
    }
    this.#count(report.counts);
  }

  /**
   * @param {AgendaRow} agenda
   * @param {ReactorReport} report
   */
  #setNext(agenda, { nextTimeNs, nextMicrostep, nextStage }) {
    // A vat may say -0, which the store would not keep, and anything at all beside the time of no next run.
    const hasNext = nextTimeNs !== -1;
    agenda.ownTimeNs = nextTimeNs + 0;
    agenda.ownMicrostep = hasNext ? nextMicrostep + 0 : 0;
    agenda.ownStage = hasNext ? nextStage + 0 : 0;
  }

  /** @param {readonly number[]} counts */
  #count(counts) {
    const { counters } = this.#state;
    const { numbers } = counters;
    for (let i = 0; i < counts.length; i += 1) {
      const at = this.#at.counts[i];
      // A vat may count as high as it likes: the counter stays at the largest number that the store keeps.
      const room = at < 0 ? 0 : Number.MAX_SAFE_INTEGER - numbers[at];
      counters.add(at, Math.min(counts[i], room));
    }
  }
}
