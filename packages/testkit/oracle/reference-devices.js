// Calls devices for vats, in the reference kernel.

import { Fault, mapOut, quote } from './reference-syscalls.js';
import { DeviceFault, makePowers, mapData } from './reference-powers.js';
import { errorData } from './reference-bodies.js';
import { inc, isDevice, isPromise, listOf, must, provideVref, vrefOf } from './world.js';

/** @import { Answer, CapData, Syscall } from '#model' */
/** @import { RudeDevice } from '../rude-device.js' */
/** @import { Caller, ReferencePowers } from './reference-powers.js' */
/** @import { Ran } from './reference-run.js' */
/** @import { World } from './world.js' */

/**
 * A device has no state except its store, so it is built anew for each call.
 *
 * @typedef {(powers: ReferencePowers) => RudeDevice} ReferenceDevice
 */

/**
 * @param {World} w
 * @param {ReferenceDevice | undefined} device
 * @param {string} vatId
 * @param {Ran} crank
 * @param {() => string | null} applyEarlier
 * @param {Extract<Syscall, ['callNow', ...any]>} syscall
 * @returns {Answer}
 */
export const callDevice = (w, device, vatId, crank, applyEarlier, [, vref, method, args]) => {
  const kref = listOf(w, vatId).pairs.get(vref)?.kref;
  if (kref === undefined || !isDevice(kref))
    crank.fault ??= `${quote(vref)} is not a device of the vat's c-list`;
  // A vat that runs by itself is ahead of the kernel, whose tables a call would change.
  if (crank.isGranted) crank.fault ??= 'its reactors call a device in cranks of their own';
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
  const { kind, data } = invoke(
    w,
    must(device),
    kref,
    method,
    { body: args.body, slots },
    { vatId, crank },
  );
  const given = data.slots.map(slot => provideVref(w, listOf(w, vatId), true, slot));
  return { kind, data: { body: data.body, slots: given } };
};

/**
 * @param {World} w
 * @param {ReferenceDevice} device
 * @param {string} kref
 * @param {string} method
 * @param {CapData} args
 * @param {Caller} caller
 */
const invoke = (w, device, kref, method, args, caller) => {
  const deviceId = must(w.owners.get(kref));
  const { list } = must(w.devices.get(deviceId));
  const slots = args.slots.map(slot => provideVref(w, list, false, slot));
  try {
    const node = must(vrefOf(list, kref));
    const powers = makePowers(w, deviceId, caller);
    const answer = device(powers).invoke(node, method, { body: args.body, slots });
    // In `current`, a vat gets no other text.
    if (answer.kind === 'throw' && w.profile === 'current')
      throw new DeviceFault('device.invoke failed, see logs for details');
    return { kind: answer.kind, data: mapData(w, deviceId, answer.data) };
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error;
    const why =
      w.profile === 'current' ? 'device.invoke failed, see logs for details' : error.message;
    return { kind: /** @type {const} */ ('throw'), data: errorData(w.profile, why) };
  }
};
