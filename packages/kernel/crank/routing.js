// Where an item goes. Pure: it reads the tables and changes nothing, so an item can be looked at ahead of its
// turn. The result says what to deliver to which vat, or what the kernel does itself.

import { Fail, findSoleSlot, isObjectKref, keepShape } from '#model';
import { judgeAgain } from '../collection/collection.js';
import { valuesAt } from '../reactors/reactors.js';
import { methodNameOf } from './wire.js';

/** @import { CapData, Delivery, PortValue, Resolution } from '#model' */
/** @import { PortEvent } from '../tables/event-list.js' */
/** @import { Verdict } from '../collection/collection.js' */
/** @import { VrefPlanner } from '../tables/vref-planner.js' */
/** @import { Message } from '../tables/promises.js' */
/** @import { Item } from '../tables/queue.js' */
/** @import { KernelState } from '../tables/state.js' */

/**
 * @typedef {{ step: 'deliver', vatId: string, target: string, message: Message }
 *   | { step: 'notify', vatId: string, batch: string[] }
 *   | { step: 'start', vatId: string }
 *   | { step: 'upgrade', vatId: string }
 *   | { step: 'wake', deviceId: string }
 *   | { step: 'cleanUp', vatId: string }
 *   | { step: 'bringOutYourDead', vatId: string }
 *   | { step: 'collect' }
 *   | { step: 'tell', vatId: string, verdict: Verdict, krefs: string[] }
 *   | { step: 'react', vatId: string, values: readonly PortEvent[], isLast: boolean, stages: readonly number[] }
 *   | { step: 'park', promise: string, message: Message }
 *   | { step: 'reject', message: Message, why: string, data: CapData | null }
 *   | { step: 'nothing', why: string, ref: string, countedDead: boolean }} Route
 *   `reject` has the error's text in `why`, or the data that the result is rejected with
 */

/** A route that reaches a vat. @typedef {Extract<Route, { vatId: string, step: 'deliver' | 'notify' | 'start' | 'upgrade' | 'bringOutYourDead' | 'tell' | 'react' }>} DeliveryRoute */

/**
 * @param {Route} found
 * @returns {found is DeliveryRoute}
 */
export const isDelivery = found =>
  found.step === 'deliver' ||
  found.step === 'notify' ||
  found.step === 'start' ||
  found.step === 'upgrade' ||
  found.step === 'bringOutYourDead' ||
  found.step === 'tell' ||
  found.step === 'react';

/** The two commonest routes have one shape (V8's hidden class), for what has many is looked at slowly. */
class ToVat {
  /**
   * @param {'deliver' | 'notify'} step
   * @param {string} vatId
   * @param {string} target
   * @param {Message | null} message
   * @param {string[]} batch
   */
  constructor(step, vatId, target, message, batch) {
    this.step = step;
    this.vatId = vatId;
    this.target = target;
    this.message = message;
    this.batch = batch;
  }
}

/** @type {string[]} */
const noBatch = [];
Object.freeze(noBatch);

keepShape(new ToVat('notify', '', '', null, noBatch));

/**
 * @param {string} vatId
 * @param {string} target
 * @param {Message} message
 */
export const toDeliver = (vatId, target, message) =>
  /** @type {Extract<Route, { step: 'deliver' }>} */ (
    new ToVat('deliver', vatId, target, message, noBatch)
  );

/**
 * @param {string} vatId
 * @param {string[]} batch
 */
export const toNotify = (vatId, batch) =>
  /** @type {Extract<Route, { step: 'notify' }>} */ (new ToVat('notify', vatId, '', null, batch));

/**
 * @param {KernelState} state
 * @param {Item} item
 * @returns {Route}
 */
export const route = (state, item) => {
  switch (item.kind) {
    case 'send':
      return routeSend(state, item.target, item.message ?? Fail`a send has no message`);
    case 'notify':
      return routeNotify(state, item.vatId, item.target);
    case 'start':
      // It may have been ended before it began.
      if (!state.vats.isRunning(item.vatId))
        return { step: 'nothing', why: 'ended', ref: item.vatId, countedDead: false };
      return { step: 'start', vatId: item.vatId };
    case 'upgrade':
      return state.vats.isRunning(item.vatId)
        ? { step: 'upgrade', vatId: item.vatId }
        : { step: 'nothing', why: 'ended', ref: item.vatId, countedDead: false };
    case 'react':
      return routeReact(state, item);
    case 'wake':
      return { step: 'wake', deviceId: item.target };
    case 'cleanUp':
      return { step: 'cleanUp', vatId: item.vatId };
    case 'bringOutYourDead':
      return state.vats.isRunning(item.vatId)
        ? { step: 'bringOutYourDead', vatId: item.vatId }
        : { step: 'nothing', why: 'ended', ref: item.vatId, countedDead: false };
    case 'collect':
      return { step: 'collect' };
    case 'dropExports':
    case 'retireExports':
    case 'retireImports':
      return routeVerdict(state, item.vatId, item.kind, item.target.split(' '));
    default:
      throw Fail`an item has the unknown kind ${/** @type {any} */ (item).kind}`;
  }
};

/**
 * Where a message goes.
 *
 * @param {KernelState} state
 * @param {string} target  kref of an object or a promise
 * @param {Message} message
 * @returns {Route} `deliver`, `park` or `reject`
 */
export const routeSend = (state, target, message) => {
  const { owners, promises, vats } = state;
  if (isObjectKref(target)) {
    const vatId = owners.get(target);
    if (vatId === undefined || !vats.isRunning(vatId))
      return { step: 'reject', message, why: 'vat terminated', data: null };
    return toDeliver(vatId, target, message);
  }
  const row = promises.require(target);
  switch (row.state) {
    case 'presence': {
      const object = findSoleSlot(row.data ?? Fail`promise ${target} has no data`);
      return routeSend(state, object ?? Fail`promise ${target} is no presence`, message);
    }
    case 'data':
      return {
        step: 'reject',
        message,
        why: `data is not callable, has no method ${methodNameOf(message.methargs)}`,
        data: null,
      };
    case 'rejected':
      return { step: 'reject', message, why: '', data: row.data };
    default: {
      const { decider } = row;
      if (decider === '') return { step: 'park', promise: target, message };
      if (!vats.isRunning(decider))
        return { step: 'reject', message, why: 'vat terminated', data: null };
      // A pipelining vat takes messages for promises that it has still to settle.
      if (vats.require(decider).pipelining) return toDeliver(decider, target, message);
      return { step: 'park', promise: target, message };
    }
  }
};

/**
 * @param {KernelState} state
 * @param {string} vatId
 * @param {string} kref
 * @returns {Route}
 */
const routeNotify = ({ vats, promises, profile }, vatId, kref) => {
  if (!vats.isRunning(vatId))
    return { step: 'nothing', why: 'ended', ref: kref, countedDead: true };
  const hasEntry = vats.clist(vatId).findVref(kref) !== undefined;
  // The vat was told already, together with another promise.
  if (!profile.delivers(hasEntry))
    return { step: 'nothing', why: 'told', ref: kref, countedDead: false };
  return toNotify(vatId, profile.notifyBatch(kref, promises.view));
};

/**
 * @param {KernelState} state
 * @param {string} vatId
 * @param {Verdict} verdict
 * @param {string[]} judged
 * @returns {Route}
 */
const routeVerdict = (state, vatId, verdict, judged) => {
  if (!state.vats.isRunning(vatId))
    return { step: 'nothing', why: 'ended', ref: vatId, countedDead: false };
  const krefs = judgeAgain(state, vatId, verdict, judged);
  return krefs.length === 0
    ? { step: 'nothing', why: 'held', ref: vatId, countedDead: false }
    : { step: 'tell', vatId, verdict, krefs };
};

/**
 * @param {KernelState} state
 * @param {Item} item
 * @returns {Route}
 */
const routeReact = ({ reactors }, item) => {
  const { vatId, timeNs, microstep } = item;
  const { row, agenda } = reactors.require(vatId);
  const { stopTimeNs, stopMicrostep, isStopping, knowsStages } = agenda;
  return {
    step: 'react',
    vatId,
    values: valuesAt(agenda, item),
    isLast: !isStopping && timeNs === stopTimeNs && microstep === stopMicrostep,
    stages: knowsStages ? none : row.stages,
  };
};

/** @type {readonly number[]} */
const none = Object.freeze([]);

/**
 * A delivery in both notations.
 *
 * @typedef {object} Plan
 * @property {Delivery} kernelDelivery  in krefs
 * @property {Delivery} vatDelivery  in vrefs
 * @property {readonly string[]} fresh  krefs that it adds to the vat's c-list, in this order
 * @property {readonly string[]} freshVrefs  what they will be called
 */

/**
 * Translate a route that reaches a vat, without touching its c-list. Krefs are mapped in the order target,
 * arguments, result; of a notify, each promise and then its data.
 *
 * @param {KernelState} state
 * @param {DeliveryRoute} found
 * @returns {Plan}
 */
export const translate = (state, found) => {
  const { planner, vats } = state;
  planner.begin(vats.clist(found.vatId));
  switch (found.step) {
    case 'deliver':
      return translateMessage(planner, found.target, found.message);
    case 'notify':
      return translateNotify(state, found.batch);
    case 'bringOutYourDead':
      return {
        kernelDelivery: ['bringOutYourDead'],
        vatDelivery: ['bringOutYourDead'],
        fresh: planner.fresh,
        freshVrefs: planner.freshVrefs,
      };
    case 'react':
      return translateReact(planner, found);
    case 'tell': {
      const clist = vats.clist(found.vatId);
      const { verdict, krefs } = found;
      return {
        kernelDelivery: [verdict, krefs],
        vatDelivery: [verdict, krefs.map(kref => clist.requireVref(kref))],
        fresh: planner.fresh,
        freshVrefs: planner.freshVrefs,
      };
    }
    default: {
      const { parameters: body, parameterSlots } = vats.require(found.vatId);
      const parameters = { body, slots: [...parameterSlots] };
      return {
        kernelDelivery: ['startVat', parameters],
        vatDelivery: ['startVat', mapIn(planner, parameters)],
        fresh: planner.fresh,
        freshVrefs: planner.freshVrefs,
      };
    }
  }
};

/**
 * @param {VrefPlanner} planner
 * @param {CapData} data  in krefs
 * @returns {CapData}
 */
export const mapIn = (planner, data) =>
  data.slots.length === 0 ? data : { body: data.body, slots: planner.vrefsOf(data.slots) };

/**
 * @param {VrefPlanner} planner
 * @param {string} target
 * @param {Message} message
 * @returns {Plan}
 */
const translateMessage = (planner, target, { methargs, result }) => {
  const vatTarget = planner.vrefOf(target);
  const vatMethargs = mapIn(planner, methargs);
  const vatResult = result === null ? null : planner.vrefOf(result);
  return {
    kernelDelivery: ['message', target, methargs, result],
    vatDelivery: ['message', vatTarget, vatMethargs, vatResult],
    fresh: planner.fresh,
    freshVrefs: planner.freshVrefs,
  };
};

/**
 * @param {VrefPlanner} planner
 * @param {Extract<Route, { step: 'react' }>} found
 * @returns {Plan}
 */
const translateReact = (planner, { values, isLast, stages }) => {
  /** @type {PortValue[]} */
  const given = values.length === 1 ? [[values[0].channel, values[0].data]] : [];
  let hasSlots = false;
  for (let i = 0; i < values.length; i += 1) {
    const { channel, data } = values[i];
    if (values.length > 1) given.push([channel, data]);
    if (data.slots.length > 0) hasSlots = true;
  }
  if (!hasSlots) {
    // The same in both notations.
    /** @type {Delivery} */
    const delivery = ['react', given, isLast, stages];
    return {
      kernelDelivery: delivery,
      vatDelivery: delivery,
      fresh: planner.fresh,
      freshVrefs: planner.freshVrefs,
    };
  }
  const mapped = given.map(
    ([channel, data]) => /** @type {PortValue} */ ([channel, mapIn(planner, data)]),
  );
  return {
    kernelDelivery: ['react', given, isLast, stages],
    vatDelivery: ['react', mapped, isLast, stages],
    fresh: planner.fresh,
    freshVrefs: planner.freshVrefs,
  };
};

/**
 * @param {KernelState} state
 * @param {readonly string[]} batch
 * @returns {Plan}
 */
const translateNotify = ({ planner, promises }, batch) => {
  // The first one makes the lists, for one is nearly always all, and a list that grows from nothing takes room for 17.
  const first = settledAs(promises, batch[0]);
  const settled = [first];
  const resolutions = [resolutionIn(planner, first)];
  for (let i = 1; i < batch.length; i += 1) {
    const other = settledAs(promises, batch[i]);
    settled.push(other);
    resolutions.push(resolutionIn(planner, other));
  }
  return {
    kernelDelivery: ['notify', settled],
    vatDelivery: ['notify', resolutions],
    fresh: planner.fresh,
    freshVrefs: planner.freshVrefs,
  };
};

/**
 * @param {KernelState['promises']} promises
 * @param {string} kref
 * @returns {Resolution} in krefs
 */
const settledAs = (promises, kref) => {
  const { state, data } = promises.require(kref);
  if (data === null) throw Fail`promise ${kref} is not settled`;
  return [kref, state === 'rejected', data];
};

/**
 * @param {VrefPlanner} planner
 * @param {Resolution} resolution  in krefs
 * @returns {Resolution} in vrefs
 */
const resolutionIn = (planner, resolution) => [
  planner.vrefOf(resolution[0]),
  resolution[1],
  mapIn(planner, resolution[2]),
];
