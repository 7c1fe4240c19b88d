// Read-only views of the kernel for the host: vats, devices, promises, streams, its own values.

import { laterDeliveries } from './crank/later-deliveries.js';
import {
  findTranscriptEnd,
  readTranscript,
  readTranscriptBytes,
} from './record/read-transcript.js';
import { readInputs } from './inputs/inputs.js';
import { inputStream } from './tables/state.js';

/** @import { CapData, When } from '#model' */
/** @import { TranscriptPlace } from './record/read-transcript.js' */
/** @import { Item } from './tables/queue-item.js' */
/** @import { KernelState } from './tables/state.js' */

/** Bounds on a look at a vat's later deliveries. */
const laterBounds = Object.freeze({ limit: 64, most: 32 });

/**
 * The state of a promise: `unresolved`, fulfilled to a `presence` or to `data`, `rejected`, or `unknown` (deleted, or never
 * there).
 *
 * @typedef {{ state: 'unresolved' | 'unknown', data: null }
 *   | { state: 'presence' | 'data' | 'rejected', data: CapData }} PromiseStatus
 */

/** @param {KernelState} state */
export const makeViews = state => ({
  /**
   * @param {string} kref  of a promise
   * @returns {PromiseStatus}
   */
  promiseStatus(kref) {
    const row = state.promises.find(kref);
    if (!row) return { state: 'unknown', data: null };
    if (row.state === 'unresolved' || row.data === null) return { state: 'unresolved', data: null };
    return { state: row.state, data: row.data };
  },

  activityHash: () => state.hash.report(),

  /**
   * The deliveries that a vat gets next, at the tag of its item under way, if it makes no syscall until then.
   *
   * @param {string} vatId
   * @param {When} from  the item under way, as `begin` of its transport got it
   */
  laterDeliveries: (vatId, from) =>
    laterDeliveries(state, vatId, /** @type {Item} */ (from), laterBounds),

  /** @param {string} name */
  findVat: name => state.vats.findVatByName(name),

  /** Vats in the order of their ids. */
  vats: () => state.vats.vatIds().map(vatId => ({ vatId, ...state.vats.require(vatId) })),

  /** @param {string} vatId */
  vat: vatId => ({ vatId, ...state.vats.require(vatId) }),

  /** @param {string} vatId  also of one that has ended and is forgotten */
  vatName: vatId => state.vats.vats.get(vatId)?.name,

  /** @param {string} name */
  findDevice: name => state.vats.findDeviceByName(name),

  /** @param {string} deviceId */
  deviceName: deviceId => state.vats.requireDevice(deviceId).name,

  /** Devices in the order of their ids. */
  devices: () =>
    state.vats
      .deviceIds()
      .map(deviceId => ({ deviceId, name: state.vats.requireDevice(deviceId).name })),

  /**
   * The cranks of a vat's present incarnation, for bringing it back to where it was.
   *
   * @param {string} vatId
   */
  transcript: (/** @type {string} */ vatId) => readTranscript(state, vatId),

  /**
   * Its cranks as bytes, whole entries.
   *
   * @param {string} vatId
   * @param {TranscriptPlace} [from]  default: the beginning
   * @param {number} [incarnation]  default: the present one, in the crank of an upgrade the new one. Whoever keeps a place
   *   of one incarnation gives its number
   */
  transcriptBytes: (vatId, from, incarnation) =>
    readTranscriptBytes(state, vatId, from, incarnation),

  /**
   * Let reactions begin ahead of earlier tags, or not: then soon nothing has begun ahead at the end of a block. At first
   * they may.
   *
   * @param {boolean} may
   */
  letBeginLater(may) {
    state.reactors.mayBeginLater = may;
  },

  /** The place behind its last crank. @param {string} vatId */
  transcriptEnd: vatId => findTranscriptEnd(state, vatId),

  /**
   * The stream that has them, but for a run of quiet cranks that may still grow.
   *
   * @param {string} vatId
   * @param {number} [incarnation]  as of `transcriptBytes`
   */
  transcriptStream: (vatId, incarnation) => state.transcriptStreamOf(vatId, incarnation),

  /** The inputs of the run so far. */
  inputs: () => readInputs(state.readStream(inputStream)),

  setHostValue: state.hostValues.set.bind(state.hostValues),

  getHostValue: state.hostValues.get.bind(state.hostValues),

  /**
   * Where the host writes, between cranks, what this block adds to a stream of its own.
   *
   * @param {`host.${string}`} name
   */
  hostStream: name => state.stream(name),

  /**
   * All that it has written there.
   *
   * @param {`host.${string}`} name
   */
  readHostStream: name => state.readStream(name),
});
