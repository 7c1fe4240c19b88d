// Devices: what they own, and how a vat calls them.

import { Fault, mapOut } from './reference-syscalls.js';
import {
  addEntry,
  errorData,
  inc,
  isDevice,
  isPromise,
  listOf,
  must,
  provideVref,
  queueSend,
  vrefOf,
} from './world.js';

/** @import { Answer, CapData, Syscall } from '#model' */
/** @import { World } from './world.js' */

/** A device answers with what it is given, and sends: `sendOnly(target, methargs)`. @typedef {(powers: { sendOnly: (target: string, methargs: CapData) => void }, node: string, method: string, args: CapData) => Exclude<Answer, { kind: 'value' }>} ReferenceDevice */

class DeviceFault extends Error {}

/** @param {World} w @param {string} deviceId @param {string} vref */
export const newNode = (w, deviceId, vref) => {
  const kref = `kd${w.next.device}`;
  w.next.device += 1;
  w.owners.set(kref, deviceId);
  inc(w, 'kernelDevices');
  addEntry(w, must(w.devices.get(deviceId)).list, false, kref, vref);
  return kref;
};

/**
 * @param {World} w
 * @param {ReferenceDevice | undefined} device
 * @param {string} vatId
 * @param {{ applied: Syscall[], fault: string | null }} crank
 * @param {() => string | null} applyEarlier
 * @param {Extract<Syscall, ['callNow', ...any]>} syscall
 * @returns {Answer}
 */
export const callDevice = (w, device, vatId, crank, applyEarlier, [, vref, method, args]) => {
  const kref = listOf(w, vatId).pairs.get(vref)?.kref;
  if (kref === undefined || !isDevice(kref))
    crank.fault ??= `${JSON.stringify(vref)} is not a device of the vat's c-list`;
  crank.fault ??= applyEarlier();
  const failed = () => ({
    kind: /** @type {const} */ ('throw'),
    data: errorData(w.profile, crank.fault ?? ''),
  });
  if (kref === undefined || crank.fault !== null) return failed();
  /** @type {string[]} */
  let slots;
  try {
    slots = args.slots.map(slot => mapOut(w, vatId, slot));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    crank.fault = error.message;
    return failed();
  }
  if (slots.some(isPromise)) {
    crank.fault = 'the arguments of a device call cannot hold promises';
    return failed();
  }
  inc(w, 'syscalls');
  inc(w, 'syscallCallNow');
  crank.applied.push(['callNow', kref, method, { body: args.body, slots }]);
  const { kind, data } = invoke(w, device, kref, method, { body: args.body, slots }, crank);
  const given = data.slots.map(slot => provideVref(w, listOf(w, vatId), true, slot));
  return { kind, data: { body: data.body, slots: given } };
};

/**
 * @param {World} w
 * @param {ReferenceDevice | undefined} device
 * @param {string} kref
 * @param {string} method
 * @param {CapData} args
 * @param {{ applied: Syscall[] }} crank
 */
const invoke = (w, device, kref, method, args, { applied }) => {
  const deviceId = must(w.owners.get(kref));
  const { list, name } = must(w.devices.get(deviceId));
  const out = (/** @type {string} */ vref) => {
    const known = list.pairs.get(vref)?.kref;
    if (known !== undefined) return known;
    if (!/^d\+(?:0|[1-9]\d*)$/.test(vref))
      throw new DeviceFault(
        `device ${name} named ${JSON.stringify(vref)}, which is neither its own nor something that it was given`,
      );
    return newNode(w, deviceId, vref);
  };
  const mapOutData = (/** @type {CapData} */ { body, slots }) => ({
    body,
    slots: slots.map(out),
  });
  const sendOnly = (/** @type {string} */ targetVref, /** @type {CapData} */ data) => {
    const target = out(targetVref);
    if (isDevice(target)) throw new DeviceFault('a message cannot go to a device');
    const methargs = mapOutData(data);
    queueSend(w, target, { methargs, result: null });
    inc(w, 'syscalls');
    inc(w, 'syscallSend');
    applied.push(['send', target, methargs, null]);
  };
  const slots = args.slots.map(slot => provideVref(w, list, false, slot));
  try {
    const node = must(vrefOf(list, kref));
    const answer = must(device)({ sendOnly }, node, method, { body: args.body, slots });
    // In `current` a vat learns no more than that.
    if (answer.kind === 'throw' && w.profile === 'current')
      throw new DeviceFault('device.invoke failed, see logs for details');
    return { kind: answer.kind, data: mapOutData(answer.data) };
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error;
    const why =
      w.profile === 'current' ? 'device.invoke failed, see logs for details' : error.message;
    return { kind: /** @type {const} */ ('throw'), data: errorData(w.profile, why) };
  }
};
