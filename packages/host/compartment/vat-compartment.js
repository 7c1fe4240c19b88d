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
 * `Compartment` for code that makes compartments itself: they have the globals that it has to have, whatever else it
 * gives them, and so have those that are made in them.
 *
 * @param {any} Inner  a compartment's own
 * @param {Record<string, unknown>} inherited
 */
const makeInheriting = (Inner, inherited) => {
  /** @param {unknown[]} args */
  function Compartment(...args) {
    if (new.target === undefined) throw TypeError('Compartment is called with new');
    const made = Reflect.construct(Inner, args, new.target);
    const { globalThis: globals } = made;
    const own = { ...inherited, Compartment: makeInheriting(globals.Compartment, inherited) };
    for (const [name, value] of Object.entries(own))
      Object.defineProperty(globals, name, { value, writable: true, configurable: true });
    return made;
  }
  Compartment.prototype = Inner.prototype;
  return harden(Compartment);
};

/**
 * @typedef {object} VatCompartmentOptions
 * @property {string} name  shown by SES in its own messages
 * @property {WriteConsole} [write]  gets what the vat prints; without it nothing is shown
 * @property {Record<string, unknown>} [endowments]  further globals, hardened; they win over those given here
 * @property {Record<string, unknown>} [inherited]  further ones, which compartments that are made in this one have too
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
  const globals = {
    console: makeVatConsole(write),
    assert: globalThis.assert,
    ...urlGlobals,
    ...inherited,
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
  if (Object.keys(inherited).length > 0) {
    const inner = makeInheriting(compartment.globalThis.Compartment, inherited);
    Object.defineProperty(compartment.globalThis, 'Compartment', { value: inner });
  }
  harden(compartment.globalThis);
  return compartment;
};
