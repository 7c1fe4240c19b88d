// The short way of a message's crank, and of a notify's, from the queue to the tables. Most of what the usual way does is
// there for what a crank may do and nearly never does: be dropped, ask the kernel, end its vat. So this way looks through
// what the vat asked for before anything is changed. If it is a few sends, subscriptions and settled promises that break
// no rule, all of it is written at once, and nothing is noted that could be undone. Anything else becomes a flight, as if
// it had been one from the start, and goes on the usual way (runner.js), at any point before the tables are changed.
// packages/kernel/test/message-lane.test.js holds the two against each other.

import {
  beginDelivered,
  ByteWriter,
  isDeviceKref,
  isPromiseKref,
  writeCountTwice,
  writeMessageTwice,
  writeNotifyTwice,
  writeResolveTwice,
  writeSendTwice,
  writeSubscribeTwice,
} from '#model';
import { figure } from '../figures.js';
import { mapIn, toDeliver, toNotify } from '../routing.js';
import { settle, settledState } from '../settlement.js';
import { Flight, isLater } from './flight.js';
import { SyscallCheck } from './syscall-check.js';

/** @import { CapData, Delivery, Resolution, Syscall } from '#model' */
/** @import { Pair } from '../keepers/clist.js' */
/** @import { Message, PromiseRow, SettledState } from '../keepers/promises.js' */
/** @import { Item } from '../keepers/queue.js' */
/** @import { VatParts } from '../keepers/vats.js' */
/** @import { Route } from '../routing.js' */
/** @import { KernelState } from '../state.js' */
/** @import { SyscallApplier } from '../syscalls.js' */
/** @import { Answers } from './answers.js' */
/** @import { Answerer, CrankResult, Transport } from './flight.js' */
/** @import { Reaper } from './reaper.js' */

/** @type {readonly never[]} */
const none = Object.freeze([]);

/** @param {readonly string[]} krefs */
const namesDevice = krefs => {
  for (let i = 0; i < krefs.length; i += 1) if (isDeviceKref(krefs[i])) return true;
  return false;
};

export class MessageLane {
  #state;

  #syscalls;

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

  #check = new SyscallCheck();

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
   * @param {SyscallApplier} parts.syscalls
   * @param {Reaper} parts.reaper
   * @param {Answers} parts.answers
   */
  constructor(state, { syscalls, reaper, answers }) {
    this.#state = state;
    this.#syscalls = syscalls;
    this.#reaper = reaper;
    this.#answers = answers;
    this.#answer = (syscall, earlier) =>
      this.#answers.answer(this.#becomeFlight(), syscall, earlier, true);
    const { counters } = state;
    this.#at = {
      deliver: counters.find('dispatchDeliver'),
      subscribe: counters.find('syscallSubscribe'),
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
    const state = this.#state;
    const item = /** @type {Item} */ (this.#item);
    const { id: vatId, transport } = /** @type {VatParts} */ (this.#parts);
    const { message, target } = item;
    // What was kept so far may have to be come back to.
    state.catchUp();
    state.queue.consume(item);
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
  #isPlain({ fault, answers, syscalls, reactors }) {
    if (fault !== null || answers.length > 0 || reactors) return false;
    const { vref } = /** @type {Pair} */ (this.#pair);
    const parts = /** @type {VatParts} */ (this.#parts);
    // A notify takes its promise out of the c-list.
    const gone = this.#delivery[0] === 'notify' ? vref : null;
    return this.#check.areSafe(parts, syscalls, this.#freshVrefs, this.#result, gone);
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
    this.#check.rewind();
    for (let i = 0; i < syscalls.length; i += 1) this.#applySyscall(parts, syscalls[i]);
    hash.close();
    const reaped = parts.reaping ?? this.#reaper.find(parts.id);
    if (reaped !== null) this.#reaper.count(reaped);
    state.promises.deleteUnreferenced();
    state.keepCertain();
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
    const { counters, promises } = this.#state;
    if (promise !== null) promises.setDecider(promise, id);
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

  /**
   * @param {VatParts} parts
   * @param {Syscall} syscall
   */
  #applySyscall(parts, syscall) {
    if (syscall[0] === 'send') this.#send(parts, syscall);
    else if (syscall[0] === 'subscribe') this.#subscribe(parts, syscall[1]);
    else this.#resolve(parts, /** @type {Resolution[]} */ (syscall[1])[0]);
  }

  /**
   * @param {VatParts} parts
   * @param {Extract<Syscall, ['send', ...any]>} syscall  whose result, if it has one, is new
   */
  #send(parts, syscall) {
    const { counters, promises, queue } = this.#state;
    const { clist } = parts;
    const pair = this.#check.next(syscall[1]);
    const target = pair.kref;
    if (pair.promise === null && (pair.home === null || !pair.home.isListed))
      pair.home = this.#findHome(target) ?? null;
    const methargs = this.#mapOut(parts, syscall[2]);
    let promise = null;
    let result = null;
    if (syscall[3] !== null) {
      // The right to decide goes with the message.
      promise = promises.add('');
      result = promise.kref;
      clist.add(result, syscall[3], promise);
    }
    queue.addSend(target, { methargs, result }, promise, pair.home);
    counters.inc(counters.places.syscalls);
    counters.inc(counters.places.send);
    writeSendTwice(this.#both, target, methargs, result, syscall);
  }

  /**
   * @param {VatParts} parts
   * @param {string} vref  of a promise
   */
  #subscribe({ id }, vref) {
    const { counters, promises, queue } = this.#state;
    const { promise } = /** @type {Pair & { promise: PromiseRow }} */ (this.#check.next(vref));
    if (promise.state === 'unresolved') promises.subscribe(promise, id);
    else queue.addNotify(id, promise);
    counters.inc(counters.places.syscalls);
    counters.inc(this.#at.subscribe);
    writeSubscribeTwice(this.#both, promise.kref, vref);
  }

  /**
   * @param {VatParts} parts
   * @param {Resolution} resolution  of a promise that the vat decides
   */
  #resolve(parts, resolution) {
    const state = this.#state;
    const { counters, profile } = state;
    const pair = this.#check.next(resolution[0]);
    const promise = /** @type {PromiseRow} */ (pair.promise);
    const data = this.#mapOut(parts, resolution[2]);
    if (profile.retiresEntry(pair.kref, data)) parts.clist.deletePair(pair);
    const outcome = settledState(resolution[1], data);
    profile.countResolve(counters, [outcome]);
    settle(state, promise, outcome, data, parts.id);
    writeResolveTwice(this.#both, pair.kref, data, resolution);
  }

  /**
   * @param {VatParts} parts
   * @param {CapData} data  in vrefs
   * @returns {CapData}
   */
  #mapOut({ id, clist }, data) {
    const { slots } = data;
    if (slots.length === 0) return data;
    const krefs = [];
    for (let i = 0; i < slots.length; i += 1) {
      // One that it names for the first time is exported.
      const known = this.#check.nextKnown();
      krefs.push(known === undefined ? this.#syscalls.mapOut(id, clist, slots[i]) : known.kref);
    }
    return { body: data.body, slots: krefs };
  }
}
