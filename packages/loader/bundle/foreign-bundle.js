// Bundles that other tools made: one program text, which gives the module's namespace when it is evaluated.

import { quote, UserError } from '#model';

import { describeErrorForRun, noteVatUrl } from '../compartment/index.js';
import { makeVatCompartment } from '../compartment/vat-compartment.js';

/** @import { ForeignBundle } from '#config/bundle-format.js' */
/** @import { ImportedVat, ImportOptions } from './import-bundle.js' */

/**
 * `endoScript` is an expression; the other two are a function whose call gives the namespace, and the files in
 * `nestedEvaluate` evaluate each other, under names that begin with the prefix they are given.
 *
 * @param {string} id
 * @param {ForeignBundle} foreign
 * @param {ImportOptions} options
 * @returns {ImportedVat}
 */
export const evaluateForeign = (id, { moduleFormat, source }, options) => {
  const { name, endowments, inherited, write, shims = {} } = options;
  const url = `vat:${encodeURI(name)}/${id}`;
  noteVatUrl(url);
  /** The bundle asks for the modules that it left out by name. @param {string} specifier */
  const require = specifier => {
    if (Object.hasOwn(shims, specifier)) return harden(shims[specifier]);
    throw Error(`the module ${quote(specifier)} is not provided here`);
  };
  // The files of `nestedEvaluate` evaluate each other where they are themselves.
  /** @type {{ compartment?: Compartment }} */
  const home = {};
  /** @param {string} text */
  const nestedEvaluate = text => home.compartment?.evaluate(text);
  const compartment = makeVatCompartment({
    name,
    write,
    inherited,
    endowments: { require, nestedEvaluate, ...endowments },
  });
  home.compartment = compartment;
  try {
    const isScript = moduleFormat === 'endoScript';
    const text = isScript ? source : `(${source}\n)`;
    const made = compartment.evaluate(`${text}\n//# sourceURL=${url}\n`);
    const namespace = isScript ? made : made(`vat:${encodeURI(name)}`);
    return { namespace, compartment, findFunction: () => undefined };
  } catch (error) {
    throw new UserError(`vat ${quote(name)} does not start: ${describeErrorForRun(error)}`, {
      exitCode: 1,
      cause: error,
    });
  }
};
