// The objects through which a vat reaches virtual and durable data, made before its supervisor is there: the global
// `VatData`, the third argument of `buildRootObject`, and the module `@agoric/vat-data`. All of them can be looked at and
// handed on; each call goes to the supervisor's data, and throws a clear error where there is none.

import { quote } from '#model';
import { findVirtualTools } from '../virtual/libraries.js';
import { makeVatDataModule } from './vat-data-module.js';

/** In the order in which SwingSet's vats find them. */
const vatDataNames = [
  'defineKind',
  'defineKindMulti',
  'defineDurableKind',
  'defineDurableKindMulti',
  'makeKindHandle',
  'canBeDurable',
  'providePromiseWatcher',
  'watchPromise',
  'makeScalarBigMapStore',
  'makeScalarBigWeakMapStore',
  'makeScalarBigSetStore',
  'makeScalarBigWeakSetStore',
];

const baggageNames = [
  'addAll',
  'clear',
  'delete',
  'entries',
  'get',
  'getSize',
  'has',
  'init',
  'keys',
  'set',
  'snapshot',
  'values',
];

/**
 * A vat's data.
 *
 * @typedef {object} VatDataSource
 * @property {() => Record<string, (...args: any[]) => any>} functions  of `VatData`
 * @property {() => any} baggage
 */

/**
 * @typedef {object} VatDataParts
 * @property {Record<string, (...args: any[]) => any>} VatData  the global of that name
 * @property {() => object} provideBaggage  the third argument of `buildRootObject`
 * @property {(provide: any) => Record<string, unknown>} makeModule  exports of `@agoric/vat-data`, but for those that need no
 *   virtual data; `provide` is one of them
 * @property {(source: VatDataSource) => void} connect  the vat has such data
 * @property {(isUsed: boolean) => void} setUsed  whether the vat's source says that it uses such data
 */

/**
 * @param {string} [vatName]
 * @returns {VatDataParts}
 */
export const makeVatDataParts = vatName => {
  const who = vatName === undefined ? 'the vat' : `vat ${quote(vatName)}`;

  /** @type {VatDataSource | undefined} */
  let source;
  let isUsed = false;

  /** @param {string} call */
  const requireSource = call => {
    if (source === undefined)
      throw Error(
        `${who} calls ${call}(): virtual and durable data are for vats of the profile current that export buildRootObject`,
      );
    return source;
  };

  /** @param {string[]} names @param {string} prefix @param {(call: string) => Record<string, (...args: any[]) => any>} find */
  const forward = (names, prefix, find) =>
    harden(
      Object.fromEntries(
        names.map(name => [
          name,
          (/** @type {any[]} */ ...args) => find(`${prefix}.${name}`)[name](...args),
        ]),
      ),
    );
  const VatData = forward(vatDataNames, 'VatData', call => requireSource(call).functions());
  const standIn = forward(baggageNames, 'baggage', call => requireSource(call).baggage());
  return Object.freeze({
    VatData,
    provideBaggage: () => (isUsed && source !== undefined ? source.baggage() : standIn),
    // Patterns are there for every vat that imports the module.
    makeModule: provide =>
      makeVatDataModule(VatData, findVirtualTools()?.libraries.patterns.M, provide),
    connect(given) {
      source = given;
    },
    setUsed(used) {
      isUsed = used;
    },
  });
};
