// The objects through which a vat reaches virtual and durable data, made before its supervisor exists: the global
// `VatData`, the third argument of `buildRootObject`, and the module `@agoric/vat-data`. A vat can inspect all of them
// and pass them on; each call goes to the supervisor's data, and throws a clear error if the vat has none.

import { quote } from '#model';
import { findVirtualTools } from '../virtual/libraries.js';
import { makeVatDataModule } from './vat-data-module.js';

/** The names in the order of SwingSet's `VatData`. */
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
 * @property {boolean} isUsed  whether the vat's source uses such data
 * @property {() => Record<string, (...args: any[]) => any>} functions  of `VatData`
 * @property {() => any} baggage
 */

/**
 * @typedef {object} VatDataParts
 * @property {Record<string, (...args: any[]) => any>} VatData  the global of that name
 * @property {() => object} provideBaggage  the third argument of `buildRootObject`
 * @property {(provide: any) => Record<string, unknown>} makeModule  exports of `@agoric/vat-data`, except those that
 *   need no virtual data; `provide` is one of them
 * @property {(source: VatDataSource) => void} connect  called when the vat has such data
 */

/**
 * @param {string} [vatName]
 * @returns {VatDataParts}
 */
export const makeVatDataParts = vatName => {
  const who = vatName === undefined ? 'the vat' : `vat ${quote(vatName)}`;

  /** @type {VatDataSource | undefined} */
  let source;

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
      // A computed property names its function, which a vat may print.
      Object.assign(
        {},
        ...names.map(name => ({
          [name]: (/** @type {any[]} */ ...args) => find(`${prefix}.${name}`)[name](...args),
        })),
      ),
    );
  const VatData = forward(vatDataNames, 'VatData', call => requireSource(call).functions());
  const standIn = forward(baggageNames, 'baggage', call => requireSource(call).baggage());
  return Object.freeze({
    VatData,
    provideBaggage: () => (source?.isUsed ? source.baggage() : standIn),
    // Every vat that imports the module has patterns.
    makeModule: provide =>
      makeVatDataModule(VatData, findVirtualTools()?.libraries.patterns.M, provide),
    connect(given) {
      source = given;
    },
  });
};
