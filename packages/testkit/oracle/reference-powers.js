// The powers of a device, for the reference kernel: all its changes belong to the crank in which it is called.

import { endVat } from './reference-ends.js';
import { findTextProblem } from './reference-syscalls.js';
import { queueUpgrade } from './reference-upgrades.js';
import {
  addEntry,
  addVat,
  byText,
  dec,
  inc,
  isDevice,
  isRunning,
  listOf,
  makeItem,
  must,
  presentTag,
  queueItem,
  queueSend,
  vatOf,
} from './world.js';

/** @import { CapData } from '#model' */
/** @import { DevicePowers } from '#kernel' */
/** @import { OutsideDeed } from '../../kernel/crank/device-powers.js' */
/** @import { Ran } from './reference-run.js' */
/** @import { World } from './world.js' */

/**
 * The crank in which a device is called: no vat's crank when it is woken, and no crank when the host calls it. @typedef
 * {{ vatId: string, crank: Ran | undefined }} Caller
 */

/** @typedef {Omit<DevicePowers, 'callHook' | 'outside'>} ReferencePowers */

/** A device used a reference that it does not have. */
export class DeviceFault extends Error {}

/** @param {World} w @param {string} deviceId @param {string} vref */
export const newNode = (w, deviceId, vref) => {
  const kref = `kd${w.next.device}`;
  w.next.device += 1;
  w.owners.set(kref, deviceId);
  inc(w, 'kernelDevices');
  addEntry(w, must(w.devices.get(deviceId)).list, false, kref, vref);
  return kref;
};

/** @param {World} w @param {string} deviceId @param {string} vref */
const mapOut = (w, deviceId, vref) => {
  const { list, name } = must(w.devices.get(deviceId));
  const known = list.pairs.get(vref)?.kref;
  if (known !== undefined) return known;
  if (!/^d\+(?:0|[1-9]\d*)$/.test(vref))
    throw new DeviceFault(
      `device ${name} named ${JSON.stringify(vref)}, which is neither its own nor something that it was given`,
    );
  return newNode(w, deviceId, vref);
};

/** @param {World} w @param {string} deviceId @param {CapData} data  in the device's references @returns {CapData} */
export const mapData = (w, deviceId, { body, slots }) => ({
  body,
  slots: slots.map(vref => mapOut(w, deviceId, vref)),
});

/** @param {World} w @param {string} deviceId @param {number} timeNs */
const findWake = (w, deviceId, timeNs) =>
  w.queue.findIndex(
    item =>
      item.kind === 'wake' &&
      item.target === deviceId &&
      item.timeNs === Math.max(timeNs, w.timeNs),
  );

/**
 * Carry out a device's request during a call of the host.
 *
 * @param {World} w
 * @param {string} deviceId
 * @param {OutsideDeed} deed
 */
export const doOutside = (w, deviceId, deed) => {
  const powers = makePowers(w, deviceId, { vatId: '', crank: undefined });
  if (deed[0] === 'send') {
    powers.sendOnly(deed[1], deed[2]);
    return;
  }
  const problem =
    findTextProblem(deed[1], 'key') ??
    (deed[0] === 'set' ? findTextProblem(deed[2], 'value') : undefined);
  if (problem !== undefined) throw new DeviceFault(problem);
  if (deed[0] === 'set') powers.set(deed[1], deed[2]);
  else powers.delete(deed[1]);
};

/**
 * @param {World} w
 * @param {string} deviceId
 * @param {Caller} caller
 * @returns {ReferencePowers}
 */
export const makePowers = (w, deviceId, { vatId: ownId, crank }) => {
  const { store } = must(w.devices.get(deviceId));
  const mapped = (/** @type {CapData} */ data) => mapData(w, deviceId, data);
  return {
    get: key => store.get(key),
    set: (key, value) => void store.set(key, value),
    delete: key => void store.delete(key),
    nextKey: prior => [...store.keys()].sort(byText).find(key => byText(key, prior) > 0),
    now: () => w.timeNs,
    wakeAt: timeNs => {
      if (findWake(w, deviceId, timeNs) >= 0) return;
      const item = makeItem(w, {
        ...{ kind: 'wake', vatId: '', target: deviceId, message: null, class: 1 },
      });
      queueItem(w, timeNs > w.timeNs ? { ...item, timeNs, microstep: 0 } : item);
    },
    cancelWake: timeNs => {
      const found = findWake(w, deviceId, timeNs);
      if (found < 0) return;
      w.queue.splice(found, 1);
      dec(w, 'runQueueLength');
    },
    sendOnly: (targetVref, data) => {
      const target = mapOut(w, deviceId, targetVref);
      if (isDevice(target)) throw new DeviceFault('a message cannot go to a device');
      const methargs = mapped(data);
      queueSend(w, target, { methargs, result: null });
      inc(w, 'syscalls');
      inc(w, 'syscallSend');
      crank?.applied.push(['send', target, methargs, null]);
    },
    handOut: data => {
      w.outbox.push([w.next.handOut, deviceId, data]);
      w.next.handOut += 1;
    },
    createVat: ({ name, source, parameters, pipelining, options }) => {
      const vatId = addVat(w, {
        ...{ name, source, pipelining, isBuiltIn: false, isStatic: false },
        isCritical: options.critical === true,
        mayLetGo: options.enableSetup === true,
        parameters: mapped(parameters),
        interval: /** @type {number} */ (options.reapInterval),
      });
      must(crank).births.push(vatId);
      return vatId;
    },
    upgradeVat: (vatId, upgrade, parameters) => {
      if (!isRunning(w, vatId)) return false;
      if (w.profile === '2020-09')
        throw new DeviceFault('vats of the profile 2020-09 cannot be upgraded');
      const { name, isBuiltIn } = vatOf(w, vatId);
      if (isBuiltIn)
        throw new DeviceFault(`vat ${name} comes with the system and cannot be upgraded`);
      if (crank?.births.includes(vatId))
        throw new DeviceFault(`vat ${name} is made in this crank and cannot be upgraded in it`);
      queueUpgrade(w, vatId, upgrade, mapped(parameters));
      return true;
    },
    endVat: (vatId, isFailure, info) => {
      if (!isRunning(w, vatId)) return false;
      const isOwn = vatId === ownId;
      if (isOwn && crank?.ownEnd !== undefined) return false;
      const end = { isFailure, info: mapped(info) };
      if (isOwn) must(crank).ownEnd = end;
      else endVat(w, vatId, isFailure, end.info);
      return true;
    },
    vatFigures: vatId => {
      if (!isRunning(w, vatId)) return undefined;
      const { nextObject, nextPromise, nextDevice } = listOf(w, vatId);
      return { objects: nextObject - 50, promises: nextPromise - 60, devices: nextDevice - 70 };
    },
    changeOptions: (vatId, { reapInterval, enableSetup }) => {
      if (!isRunning(w, vatId)) return false;
      vatOf(w, vatId).interval = /** @type {number} */ (reapInterval);
      if (enableSetup === true) vatOf(w, vatId).mayLetGo = true;
      vatOf(w, vatId).reapChange = presentTag(w);
      return true;
    },
  };
};
