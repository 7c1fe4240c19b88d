// Devices: parts of the host that vats call and that answer at once. A device makes all its changes through its powers:
// to its store, messages that it sends, vats that it creates and ends, and values that it hands to the host when the
// block is committed. So they all belong to the crank, and are undone when the crank is dropped.

import { BaseError, Fail, freezeErrorClass, isDeviceKref, isVref, parseVref, quote } from '#model';
import { figure } from '../tables/figures.js';
import { byKernel } from '../tables/queue-item.js';
import { findTextProblem } from '../tables/vatstore.js';
import { countGiven } from '../tables/vref-numbers.js';
import { shortReason } from '../limits.js';
import { beginInput, recordHostInput } from '../inputs/inputs.js';
import { keepVatBeginning } from '../lifecycle/beginning.js';
import { endVat } from '../lifecycle/termination.js';
import { queueUpgrade } from '../lifecycle/upgrade.js';
import { errorData } from './wire.js';

/** @import { Answer, CapData } from '#model' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { DeviceHook, DevicePowers, NewVat, OnDeviceFault, OutsideDeed, VatFigures } from './device-powers.js' */
/** @import { Device, Flight } from './flight.js' */
/** @import { Gate } from './gate.js' */

/** A device named a reference that it does not have. The message goes to the vat that called it. */
class DeviceFault extends BaseError {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'DeviceFault';
  }
}
freezeErrorClass(DeviceFault);

/** The text that vats get for any error of a device; only the host sees the real one. */
const deviceFailed = 'device.invoke failed, see logs for details';

// eslint-disable-next-line house/max-class-lines -- a call, what the device asks meanwhile and what is undone share the crank that calls
export class DeviceCalls {
  #state;

  #devices;

  /** @type {string | undefined} the device under call */
  #called;

  /** @type {Flight | undefined} the crank in which it is called */
  #flight;

  #at;

  #gate;

  #onFault;

  #onOptions;

  /** Functions of the host program that devices call, by device and name. @type {Map<string, Map<string, DeviceHook>>} */
  #hooks = new Map();

  /**
   * Actions outside of calls, requested during a crank or an input. @type {{ deviceId: string, deed: OutsideDeed }[]}
   */
  #later = [];

  /**
   * @param {KernelState} state
   * @param {ReadonlyMap<string, Device>} devices  by device id
   * @param {Gate} gate  closed during a crank or an input
   * @param {object} tell
   * @param {OnDeviceFault} tell.onFault
   * @param {() => void} tell.onOptions  called when options of vats were changed or restored
   */
  constructor(state, devices, gate, { onFault, onOptions }) {
    this.#onOptions = onOptions;
    this.#state = state;
    this.#onFault = onFault;
    this.#devices = devices;
    this.#gate = gate;
    const find = (/** @type {string} */ name) => state.counters.find(name);
    this.#at = { nodes: find('kernelDevices'), all: find('syscalls'), send: find('syscallSend') };
  }

  /**
   * Calls a device for a vat.
   *
   * @param {Flight} flight
   * @param {string} kref  of a node of the device
   * @param {string} method
   * @param {CapData} args  in krefs
   * @returns {Exclude<Answer, { kind: 'value' }>} in krefs
   */
  call(flight, kref, method, args) {
    const state = this.#state;
    const deviceId = state.owners.get(kref) ?? Fail`device ${kref} has no owner`;
    const list = state.vats.clist(deviceId);
    const node = list.requireVref(kref);
    const mapped = { body: args.body, slots: args.slots.map(slot => list.provideVref(slot)) };
    try {
      const answer = this.#within(deviceId, flight, device => device.invoke(node, method, mapped));
      if (answer.kind === 'value') throw Fail`a device answers with capdata`;
      if (answer.kind === 'refuse') {
        this.#onFault(deviceId, answer.message, true);
        return this.#failure(answer.message);
      }
      if (answer.kind === 'throw') {
        this.#onFault(deviceId, shortReason(answer.data.body), true);
        if (state.profile.hidesDeviceErrors) return this.#failure(deviceFailed);
      }
      return { kind: answer.kind, data: this.#mapData(deviceId, answer.data) };
    } catch (error) {
      if (!(error instanceof DeviceFault)) throw error;
      this.#onFault(deviceId, error.message, false);
      return this.#failure(state.profile.hidesDeviceErrors ? deviceFailed : error.message);
    }
  }

  /**
   * @param {string} message
   * @returns {Extract<Answer, { kind: 'throw' }>}
   */
  #failure(message) {
    return { kind: 'throw', data: errorData(this.#state.profile.wire, message) };
  }

  /**
   * Wakes a device at a time that it waited for. If it throws, that is a bug of the host and stops the kernel.
   *
   * @param {Flight} flight
   * @param {string} deviceId
   */
  wake(flight, deviceId) {
    this.#within(deviceId, flight, device => device.wake());
  }

  /**
   * Gives a device an input of the host, between cranks. If the device throws, nothing is changed.
   *
   * @param {string} deviceId
   * @param {string} data
   */
  input(deviceId, data) {
    beginInput(this.#state);
    this.#within(deviceId, undefined, device => {
      try {
        device.input(data);
      } catch (error) {
        this.#state.drop();
        device.reset();
        this.#onOptions();
        throw error;
      }
    });
    recordHostInput(this.#state, 'physical', deviceId, data);
  }

  /**
   * Resets the devices that a dropped crank called: they forget everything that is not in their stores.
   *
   * @param {Flight} flight
   */
  reset(flight) {
    for (const deviceId of flight.devices) this.#devices.get(deviceId)?.reset();
    if (flight.devices.length > 0) this.#onOptions();
  }

  /**
   * @template T
   * @param {string} deviceId
   * @param {Flight | undefined} flight
   * @param {(device: Device) => T} use
   * @returns {T}
   */
  #within(deviceId, flight, use) {
    const device = this.#devices.get(deviceId) ?? Fail`device ${deviceId} is not attached`;
    flight?.addDevice(deviceId);
    this.#called = deviceId;
    this.#flight = flight;
    try {
      return use(device);
    } finally {
      this.#called = undefined;
      this.#flight = undefined;
    }
  }

  /**
   * @param {string} deviceId
   * @returns {DevicePowers}
   */
  powersOf(deviceId) {
    const { vatstore, queue, figures } = this.#state;
    const { numbers } = figures;
    const insistCalled = () => {
      if (this.#called !== deviceId)
        throw Error(`device ${deviceId} can send, wake, make and end only while it is called`);
    };
    const insistTime = (/** @type {number} */ timeNs) => {
      if (!Number.isSafeInteger(timeNs) || timeNs < 0)
        throw RangeError(`${quote(timeNs)} is no time; a time is a whole number of ns from 0`);
    };
    return Object.freeze({
      get: key => vatstore.get(deviceId, key),
      set: (key, value) => vatstore.set(deviceId, key, value),
      delete: key => vatstore.delete(deviceId, key),
      nextKey: prior => vatstore.nextKey(deviceId, prior),
      now: () => numbers[figure.nowTimeNs],
      wakeAt: timeNs => {
        insistCalled();
        insistTime(timeNs);
        queue.addWake(deviceId, timeNs);
      },
      cancelWake: timeNs => {
        insistCalled();
        insistTime(timeNs);
        queue.cancelWake(deviceId, timeNs);
      },
      sendOnly: (target, methargs) => {
        insistCalled();
        this.#send(deviceId, target, methargs);
      },
      handOut: data => {
        insistCalled();
        this.#state.outbox.add(deviceId, data);
      },
      createVat: vat => {
        insistCalled();
        return this.#createVat(deviceId, vat);
      },
      upgradeVat: (vatId, upgrade, parameters) => {
        insistCalled();
        const { vats, figures } = this.#state;
        // SwingSet counts those, too, that are refused.
        figures.allocate(figure.nextUpgrade);
        if (!vats.isRunning(vatId)) return false;
        if (!this.#state.profile.startsVatsInCranks)
          throw new DeviceFault('vats of the profile 2020-09 cannot be upgraded');
        const { name, isBuiltIn } = vats.require(vatId);
        if (isBuiltIn)
          throw new DeviceFault(`vat ${name} comes with the system and cannot be upgraded`);
        if (this.#flight?.births.includes(vatId))
          throw new DeviceFault(`vat ${name} is made in this crank and cannot be upgraded in it`);
        queueUpgrade(this.#state, vatId, upgrade, this.#mapData(deviceId, parameters));
        return true;
      },
      endVat: (vatId, isFailure, info) => {
        insistCalled();
        return this.#endVat(deviceId, vatId, isFailure, info);
      },
      vatFigures: vatId => this.#vatFigures(vatId),
      changeOptions: (vatId, options) => {
        insistCalled();
        return this.#changeOptions(vatId, options);
      },
      callHook: (name, args) => {
        insistCalled();
        return this.#callHook(deviceId, name, args);
      },
      outside: deed => {
        if (this.#gate.isBusy) this.#later.push({ deviceId, deed });
        else this.doOutside(deviceId, deed);
      },
    });
  }

  /**
   * Does, between cranks and as an input of the run, an action that a device asks for in a function called by the host.
   *
   * @param {string} deviceId
   * @param {OutsideDeed} deed
   * @throws {DeviceFault} the device names a reference that it does not have; nothing is changed
   */
  doOutside(deviceId, deed) {
    const state = this.#state;
    state.catchUp();
    beginInput(state);
    try {
      this.#do(deviceId, deed);
    } catch (error) {
      state.drop();
      throw error;
    }
    recordHostInput(state, 'device', deviceId, JSON.stringify(deed));
    state.keepBetweenCranks();
  }

  /**
   * @param {string} deviceId
   * @param {OutsideDeed} deed
   */
  #do(deviceId, deed) {
    const { vatstore } = this.#state;
    if (deed[0] === 'send') {
      this.#send(deviceId, deed[1], deed[2]);
    } else if (deed[0] === 'set' || deed[0] === 'delete') {
      const problem =
        findTextProblem(deed[1], 'key') ??
        (deed[0] === 'set' ? findTextProblem(deed[2], 'value') : undefined);
      if (problem !== undefined) throw new DeviceFault(problem);
      if (deed[0] === 'set') vatstore.set(deviceId, deed[1], deed[2]);
      else vatstore.delete(deviceId, deed[1]);
    } else throw Fail`${quote(deed[0])} is nothing that device ${deviceId} can do outside`;
  }

  /**
   * Does, between cranks and in order, the actions that were requested while a crank ran. If the device made an error,
   * it is reported and the action is not done, since there is no caller to throw to.
   */
  doLater() {
    // Removed before it is done, so that a failing action is not repeated.
    for (let next = this.#later.shift(); next !== undefined; next = this.#later.shift()) {
      const { deviceId, deed } = next;
      try {
        this.doOutside(deviceId, deed);
      } catch (error) {
        if (!(error instanceof DeviceFault)) throw error;
        this.#onFault(deviceId, error.message, false);
      }
    }
  }

  get hasLater() {
    return this.#later.length > 0;
  }

  /**
   * @param {string} deviceId
   * @param {string} targetVref
   * @param {CapData} methargs
   */
  #send(deviceId, targetVref, methargs) {
    const { queue, counters } = this.#state;
    const target = this.#mapOut(deviceId, targetVref);
    if (isDeviceKref(target)) throw new DeviceFault(`a message cannot go to a device`);
    const mapped = this.#mapData(deviceId, methargs);
    // In a crank, the cause's place counts the device's sends among the crank's own syscalls.
    if (this.#flight !== undefined) queue.causePlace = this.#flight.applied.length;
    queue.addSend(target, { methargs: mapped, result: null });
    if (this.#flight !== undefined) queue.causePlace = byKernel;
    counters.inc(this.#at.all);
    counters.inc(this.#at.send);
    this.#flight?.addDeviceSend(['send', target, mapped, null]);
  }

  /**
   * Gives a device a function of the host program. It replaces one of the same name.
   *
   * @param {string} deviceId
   * @param {string} name
   * @param {DeviceHook} hook
   */
  addHook(deviceId, name, hook) {
    const hooks = this.#hooks.get(deviceId) ?? new Map();
    this.#hooks.set(deviceId, hooks.set(name, hook));
  }

  /**
   * @param {string} deviceId
   * @param {string} name
   * @param {CapData} args  in the device's references
   * @returns {CapData} in the device's references
   */
  #callHook(deviceId, name, args) {
    const hook = this.#hooks.get(deviceId)?.get(name);
    if (hook === undefined)
      throw new DeviceFault(`device ${deviceId} has no hook named ${quote(name)}`);
    const { vats, owners } = this.#state;
    const { body, slots } = /** @type {any} */ (hook(this.#mapData(deviceId, args))) ?? {};
    const isKnown = (/** @type {unknown} */ kref) => typeof kref === 'string' && owners.has(kref);
    if (typeof body !== 'string' || !Array.isArray(slots) || !slots.every(isKnown))
      throw new DeviceFault(
        `hook ${quote(name)} of device ${deviceId} must return capdata whose slots are objects and devices of the kernel`,
      );
    const list = vats.clist(deviceId);
    return { body, slots: slots.map(kref => list.provideVref(kref)) };
  }

  /**
   * @param {string} deviceId
   * @param {NewVat} vat
   */
  #createVat(deviceId, { name, source, parameters, pipelining, options }) {
    const flight = this.#flight;
    if (flight === undefined)
      throw Error(`device ${deviceId} can make vats only in a crank, not when the host calls it`);
    const { body, slots } = this.#mapData(deviceId, parameters);
    const vatId = this.#state.vats.addVat({
      name,
      isStatic: false,
      isBuiltIn: false,
      pipelining,
      source,
      parameters: body,
      parameterSlots: slots,
      options,
    });
    flight.addBirth(vatId);
    return vatId;
  }

  /**
   * @param {string} deviceId
   * @param {string} vatId
   * @param {boolean} isFailure
   * @param {CapData} info  in the device's references
   * @returns {boolean}
   */
  #endVat(deviceId, vatId, isFailure, info) {
    const flight = this.#flight;
    const isOwn = flight?.vatId === vatId;
    if (!this.#state.vats.isRunning(vatId) || (isOwn && flight.ownEnd !== undefined)) return false;
    const mapped = this.#mapData(deviceId, info);
    // The calling vat is in the middle of its crank: it ends after its last syscall, as by its own exit.
    if (isOwn) flight.ownEnd = { isFailure, info: mapped };
    else endVat(this.#state, vatId, isFailure, mapped);
    return true;
  }

  /**
   * @param {string} vatId
   * @param {Record<string, unknown>} options
   */
  #changeOptions(vatId, options) {
    const { vats } = this.#state;
    if (!vats.isRunning(vatId)) return false;
    keepVatBeginning(this.#state, vatId);
    const row = vats.require(vatId);
    vats.vats.touch(row);
    row.options = { ...row.options, ...options };
    row.reapChange = this.#state.now;
    this.#onOptions();
    return true;
  }

  /**
   * @param {string} vatId
   * @returns {VatFigures | undefined}
   */
  #vatFigures(vatId) {
    const { vats } = this.#state;
    if (!vats.isRunning(vatId)) return undefined;
    return countGiven(vats.clist(vatId).requireNumbering());
  }

  /**
   * The kref of a reference that a device names: one that it was given, or a node of its own, which may be new.
   *
   * @param {string} deviceId
   * @param {string} vref
   */
  #mapOut(deviceId, vref) {
    const { vats, owners, figures, counters } = this.#state;
    const list = vats.clist(deviceId);
    const known = list.findKref(vref);
    if (known !== undefined) return known;
    const isOwn =
      isVref(vref) && parseVref(vref).type === 'device' && parseVref(vref).allocatedByVat;
    if (!isOwn) {
      const { name } = vats.requireDevice(deviceId);
      throw new DeviceFault(
        `device ${name} named ${quote(vref)}, which is neither its own nor something that it was given`,
      );
    }
    const kref = `kd${figures.allocate(figure.nextDevice)}`;
    owners.set(kref, deviceId);
    counters.inc(this.#at.nodes);
    list.add(kref, vref);
    return kref;
  }

  /**
   * @param {string} deviceId
   * @param {CapData} data
   * @returns {CapData}
   */
  #mapData(deviceId, { body, slots }) {
    return { body, slots: slots.map(vref => this.#mapOut(deviceId, vref)) };
  }
}
