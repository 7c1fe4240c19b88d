// Translates an item into a delivery, in krefs and in vrefs. Pure: it does not touch the vat's c-list, so an item can
// begin ahead of its turn. Krefs are mapped in the order target, arguments, result; in a notify, each promise and then
// its data.

import { Fail, keepShape } from '#model';

/** @import { CapData, Delivery, PortValue, Resolution } from '#model' */
/** @import { CList } from '../tables/clist.js' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { VrefPlanner } from '../tables/vref-planner.js' */
/** @import { DeliveryRoute, Route } from './routing.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { VatParts } from '../tables/vats.js' */

/** A delivery in both notations; one and the same object if it names nothing. */
export class Plan {
  /**
   * @param {Delivery} kernelDelivery  in krefs
   * @param {Delivery} vatDelivery  in vrefs
   * @param {VrefPlanner} planner
   * @param {readonly string[]} [gone]
   */
  constructor(kernelDelivery, vatDelivery, planner, gone = noVrefs) {
    this.kernelDelivery = kernelDelivery;
    this.vatDelivery = vatDelivery;
    /** Krefs that it adds to the vat's c-list, in this order. @type {readonly string[]} */
    this.fresh = planner.fresh;
    /** @type {readonly string[]} */
    this.freshVrefs = planner.freshVrefs;
    /** Vref of the message's result, which the vat decides from now on. @type {string | null} */
    this.result = vatDelivery[0] === 'message' ? vatDelivery[3] : null;
    /** Vrefs that the delivery takes out of the c-list. */
    this.gone = gone;
  }
}

/** @type {string[]} */
const noVrefs = [];
Object.freeze(noVrefs);

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
      return new Plan(delivery, delivery, planner);
    }
    case 'react':
      return translateReact(planner, found);
    case 'tell':
      return translateVerdict(planner, clist, found);
    default: {
      const { parameters: body, parameterSlots } = vats.require(found.vatId);
      const parameters = { body, slots: [...parameterSlots] };
      return new Plan(['startVat', parameters], ['startVat', mapIn(planner, parameters)], planner);
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
  return new Plan(
    ['message', target, methargs, result],
    ['message', vatTarget, vatMethargs, vatResult],
    planner,
  );
};

/**
 * @param {VrefPlanner} planner
 * @param {CList} clist
 * @param {Extract<Route, { step: 'tell' }>} found
 */
const translateVerdict = (planner, clist, { verdict, krefs }) => {
  const vrefs = krefs.map(kref => clist.requireVref(kref));
  return new Plan([verdict, krefs], [verdict, vrefs], planner);
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
  if (!hasSlots) return new Plan(delivery, delivery, planner);
  const mapped = given.map(
    ([channel, data]) => /** @type {PortValue} */ ([channel, mapIn(planner, data)]),
  );
  return new Plan(delivery, ['react', mapped, isLast, stages], planner);
};

/**
 * @param {KernelState} state
 * @param {Item} item
 * @param {Extract<Route, { step: 'notify' }>} found
 */
const translateNotify = ({ planner, promises, profile }, { promise }, { batch, pair }) => {
  // The lists begin with the first promise, nearly always the only one: a list that grows from empty reserves 17
  // elements.
  const first = settledAs(promise ?? Fail`a notify has no promise`);
  const settled = [first];
  const resolutions = [resolutionIn(planner, first, pair?.vref)];
  for (let i = 1; i < batch.length; i += 1) {
    const other = settledAs(promises.require(batch[i]));
    settled.push(other);
    resolutions.push(resolutionIn(planner, other, undefined));
  }
  // A promise that the vat is notified of leaves its c-list, if the profile says so.
  let gone = noVrefs;
  for (let i = 0; i < settled.length; i += 1) {
    if (!profile.retiresEntry(settled[i][0], settled[i][2])) continue;
    if (gone.length === 0) gone = [resolutions[i][0]];
    else gone.push(resolutions[i][0]);
  }
  return new Plan(['notify', settled], ['notify', resolutions], planner, gone);
};

/**
 * @param {Readonly<import('../tables/promise-row.js').PromiseRow>} promise
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
  new Plan(
    ['bringOutYourDead'],
    ['bringOutYourDead'],
    /** @type {any} */ ({ fresh: [], freshVrefs: [] }),
  ),
);
