// The compartment a vat lives in: the hardened intrinsics, what every vat may use, and what the caller endows;
// nothing ambient. `globalThis` is hardened before any code runs in it, which also makes a look-up of a global a
// hundred times cheaper (the evaluator then binds globals as constants).

import { makeVatConsole } from './vat-console.js';
import { urlGlobals } from './vat-url.js';

/** @import { WriteConsole } from './vat-console.js' */

/**
 * Globals that SES puts into every compartment and a vat has no use for: `lockdown` was called long ago.
 */
const removedGlobals = ['lockdown'];

/**
 * @typedef {object} VatCompartmentOptions
 * @property {string} name  shown by SES in its own messages
 * @property {WriteConsole} [write]  gets what the vat prints; without it nothing is shown
 * @property {Record<string, unknown>} [endowments]  further globals, hardened; they win over those given here
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
  modules = {},
  resolveHook,
}) => {
  const globals = {
    console: makeVatConsole(write),
    assert: globalThis.assert,
    ...urlGlobals,
    ...endowments,
  };
  const options = {
    __options__: true,
    name,
    globals,
    modules,
    resolveHook,
    __noNamespaceBox__: true,
    noAggregateLoadErrors: true,
  };
  const compartment = new Compartment(/** @type {any} */ (options));
  for (const removed of removedGlobals) {
    if (!Object.hasOwn(endowments, removed)) delete compartment.globalThis[removed];
  }
  harden(compartment.globalThis);
  return compartment;
};
