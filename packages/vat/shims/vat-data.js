// Virtual and durable data, as far as they are there: a vat may import `@agoric/vat-data`, look for the global
// `VatData` and take `baggage`, and what it does with them says that they come later. What needs no such data works
// (vat-data-plain.js).

import { quote } from '#model';

const vatDataNames = [
  'canBeDurable',
  'defineDurableKind',
  'defineDurableKindMulti',
  'defineKind',
  'defineKindMulti',
  'makeKindHandle',
  'makeScalarBigMapStore',
  'makeScalarBigSetStore',
  'makeScalarBigWeakMapStore',
  'makeScalarBigWeakSetStore',
  'providePromiseWatcher',
  'watchPromise',
];

/** Of the module only. */
const moduleNames = [
  'defineDurableExoClass',
  'defineDurableExoClassKit',
  'defineVirtualExoClass',
  'defineVirtualExoClassKit',
  'prepareExo',
  'prepareExoClass',
  'prepareExoClassKit',
  'prepareKind',
  'prepareKindMulti',
  'prepareSingleton',
  'provideDurableMapStore',
  'provideDurableSetStore',
  'provideDurableWeakMapStore',
  'provideDurableWeakSetStore',
  'provideKindHandle',
];

/** Of `M`, which makes the guards of such objects. */
const patternNames = [
  'and',
  'any',
  'array',
  'arrayOf',
  'await',
  'bag',
  'bagOf',
  'bigint',
  'boolean',
  'byteArray',
  'call',
  'callWhen',
  'containerHas',
  'eq',
  'eref',
  'error',
  'getInterfaceMethodKeys',
  'gt',
  'gte',
  'interface',
  'key',
  'kind',
  'lt',
  'lte',
  'map',
  'mapOf',
  'nat',
  'neq',
  'not',
  'null',
  'number',
  'opt',
  'or',
  'partial',
  'pattern',
  'promise',
  'raw',
  'record',
  'recordOf',
  'remotable',
  'scalar',
  'set',
  'setOf',
  'split',
  'splitArray',
  'splitRecord',
  'string',
  'symbol',
  'tagged',
  'undefined',
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
 * @typedef {object} VatDataParts
 * @property {Record<string, unknown>} VatData  the global of that name
 * @property {object} baggage  the third argument of `buildRootObject`
 * @property {() => Record<string, unknown>} makeModule  exports of `@agoric/vat-data`, but for those that need no
 *   such data (vat-data-plain.js)
 */

/**
 * @param {string} [vatName]
 * @returns {VatDataParts}  hardened; all of it can be looked at, and what cannot be used says so when it is called
 */
export const makeVatDataParts = vatName => {
  const who = vatName === undefined ? 'the vat' : `vat ${quote(vatName)}`;
  /** @param {string} prefix @param {string[]} names */
  const refuseAll = (prefix, names) =>
    Object.fromEntries(
      names.map(name => [
        name,
        () => {
          throw Error(
            `${who} calls ${prefix}${name}(): virtual and durable data come later; this version has only objects in memory`,
          );
        },
      ]),
    );
  const VatData = refuseAll('VatData.', vatDataNames);
  return harden({
    VatData,
    baggage: refuseAll('baggage.', baggageNames),
    makeModule: () => ({
      ...VatData,
      ...refuseAll('', moduleNames),
      VatData,
      M: refuseAll('M.', patternNames),
    }),
  });
};
