// Makes the delivery of a crank to a vat, in krefs and in vrefs.

import { leaves } from './reference-syscalls.js';
import { reactorsOf } from './reference-reactors.js';
import { unpark } from './reference-routing.js';
import {
  dec,
  deleteEntry,
  inc,
  isDevice,
  isPromise,
  listOf,
  must,
  promiseOf,
  provideVref,
  vatOf,
  vrefOf,
} from './world.js';

/** @import { CapData, Delivery, PortValue, Resolution } from '#model' */
/** @import { givenTo } from './reference-reactors.js' */
/** @import { Message, Promised, World } from './world.js' */

const notified = {
  presence: 'dispatchNotifyFulfillToPresence',
  data: 'dispatchNotifyFulfillToData',
  rejected: 'dispatchReject',
};

/**
 * A crank that reaches a vat. `delivery` has krefs, `vatDelivery` vrefs; `brings`: whether it contains a device that
 * the vat did not have.
 *
 * @typedef {{ vatId: string, delivery: Delivery, vatDelivery: Delivery, brings: boolean, step: string, result: string | null }} Reached
 */

/** @param {World} w @param {string} vatId */
const mapIn = (w, vatId) => {
  const list = listOf(w, vatId);
  /** @type {string[]} */
  const fresh = [];
  const map = (/** @type {string} */ kref) => {
    if (vrefOf(list, kref) === undefined) fresh.push(kref);
    return provideVref(w, list, true, kref);
  };
  const mapData = (/** @type {CapData} */ { body, slots }) => ({ body, slots: slots.map(map) });
  return { map, mapData, brings: () => fresh.some(isDevice) };
};

/** @param {World} w @param {string} vatId @param {string} target @param {Message} message @returns {Reached} */
export const deliver = (w, vatId, target, { methargs, result }) => {
  const { map, mapData, brings } = mapIn(w, vatId);
  /** @type {Delivery} */
  const vatDelivery = ['message', map(target), mapData(methargs), result && map(result)];
  if (result !== null) {
    promiseOf(w, result).decider = vatId;
    unpark(w, vatId, result);
  }
  inc(w, 'dispatches');
  inc(w, 'dispatchDeliver');
  const delivery = /** @type {Delivery} */ (['message', target, methargs, result]);
  return { vatId, delivery, vatDelivery, brings: brings(), step: 'message', result };
};

/**
 * Start a vat or its new incarnation.
 *
 * @param {World} w
 * @param {string} vatId
 * @param {string} step
 * @returns {Reached}
 */
export const start = (w, vatId, step) => {
  const { parameters } = vatOf(w, vatId);
  const { mapData, brings } = mapIn(w, vatId);
  inc(w, 'dispatchStartVat');
  return {
    ...{ vatId, step, result: null },
    delivery: ['startVat', { body: parameters.body, slots: [...parameters.slots] }],
    vatDelivery: ['startVat', mapData(parameters)],
    brings: brings(),
  };
};

/** @param {World} w @param {string} vatId @param {string} first @returns {Reached} */
export const notify = (w, vatId, first) => {
  /** @type {string[]} */
  const batch = [];
  const visit = (/** @type {string} */ kpid) => {
    const { state, data } = promiseOf(w, kpid);
    if (batch.includes(kpid) || state === 'unresolved') return;
    batch.push(kpid);
    if (w.profile === 'current') data?.slots.filter(isPromise).forEach(visit);
  };
  visit(first);
  const rows = batch.map(kpid => promiseOf(w, kpid));
  const dataOf = (/** @type {Promised} */ row) => must(row.data ?? undefined);
  const { map, mapData, brings } = mapIn(w, vatId);
  const isRejected = (/** @type {number} */ i) => rows[i].state === 'rejected';
  const vatBatch = batch.map(
    (kpid, i) => /** @type {Resolution} */ ([map(kpid), isRejected(i), mapData(dataOf(rows[i]))]),
  );
  const kernelBatch = batch.map(
    (kpid, i) => /** @type {Resolution} */ ([kpid, isRejected(i), dataOf(rows[i])]),
  );
  inc(w, 'dispatches');
  if (w.profile === 'current') inc(w, 'dispatchNotify');
  for (const { state } of rows) if (state !== 'unresolved') inc(w, notified[state]);
  batch.forEach((kpid, i) => {
    if (leaves(w, dataOf(rows[i]))) deleteEntry(w, listOf(w, vatId), kpid);
  });
  return {
    ...{ vatId, delivery: ['notify', kernelBatch], vatDelivery: ['notify', vatBatch] },
    ...{ brings: brings(), step: 'notify', result: null },
  };
};

/**
 * Run the reactors of a vat, which get their values.
 *
 * @param {World} w
 * @param {string} vatId
 * @param {ReturnType<typeof givenTo>} given
 * @returns {Reached}
 */
export const react = (w, vatId, { values, isLast, stages }) => {
  const { mapData, brings } = mapIn(w, vatId);
  const reactors = reactorsOf(w, vatId);
  reactors.values = reactors.values.filter(value => !values.includes(value));
  if (isLast) reactors.isStopping = true;
  if (isLast || stages.length > 0) reactors.knowsStages = true;
  inc(w, 'dispatches');
  inc(w, 'dispatchReact');
  const sent = (/** @type {(data: CapData) => CapData} */ map) =>
    values.map(({ channel, data }) => /** @type {PortValue} */ ([channel, map(data)]));
  return {
    ...{ vatId, step: 'react', result: null },
    delivery: ['react', sent(data => data), isLast, stages],
    vatDelivery: ['react', sent(mapData), isLast, stages],
    brings: brings(),
  };
};

/** @param {World} w @param {string} vatId @param {string} verdict @param {string[]} krefs */
export const tell = (w, vatId, verdict, krefs) => {
  const list = listOf(w, vatId);
  const vrefs = krefs.map(kref => must(vrefOf(list, kref)));
  inc(w, `dispatch${verdict[0].toUpperCase()}${verdict.slice(1)}`);
  krefs.forEach((kref, i) => {
    if (verdict === 'dropExports') must(list.pairs.get(vrefs[i])).reachable = false;
    else deleteEntry(w, list, kref);
    if (verdict !== 'retireExports') return;
    w.owners.delete(kref);
    dec(w, 'kernelObjects');
  });
  return {
    delivery: /** @type {Delivery} */ ([verdict, krefs]),
    vatDelivery: /** @type {Delivery} */ ([verdict, vrefs]),
  };
};
