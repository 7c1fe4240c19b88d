// What a person needs to know of a value that a vat tried to pass and could not: which value, of which method, and
// where that method is written. The error itself is made by the marshaller, long after the method has returned, so
// its stack does not tell.

import { explainError, inspectValue } from '#loader/compartment';
import { findMethod } from './find-method.js';

/** @import { Refusal } from '#vat' */
/** @import { Frame } from '#loader/compartment/error-report.js' */

/** Longer values are cut. */
const maxLength = 100;

/** @param {unknown} value */
const show = value => {
  const text = inspectValue(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
};

/**
 * @param {unknown} error  that the value caused
 * @param {Refusal} refusal
 * @param {(sought: unknown) => Frame | undefined} findFunction  where a function of the vat is written
 */
export const explainRefusal = (error, refusal, findFunction) => {
  try {
    explain(error, refusal, findFunction);
  } catch {
    // Whatever the vat made that cannot be explained: its error stands for itself.
  }
};

/** @type {typeof explainRefusal} */
const explain = (error, { kind, value, object, method }, findFunction) => {
  const name = method === undefined ? 'a function' : `${String(method)}()`;
  if (kind === 'arguments') {
    const args = [.../** @type {unknown[]} */ (value)].map(show).join(', ');
    const call = method === undefined ? `E(…)(${args})` : `E(…).${String(method)}(${args})`;
    explainError(error, `the arguments of ${call} cannot be passed`);
    return;
  }
  if (object === undefined) {
    const how = kind === 'result' ? 'fulfilled with' : 'rejected with';
    explainError(error, `a promise was ${how} ${show(value)}, which cannot be passed`);
    return;
  }
  const found = findMethod(object, /** @type {PropertyKey} */ (method ?? ''));
  const frame = findFunction(method === undefined ? object : found);
  const how = kind === 'result' ? 'returned' : 'threw';
  explainError(error, `${name} ${how} ${show(value)}, which cannot be passed`, frame);
};
