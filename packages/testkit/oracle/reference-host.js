// The host of the reference kernel, between cranks: it sends messages, holds and releases references, ends vats, asks
// for dead references, and sets budgets for clean-up. Each action is an input of the run.

import { endVat, insistCriticalRun, sendFromOutside, sendWith } from './reference-ends.js';
import { doOutside, makePowers } from './reference-powers.js';
import {
  addValue,
  firstItem,
  physicalNs,
  reactorsOf,
  stopProgram,
  widthOf,
} from './reference-reactors.js';
import { routeSent } from './reference-routing.js';
import { errorData } from './reference-bodies.js';
import {
  byNumber,
  countAgain,
  isNeverAsked,
  listOf,
  must,
  presentTag,
  queueControl,
  vatOf,
} from './world.js';

/** @import { CapData } from '#model' */
/** @import { OutsideDeed } from '../../kernel/crank/device-powers.js' */
/** @import { ReferenceDevice } from './reference-devices.js' */
/** @import { Budget, World } from './world.js' */

/** @typedef {{ seq: number, tag: object, kind: string, vat: string, data: string, crank?: number }} Input */

/**
 * @typedef {object} HostPowers
 * @property {() => World} world  another world after a dropped crank
 * @property {(before: World) => void} restore
 * @property {(kind: string, vat: string, data: string) => Input} input
 * @property {ReferenceDevice} device
 */

/** @param {World} w @param {'interval' | 'mostGcKrefs'} which @param {number | 'never' | undefined} threshold */
const setThreshold = (w, which, threshold) => {
  w.thresholds[which] = threshold === 'never' ? Infinity : threshold;
  for (const vat of w.vats.values()) if (vat.state === 'running') vat.reapChange = presentTag(w);
};

export class ReferenceHost {
  #powers;

  /** @param {HostPowers} powers */
  constructor(powers) {
    this.#powers = powers;
  }

  /**
   * Record an input. It is after a crank if items of its tag are still queued.
   *
   * @param {string} kind
   * @param {string} vat
   * @param {string} data
   */
  #input(kind, vat, data) {
    this.#inputBehind(this.#place(), kind, vat, data);
  }

  /** The crank after which the host acts, if that is within a tag. */
  #place() {
    const { timeNs, microstep, cranks } = this.#powers.world();
    const next = firstItem(this.#powers.world());
    return next?.timeNs === timeNs && next.microstep === microstep ? cranks : undefined;
  }

  /** @param {number | undefined} crank @param {string} kind @param {string} vat @param {string} data */
  #inputBehind(crank, kind, vat, data) {
    const input = this.#powers.input(kind, vat, data);
    if (crank !== undefined) input.crank = crank;
  }

  /** @param {string} kref */
  addHeld(kref) {
    const w = this.#powers.world();
    countAgain(w, kref);
    w.held.set(kref, (w.held.get(kref) ?? 0) + 1);
  }

  /** @param {string} vatId @param {CapData} methargs @returns {string} */
  queueToVatRoot(vatId, methargs) {
    const root = must(listOf(this.#powers.world(), vatId).pairs.get('o+0'));
    return this.#send(vatId, root.kref, methargs);
  }

  /** @param {string} target @param {CapData} methargs @returns {string} */
  queueToTarget(target, methargs) {
    return this.#send(target, target, methargs);
  }

  /** @param {string} target @param {CapData} methargs */
  sendOnly(target, methargs) {
    const w = this.#powers.world();
    this.#input('message', target, JSON.stringify([methargs.body, methargs.slots, 'sendOnly']));
    sendWith(w, target, { methargs, result: null });
    routeSent(w);
  }

  /** @param {string} recipient  as in the input @param {string} target @param {CapData} methargs */
  #send(recipient, target, methargs) {
    const w = this.#powers.world();
    this.#input('message', recipient, JSON.stringify([methargs.body, methargs.slots]));
    const result = sendFromOutside(w, target, methargs);
    this.addHeld(result);
    routeSent(w);
    return result;
  }

  /** @param {string} kref */
  hold(kref) {
    this.addHeld(kref);
    this.#input('hold', '', kref);
  }

  /** @param {string} kref */
  release(kref) {
    const { held } = this.#powers.world();
    const count = must(held.get(kref));
    if (count === 1) held.delete(kref);
    else held.set(kref, count - 1);
    this.#input('release', '', kref);
  }

  /** @param {string} vatId @param {boolean} isFailure @param {CapData} info */
  endVat(vatId, isFailure, info) {
    this.#end('end', vatId, JSON.stringify([isFailure, info.body]), { isFailure, info });
  }

  /** End a vat that does not repeat its transcript. @param {string} vatId */
  endDiverging(vatId) {
    const why = 'the vat did something else when the run was resumed';
    const info = errorData(this.#powers.world().profile, why);
    this.#end('diverged', vatId, '', { isFailure: true, info });
  }

  /** @param {string} kind @param {string} vatId @param {string} data @param {{ isFailure: boolean, info: CapData }} end */
  #end(kind, vatId, data, { isFailure, info }) {
    const w = this.#powers.world();
    this.#input(kind, vatId, data);
    endVat(w, vatId, isFailure, info);
    insistCriticalRun(w);
    routeSent(w);
  }

  /** @param {string} vatId @returns {boolean} whether it is asked for its dead references */
  reap(vatId) {
    const w = this.#powers.world();
    const vat = vatOf(w, vatId);
    const isToStart =
      !vat.isStatic && w.queue.some(item => item.kind === 'start' && item.vatId === vatId);
    if (w.profile !== 'current' || vat.isAsked || isToStart || isNeverAsked(vat)) return false;
    this.#input('reap', vatId, '');
    vat.isAsked = true;
    queueControl(w, 'bringOutYourDead', vatId);
    return true;
  }

  /** @param {number | 'never' | undefined} interval */
  setReapInterval(interval) {
    this.#input('interval', '', `${interval ?? ''}`);
    setThreshold(this.#powers.world(), 'interval', interval);
  }

  /** @param {number | 'never' | undefined} krefs */
  setReapGCKrefs(krefs) {
    this.#input('krefs', '', `${krefs ?? ''}`);
    setThreshold(this.#powers.world(), 'mostGcKrefs', krefs);
  }

  /**
   * Schedule a physical action of a vat.
   *
   * @param {string} vatId
   * @param {string} action
   * @param {CapData} data
   */
  physicalInput(vatId, action, data) {
    const w = this.#powers.world();
    const { shape } = reactorsOf(w, vatId);
    const atNs = physicalNs(vatId, w.timeNs, w.microstep);
    this.#input('physical', vatId, JSON.stringify([action, atNs, data.body, data.slots]));
    const isAhead = atNs > w.timeNs;
    addValue(w, vatId, {
      timeNs: isAhead ? atNs : w.timeNs,
      microstep: isAhead ? 0 : w.microstep + 1,
      stage: 0,
      channel: widthOf(shape.inputs) + shape.actions.indexOf(action),
      data,
    });
  }

  /** End all programs that run. */
  stopPrograms() {
    const w = this.#powers.world();
    const place = this.#place();
    const all = [...w.reactors.values()];
    if (all.every(({ isStopping }) => isStopping)) return;
    for (const { program } of all) stopProgram(w, program);
    this.#inputBehind(place, 'stop', '', '');
  }

  /** Set whether ended vats are cleaned up, or the budget of one step. @param {boolean | Budget} allowed */
  setCleanupBudget(allowed) {
    const w = this.#powers.world();
    if (JSON.stringify(w.cleansUp) === JSON.stringify(allowed)) return;
    this.#input('cleanup', '', JSON.stringify(allowed));
    w.cleansUp = allowed;
    const queued = w.queue.filter(({ kind }) => kind === 'cleanUp').map(({ vatId }) => vatId);
    if (allowed === false) w.queue = w.queue.filter(({ kind }) => kind !== 'cleanUp');
    for (const vatId of [...w.vats.keys()].sort(byNumber))
      if (allowed !== false && vatOf(w, vatId).isEnding && !queued.includes(vatId))
        queueControl(w, 'cleanUp', vatId);
  }

  /**
   * Give a device input. If the device throws, nothing has changed.
   *
   * @param {string} deviceId
   * @param {string} data
   */
  deviceInput(deviceId, data) {
    const place = this.#place();
    this.#try(w => {
      const powers = makePowers(w, deviceId, { vatId: '', crank: undefined });
      this.#powers.device(powers).input(data);
      this.#inputBehind(place, 'physical', deviceId, data);
    });
  }

  /** @param {string} deviceId */
  devicePowers(deviceId) {
    return {
      /** Call a function of the device. @param {OutsideDeed} deed */
      outside: deed =>
        this.#try(w => {
          const place = this.#place();
          doOutside(w, deviceId, deed);
          this.#inputBehind(place, 'device', deviceId, JSON.stringify(deed));
        }),
    };
  }

  /** @param {(w: World) => void} act */
  #try(act) {
    const w = this.#powers.world();
    const before = structuredClone(w);
    try {
      act(w);
    } catch (error) {
      this.#powers.restore(before);
      throw error;
    }
    insistCriticalRun(w);
    routeSent(w);
  }
}
