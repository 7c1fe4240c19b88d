// Evaluates bundles of other tools: one program text whose evaluation gives the module's namespace.

import { quote, UserError } from '#model';

import { describeErrorForRun, noteVatUrl } from '../compartment/index.js';
import { makeVatCompartment } from '../compartment/vat-compartment.js';
import { provideTextCache } from './text-cache.js';

/** @import { ForeignBundle } from '#config/bundle-format.js' */
/** @import { ImportedVat, ImportOptions } from './import-bundle.js' */

/**
 * @param {unknown} made  of the bundle's text
 * @param {string} moduleFormat
 * @returns {Function}
 * @throws {TypeError} it is something else
 */
const insistFunction = (made, moduleFormat) => {
  if (typeof made === 'function') return made;
  throw TypeError(
    `the source of a bundle ${quote(moduleFormat)} must be a function, got ${describeKind(made)}`,
  );
};

/**
 * @param {unknown} namespace
 * @returns {Record<string, any>}
 * @throws {TypeError} it has no properties of its own
 */
const insistNamespace = namespace => {
  if (Object(namespace) === namespace) return /** @type {Record<string, any>} */ (namespace);
  throw TypeError(
    `the source of the bundle must give the exports of its module, got ${describeKind(namespace)}`,
  );
};

/** @param {unknown} value */
const describeKind = value => (value === null ? 'null' : typeof value);

/**
 * Evaluate a bundle of another tool. `endoScript` is an expression; the other two formats are a function that returns
 * the namespace. The files in `nestedEvaluate` evaluate each other, under names that begin with a given prefix.
 *
 * @param {string} id
 * @param {ForeignBundle} foreign
 * @param {ImportOptions} options
 * @returns {ImportedVat}
 */
export const evaluateForeign = (id, { moduleFormat, source }, options) => {
  const { name, endowments, inherited, write, shims = {}, cacheDir } = options;
  const url = `vat:${encodeURI(name)}/${id}`;
  noteVatUrl(url);
  /** Gives the bundle a module that it left out. @param {string} specifier */
  const require = specifier => {
    if (Object.hasOwn(shims, specifier)) return harden(shims[specifier]);
    throw Error(`the module ${quote(specifier)} is not provided here`);
  };
  // The files of `nestedEvaluate` evaluate each other in their own compartment.
  /** @type {{ compartment?: Compartment }} */
  const home = {};
  /** @param {string} text */
  const nestedEvaluate = text => home.compartment?.evaluate(text);
  const compartment = makeVatCompartment({
    name,
    write,
    inherited,
    textCache: provideTextCache(cacheDir),
    endowments: { require, nestedEvaluate, ...endowments },
  });
  home.compartment = compartment;
  try {
    const isScript = moduleFormat === 'endoScript';
    const text = isScript ? source : `(${source}\n)`;
    const made = compartment.evaluate(`${text}\n//# sourceURL=${url}\n`);
    const namespace = isScript
      ? made
      : insistFunction(made, moduleFormat)(`vat:${encodeURI(name)}`);
    return { namespace: insistNamespace(namespace), compartment, findFunction: () => undefined };
  } catch (error) {
    throw new UserError(`vat ${quote(name)} does not start: ${describeErrorForRun(error)}`, {
      exitCode: 1,
      cause: error,
    });
  }
};
