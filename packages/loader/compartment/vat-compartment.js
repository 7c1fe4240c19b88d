// The compartment a vat lives in: the hardened intrinsics, what every vat may use, and what the caller endows;
// nothing ambient. `globalThis` is hardened before any code runs in it, which also makes a look-up of a global a
// hundred times cheaper (the evaluator then binds globals as constants).

import { guardGlobals, guardSource } from '../evaluation/index.js';
import { provideBufferGlobals } from './vat-buffers.js';
import { powerName, powerOperator, provideVatMath } from '../numbers/index.js';
import { makeVatConsole } from './vat-console.js';
import { dateGlobals } from './vat-date.js';
import { jsonGlobals } from './vat-json.js';
import { textGlobals } from './vat-text.js';
import { urlGlobals } from './vat-url.js';

/** @import { WriteConsole } from './vat-console.js' */

/**
 * Globals that SES puts into every compartment and a vat has no use for: `lockdown` was called long ago.
 */
const removedGlobals = ['lockdown'];

/** A vat's own globals, in place of those that SES puts into every compartment. Vats share none of them. */
const provideOwnGlobals = () => ({
  ...provideBufferGlobals(),
  ...dateGlobals,
  ...jsonGlobals,
  ...textGlobals,
  Math: provideVatMath(),
});

/** Not to be changed, so that the evaluator binds it as a constant. */
const operator = { value: powerOperator, writable: false, enumerable: false, configurable: false };

/**
 * Globals that compartments have which a vat makes itself, unless it gives them others, and those that are made in them.
 *
 * @param {Record<PropertyKey, unknown>} inherited
 * @returns {PropertyDescriptorMap}
 */
const describeInherited = inherited =>
  Object.fromEntries(
    Reflect.ownKeys(inherited).map(key => [
      key,
      { value: inherited[key], writable: true, enumerable: false, configurable: true },
    ]),
  );

/**
 * @typedef {object} VatCompartmentOptions
 * @property {string} name  shown by SES in its own messages
 * @property {WriteConsole} [write]  gets what the vat prints; without it nothing is shown
 * @property {Record<string, unknown>} [endowments]  further globals, hardened; they win over those given here
 * @property {Record<PropertyKey, unknown>} [inherited]  further ones, which compartments that are made in this one have too
 * @property {Record<string, unknown>} [modules]  SES module descriptors by full specifier
 * @property {(specifier: string, referrer: string) => string} [resolveHook]
 */

/**
 * @param {VatCompartmentOptions} options
 * @returns {Compartment}  `ensureLockdown()` must have been called
 */
export const makeVatCompartment = ({
  name,
  write = () => {},
  endowments = {},
  inherited = {},
  modules = {},
  resolveHook,
}) => {
  const ownGlobals = provideOwnGlobals();
  const globals = {
    console: makeVatConsole(write),
    assert: globalThis.assert,
    ...urlGlobals,
    ...ownGlobals,
    ...inherited,
    ...endowments,
  };
  const options = {
    __options__: true,
    name,
    globals,
    modules,
    resolveHook,
    // Not for its modules, which are the host's: they were looked at when they were compiled.
    transforms: [guardSource],
    __noNamespaceBox__: true,
    noAggregateLoadErrors: true,
  };
  const compartment = new Compartment(/** @type {any} */ (options));
  for (const removed of removedGlobals) {
    if (!Object.hasOwn(endowments, removed)) delete compartment.globalThis[removed];
  }
  Object.defineProperty(compartment.globalThis, powerName, operator);
  guardGlobals(compartment.globalThis, guardSource, {
    ...describeInherited({ ...ownGlobals, ...inherited }),
    [powerName]: operator,
  });
  harden(compartment.globalThis);
  return compartment;
};
