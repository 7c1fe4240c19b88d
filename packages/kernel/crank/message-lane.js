// The short way of a message's crank, and of a notify's, from the queue to the tables, where nobody watches and nothing is
// begun ahead. Where it goes and what its references are called is found by the entries of c-lists that items keep; what
// the vat asked for is decided and written as that of any crank (decide.js, write.js). What is not as most cranks are becomes
// a flight, as if it had been one from the start, and goes on the usual way (runner.js), at any point before the tables are
// changed. packages/kernel/test/message-lane.test.js holds the two against each other.

import {
  beginDelivered,
  ByteWriter,
  isDeviceKref,
  isPromiseKref,
  writeCountTwice,
  writeMessageTwice,
  writeNotifyTwice,
} from '#model';
import { figure } from '../tables/figures.js';
import { mapIn, toDeliver, toNotify } from './routing.js';
import { decideFor } from './settlement.js';
import { Flight, isLater } from './flight.js';

/** @import { CapData, Delivery, Resolution, Syscall } from '#model' */
/** @import { Pair } from '../tables/clist.js' */
/** @import { Message, PromiseRow, SettledState } from '../tables/promises.js' */
/** @import { Item } from '../tables/queue.js' */
/** @import { VatParts } from '../tables/vats.js' */
/** @import { Route } from './routing.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { Decider } from './decide.js' */
/** @import { EffectWriter } from './write.js' */
/** @import { Answers } from './answers.js' */
/** @import { Answerer, CrankResult, Transport } from './flight.js' */
/** @import { Reaper } from '../collection/reaper.js' */

/** @type {readonly never[]} */
const none = Object.freeze([]);

/** @param {readonly string[]} krefs */
const namesDevice = krefs => {
  for (let i = 0; i < krefs.length; i += 1) if (isDeviceKref(krefs[i])) return true;
  return false;
};

export class MessageLane {
  #state;

  #decider;

  #writer;

  #reaper;

  #answers;

  #at;

  /** @type {Item | null} of the crank that runs */
  #item = null;

  /** @type {VatParts | null} of the vat that it goes to */
  #parts = null;

  /** @type {Pair | null} the vat's entry of what a message goes to, or of what a notify tells */
  #pair = null;

  /** @type {Delivery} */
  #delivery = ['notify', []];

  /** @type {readonly string[]} krefs that the delivery adds to the vat's c-list */
  #fresh = none;

  /** @type {readonly string[]} what they will be called */
  #freshVrefs = none;

  /** What the vat calls the message's result, which it decides from now on. @type {string | null} */
  #result = null;

  /** What the delivery changes in the c-list. */
  #arrival = {
    fresh: /** @type {readonly string[]} */ (none),
    freshVrefs: /** @type {readonly string[]} */ (none),
    result: /** @type {string | null} */ (null),
    gone: /** @type {readonly string[]} */ (none),
  };

  /** The activity hash and the vat's transcript. */
  #both = { inKrefs: new ByteWriter(0), inVrefs: new ByteWriter(0) };

  /** @type {Flight | null} what it has become; kept as long as its vat may ask for something */
  #flight = null;

  /** @type {Answerer} */
  #answer;

  /** @type {Promise<void> | null} when the result of the flight that `run` returned last is there; null if it is */
  waiting = null;

  /**
   * @param {KernelState} state
   * @param {object} parts
   * @param {{ decider: Decider, writer: EffectWriter }} parts.syscalls
   * @param {Reaper} parts.reaper
   * @param {Answers} parts.answers
   */
  constructor(state, { syscalls, reaper, answers }) {
    this.#state = state;
    this.#decider = syscalls.decider;
    this.#writer = syscalls.writer;
    this.#reaper = reaper;
    this.#answers = answers;
    this.#answer = (syscall, earlier) =>
      this.#answers.answer(this.#becomeFlight(), syscall, earlier, true);
    const { counters } = state;
    this.#at = {
      deliver: counters.find('dispatchDeliver'),
    };
  }

  /**
   * The vat has ended, or runs somewhere else from now on: nothing of its old place is kept.
   *
   * @param {string} vatId
   */
  forget(vatId) {
    if (this.#parts?.id !== vatId) return;
    this.#parts = null;
    this.#pair = null;
    this.#flight = null;
    this.waiting = null;
  }

  /**
   * Whether a crank can begin this way.
   *
   * @param {Item} item  the first of the queue
   */
  takes(item) {
    const { kind } = item;
    if (kind !== 'send' && kind !== 'notify') return false;
    // What an ended vat left may have to be deleted behind the crank.
    if (this.#state.vats.ending.size > 0) return false;
    const pair = kind === 'notify' ? this.#findTold(item) : this.#findTarget(item);
    if (pair === undefined || !pair.isReachable) return false;
    const { parts } = pair.clist;
    if (parts?.transport === undefined || parts.row?.state !== 'running') return false;
    const data = item.message === null ? pair.promise?.data : item.message.methargs;
    if (data === undefined || data === null) return false;
    if (data.slots.length > 0) {
      if (namesDevice(data.slots)) return false;
      // More than one may have to be told.
      if (kind === 'notify' && data.slots.some(isPromiseKref)) return false;
    }
    this.#parts = parts;
    this.#pair = pair;
    return true;
  }

  /** @param {Item} item  a notify */
  #findTold({ vatId, promise }) {
    const clist = this.#state.vats.findParts(vatId)?.clist;
    return clist && promise?.findPair(clist);
  }

  /** @param {Item} item  a send */
  #findTarget({ target, home }) {
    return home !== null && home.isListed ? home : this.#findHome(target);
  }

  /**
   * The entry of an object in the c-list of its own vat.
   *
   * @param {string} kref
   */
  #findHome(kref) {
    const { vats, owners } = this.#state;
    const vatId = owners.get(kref);
    return vatId === undefined ? undefined : vats.findParts(vatId)?.clist.findPairOf(kref);
  }

  /**
   * Run the crank of an item that `takes` has just been asked about.
   *
   * @param {Item} item  the first of the queue
   * @returns {Flight | null} null when it is in the tables; or what goes on the usual way, which has its result unless
   *   `waiting` says so
   */
  run(item) {
    const { transport } = /** @type {VatParts & { transport: Transport }} */ (this.#parts);
    this.#state.queue.pick();
    this.#item = item;
    this.#flight = null;
    this.waiting = null;
    const delivery = this.#translate(item);
    this.#delivery = delivery;
    transport.begin(delivery, this.#answer, item);
    const result = transport.finish();
    if (isLater(result)) {
      const flight = this.#becomeFlight();
      this.waiting = result.then(value => {
        flight.result = value;
      });
      return flight;
    }
    if (this.#flight === null && this.#isPlain(result)) {
      this.#apply(item, result.syscalls);
      return null;
    }
    const flight = this.#becomeFlight();
    flight.result = result;
    return flight;
  }

  /**
   * The delivery in vrefs.
   *
   * @param {Item} item
   * @returns {Delivery}
   */
  #translate({ message, promise }) {
    const { planner } = this.#state;
    const { clist } = /** @type {VatParts} */ (this.#parts);
    const { vref, promise: told } = /** @type {Pair} */ (this.#pair);
    planner.begin(clist);
    /** @type {Delivery} */
    let delivery;
    this.#result = null;
    if (message === null) {
      const { state, data } = /** @type {PromiseRow} */ (told);
      delivery = [
        'notify',
        [[vref, state === 'rejected', mapIn(planner, /** @type {CapData} */ (data))]],
      ];
    } else {
      const methargs = mapIn(planner, message.methargs);
      const result = promise === null ? null : planner.vrefOfPromise(promise);
      this.#result = result;
      delivery = ['message', vref, methargs, result];
    }
    this.#fresh = planner.fresh;
    this.#freshVrefs = planner.freshVrefs;
    return delivery;
  }

  /** What is under way goes on the usual way. */
  #becomeFlight() {
    if (this.#flight !== null) return this.#flight;
    const item = /** @type {Item} */ (this.#item);
    const { id: vatId, transport } = /** @type {VatParts} */ (this.#parts);
    const { message, target } = item;
    const plan = {
      kernelDelivery: this.#kernelDelivery(item),
      vatDelivery: this.#delivery,
      fresh: this.#fresh,
      freshVrefs: this.#freshVrefs,
    };
    /** @type {Route} */
    const found = message === null ? toNotify(vatId, [target]) : toDeliver(vatId, target, message);
    const flight = new Flight(item, found, plan, vatId);
    flight.isBegun = true;
    flight.transport = transport;
    this.#flight = flight;
    return flight;
  }

  /**
   * @param {Item} item
   * @returns {Delivery} in krefs
   */
  #kernelDelivery({ message, target }) {
    if (message !== null) return ['message', target, message.methargs, message.result];
    const { promise } = /** @type {Pair & { promise: PromiseRow }} */ (this.#pair);
    const { state, data } = promise;
    return ['notify', [[target, state === 'rejected', /** @type {CapData} */ (data)]]];
  }

  /**
   * Whether a result is made of syscalls that break no rule.
   *
   * @param {CrankResult} result
   */
  #isPlain({ fault, answers, syscalls, reactors, wantsAsking }) {
    if (fault !== null || answers.length > 0 || reactors || wantsAsking) return false;
    const { kref, vref, promise } = /** @type {Pair} */ (this.#pair);
    const parts = /** @type {VatParts} */ (this.#parts);
    const arrival = this.#arrival;
    arrival.fresh = this.#fresh;
    arrival.freshVrefs = this.#freshVrefs;
    arrival.result = this.#result;
    // A notify takes its promise out of the c-list.
    const isGone =
      this.#delivery[0] === 'notify' &&
      this.#state.profile.retiresEntry(kref, /** @type {any} */ (promise).data);
    arrival.gone = isGone ? [vref] : none;
    const decider = this.#decider;
    if (decider.decide(parts, syscalls, 0, arrival) !== null) return false;
    return !decider.hasExit && decider.isCertain;
  }

  /**
   * @param {Item} item
   * @param {readonly Syscall[]} syscalls  that break no rule
   */
  #apply(item, syscalls) {
    const state = this.#state;
    const parts = /** @type {VatParts} */ (this.#parts);
    const { figures, hash } = state;
    state.beginCertain();
    state.queue.consume(item);
    if (this.#fresh.length > 0) this.#takeFresh(parts, item);
    const crank = figures.numbers[figure.crankNumber] + 1;
    figures.write(figure.crankNumber, crank);
    const both = this.#both;
    both.inKrefs = hash.open(crank, item, item.class, item.stage, parts.number);
    both.inVrefs = parts.transcript ?? state.transcript(parts.id);
    beginDelivered(both.inVrefs, item, item.stage);
    if (item.message === null) this.#applyNotify(parts);
    else this.#applyMessage(parts, item, item.message);
    // Nothing was answered.
    both.inVrefs.byte(0);
    writeCountTwice(both, syscalls.length);
    this.#writer.begin(this.#decider);
    for (let i = 0; i < syscalls.length; i += 1)
      this.#writer.write(parts, syscalls[i], both, false);
    this.#writer.end(this.#decider);
    hash.close();
    const reaped = parts.reaping ?? this.#reaper.find(parts.id);
    if (reaped !== null) this.#reaper.count(reaped);
    state.keepCertainCrank();
  }

  /**
   * @param {VatParts} parts
   * @param {Item} item
   */
  #takeFresh({ clist }, { promise }) {
    const fresh = this.#fresh;
    const vrefs = this.#freshVrefs;
    for (let i = 0; i < fresh.length; i += 1) {
      if (promise !== null && fresh[i] === promise.kref) clist.takePromise(promise, vrefs[i]);
      else clist.takeVref(fresh[i], vrefs[i]);
    }
  }

  /**
   * @param {VatParts} parts
   * @param {Item} item
   * @param {Message} message
   */
  #applyMessage({ id }, { target, promise }, { methargs, result }) {
    const { counters } = this.#state;
    if (promise !== null) decideFor(this.#state, promise, id);
    counters.inc(counters.places.dispatches);
    counters.inc(this.#at.deliver);
    const delivery = /** @type {Extract<Delivery, ['message', ...any]>} */ (this.#delivery);
    writeMessageTwice(this.#both, target, methargs, result, delivery);
  }

  /** @param {VatParts} parts */
  #applyNotify({ clist }) {
    const { counters, profile } = this.#state;
    const pair = /** @type {Pair} */ (this.#pair);
    const { state, data } = /** @type {PromiseRow & { state: SettledState, data: CapData }} */ (
      pair.promise
    );
    profile.countNotify(counters, [state]);
    if (profile.retiresEntry(pair.kref, data)) clist.deletePair(pair);
    const delivery = /** @type {Extract<Delivery, ['notify', ...any]>} */ (this.#delivery);
    writeNotifyTwice(this.#both, pair.kref, data, delivery[1][0]);
  }
}
