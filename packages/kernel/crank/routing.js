// Decides where an item goes. Pure: it reads the tables and changes nothing, so an item can be routed ahead of its
// turn. The route says what to deliver to which vat, or what the kernel does itself.

import { Fail, findSoleSlot, isObjectKref, keepShape } from '#model';
import { judgeAgain } from '../collection/collection.js';
import { valuesAt } from '../reactors/reactors.js';
import { figure } from '../tables/figures.js';

/** @import { CapData } from '#model' */
/** @import { PortEvent } from '../tables/event-list.js' */
/** @import { Verdict } from '../collection/collection.js' */
/** @import { Pair } from '../tables/clist.js' */
/** @import { Message } from '../tables/promise-row.js' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { KernelState } from '../tables/state.js' */

/**
 * @typedef {{ step: 'deliver', vatId: string, target: string, message: Message, pair: Pair | null }
 *   | { step: 'notify', vatId: string, batch: string[], pair: Pair | null }
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
 *   | { step: 'nothing', why: string, ref: string }} Route
 *   `reject` has the error's text in `why`, or in `data` the capdata that the result is rejected with. `pair` is the
 *   c-list entry of the target, or of the notified promise, if it is known
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

/** All common routes have one shape (V8's hidden class), since property reads on many shapes are slow. */
class ToVat {
  /**
   * @param {DeliveryRoute['step']} step
   * @param {string} vatId
   * @param {string} target
   * @param {Message | null} message
   * @param {string[]} batch
   * @param {Pair | null} pair
   * @param {readonly PortEvent[]} values
   * @param {boolean} isLast
   * @param {readonly number[]} stages
   */
  constructor(step, vatId, target, message, batch, pair, values, isLast, stages) {
    this.step = step;
    this.vatId = vatId;
    this.target = target;
    this.message = message;
    this.batch = batch;
    this.pair = pair;
    this.values = values;
    this.isLast = isLast;
    this.stages = stages;
  }
}

/** @type {string[]} */
const noBatch = [];
Object.freeze(noBatch);

/** @type {readonly never[]} */
const none = Object.freeze([]);

keepShape(new ToVat('notify', '', '', null, noBatch, null, none, false, none));

/**
 * @param {'start' | 'upgrade' | 'bringOutYourDead'} step
 * @param {string} vatId
 */
const toStep = (step, vatId) =>
  /** @type {Extract<Route, { step: 'start' }>} */ (
    new ToVat(step, vatId, '', null, noBatch, null, none, false, none)
  );

/**
 * @param {string} vatId
 * @param {string} target
 * @param {Message} message
 * @param {Pair | null} pair
 */
const toDeliver = (vatId, target, message, pair) =>
  /** @type {Extract<Route, { step: 'deliver' }>} */ (
    new ToVat('deliver', vatId, target, message, noBatch, pair, none, false, none)
  );

/**
 * @param {KernelState} state
 * @param {Item} item
 * @returns {Route}
 */
export const route = (state, item) => {
  switch (item.kind) {
    case 'send': {
      const { home, target } = item;
      const message = item.message ?? Fail`a send has no message`;
      // Nearly all messages go to an object whose vat was found when they were sent.
      const parts = home !== null && home.isListed ? home.clist.parts : undefined;
      return parts?.row?.state === 'running'
        ? toDeliver(parts.id, target, message, home)
        : routeSend(state, target, message);
    }
    case 'notify':
      return routeNotify(state, item);
    case 'start':
      // The vat may have been ended before it began.
      if (!state.vats.isRunning(item.vatId))
        return { step: 'nothing', why: 'ended', ref: item.vatId };
      return toStep('start', item.vatId);
    case 'upgrade':
      return state.vats.isRunning(item.vatId)
        ? toStep('upgrade', item.vatId)
        : { step: 'nothing', why: 'ended', ref: item.vatId };
    case 'react':
      return routeReact(state, item);
    case 'wake':
      return { step: 'wake', deviceId: item.target };
    case 'cleanUp':
      return { step: 'cleanUp', vatId: item.vatId };
    case 'bringOutYourDead':
      return state.vats.isRunning(item.vatId)
        ? toStep('bringOutYourDead', item.vatId)
        : { step: 'nothing', why: 'ended', ref: item.vatId };
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
 * Routes a message.
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
    return toDeliver(vatId, target, message, null);
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
        why: `data is not callable, has no method ${state.profile.wire.methodName(message.methargs)}`,
        data: null,
      };
    case 'rejected':
      return { step: 'reject', message, why: '', data: row.data };
    default: {
      const { decider } = row;
      if (decider === '') return { step: 'park', promise: target, message };
      if (!vats.isRunning(decider))
        return { step: 'reject', message, why: 'vat terminated', data: null };
      // A pipelining vat takes messages to unresolved promises that it decides.
      if (vats.require(decider).pipelining) return toDeliver(decider, target, message, null);
      return { step: 'park', promise: target, message };
    }
  }
};

/**
 * @param {KernelState} state
 * @param {Item} item  a notify
 * @returns {Route}
 */
const routeNotify = ({ vats, promises, profile, figures }, { vatId, target: kref, promise }) => {
  const parts = vats.findParts(vatId);
  if (parts?.row?.state !== 'running') return { step: 'nothing', why: 'ended', ref: kref };
  const told = promise ?? Fail`a notify has no promise`;
  const pair = told.findPair(parts.clist);
  // The vat was notified already, together with another promise.
  if (!profile.delivers(pair !== undefined)) return { step: 'nothing', why: 'told', ref: kref };
  const isAlone = told.data?.slots.length === 0;
  const crank = figures.numbers[figure.crankNumber] + 1;
  const batch = isAlone ? [kref] : profile.notifyBatch(kref, promises.view, crank);
  return /** @type {Extract<Route, { step: 'notify' }>} */ (
    new ToVat('notify', vatId, '', null, batch, pair ?? null, none, false, none)
  );
};

/**
 * @param {KernelState} state
 * @param {string} vatId
 * @param {Verdict} verdict
 * @param {string[]} judged
 * @returns {Route}
 */
const routeVerdict = (state, vatId, verdict, judged) => {
  if (!state.vats.isRunning(vatId)) return { step: 'nothing', why: 'ended', ref: vatId };
  const krefs = judgeAgain(state, vatId, verdict, judged);
  return krefs.length === 0
    ? { step: 'nothing', why: 'held', ref: vatId }
    : { step: 'tell', vatId, verdict, krefs };
};

/**
 * @param {KernelState} state
 * @param {Item} item
 * @returns {Route}
 */
const routeReact = ({ reactors, vats }, item) => {
  const { vatId, timeNs, microstep } = item;
  const { row, agenda } = reactors.requireOf(vats.parts(vatId));
  const { stopTimeNs, stopMicrostep, isStopping, knowsStages } = agenda;
  const isLast = !isStopping && timeNs === stopTimeNs && microstep === stopMicrostep;
  const values = valuesAt(agenda, item);
  return /** @type {Extract<Route, { step: 'react' }>} */ (
    new ToVat(
      'react',
      vatId,
      '',
      null,
      noBatch,
      null,
      values,
      isLast,
      knowsStages ? none : row.stages,
    )
  );
};

/**
 * Steps that the fast path takes: apart from the vat's syscalls they change only c-list and counters.
 *
 * @param {Route['step']} step
 */
export const isUsual = step =>
  step === 'deliver' || step === 'notify' || step === 'react' || step === 'bringOutYourDead';
