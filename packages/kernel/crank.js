// A crank: one item, from the queue to the tables.
//
//   take → route → translate → deliver → settle → apply → commit
//
// `CrankRunner` works through the queue in order. Taking, routing, translating and applying belong to the item
// at the head; but with transports that allow it, items behind it begin to execute while the head still runs
// (`#beginAhead`), when nothing that is not applied yet can make a difference to them.

import { Fail, isDeviceKref, isPromiseKref, quote, writeTranscriptEntry } from '#model';
import { classes } from '#schedule';
import { figure } from './figures.js';
import { findTextProblem } from './keepers/vatstore.js';
import { route, translate } from './routing.js';
import { rejectWith, settle, vatTerminated } from './settlement.js';
import { transcriptStream } from './state.js';
import { SyscallApplier, VatFault } from './syscalls.js';
import { endVat } from './termination.js';
import { errorData } from './wire.js';

/** @import { Answer, CapData, Delivery, Syscall } from '#model' */
/** @import { CrankRecord } from './hash.js' */
/** @import { Item } from './keepers/queue.js' */
/** @import { Plan, Route } from './routing.js' */
/** @import { KernelState } from './state.js' */

/**
 * What a vat did in a crank. `fault` is why the vat must end (it broke a rule of its transport, or could not be
 * run to the end), or null.
 *
 * @typedef {{ fault: string | null, syscalls: Syscall[], answers: Answer[] }} CrankResult
 */

/**
 * Answers a syscall while the crank runs: `earlier` are the crank's syscalls before it.
 *
 * @typedef {(syscall: Syscall, earlier: readonly Syscall[]) => Answer} Answerer
 */

/**
 * Where a vat runs. `begin` hands over a delivery; `finish` gives its result, at once or later. Between the two
 * the transport may call the answerer. `mayWait` says that its vat can wait inside a crank for the kernel.
 *
 * @typedef {object} Transport
 * @property {(delivery: Delivery, answer: Answerer) => void} begin
 * @property {() => CrankResult | Promise<CrankResult>} finish
 * @property {() => void} close  the vat has ended; whatever it still does is ignored
 */

/**
 * A device: what the kernel calls when a vat uses `D(device)`. Slots are the device's own.
 *
 * @typedef {(method: string, args: CapData) => Answer} Device
 */

/**
 * An item under way.
 *
 * @typedef {object} Flight
 * @property {Item} item
 * @property {Route} found
 * @property {Plan | null} plan
 * @property {string} vatId  '' when no vat is reached
 * @property {CrankResult | null} result
 * @property {Syscall[]} applied  in krefs
 * @property {number} appliedCount  of the vat's syscalls
 * @property {string | null} fault  found while the vat ran
 * @property {boolean} prepared  what the delivery itself changes has been written
 */

/** A vat of the config that did not start: the run cannot begin. */
export class VatStartError extends Error {
  /**
   * @param {string} vatName
   * @param {string} problem
   */
  constructor(vatName, problem) {
    super(`vat ${vatName} did not start: ${problem}`);
    this.name = 'VatStartError';
    this.vatName = vatName;
    this.problem = problem;
  }
}

export class CrankRunner {
  #state;

  #applier;

  #transports;

  #devices;

  #lookahead;

  #onEnd;

  /** @type {Flight | undefined} the item whose turn it is */
  #head;

  /** @type {Map<number, Flight>} items begun ahead of their turn, by their sequence numbers */
  #ahead = new Map();

  #at;

  /**
   * @param {KernelState} state
   * @param {object} powers
   * @param {Map<string, Transport>} powers.transports  by vat id
   * @param {Map<string, Device>} powers.devices  by device id
   * @param {number} powers.lookahead  how many items behind the head may be begun early
   * @param {(vatId: string, problem: string) => void} powers.onEnd  told of each vat that ends by a fault
   */
  constructor(state, { transports, devices, lookahead, onEnd }) {
    this.#state = state;
    this.#applier = new SyscallApplier(state);
    this.#transports = transports;
    this.#devices = devices;
    this.#lookahead = lookahead;
    this.#onEnd = onEnd;
    this.#at = {
      dispatches: state.counters.find('dispatches'),
      deliver: state.counters.find('dispatchDeliver'),
      startVat: state.counters.find('dispatchStartVat'),
      callNow: state.counters.find('syscallCallNow'),
      syscalls: state.counters.find('syscalls'),
    };
  }

  /**
   * Run cranks until there is nothing left, `limit` are done, or a vat's result has to be waited for.
   *
   * @param {number} limit
   * @returns {{ cranks: number, waiting: Promise<void> | null }} call again when `waiting` settles
   * @throws {VatStartError} a vat of the config did not start
   */
  pump(limit) {
    let cranks = 0;
    while (cranks < limit) {
      if (this.#head === undefined) {
        const item = this.#state.queue.take();
        if (item === undefined) break;
        this.#land(item);
      }
      const head = /** @type {Flight} */ (this.#head);
      if (this.#lookahead > 0) this.#beginAhead(Math.min(this.#lookahead, limit - cranks - 1));
      if (head.plan !== null && head.result === null) {
        const result = this.#transport(head.vatId).finish();
        if (result instanceof Promise) {
          return { cranks, waiting: result.then(value => void (head.result = value)) };
        }
        head.result = result;
      }
      this.#head = undefined;
      this.#apply(head);
      cranks += 1;
    }
    return { cranks, waiting: null };
  }

  /**
   * Start a vat without a crank: before the first one, in profiles that have no start deliveries.
   *
   * @param {string} vatId
   * @returns {void | Promise<void>}
   */
  startOutside(vatId) {
    const item = /** @type {Item} */ ({ ...this.#state.now, stage: 0 });
    const flight = this.#plan(item, { step: 'start', vatId });
    this.#begin(flight);
    const apply = (/** @type {CrankResult} */ result) => {
      const fault = result.fault ?? this.#applySyscalls(flight, result.syscalls);
      if (fault !== null) throw new VatStartError(this.#state.vats.require(vatId).name, fault);
      this.#writeTranscript(flight, result);
      this.#state.keepBetweenCranks();
    };
    const result = this.#transport(vatId).finish();
    return result instanceof Promise ? result.then(apply) : apply(result);
  }

  /** @param {string} vatId */
  #transport(vatId) {
    return this.#transports.get(vatId) ?? Fail`vat ${vatId} has no transport`;
  }

  /**
   * An item's turn has come: it becomes the head. It was begun ahead, or is begun now.
   *
   * @param {Item} item  just taken
   */
  #land(item) {
    const early = this.#ahead.get(item.seq);
    if (early) {
      this.#ahead.delete(item.seq);
      // If its vat has ended meanwhile, what it did is forgotten, and the item is routed anew.
      if (this.#state.vats.isRunning(early.vatId)) {
        this.#head = early;
        return;
      }
    }
    this.#head = this.#plan(item, route(this.#state, item));
    this.#begin(this.#head);
  }

  /**
   * @param {Item} item
   * @param {Route} found
   * @returns {Flight}
   */
  #plan(item, found) {
    const reaches = found.step === 'deliver' || found.step === 'notify' || found.step === 'start';
    return {
      item,
      found,
      plan: reaches ? translate(this.#state, found) : null,
      vatId: reaches ? found.vatId : '',
      result: null,
      applied: [],
      appliedCount: 0,
      fault: null,
      prepared: false,
    };
  }

  /** @param {Flight} flight */
  #begin(flight) {
    if (flight.plan === null) return;
    this.#transport(flight.vatId).begin(flight.plan.vatDelivery, (syscall, earlier) =>
      this.#answer(flight, syscall, earlier),
    );
  }

  /**
   * Begin items behind the head that cannot be affected by what is not applied yet:
   * - only items of the present tag, since what a crank queues comes at a later one;
   * - none behind an item whose target is an unresolved promise, for that can still go to any vat;
   * - one item a vat at a time, in order;
   * - a notify only when all promises reachable through its data are settled, or its batch could still grow;
   * - none to a vat that holds a device, or is given one, whose calls must see everything before them;
   * - none once the head has begun to write (it called a device), for what it wrote may be dropped again.
   *
   * @param {number} limit  how many items to look at
   */
  #beginAhead(limit) {
    const { queue, vats } = this.#state;
    const head = /** @type {Flight} */ (this.#head);
    if (limit <= 0 || head.prepared) return;
    const busy = new Set([head.vatId]);
    for (const item of queue.ahead(limit)) {
      if (item.timeNs !== head.item.timeNs || item.microstep !== head.item.microstep) return;
      const begun = this.#ahead.get(item.seq);
      if (begun) {
        busy.add(begun.vatId);
        continue;
      }
      if (this.#isUndetermined(item)) return;
      const found = route(this.#state, item);
      if (found.step !== 'deliver' && found.step !== 'notify' && found.step !== 'start') continue;
      const { vatId } = found;
      if (!busy.has(vatId) && !vats.require(vatId).holdsDevice && this.#isComplete(found)) {
        const flight = this.#plan(item, found);
        if (!bringsDevice(flight)) {
          this.#ahead.set(item.seq, flight);
          this.#begin(flight);
        }
      }
      busy.add(vatId);
    }
  }

  /** @param {Item} item */
  #isUndetermined(item) {
    return (
      item.kind === 'send' &&
      isPromiseKref(item.target) &&
      this.#state.promises.require(item.target).state === 'unresolved'
    );
  }

  /** @param {Route} found */
  #isComplete(found) {
    if (found.step !== 'notify') return true;
    const { promises } = this.#state;
    const seen = new Set(found.batch);
    for (const kref of seen) {
      const { state, data } = promises.require(kref);
      if (state === 'unresolved' || data === null) return false;
      for (const slot of data.slots) if (isPromiseKref(slot)) seen.add(slot);
    }
    return true;
  }

  /**
   * Write a finished item to the tables, and keep or drop the crank.
   *
   * @param {Flight} flight
   */
  #apply(flight) {
    const state = this.#state;
    this.#prepare(flight);
    const { found, result, vatId } = flight;
    /** @type {string | null} */
    let fault = null;
    if (result !== null) {
      fault = flight.fault ?? result.fault;
      if (fault === null) fault = this.#applySyscalls(flight, result.syscalls);
    } else {
      this.#applyKernelStep(found);
    }
    if (fault !== null) {
      this.#dropForFault(flight, fault);
      return;
    }
    const exit = result === null ? undefined : flight.applied.find(([kind]) => kind === 'exit');
    if (exit?.[0] === 'exit') {
      const [, isFailure, info] = exit;
      if (isFailure && !state.profile.keepsFailedExit) {
        this.#dropForExit(flight, info);
        return;
      }
      this.#record(flight, isFailure ? 'exitWithFailure' : 'exit');
      this.#end(vatId, isFailure, info);
    } else {
      this.#record(flight, 'kept');
      if (result !== null) this.#writeTranscript(flight, result);
    }
    state.keep();
  }

  /**
   * What the delivery itself changes: c-list entries, the decider of the result, counters; a notified promise
   * leaves the c-list.
   *
   * @param {Flight} flight
   */
  #prepare(flight) {
    const { found, plan, vatId } = flight;
    const { counters, promises, vats, profile } = this.#state;
    // A device call inside the crank has done this already.
    if (plan === null || flight.prepared) return;
    flight.prepared = true;
    for (const kref of plan.fresh) vats.clist(vatId).provideVref(kref);
    if (found.step === 'deliver') {
      const { result } = found.message;
      if (result !== null) promises.setDecider(result, vatId);
      counters.inc(this.#at.dispatches);
      counters.inc(this.#at.deliver);
    } else if (found.step === 'notify') {
      const clist = vats.clist(vatId);
      profile.countNotify(
        counters,
        found.batch.map(kref => promises.require(kref).state),
      );
      for (const kref of found.batch) {
        const { data } = promises.require(kref);
        if (profile.retiresEntry(kref, data ?? Fail`promise ${kref} is not settled`))
          clist.delete(kref);
      }
    } else {
      counters.inc(this.#at.startVat);
    }
  }

  /**
   * @param {Flight} flight
   * @param {readonly Syscall[]} syscalls
   * @returns {string | null} the vat's fault
   */
  #applySyscalls(flight, syscalls) {
    const clist = this.#state.vats.clist(flight.vatId);
    try {
      while (flight.appliedCount < syscalls.length) {
        const syscall = syscalls[flight.appliedCount];
        flight.appliedCount += 1;
        // A device call was applied when it was made.
        if (syscall[0] === 'callNow') continue;
        flight.applied.push(this.#applier.apply(flight.vatId, clist, syscall));
      }
      return null;
    } catch (error) {
      if (error instanceof VatFault) return error.message;
      throw error;
    }
  }

  /**
   * A crank that reaches no vat.
   *
   * @param {Route} found
   */
  #applyKernelStep(found) {
    const { promises, profile, counters } = this.#state;
    if (found.step === 'park') {
      promises.park(found.promise, found.message);
    } else if (found.step === 'reject') {
      const { result } = found.message;
      if (result === null) return;
      if (found.data === null) rejectWith(this.#state, result, found.why);
      else settle(this.#state, result, 'rejected', found.data, '');
    } else if (found.step === 'nothing' && found.countedDead) {
      profile.countDeadNotify(counters);
    }
  }

  /**
   * Answer a syscall inside the crank.
   *
   * @param {Flight} flight
   * @param {Syscall} syscall
   * @param {readonly Syscall[]} earlier
   * @returns {Answer}
   */
  #answer(flight, syscall, earlier) {
    const { vatstore } = this.#state;
    switch (syscall[0]) {
      case 'vatstoreGet':
      case 'vatstoreGetNextKey': {
        const problem = findTextProblem(syscall[1], 'key');
        if (problem !== undefined) {
          flight.fault ??= problem;
          return { kind: 'value', value: undefined };
        }
        const read = syscall[0] === 'vatstoreGet' ? vatstore.get : vatstore.nextKey;
        return { kind: 'value', value: read.call(vatstore, flight.vatId, syscall[1]) };
      }
      case 'callNow':
        return this.#callDevice(flight, syscall, earlier);
      default:
        throw Fail`${syscall[0]} has no answer`;
    }
  }

  /**
   * A device call: everything before it is applied, then the device runs.
   *
   * @param {Flight} flight  at the head of the queue; one that is not there yet belongs to a vat without devices
   * @param {Extract<Syscall, ['callNow', ...any]>} syscall
   * @param {readonly Syscall[]} earlier
   * @returns {Answer}
   */
  #callDevice(flight, [, deviceVref, method, args], earlier) {
    const state = this.#state;
    const { vats, owners, counters } = state;
    const clist = vats.clist(flight.vatId);
    if (flight === this.#head) this.#prepare(flight);
    const kref = clist.findKref(deviceVref);
    // The same fault whether the vat was begun ahead or not: nothing before the call is applied.
    if (kref === undefined || !isDeviceKref(kref))
      flight.fault ??= `${quote(deviceVref)} is not a device of the vat's c-list`;
    flight.fault ??= this.#applySyscalls(flight, earlier);
    if (kref === undefined || flight.fault !== null)
      return { kind: 'throw', data: errorData(state.profile.wire, flight.fault ?? '') };
    try {
      const slots = args.slots.map(vref => this.#applier.mapOut(flight.vatId, clist, vref));
      if (slots.some(isPromiseKref))
        throw new VatFault('the arguments of a device call cannot hold promises');
      const deviceId = owners.get(kref) ?? Fail`device ${kref} has no owner`;
      const device = this.#devices.get(deviceId) ?? Fail`device ${deviceId} is not attached`;
      counters.inc(this.#at.syscalls);
      counters.inc(this.#at.callNow);
      flight.applied.push(['callNow', kref, method, { body: args.body, slots }]);
      const deviceList = vats.clist(deviceId);
      const answer = device(method, {
        body: args.body,
        slots: slots.map(slot => deviceList.provideVref(slot)),
      });
      if (answer.kind === 'value') throw Fail`a device returns capdata`;
      return {
        kind: answer.kind,
        data: {
          body: answer.data.body,
          slots: answer.data.slots.map(vref =>
            clist.provideVref(deviceList.findKref(vref) ?? Fail`device slot ${vref} is unknown`),
          ),
        },
      };
    } catch (error) {
      if (!(error instanceof VatFault)) throw error;
      flight.fault = error.message;
      return { kind: 'throw', data: errorData(state.profile.wire, error.message) };
    }
  }

  /**
   * A vat broke a rule: the crank leaves no trace, and the vat ends.
   *
   * @param {Flight} flight
   * @param {string} fault
   */
  #dropForFault(flight, fault) {
    const { vats, profile } = this.#state;
    const { name, isStatic } = vats.require(flight.vatId);
    this.#state.drop();
    if (flight.found.step === 'start' && isStatic) {
      this.#state.queue.putBack();
      throw new VatStartError(name, fault);
    }
    this.#onEnd(flight.vatId, fault);
    this.#afterDrop(flight, errorData(profile.wire, fault));
  }

  /**
   * A vat ended itself with a failure, and the profile drops such a crank.
   *
   * @param {Flight} flight
   * @param {CapData} info  in krefs
   */
  #dropForExit(flight, info) {
    const { profile, vats } = this.#state;
    this.#state.drop();
    const clist = vats.clist(flight.vatId);
    // What the vat exported in the dropped crank does not exist, so it cannot be reported either.
    const known = info.slots.every(kref => clist.findVref(kref) !== undefined);
    this.#afterDrop(flight, known ? info : errorData(profile.wire, vatTerminated));
  }

  /**
   * The crank has been dropped. In a fresh overlay the item is consumed and its message rejected, or it stays
   * where it was for the next crank; and its vat ends.
   *
   * @param {Flight} flight
   * @param {CapData} info  in krefs
   */
  #afterDrop(flight, info) {
    const state = this.#state;
    const { item, found } = flight;
    const { figures } = state;
    figures.write(figure.nowTimeNs, item.timeNs);
    figures.write(figure.nowMicrostep, item.microstep);
    flight.applied = [];
    this.#record(flight, 'dropped');
    if (state.profile.retriesDroppedItem) {
      state.queue.putBack();
    } else {
      state.queue.consume(item);
      if (found.step === 'deliver' && found.message.result !== null) {
        rejectWith(state, found.message.result, vatTerminated);
      }
    }
    this.#end(flight.vatId, true, info);
    state.keep();
  }

  /**
   * @param {string} vatId
   * @param {boolean} isFailure
   * @param {CapData} info
   */
  #end(vatId, isFailure, info) {
    endVat(this.#state, vatId, isFailure, info);
    this.#transport(vatId).close();
    this.#transports.delete(vatId);
  }

  /**
   * Number the crank and add it to the activity hash.
   *
   * @param {Flight} flight
   * @param {CrankRecord['outcome']} outcome
   */
  #record({ item, found, plan, vatId, applied }, outcome) {
    const { figures, hash } = this.#state;
    const { numbers } = figures;
    figures.write(figure.crankNumber, numbers[figure.crankNumber] + 1);
    if (item.class === classes.control)
      figures.write(figure.controlCranks, numbers[figure.controlCranks] + 1);
    hash.add({
      crank: numbers[figure.crankNumber],
      timeNs: item.timeNs,
      microstep: item.microstep,
      class: item.class,
      stage: item.stage,
      vatId,
      outcome,
      delivery: plan === null ? kernelStepRecord(found) : plan.kernelDelivery,
      syscalls: applied,
    });
    if (plan !== null && outcome !== 'dropped' && bringsDevice({ plan })) this.#holdsDevice(vatId);
  }

  /**
   * A vat that has been given a device is not begun ahead any more.
   *
   * @param {string} vatId
   */
  #holdsDevice(vatId) {
    const { vats } = this.#state.vats;
    const row = this.#state.vats.require(vatId);
    if (row.holdsDevice) return;
    vats.touch(row);
    row.holdsDevice = true;
  }

  /**
   * @param {Flight} flight
   * @param {CrankResult} result
   */
  #writeTranscript({ item, plan, vatId }, { answers, syscalls }) {
    writeTranscriptEntry(this.#state.stream(transcriptStream(vatId)), {
      kind: 'deliver',
      tag: item,
      stage: item.stage,
      delivery: plan === null ? Fail`a result without a delivery` : plan.vatDelivery,
      answers,
      syscalls,
    });
  }

  /** Whether a crank is under way: nothing may be committed or queued from outside meanwhile. */
  get isBusy() {
    return this.#head !== undefined;
  }
}

/**
 * Whether the vat gets a device that it did not hold.
 *
 * @param {{ plan: Plan | null }} flight
 */
const bringsDevice = ({ plan }) => plan !== null && plan.fresh.some(isDeviceKref);

/**
 * How a crank that reached no vat stands in the activity hash.
 *
 * @param {Route} found
 * @returns {Delivery}
 */
const kernelStepRecord = found => {
  switch (found.step) {
    case 'park':
      return ['none', 'parked', found.promise];
    case 'reject':
      return ['none', 'rejected', found.message.result ?? ''];
    case 'nothing':
      return ['none', found.why, found.ref];
    default:
      throw Fail`a delivery to a vat is recorded as such`;
  }
};
