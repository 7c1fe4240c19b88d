// The short way of a reaction's crank, from the queue to the tables. Two vats that hand values to and fro spend their
// time on bookkeeping; most of it is there for what a crank may do and a reaction nearly never does. So this way takes a
// delivery that names nothing, and a result that is values on ports and names nothing: then no rule can be broken, and
// nothing has to be undone. Anything else becomes a flight, as if it had been one from the start, and goes on the usual
// way (runner.js), at any point before the tables are changed. test/reactors/lane.test.js holds the two against each other.
//
// Two vats that hand a number to and fro take 2.0 us a crank the usual way, and 1.1 this way (medians of 200 blocks).

import { writeTranscriptEntry } from '#model';
import { figure } from '../tables/figures.js';
import { maxTextLength } from '../limits.js';
import { valuesAt } from '../reactors/reactors.js';
import { sendFrom } from '../reactors/ports.js';
import { asQuietEntry } from '../reactors/quiet-run.js';
import { Flight, isLater } from './flight.js';

/** @import { Delivery, PortValue, Syscall } from '#model' */
/** @import { Item } from '../tables/queue.js' */
/** @import { PortEvent } from '../tables/event-list.js' */
/** @import { ReactorEntry } from '../reactors/reactors.js' */
/** @import { VatParts } from '../tables/vats.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { Answerer, CrankResult, Transport } from './flight.js' */
/** @import { Answers } from './answers.js' */
/** @import { Reactions } from '../reactors/reactions.js' */
/** @import { Reaped, Reaper } from '../collection/reaper.js' */

/**
 * What is needed of a vat, found once. It holds as long as the vat has not ended.
 *
 * @typedef {object} Place
 * @property {ReactorEntry} entry
 * @property {Transport} transport
 * @property {VatParts} parts
 * @property {Reaped | null} reaped
 */

/** @type {readonly never[]} */
const none = Object.freeze([]);

export class ReactionLane {
  #state;

  #transports;

  #reactions;

  #reaper;

  #answers;

  #at;

  /** @type {Map<string, Place>} by vat id */
  #places = new Map();

  /** @type {Item | null} of the crank that runs */
  #item = null;

  /** @type {Place | null} of its vat */
  #place = null;

  /** @type {readonly PortEvent[]} what it is given */
  #values = none;

  /** @type {Delivery} */
  #delivery = ['react', [], false, none];

  /** @type {Flight | null} what it has become; kept as long as its vat may ask for something */
  #flight = null;

  /** @type {Answerer} */
  #answer;

  /** @type {Promise<void> | null} when the result of the flight that `run` returned last is there; null if it is */
  waiting = null;

  /**
   * @param {KernelState} state
   * @param {object} parts
   * @param {ReadonlyMap<string, Transport>} parts.transports  by vat id
   * @param {Reactions} parts.reactions
   * @param {Reaper} parts.reaper
   * @param {Answers} parts.answers
   */
  constructor(state, { transports, reactions, reaper, answers }) {
    this.#state = state;
    this.#transports = transports;
    this.#reactions = reactions;
    this.#reaper = reaper;
    this.#answers = answers;
    this.#answer = (syscall, earlier) =>
      this.#answers.answer(this.#becomeFlight(), syscall, earlier, true);
    const { counters } = state;
    this.#at = {
      dispatches: counters.find('dispatches'),
      react: counters.find('dispatchReact'),
      syscalls: counters.find('syscalls'),
      setPort: counters.find('syscallSetPort'),
    };
  }

  /**
   * The vat has ended, or runs somewhere else from now on: nothing of its old place is kept.
   *
   * @param {string} vatId
   */
  forget(vatId) {
    this.#places.delete(vatId);
    if (this.#place?.entry.vatId !== vatId) return;
    this.#place = null;
    this.#flight = null;
    this.waiting = null;
  }

  /**
   * Whether a crank can begin this way: what comes names nothing, and nothing else has to be told.
   *
   * @param {Item} item  the first of the queue
   */
  takes(item) {
    if (item.kind !== 'react') return false;
    const place = this.#places.get(item.vatId) ?? this.#makePlace(item.vatId);
    if (place === null || !place.entry.isThere) return this.#leave(item.vatId);
    const { agenda, row } = place.entry;
    const { stopTimeNs, stopMicrostep, isStopping } = agenda;
    const isLast = !isStopping && item.timeNs === stopTimeNs && item.microstep === stopMicrostep;
    if (isLast || !agenda.knowsStages || item.timeNs > row.latestNs) return false;
    const values = valuesAt(agenda, item);
    for (let i = 0; i < values.length; i += 1) if (values[i].data.slots.length > 0) return false;
    this.#values = values;
    this.#place = place;
    return true;
  }

  /** @param {string} vatId */
  #makePlace(vatId) {
    const { reactors } = this.#state;
    const entry = reactors.find(vatId);
    const transport = this.#transports.get(vatId);
    if (entry === undefined || transport === undefined) return null;
    const place = {
      entry,
      transport,
      parts: this.#state.vats.parts(vatId),
      reaped: this.#reaper.find(vatId),
    };
    this.#places.set(vatId, place);
    return place;
  }

  /** @param {string} vatId  of a vat that has ended, or has no place to run yet */
  #leave(vatId) {
    this.#places.delete(vatId);
    return false;
  }

  /**
   * Run the crank of an item that `takes` has just been asked about.
   *
   * @param {Item} item  the first of the queue
   * @param {number} room  cranks that may run
   * @param {number} untilNs  items of a later time wait
   * @returns {Flight | null} null when it is in the tables; or what goes on the usual way, which has its result unless
   *   `waiting` says so
   */
  run(item, room, untilNs) {
    const { entry, transport } = /** @type {Place} */ (this.#place);
    this.#state.queue.take();
    this.#item = item;
    const values = this.#values;
    /** @type {PortValue[]} */
    const given = values.length === 0 ? [] : [[values[0].channel, values[0].data]];
    for (let i = 1; i < values.length; i += 1) given.push([values[i].channel, values[i].data]);
    /** @type {Delivery} */
    const delivery = ['react', given, false, none];
    this.#delivery = delivery;
    this.waiting = null;
    this.#flight = null;
    const when = values.length === 0 ? this.#reactions.grant(item, entry, room, untilNs) : item;
    transport.begin(delivery, this.#answer, when);
    const result = transport.finish();
    if (isLater(result)) {
      const flight = this.#becomeFlight();
      this.waiting = result.then(value => {
        flight.result = value;
      });
      return flight;
    }
    if (this.#flight === null && isPlain(result, item, entry)) {
      this.#apply(item, result);
      return null;
    }
    const flight = this.#becomeFlight();
    flight.result = result;
    return flight;
  }

  /** What is under way goes on the usual way. */
  #becomeFlight() {
    if (this.#flight !== null) return this.#flight;
    // What was kept so far may have to be come back to.
    this.#state.catchUp();
    const item = /** @type {Item} */ (this.#item);
    const { vatId } = item;
    const found = { step: 'react', vatId, values: this.#values, isLast: false, stages: none };
    const delivery = this.#delivery;
    const plan = {
      kernelDelivery: delivery,
      vatDelivery: delivery,
      fresh: none,
      freshVrefs: none,
    };
    const flight = new Flight(item, /** @type {any} */ (found), plan, vatId);
    flight.isBegun = true;
    flight.transport = /** @type {Place} */ (this.#place).transport;
    this.#flight = flight;
    return flight;
  }

  /**
   * @param {Item} item
   * @param {CrankResult} result  plain
   */
  #apply(item, { syscalls, reactors: report }) {
    const { entry, parts, reaped } = /** @type {Place} */ (this.#place);
    const state = this.#state;
    const transcript = state.transcriptOf(parts);
    const { reactors, counters, figures } = state;
    state.beginCertain();
    const agenda = reactors.change(entry);
    const values = this.#values;
    if (values.length > 0) reactors.takeValues(entry, values);
    for (let i = 0; i < syscalls.length; i += 1) {
      const syscall = /** @type {Extract<Syscall, ['setPort', ...any]>} */ (syscalls[i]);
      sendFrom(state, entry, syscall[1], syscall[2]);
    }
    counters.add(this.#at.dispatches, 1);
    counters.add(this.#at.react, 1);
    counters.add(this.#at.syscalls, syscalls.length);
    counters.add(this.#at.setPort, syscalls.length);
    this.#reactions.take(agenda, /** @type {NonNullable<typeof report>} */ (report));
    const crank = figures.numbers[figure.crankNumber] + 1;
    figures.write(figure.crankNumber, crank);
    if (agenda.quiet !== null) {
      writeTranscriptEntry(transcript, asQuietEntry(agenda.quiet));
      agenda.quiet = null;
    }
    state.hash.addPlain(crank, item, this.#delivery, syscalls, transcript);
    if (reaped !== null) this.#reaper.count(reaped);
    state.keepCertainCrank();
  }
}

/**
 * Whether a result is one crank's, and all that it says is values on ports that name nothing.
 *
 * @param {CrankResult} result
 * @param {Item} item
 * @param {ReactorEntry} entry
 */
const isPlain = ({ fault, answers, syscalls, reactors, wantsAsking }, item, entry) => {
  if (fault !== null || answers.length > 0 || !reactors || wantsAsking) return false;
  const { isLoud, quiet, timeNs, microstep, stage } = reactors;
  if (!isLoud || quiet.length > 0) return false;
  if (timeNs !== item.timeNs || microstep !== item.microstep || stage !== item.stage) return false;
  const { outputs } = entry.row;
  for (let i = 0; i < syscalls.length; i += 1) {
    const syscall = syscalls[i];
    if (syscall[0] !== 'setPort' || syscall[2].slots.length > 0) return false;
    if (syscall[2].body.length > maxTextLength) return false;
    const channel = syscall[1];
    if (!Number.isInteger(channel) || channel < 0 || channel >= outputs) return false;
  }
  return true;
};
