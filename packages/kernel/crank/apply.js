// The last phases of a crank: writes an item's changes to the tables, then keeps the crank, or drops it if its vat
// broke a rule or ended itself with a failure.

import { ByteWriter, Fail, writeCountTwice, writeDelivery } from '#model';
import { routeSent } from './acceptance.js';
import { isUsual } from './routing.js';
import { writePlan } from './translate.js';
import { figure } from '../tables/figures.js';
import { byKernel } from '../tables/queue-item.js';
import { recordRefusal } from '../inputs/inputs.js';
import { shortReason } from '../limits.js';
import { takeEvents } from '../reactors/ports.js';
import { decideFor, rejectMessage, stateOf, vatTerminated } from './settlement.js';
import { VatFault } from '../lifecycle/vat-fault.js';
import { cleanUp, endVat } from '../lifecycle/termination.js';
import { findUpgradeProblem, reportFailedUpgrade } from '../lifecycle/upgrade.js';
import { carryOut, judge, isHeldNowKept } from '../collection/collection.js';
import { errorData } from './wire.js';
import { nothingArrives } from './names.js';
import { Births, findExit } from '../lifecycle/births.js';
import { CrankRecorder } from './recorder.js';
import { CriticalVatError, refusalFault, VatStartError } from './flight.js';

/** @import { Answer, CapData, Delivery, Resolution, Syscall } from '#model' */
/** @import { CrankRecord } from '../record/hash.js' */
/** @import { CList } from '../tables/clist.js' */
/** @import { SettledState } from '../tables/promise-row.js' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { VatParts } from '../tables/vats.js' */
/** @import { Route } from './routing.js' */
/** @import { Plan } from './translate.js' */
/** @import { ClockRead } from '../tables/physical-time.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { SyscallChecker } from './check-syscalls.js' */
/** @import { EffectWriter } from './write.js' */
/** @import { DeviceCalls } from './devices.js' */
/** @import { Reaper } from '../collection/reaper.js' */
/** @import { Reactions } from '../reactors/reactions.js' */
/** @import { CrankResult, Flight } from './flight.js' */

// eslint-disable-next-line house/max-class-lines -- each step of a crank that may be undone is a method; all write to one state, and calls across objects cost time in each crank
export class FlightApplier {
  #state;

  #checker;

  #writer;

  #isWatched;

  /** Writers of the activity hash (krefs) and the vat's transcript (vrefs). */
  #both = { inKrefs: new ByteWriter(0), inVrefs: new ByteWriter(0) };

  #devices;

  #reaper;

  #reactions;

  #births;

  #onFault;

  #onEnd;

  #onUpgrade;

  #at;

  /**
   * @param {KernelState} state
   * @param {object} syscalls
   * @param {SyscallChecker} syscalls.checker
   * @param {EffectWriter} syscalls.writer
   * @param {DeviceCalls} devices
   * @param {Reaper} reaper
   * @param {Reactions} reactions
   * @param {object} listeners
   * @param {(vatId: string, problem: string) => void} listeners.onFault  called when a vat is ended because it broke a
   *   rule
   * @param {boolean} listeners.isWatched  whether an observer wants to see what a crank applied
   * @param {(vatId: string) => void} listeners.onEnd  called when a vat has ended, or turned out never to exist
   * @param {(flight: Flight, problem: string | null) => void} listeners.onUpgrade  called when an upgrade has finished,
   *   with the reason if it failed
   */
  constructor(state, { checker, writer }, devices, reaper, reactions, listeners) {
    const { onFault, onEnd, onUpgrade, isWatched } = listeners;
    this.#state = state;
    this.#checker = checker;
    this.#writer = writer;
    this.#isWatched = isWatched;
    this.#reaper = reaper;
    this.#reactions = reactions;
    this.#devices = devices;
    this.recorder = new CrankRecorder(state, reactions);
    this.#births = new Births(state, this, onFault);
    this.#onFault = onFault;
    this.#onEnd = onEnd;
    this.#onUpgrade = onUpgrade;
    this.#at = {
      dispatches: state.counters.find('dispatches'),
      deliver: state.counters.find('dispatchDeliver'),
      startVat: state.counters.find('dispatchStartVat'),
      bringOutYourDead: state.counters.find('dispatchBringOutYourDead'),
      dropExports: state.counters.find('dispatchDropExports'),
      retireExports: state.counters.find('dispatchRetireExports'),
      retireImports: state.counters.find('dispatchRetireImports'),
      react: state.counters.find('dispatchReact'),
    };
  }

  /** Items queued from now on have the running crank as their cause. */
  beginCause() {
    const { queue, figures } = this.#state;
    queue.setCause(figures.numbers[figure.crankNumber] + 1, byKernel);
  }

  /** Write a finished item to the tables, and keep or drop the crank. @param {Flight} flight */
  apply(flight) {
    const state = this.#state;
    const { result, vatId } = flight;
    this.beginCause();
    if (result !== null && this.#writeCertainly(flight, result)) return;
    this.prepare(flight);
    /** @type {string | null} */
    let fault = null;
    if (result !== null) {
      fault = result.isRefusal ? refusalFault(result) : (flight.fault ?? result.fault);
      if (fault === null) fault = this.applySyscalls(flight, result.syscalls);
    } else {
      this.#applyKernelStep(flight);
    }
    if (fault !== null) {
      this.#dropForFault(flight, fault);
      return;
    }
    const exit = findExit(flight.applied, state.profile);
    if (flight.found.step === 'upgrade')
      fault = findUpgradeProblem(flight, exit !== undefined, state);
    if (fault !== null) {
      this.#dropForFault(flight, fault);
      return;
    }
    if (exit?.isFailure && !state.profile.keepsFailedExit) {
      this.#dropForExit(flight, exit.info);
      return;
    }
    if (result !== null && result.reactors) this.#reactions.note(flight, result.reactors, result);
    this.#births.bear(flight);
    this.recorder.record(
      flight,
      exit === undefined ? 'kept' : exit.isFailure ? 'exitWithFailure' : 'exit',
    );
    const end = flight.ownEnd ?? exit;
    if (end?.isFailure) state.vats.noteFailure(vatId);
    if (end !== undefined) endVat(state, vatId, end.isFailure, end.info);
    else if (result !== null) {
      this.recorder.writeTranscript(flight, result);
      this.#reaper.tell(flight, result);
    }
    this.#keep(end === undefined && isHeldNowKept(state, flight));
    if (flight.found.step === 'upgrade') this.#onUpgrade(flight, null);
  }

  /**
   * Fast path for a crank that breaks no rule and ends nothing: written at once, without an undo log. Its record is
   * encoded once for the activity hash and the transcript.
   *
   * @param {Flight} flight
   * @param {CrankResult} result
   * @returns {boolean} false if nothing has been written, because the crank needs the undo log
   */
  #writeCertainly(flight, result) {
    const { fault, syscalls, answers, reactors: report } = result;
    const { item, found, plan, parts } = flight;
    if (plan === null || parts === null) throw Fail`a result without a delivery`;
    if (flight.isConsumed || fault !== null || flight.fault !== null) return false;
    if (!isUsual(found.step)) return false;
    const state = this.#state;
    const { hash, vats, profile } = state;
    // Ended vats may have entries that this step has to delete.
    if (vats.ending.size > 0 && !profile.cleansUpInCranks) return false;
    const checker = this.#checker;
    const broken = checker.check(parts, syscalls, 0, plan);
    if (broken !== null || checker.hasExit || !checker.isCertain) return false;

    state.beginCertain();
    if (item.kind !== 'react') state.queue.consume(item);
    const both = this.#both;
    this.recorder.open(flight, parts, both);
    this.#change(flight, plan, parts);
    const applied = this.#isWatched ? flight : null;
    if (plan.namesNothing && checker.namesNothing) {
      // Both notations have the same bytes, so they are encoded once and copied.
      const { inKrefs, inVrefs } = both;
      const start = inKrefs.length;
      writeDelivery(inKrefs, plan.vatDelivery);
      const end = inKrefs.length;
      inKrefs.varint(syscalls.length);
      this.#writer.write(parts, checker, inKrefs, null, applied);
      inVrefs.copy(inKrefs, start, end);
      this.recorder.writeAnswers(both, answers);
      inVrefs.copy(inKrefs, end, inKrefs.length);
    } else {
      writePlan(both, plan);
      this.recorder.writeAnswers(both, answers);
      writeCountTwice(both, syscalls.length);
      this.#writer.write(parts, checker, null, both, applied);
    }
    hash.close();
    if (report) this.#reactions.note(flight, report, result);
    this.recorder.noteDevices(flight, plan);
    this.#reaper.tell(flight, /** @type {CrankResult} */ (flight.result));
    state.keepCertainCrank();
    return true;
  }

  /** Makes the crank's changes permanent. @param {boolean} [keepsHeld]  whether `heldNow` is still correct after it */
  #keep(keepsHeld = false) {
    const state = this.#state;
    if (state.criticalEnd !== undefined) this.#break(state.criticalEnd);
    if (state.vats.ending.size > 0 && !state.profile.cleansUpInCranks) this.cleanUpOne();
    if (keepsHeld) state.keepTold();
    else state.keep();
    this.#tellEnds();
  }

  /** Makes the host's changes between cranks permanent. A device may have ended vats meanwhile. */
  keepBetweenCranks() {
    const state = this.#state;
    if (state.criticalEnd !== undefined) this.#break(state.criticalEnd);
    state.keepBetweenCranks();
    this.#tellEnds();
  }

  /**
   * @param {NonNullable<KernelState['criticalEnd']>} failure
   * @returns {never}
   */
  #break({ name, info }) {
    const state = this.#state;
    state.drop();
    state.queue.putBack();
    state.brokenBy = 'the end of a critical vat or a wrong connection';
    throw new CriticalVatError(name, info);
  }

  #tellEnds() {
    const { endedVats } = this.#state;
    if (endedVats.length > 0) endedVats.splice(0).forEach(vatId => this.#onEnd(vatId));
  }

  /** Deletes the next entries that ended vats left, after a crank. */
  cleanUpOne() {
    cleanUp(this.#state, this.#state.vats.firstEnding());
  }

  /**
   * Applies the delivery's own changes: c-list entries, the decider of the result, counters. A notified promise leaves
   * the c-list.
   *
   * @param {Flight} flight
   */
  prepare(flight) {
    const { plan } = flight;
    // A device call inside the crank has done this already.
    if (plan === null || flight.isPrepared) return;
    flight.isPrepared = true;
    if (!flight.isConsumed) {
      flight.isConsumed = true;
      // Dropping the crank restores this state.
      this.#state.catchUp();
      if (flight.item.kind !== 'react') this.#state.queue.consume(flight.item);
    }
    this.#change(flight, plan, flight.parts ?? Fail`a delivery to no vat`);
  }

  /**
   * @param {Flight} flight
   * @param {Plan} plan
   * @param {VatParts} parts
   */
  #change({ item, found }, plan, parts) {
    const { id: vatId, clist } = parts;
    const { counters } = this.#state;
    const { promise } = item;
    const { fresh, freshVrefs } = plan;
    for (let i = 0; i < fresh.length; i += 1) {
      if (promise !== null && fresh[i] === promise.kref) clist.takePromise(promise, freshVrefs[i]);
      else clist.takeVref(fresh[i], freshVrefs[i]);
    }
    if (found.step === 'deliver') {
      if (promise !== null) decideFor(this.#state, promise, vatId);
      counters.add(this.#at.dispatches, 1);
      counters.add(this.#at.deliver, 1);
    } else if (found.step === 'notify') {
      this.#changeTold(clist, plan, item);
    } else if (found.step === 'react') {
      counters.add(this.#at.dispatches, 1);
      counters.add(this.#at.react, 1);
      this.#prepareReact(parts, found);
    } else if (found.step === 'tell') {
      counters.inc(this.#at[found.verdict]);
      carryOut(this.#state, vatId, found.verdict, found.krefs);
    } else {
      const isStart = found.step === 'start' || found.step === 'upgrade';
      counters.inc(isStart ? this.#at.startVat : this.#at.bringOutYourDead);
    }
  }

  /**
   * @param {CList} clist
   * @param {Plan} plan  of a notify
   * @param {Item} item  a notify of the first promise
   */
  #changeTold(clist, plan, { promise }) {
    const { counters, profile } = this.#state;
    if (plan.data !== null && promise !== null) {
      profile.countNotify(counters, [/** @type {SettledState} */ (promise.state)]);
      const pair = promise.findPair(clist) ?? Fail`${promise.kref} is not in the c-list`;
      if (profile.retiresEntry(promise.kref, plan.data)) clist.deletePair(pair);
      return;
    }
    const settled = /** @type {Resolution[]} */ (plan.kernelDelivery[1]);
    profile.countNotify(counters, settled.map(stateOf));
    for (let i = 0; i < settled.length; i += 1)
      if (profile.retiresEntry(settled[i][0], settled[i][2])) clist.delete(settled[i][0]);
  }

  /**
   * @param {VatParts} parts
   * @param {Extract<Route, { step: 'react' }>} found
   */
  #prepareReact(parts, { values, isLast, stages }) {
    const { reactors } = this.#state;
    if (values.length > 0) takeEvents(this.#state, reactors.requireOf(parts), values);
    if (!isLast && stages.length === 0) return;
    const agenda = reactors.change(reactors.requireOf(parts));
    if (isLast) agenda.isStopping = true;
    agenda.knowsStages = true;
  }

  /**
   * @param {Flight} flight
   * @param {readonly Syscall[]} syscalls
   * @returns {string | null} the vat's fault
   */
  applySyscalls(flight, syscalls) {
    const parts = this.#state.vats.parts(flight.vatId);
    const fault = this.#checker.check(parts, syscalls, flight.appliedCount, nothingArrives);
    if (fault !== null) return fault;
    flight.appliedCount = syscalls.length;
    try {
      this.#writer.write(parts, this.#checker, null, null, flight);
      return null;
    } catch (error) {
      // A value on a port may turn out to come too late.
      if (error instanceof VatFault) return error.message;
      throw error;
    }
  }

  /**
   * Applies a crank that reaches no vat. A device that it woke may have made vats, which start in this crank.
   *
   * @param {Flight} flight
   */
  #applyKernelStep(flight) {
    const { found } = flight;
    const { promises, profile, counters, vats, queue } = this.#state;
    if (found.step === 'park') {
      promises.park(found.promise, found.message, flight.item);
    } else if (found.step === 'reject') {
      rejectMessage(this.#state, found);
    } else if (found.step === 'nothing' && flight.item.kind === 'upgrade') {
      reportFailedUpgrade(this.#state, flight.item);
    } else if (found.step === 'nothing' && flight.item.kind === 'notify') {
      profile.countIdleNotify(counters, found.why === 'ended');
    } else if (found.step === 'cleanUp') {
      cleanUp(this.#state, found.vatId);
      if (vats.ending.has(found.vatId)) queue.addControl('cleanUp', found.vatId);
    } else if (found.step === 'collect') {
      for (const { vatId, verdict, krefs } of judge(this.#state))
        queue.addAtOnce(verdict, vatId, krefs);
    }
  }

  /**
   * A vat broke a rule: the crank leaves no trace, and the vat ends.
   *
   * @param {Flight} flight
   * @param {string} reason
   */
  #dropForFault(flight, reason) {
    const fault = shortReason(reason);
    flight.fault = fault;
    const { vats, profile } = this.#state;
    const { name } = vats.require(flight.vatId);
    this.#drop(flight);
    if (flight.found.step === 'start' && flight.vatId === this.#state.bootstrap?.vatId) {
      this.#state.queue.putBack();
      throw new VatStartError(name, fault);
    }
    if (flight.found.step === 'upgrade') {
      this.#afterFailedUpgrade(flight, fault);
      return;
    }
    this.#onFault(flight.vatId, fault);
    this.#afterDrop(flight, errorData(profile.wire, fault));
  }

  /**
   * Keeps the old incarnation after the new one did not start and its crank was dropped.
   *
   * @param {Flight} flight
   * @param {string} fault
   */
  #afterFailedUpgrade(flight, fault) {
    const state = this.#state;
    const { item } = flight;
    this.#recordDrop(flight);
    state.queue.consume(item);
    reportFailedUpgrade(state, item);
    this.#keep();
    this.#onUpgrade(flight, fault);
  }

  /** Gives a dropped crank its number and its record. @param {Flight} flight */
  #recordDrop(flight) {
    const state = this.#state;
    const { item, vatId } = flight;
    const { figures } = state;
    figures.beginCrank(item.timeNs, item.microstep);
    flight.forgetApplied();
    const isRefusal = flight.result?.isRefusal ?? false;
    // A replay does not call the vat, so it does not read the clock.
    if (isRefusal) {
      flight.forgetClockReads();
      state.physicalTime.takeReads();
    }
    this.recorder.record(flight, 'dropped');
    if (isRefusal)
      recordRefusal(state, vatId, figures.numbers[figure.crankNumber], flight.result?.limit);
  }

  /**
   * Drops the crank of a vat that ended itself with a failure, where the profile says so.
   *
   * @param {Flight} flight
   * @param {CapData} info  in krefs
   */
  #dropForExit(flight, info) {
    const { profile, owners, promises } = this.#state;
    this.#drop(flight);
    // Exports of the dropped crank do not exist, so they cannot be reported.
    const known = info.slots.every(
      kref => owners.get(kref) !== undefined || promises.find(kref) !== undefined,
    );
    this.#afterDrop(flight, known ? info : errorData(profile.wire, vatTerminated));
  }

  /** @param {Flight} flight */
  #drop(flight) {
    this.#state.drop();
    this.#state.queue.causePlace = byKernel;
    this.#devices.reset(flight);
    flight.births.forEach(vatId => this.#onEnd(vatId));
  }

  /**
   * Finishes a dropped crank: its vat ends, and its item is consumed and its message rejected, or the item keeps its
   * place for the next crank, as the profile says.
   *
   * @param {Flight} flight
   * @param {CapData} info  in krefs; vatAdmin passes it to the vat's creator, if this crank was its start
   */
  #afterDrop(flight, info) {
    const state = this.#state;
    const { item, found } = flight;
    this.#recordDrop(flight);
    if (state.profile.retriesDroppedItem) state.queue.putBack();
    else state.queue.consume(item);
    const isStart = found.step === 'start';
    const { isStatic } = state.vats.require(flight.vatId);
    state.vats.noteFailure(flight.vatId);
    endVat(state, flight.vatId, true, info);
    if (isStart && isStatic) this.#births.wireAfter(item);
    if (!state.profile.retriesDroppedItem && found.step === 'deliver') {
      // As if the item were taken again: messages and notifies from the vat's end come before it.
      routeSent(state);
      const { message } = found;
      rejectMessage(state, { step: 'reject', message, why: vatTerminated, data: null });
    }
    this.#keep();
  }
}
