// Ends a crank that created vats or in which a vat started: both come after the crank's last syscall.

import { Fail } from '#model';
import { figure } from '../tables/figures.js';
import { recordRefusal } from '../inputs/inputs.js';
import { shortReason } from '../limits.js';
import { endVat, stopVat } from './termination.js';
import { exportRoot, reportFailedStart, reportStart } from './vat-admin.js';
import { reportUpgrade } from './upgrade.js';
import { wire } from '../reactors/wiring.js';
import { errorData, stringData } from '../crank/wire.js';
import { bringsDevice, planFlight } from '../crank/ahead.js';
import { refusalFault } from '../crank/flight.js';

/** @import { CapData, Syscall } from '#model' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { FlightApplier } from '../crank/apply.js' */
/** @import { Profile } from '../profiles/profile.js' */
/** @import { CrankResult, Flight } from '../crank/flight.js' */

export class Births {
  #state;

  #applier;

  #onFault;

  /**
   * @param {KernelState} state
   * @param {FlightApplier} applier
   * @param {(vatId: string, problem: string) => void} onFault  called when a vat is ended because it broke a rule
   */
  constructor(state, applier, onFault) {
    this.#state = state;
    this.#applier = applier;
    this.#onFault = onFault;
  }

  /**
   * Queues or starts the vats that the crank has created, and finishes the start of a vat.
   *
   * @param {Flight} flight
   */
  bear(flight) {
    const state = this.#state;
    const { found, births } = flight;
    if (found.step === 'start' || found.step === 'upgrade') this.#hasStarted(flight);
    for (let i = 0; i < births.length; i += 1) {
      const vatId = births[i];
      if (!state.vats.isRunning(vatId)) continue;
      if (state.profile.startsVatsInCranks) {
        exportRoot(state, vatId);
        state.queue.addInTurn('start', vatId);
      } else {
        this.#startWithin(flight, vatId, flight.starts[i]);
      }
    }
  }

  /** @param {Flight} flight  of the start of a vat or a new incarnation */
  #hasStarted({ vatId, item, found, applied }) {
    const { vats } = this.#state;
    const exit = findExit(applied, this.#state.profile);
    if (found.step === 'upgrade') reportUpgrade(this.#state, vatId, item);
    else if (vats.require(vatId).isStatic) this.wireAfter(item);
    // As in SwingSet: only the end of a vat that ended itself is reported, and its creator gets the reason of that.
    else if (exit === undefined) reportStart(this.#state, vatId);
  }

  /**
   * Connects ports after a vat of the config has started or failed to: after the last one, all ports are known.
   *
   * @param {Item} item  of its start
   */
  wireAfter({ timeNs, microstep }) {
    const { vats, queue } = this.#state;
    const next = queue.peek();
    const isLast =
      next?.kind !== 'start' ||
      next.timeNs !== timeNs ||
      next.microstep !== microstep ||
      !vats.require(next.vatId).isStatic;
    if (isLast) this.#wire();
  }

  #wire() {
    try {
      wire(this.#state);
    } catch (error) {
      this.#state.drop();
      this.#state.queue.putBack();
      this.#state.brokenBy = 'the end of a critical vat or a wrong connection';
      throw error;
    }
    this.#state.physicalTime.clock.begin?.();
  }

  /**
   * Applies the start of a new vat within the crank that created it.
   *
   * @param {Flight} flight
   * @param {string} vatId
   * @param {CrankResult} result
   */
  #startWithin(flight, vatId, result) {
    const state = this.#state;
    const start = planFlight(state, flight.item, { step: 'start', vatId });
    // The start has no item of its own.
    start.isConsumed = true;
    this.#applier.prepare(start);
    if (result.isRefusal) {
      const { numbers } = state.figures;
      recordRefusal(state, vatId, numbers[figure.crankNumber] + 1, result.limit);
    }
    const problem = result.isRefusal
      ? refusalFault(result)
      : (result.fault ?? this.#applier.applySyscalls(start, result.syscalls));
    const fault = problem === null ? null : shortReason(problem);
    for (const syscall of start.applied) flight.addApplied(syscall);
    if (fault !== null) {
      this.#onFault(vatId, fault);
      stopVat(state, vatId, errorData(state.profile.wire, fault));
      // In 2020 it was the error's text.
      reportFailedStart(state, vatId, stringData(state.profile.wire, fault));
      return;
    }
    exportRoot(state, vatId);
    reportStart(state, vatId);
    const exit = findExit(start.applied, state.profile);
    if (exit !== undefined) {
      endVat(state, vatId, exit.isFailure, exit.info);
      return;
    }
    this.#applier.recorder.writeTranscript(start, result);
    if (bringsDevice(start.plan)) holdsDevice(this.#state, vatId);
  }
}

/**
 * Notes that a vat holds a device, so that it does not begin ahead any more.
 *
 * @param {KernelState} state
 * @param {string} vatId
 */
export const holdsDevice = ({ vats: { vats } }, vatId) => {
  const row = vats.get(vatId) ?? Fail`there is no vat ${vatId}`;
  if (row.holdsDevice) return;
  vats.touch(row);
  row.holdsDevice = true;
};

/**
 * @param {readonly Syscall[]} applied
 * @param {Pick<Profile, 'lastExitCounts'>} profile
 * @returns {{ isFailure: boolean, info: CapData } | undefined} the exit that counts, if the vat ends itself
 */
export const findExit = (applied, { lastExitCounts }) => {
  /** @type {ReturnType<typeof findExit>} */
  let found;
  for (let i = 0; i < applied.length; i += 1) {
    const syscall = applied[i];
    if (syscall[0] !== 'exit' || (found !== undefined && !lastExitCounts)) continue;
    found = { isFailure: syscall[1], info: syscall[2] };
  }
  return found;
};
