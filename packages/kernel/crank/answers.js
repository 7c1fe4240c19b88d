// Answers syscalls of a vat inside its crank: reads of its own store, and device calls. A device call is the one
// syscall that is applied while the crank runs, together with everything before it.

import { Fail, isDeviceKref } from '#model';
import { findTextProblem } from '../tables/vatstore.js';
import { quoteShort } from '../limits.js';
import { mayRunOn } from '../reactors/reactions.js';
import { vatTerminated } from './settlement.js';
import { errorData } from './wire.js';

/** @import { Answer, Syscall } from '#model' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { SyscallChecker } from './check-syscalls.js' */
/** @import { EffectWriter } from './write.js' */
/** @import { FlightApplier } from './apply.js' */
/** @import { DeviceCalls } from './devices.js' */
/** @import { Flight } from './flight.js' */

export class Answers {
  #state;

  #checker;

  #writer;

  #applier;

  #devices;

  #findDead;

  /**
   * @param {KernelState} state
   * @param {object} syscalls
   * @param {SyscallChecker} syscalls.checker
   * @param {EffectWriter} syscalls.writer
   * @param {FlightApplier} applier
   * @param {DeviceCalls} devices
   * @param {(vatId: string) => string | undefined} findDead  a vat's dead references according to a recorded run
   */
  constructor(state, { checker, writer }, applier, devices, findDead) {
    this.#state = state;
    this.#checker = checker;
    this.#writer = writer;
    this.#applier = applier;
    this.#devices = devices;
    this.#findDead = findDead;
  }

  /**
   * Answer a syscall inside the crank.
   *
   * @param {Flight} flight
   * @param {Parameters<import('./flight.js').Answerer>[0]} syscall
   * @param {readonly Syscall[]} earlier
   * @param {boolean} isHead  whether the item's turn has come
   * @returns {Answer}
   */
  answer(flight, syscall, earlier, isHead) {
    const { vatstore } = this.#state;
    switch (syscall[0]) {
      case 'clock':
      case 'deadline':
        return { kind: 'value', value: this.#askClock(flight, syscall) };
      case 'vatstoreGet':
      case 'vatstoreGetNextKey': {
        const isPrior = syscall[0] === 'vatstoreGetNextKey';
        const problem = findTextProblem(syscall[1], isPrior ? 'prior key' : 'key');
        if (problem !== undefined) {
          flight.fault ??= problem;
          return { kind: 'value', value: undefined };
        }
        const read = isPrior ? vatstore.nextKey : vatstore.get;
        return { kind: 'value', value: read.call(vatstore, flight.vatId, syscall[1]) };
      }
      case 'bringOutYourDead':
        return { kind: 'value', value: this.#findDead(flight.vatId) };
      case 'callNow':
        return this.#callDevice(flight, syscall, earlier, isHead);
      default:
        throw Fail`${syscall[0]} has no answer`;
    }
  }

  /**
   * @param {Flight} flight
   * @param {['clock' | 'deadline', timeNs: number, number: number]} question
   * @returns {string}
   * @throws {unknown} the host's clock fails. The vat may catch the error, and a replay would not repeat it, so the run stops
   */
  #askClock(flight, question) {
    const state = this.#state;
    const { physicalTime } = state;
    const { vatId } = flight;
    const reads = flight.provideClockReads();
    try {
      return question[0] === 'clock'
        ? String(physicalTime.read(vatId, question[1], question[2], reads))
        : physicalTime.isLate(vatId, question[1], question[2], reads)
          ? '1'
          : '0';
    } catch (error) {
      state.brokenBy ??= 'an error of the clock';
      throw error;
    }
  }

  /**
   * Calls a device, after applying every syscall before the call.
   *
   * @param {Flight} flight  at the head of the queue, or begun ahead, which is a fault since its vat has no devices
   * @param {Extract<Syscall, ['callNow', ...any]>} syscall
   * @param {readonly Syscall[]} earlier
   * @param {boolean} isHead
   * @returns {Answer}
   */
  #callDevice(flight, syscall, earlier, isHead) {
    const state = this.#state;
    const { vats } = state;
    // A vat that was begun ahead and has ended meanwhile: its syscalls are ignored.
    if (!vats.isRunning(flight.vatId))
      return { kind: 'throw', data: errorData(state.profile.wire, vatTerminated) };
    const parts = vats.parts(flight.vatId);
    // Reactors that may run by themselves may have run cranks that the tables do not have yet.
    const isGranted = mayRunOn(state, flight);
    if (isHead && !isGranted) this.#applier.prepare(flight);
    const kref = parts.clist.findKref(syscall[1]);
    // The fault is the same whether or not the vat was begun ahead: nothing before the call is applied.
    if (kref === undefined || !isDeviceKref(kref))
      flight.fault ??= `${quoteShort(syscall[1])} is not a device of the vat's c-list`;
    if (isGranted) flight.fault ??= 'its reactors call a device in cranks of their own';
    flight.fault ??= this.#applier.applySyscalls(flight, earlier);
    if (kref !== undefined) flight.fault ??= this.#checker.checkCall(parts, syscall, kref);
    if (flight.fault !== null)
      return { kind: 'throw', data: errorData(state.profile.wire, flight.fault) };
    const [, , method, args] = this.#writer.writeCall(parts, this.#checker, flight);
    const answer = this.#devices.call(flight, kref ?? '', method, args);
    const slots = answer.data.slots.map(slot => parts.clist.provideVref(slot));
    return { kind: answer.kind, data: { body: answer.data.body, slots } };
  }
}
