// The host's changes to vats and devices between cranks.

import { endVat } from '../lifecycle/termination.js';
import { recordHostInput } from '../inputs/inputs.js';
import { errorData } from './wire.js';

/** @import { CapData } from '#model' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { FlightApplier } from './apply.js' */
/** @import { DeviceCalls } from './devices.js' */

export class BetweenCranks {
  #state;

  #applier;

  #devices;

  /**
   * @param {KernelState} state
   * @param {FlightApplier} applier
   * @param {DeviceCalls} devices
   */
  constructor(state, applier, devices) {
    this.#state = state;
    this.#applier = applier;
    this.#devices = devices;
  }

  /**
   * Gives a device an input of the host, between cranks.
   *
   * @param {string} deviceId
   * @param {string} data
   * @throws {CriticalVatError} the device ended a critical vat
   */
  input(deviceId, data) {
    // The device's changes may be dropped.
    this.#state.catchUp();
    this.#devices.input(deviceId, data);
    this.#applier.keepBetweenCranks();
  }

  /**
   * Ends a vat that does not replay, between cranks. Other vats see the text, so it does not say what differed.
   *
   * @param {string} vatId
   * @throws {CriticalVatError} it was a critical one
   */
  endDiverging(vatId) {
    const text = 'the vat did something else when the run was resumed';
    const info = errorData(this.#state.profile.wire, text);
    this.#endBetween(vatId, 'diverged', '', { isFailure: true, info });
  }

  /**
   * Ends a vat for the host, between cranks.
   *
   * @param {string} vatId  running
   * @param {boolean} isFailure
   * @param {CapData} info  without slots
   * @throws {CriticalVatError} it was a critical one
   */
  endByHost(vatId, isFailure, info) {
    this.#endBetween(vatId, 'end', JSON.stringify([isFailure, info.body]), { isFailure, info });
  }

  /**
   * @param {string} vatId
   * @param {'diverged' | 'end'} kind  of the input
   * @param {string} data
   * @param {{ isFailure: boolean, info: CapData }} end
   */
  #endBetween(vatId, kind, data, { isFailure, info }) {
    const state = this.#state;
    state.catchUp();
    recordHostInput(state, kind, vatId, data);
    endVat(state, vatId, isFailure, info);
    this.#applier.keepBetweenCranks();
  }
}
