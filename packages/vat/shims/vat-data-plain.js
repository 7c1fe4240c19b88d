// The part of `@agoric/vat-data` that needs no virtual or durable data.

import * as scalarStores from './scalar-stores.js';

const {
  makeScalarMapStore,
  makeScalarSetStore,
  makeScalarWeakMapStore,
  makeScalarWeakSetStore,
  provideLazy,
} = scalarStores;

export const vatDataPlain = {
  /** @param {(...args: any[]) => any} behavior */
  ignoreContext:
    behavior =>
    (/** @type {unknown} */ _context, /** @type {unknown[]} */ ...args) =>
      behavior(...args),
  makeScalarMapStore,
  makeScalarSetStore,
  makeScalarWeakMapStore,
  makeScalarWeakSetStore,
  /** @param {object} target @param {object} source */
  partialAssign: (target, source) => {
    Object.assign(target, source);
  },
  /** @param {(...args: any[]) => any} maker @param {PropertyKey} facetName */
  pickFacet:
    (maker, facetName) =>
    (/** @type {unknown[]} */ ...args) =>
      maker(...args)[facetName],
  provide: provideLazy,
};
