// Translates an item into a delivery, in krefs and in vrefs. Pure: it does not touch the vat's c-list, so an item can
// begin ahead of its turn. Krefs are mapped in the order target, arguments, result; in a notify, each promise and then
// its data.

import {
  Fail,
  keepShape,
  messageByte,
  notifyByte,
  writeDeliveryTwice,
  writeMessageTwice,
  writeSettledTwice,
} from '#model';

/** @import { Both, CapData, Delivery, PortValue, Resolution } from '#model' */
/** @import { CList, Pair } from '../tables/clist.js' */
/** @import { PromiseRow } from '../tables/promise-row.js' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { VrefPlanner } from '../tables/vref-planner.js' */
/** @import { DeliveryRoute, Route } from './routing.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { VatParts } from '../tables/vats.js' */

/** A delivery in both notations. The tuple in krefs is made only when something asks for it, as observers do. */
export class Plan {
  /** @type {Delivery | null} */
  #kernelDelivery;

  /**
   * @param {VrefPlanner} planner
   * @param {Delivery} vatDelivery  in vrefs
   * @param {Delivery | null} kernelDelivery  in krefs; null for a message and a notify of one promise, which have the
   *   next parameters instead
   * @param {string} kref  of the message's target, or of the promise
   * @param {CapData | null} data  of the message, or of the promise
   * @param {string | null} resultKref  of the message
   * @param {readonly string[]} gone
   */
  constructor(planner, vatDelivery, kernelDelivery, kref, data, resultKref, gone) {
    this.vatDelivery = vatDelivery;
    this.#kernelDelivery = kernelDelivery;
    this.kref = kref;
    this.data = data;
    this.resultKref = resultKref;
    /** Krefs that it adds to the vat's c-list, in this order. @type {readonly string[]} */
    this.fresh = planner.fresh;
    /** @type {readonly string[]} */
    this.freshVrefs = planner.freshVrefs;
    /** Vref of the message's result, which the vat decides from now on. @type {string | null} */
    this.result = vatDelivery[0] === 'message' ? vatDelivery[3] : null;
    /** Vrefs that the delivery takes out of the c-list. */
    this.gone = gone;
  }

  /** Whether it names nothing: then it reads the same in krefs and in vrefs. */
  get namesNothing() {
    return this.#kernelDelivery === this.vatDelivery;
  }

  /** In krefs; the same object as `vatDelivery` if it names nothing. @returns {Delivery} */
  get kernelDelivery() {
    this.#kernelDelivery ??= this.#make(this.data ?? Fail`a delivery has no data`);
    return this.#kernelDelivery;
  }

  /** @param {CapData} data @returns {Delivery} */
  #make(data) {
    const { vatDelivery, kref } = this;
    return vatDelivery[0] === 'notify'
      ? ['notify', [[kref, vatDelivery[1][0][1], data]]]
      : ['message', kref, data, this.resultKref];
  }
}

/**
 * Encodes a delivery in both notations.
 *
 * @param {Both} both
 * @param {Plan} plan
 */
export const writePlan = (both, plan) => {
  const { vatDelivery, kref, data } = plan;
  if (data === null) writeDeliveryTwice(both, plan.kernelDelivery, vatDelivery);
  else if (vatDelivery[0] === 'notify')
    writeSettledTwice(both, notifyByte, kref, data, vatDelivery[1][0]);
  else writeMessageTwice(both, messageByte, kref, data, plan.resultKref, vatDelivery);
};

/** @type {string[]} */
const noVrefs = [];
Object.freeze(noVrefs);

/**
 * @param {VrefPlanner} planner
 * @param {Delivery} vatDelivery
 * @param {Delivery} kernelDelivery
 * @param {readonly string[]} [gone]
 */
const planWhole = (planner, vatDelivery, kernelDelivery, gone = noVrefs) =>
  new Plan(planner, vatDelivery, kernelDelivery, '', null, null, gone);

/**
 * @param {KernelState} state
 * @param {VatParts} parts  of the vat
 * @param {Item} item
 * @param {DeliveryRoute} found  where the item goes
 * @returns {Plan}
 */
export const translate = (state, { clist }, item, found) => {
  const { planner, vats } = state;
  planner.begin(clist);
  switch (found.step) {
    case 'deliver':
      return translateMessage(planner, item, found);
    case 'notify':
      return translateNotify(state, item, found);
    case 'bringOutYourDead': {
      const delivery = /** @type {Delivery} */ (['bringOutYourDead']);
      return planWhole(planner, delivery, delivery);
    }
    case 'react':
      return translateReact(planner, found);
    case 'tell':
      return translateVerdict(planner, clist, found);
    default: {
      const { parameters: body, parameterSlots } = vats.require(found.vatId);
      const parameters = { body, slots: [...parameterSlots] };
      return planWhole(planner, ['startVat', mapIn(planner, parameters)], ['startVat', parameters]);
    }
  }
};

/**
 * @param {VrefPlanner} planner
 * @param {CapData} data  in krefs
 * @returns {CapData}
 */
const mapIn = (planner, data) =>
  data.slots.length === 0 ? data : { body: data.body, slots: planner.vrefsOf(data.slots) };

/**
 * @param {VrefPlanner} planner
 * @param {Item} item
 * @param {Extract<Route, { step: 'deliver' }>} found
 */
const translateMessage = (planner, { promise }, { target, message, pair }) => {
  const { methargs, result } = message;
  const vatTarget = pair !== null && pair.isReachable ? pair.vref : planner.vrefOf(target);
  const vatMethargs = mapIn(planner, methargs);
  const vatResult = promise === null ? null : planner.vrefOfPromise(promise);
  /** @type {Delivery} */
  const delivery = ['message', vatTarget, vatMethargs, vatResult];
  return new Plan(planner, delivery, null, target, methargs, result, noVrefs);
};

/**
 * @param {VrefPlanner} planner
 * @param {CList} clist
 * @param {Extract<Route, { step: 'tell' }>} found
 */
const translateVerdict = (planner, clist, { verdict, krefs }) => {
  const vrefs = krefs.map(kref => clist.requireVref(kref));
  return planWhole(planner, [verdict, vrefs], [verdict, krefs]);
};

/**
 * @param {VrefPlanner} planner
 * @param {Extract<Route, { step: 'react' }>} found
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
  /** @type {Delivery} */
  const delivery = ['react', given, isLast, stages];
  if (!hasSlots) return planWhole(planner, delivery, delivery);
  const mapped = given.map(
    ([channel, data]) => /** @type {PortValue} */ ([channel, mapIn(planner, data)]),
  );
  return planWhole(planner, ['react', mapped, isLast, stages], delivery);
};

/**
 * @param {KernelState} state
 * @param {Item} item
 * @param {Extract<Route, { step: 'notify' }>} found
 */
const translateNotify = (state, { promise }, { batch, pair }) => {
  const { planner, profile } = state;
  const told = promise ?? Fail`a notify has no promise`;
  const data = told.data ?? Fail`promise ${told.kref} is not settled`;
  // Nearly always the only one.
  if (batch.length > 1) return translateBatch(state, told, batch, pair);
  const vref = pair === null ? planner.vrefOf(told.kref) : pair.vref;
  /** @type {Delivery} */
  const delivery = ['notify', [[vref, told.state === 'rejected', mapIn(planner, data)]]];
  // A promise that the vat is notified of leaves its c-list, if the profile says so.
  const gone = profile.retiresEntry(told.kref, data) ? [vref] : noVrefs;
  return new Plan(planner, delivery, null, told.kref, data, null, gone);
};

/**
 * @param {KernelState} state
 * @param {Readonly<PromiseRow>} told  the first promise
 * @param {readonly string[]} batch
 * @param {Pair | null} pair  of the first promise, if it is known
 */
const translateBatch = ({ planner, promises, profile }, told, batch, pair) => {
  const settled = [settledAs(told)];
  const resolutions = [resolutionIn(planner, settled[0], pair?.vref)];
  for (let i = 1; i < batch.length; i += 1) {
    const other = settledAs(promises.require(batch[i]));
    settled.push(other);
    resolutions.push(resolutionIn(planner, other, undefined));
  }
  const gone = [];
  for (let i = 0; i < settled.length; i += 1)
    if (profile.retiresEntry(settled[i][0], settled[i][2])) gone.push(resolutions[i][0]);
  return planWhole(planner, ['notify', resolutions], ['notify', settled], gone);
};

/**
 * @param {Readonly<PromiseRow>} promise
 * @returns {Resolution} in krefs
 */
const settledAs = ({ kref, state, data }) => [
  kref,
  state === 'rejected',
  data ?? Fail`promise ${kref} is not settled`,
];

/**
 * @param {VrefPlanner} planner
 * @param {Resolution} resolution  in krefs
 * @param {string | undefined} vref  of the promise, if already mapped
 * @returns {Resolution} in vrefs
 */
const resolutionIn = (planner, resolution, vref) => [
  vref ?? planner.vrefOf(resolution[0]),
  resolution[1],
  mapIn(planner, resolution[2]),
];

keepShape(
  planWhole(
    /** @type {any} */ ({ fresh: [], freshVrefs: [] }),
    ['bringOutYourDead'],
    ['bringOutYourDead'],
  ),
);
