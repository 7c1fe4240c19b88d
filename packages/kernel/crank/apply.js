// The last phases of a crank: what an item changes is written to the tables, and the crank is kept, or dropped when
// its vat broke a rule or gave up.

import { Fail, writeTranscriptEntry } from '#model';
import { classes } from '#schedule';
import { figure } from '../figures.js';
import { rejectWith, settle, vatTerminated } from '../settlement.js';
import { transcriptStream } from '../state.js';
import { VatFault } from '../syscalls.js';
import { endVat } from '../termination.js';
import { errorData } from '../wire.js';
import { bringsDevice } from './ahead.js';
import { VatStartError } from './flight.js';

/** @import { CapData, Delivery, Syscall } from '#model' */
/** @import { CrankRecord } from '../hash.js' */
/** @import { Route } from '../routing.js' */
/** @import { KernelState } from '../state.js' */
/** @import { SyscallApplier } from '../syscalls.js' */
/** @import { CrankResult, Flight } from './flight.js' */

export class FlightApplier {
  #state;

  #syscalls;

  #onFault;

  #onEnd;

  #at;

  /**
   * @param {KernelState} state
   * @param {SyscallApplier} syscalls
   * @param {object} listeners
   * @param {(vatId: string, problem: string) => void} listeners.onFault  a vat is ended because it broke a rule
   * @param {(vatId: string) => void} listeners.onEnd  a vat has ended
   */
  constructor(state, syscalls, { onFault, onEnd }) {
    this.#state = state;
    this.#syscalls = syscalls;
    this.#onFault = onFault;
    this.#onEnd = onEnd;
    this.#at = {
      dispatches: state.counters.find('dispatches'),
      deliver: state.counters.find('dispatchDeliver'),
      startVat: state.counters.find('dispatchStartVat'),
    };
  }

  /**
   * Write a finished item to the tables, and keep or drop the crank.
   *
   * @param {Flight} flight
   */
  apply(flight) {
    const state = this.#state;
    this.prepare(flight);
    const { found, result, vatId } = flight;
    /** @type {string | null} */
    let fault = null;
    if (result !== null) {
      fault = flight.fault ?? result.fault;
      if (fault === null) fault = this.applySyscalls(flight, result.syscalls);
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
      if (result !== null) this.writeTranscript(flight, result);
    }
    state.keep();
  }

  /**
   * What the delivery itself changes: c-list entries, the decider of the result, counters; a notified promise
   * leaves the c-list.
   *
   * @param {Flight} flight
   */
  prepare(flight) {
    const { found, plan, vatId } = flight;
    const { counters, promises, vats, profile } = this.#state;
    // A device call inside the crank has done this already.
    if (plan === null || flight.isPrepared) return;
    flight.isPrepared = true;
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
  applySyscalls(flight, syscalls) {
    const clist = this.#state.vats.clist(flight.vatId);
    try {
      while (flight.appliedCount < syscalls.length) {
        const syscall = syscalls[flight.appliedCount];
        flight.appliedCount += 1;
        // A device call was applied when it was made.
        if (syscall[0] === 'callNow') continue;
        flight.addApplied(this.#syscalls.apply(flight.vatId, clist, syscall));
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
    this.#onFault(flight.vatId, fault);
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
    flight.forgetApplied();
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
    this.#onEnd(vatId);
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
    if (plan !== null && outcome !== 'dropped' && bringsDevice(plan)) this.#holdsDevice(vatId);
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
  writeTranscript({ item, plan, vatId }, { answers, syscalls }) {
    writeTranscriptEntry(this.#state.stream(transcriptStream(vatId)), {
      kind: 'deliver',
      tag: item,
      stage: item.stage,
      delivery: plan === null ? Fail`a result without a delivery` : plan.vatDelivery,
      answers,
      syscalls,
    });
  }
}

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
