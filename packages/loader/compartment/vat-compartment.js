// Makes the compartment of a vat: the hardened intrinsics, the globals of every vat and the caller's endowments,
// without ambient authority. `globalThis` is hardened before any code runs in it; this also makes globals cheap, since
// the evaluator binds them as constants.

import { guardGlobals, makeGuard, makeTemplateObject, templateName } from '../evaluation/index.js';
import { provideBufferGlobals } from './vat-buffers.js';
import { powerName, powerOperator, provideVatMath } from '../numbers/index.js';
import { base64Globals } from './vat-base64.js';
import { makeVatConsole } from './vat-console.js';
import { dateGlobals } from './vat-date.js';
import { jsonGlobals } from './vat-json.js';
import { textGlobals } from './vat-text.js';
import { urlGlobals } from './vat-url.js';

/** @import { TextCache } from '../evaluation/guard-source.js' */
/** @import { WriteConsole } from './vat-console.js' */

/**
 * Globals that SES adds to every compartment and vats do not need: `lockdown` was called before.
 */
const removedGlobals = ['lockdown'];

/** The globals that replace SES's in every compartment of a vat. */
const provideOwnGlobals = () => ({
  ...provideBufferGlobals(),
  ...dateGlobals,
  ...jsonGlobals,
  ...textGlobals,
  Math: provideVatMath(),
});

/** Read-only, so that the evaluator binds them as constants. */
const readOnly = { writable: false, enumerable: false, configurable: false };
const operator = { value: powerOperator, ...readOnly };
const templates = { value: makeTemplateObject, ...readOnly };

/**
 * The globals of compartments that a vat makes, at any depth, unless the vat overrides them.
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
 * @property {WriteConsole} [write]  gets the vat's console output; default: it is dropped
 * @property {Record<string, unknown>} [endowments]  further globals, hardened; they override the others
 * @property {Record<PropertyKey, unknown>} [inherited]  further globals, which compartments made in this one get too
 * @property {Record<string, unknown>} [modules]  SES module descriptors by full specifier
 * @property {(specifier: string, referrer: string) => string} [resolveHook]
 * @property {TextCache} [textCache]  of texts that the vat evaluates
 * @property {(text: string) => boolean} [isChecked]  whether a text was checked before and is evaluated as it is; default:
 *   none was
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
  textCache,
  isChecked = () => false,
}) => {
  const guard = makeGuard(textCache);
  const ownGlobals = provideOwnGlobals();
  const globals = {
    console: makeVatConsole(write),
    assert: globalThis.assert,
    ...urlGlobals,
    ...base64Globals,
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
    // Modules were checked when they were compiled.
    transforms: [(/** @type {string} */ text) => (isChecked(text) ? text : guard(text))],
    __noNamespaceBox__: true,
    noAggregateLoadErrors: true,
  };
  const compartment = new Compartment(/** @type {any} */ (options));
  for (const removed of removedGlobals) {
    if (!Object.hasOwn(endowments, removed)) delete compartment.globalThis[removed];
  }
  Object.defineProperty(compartment.globalThis, powerName, operator);
  Object.defineProperty(compartment.globalThis, templateName, templates);
  guardGlobals(compartment.globalThis, guard, {
    ...describeInherited({ ...ownGlobals, ...inherited }),
    [powerName]: operator,
    [templateName]: templates,
  });
  harden(compartment.globalThis);
  return compartment;
};
