// Explains why a value could not be passed: which value, of which method, and the place of that method. The marshaller
// makes the error after the method has returned, so its stack does not show this.

import { types } from 'node:util';
import { readError } from '#model';
import { explainError, inspectValue } from '#loader/compartment';
import { getInterfaceOf } from '#vat';
import { findMethod } from '../vats/find-method.js';

/** @import { Refusal } from '#vat' */
/** @import { Frame } from '#loader/compartment/error-report.js' */

/** Characters of a value that are shown. */
const maxLength = 100;

/** Bound on the values that are searched, and on those that are taken of one object. */
const mostSought = 100;

/**
 * The values of an object's first properties. A list's are found by index: to describe all of a long list takes seconds.
 *
 * @param {object} object  no proxy
 */
const firstValues = object => {
  const names = Array.isArray(object)
    ? Array.from({ length: Math.min(object.length, mostSought) }, (_, index) => index)
    : Object.getOwnPropertyNames(object).slice(0, mostSought);
  return names.map(name => Object.getOwnPropertyDescriptor(object, name)?.value);
};

/**
 * Find a method of the first object in a value that has methods and was not declared `Far`. It runs no code of the vat.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
const findUndeclared = value => {
  const queue = [value];
  for (let at = 0; at < queue.length && at < mostSought; at += 1) {
    const each = queue[at];
    if (typeof each !== 'object' || each === null || types.isProxy(each)) continue;
    if (getInterfaceOf(/** @type {any} */ (each)) !== undefined) continue;
    const values = firstValues(each);
    const method = values.find(one => typeof one === 'function');
    if (method !== undefined) return method;
    for (const one of values) queue.push(one);
  }
  return undefined;
};

const remedy = '; an object with methods is declared by Far(name, {methods})';

/** @param {string} method  of a promise */
const ofPromise = method =>
  `; E(…).${method}(…) sends the message ${method}(): what answers is E(…).METHOD(…), a promise`;

const ofFunctions =
  '; a function is passed as Far(name, function), and a message is sent by E(target).method(…), with its call';

/** @param {unknown[]} list */
const hasHoles = list => Object.keys(list).length < list.length;

/** Advice on objects that cannot be passed, by a test for their kind. @type {readonly [(value: unknown) => boolean, string][]} */
const insteadOf = [
  [types.isMap, '; a Map is passed as an array of its entries, [...map]'],
  [types.isSet, '; a Set is passed as an array, [...set]'],
  [types.isDate, '; a Date is passed as a number, date.getTime()'],
  [types.isRegExp, '; a regular expression is passed as its text'],
  [types.isArrayBufferView, '; bytes are passed as a text or an array of numbers'],
  [types.isAnyArrayBuffer, '; bytes are passed as a text or an array of numbers'],
  [
    value => isPlain(value) && Object.getOwnPropertySymbols(value).length > 0,
    '; the fields of a record are named by texts, not by symbols',
  ],
  [types.isGeneratorObject, '; what a generator gives is passed as an array, [...it]'],
  [
    value => Array.isArray(value) && !types.isProxy(value) && hasHoles(value),
    '; an array is passed without holes, Array.from(it)',
  ],
  [
    value => Object.getPrototypeOf(value) === null,
    '; an object without a prototype is passed as a record, {...it}',
  ],
  [
    value => !Array.isArray(value) && !types.isProxy(value) && !isPlain(value),
    '; an instance of a class is passed as a record, {...it}, or its methods by Far(name, {methods})',
  ],
];

/** @param {unknown} value  an object, no proxy */
const isPlain = value =>
  [null, Object.prototype].includes(Object.getPrototypeOf(value)) ||
  types.isPromise(value) ||
  types.isNativeError(value) ||
  getInterfaceOf(/** @type {any} */ (value)) !== undefined;

/**
 * Advise how to pass the first object in a value that is not plain data. It runs no code of the vat.
 *
 * @param {unknown} value
 * @returns {string} empty if there is no advice
 */
const suggestInstead = value => {
  const queue = [value];
  for (let at = 0; at < queue.length && at < mostSought; at += 1) {
    const each = queue[at];
    if (typeof each !== 'object' || each === null || types.isProxy(each)) continue;
    const found = insteadOf.find(([is]) => is(each));
    if (found !== undefined) return found[1];
    if (!isPlain(each) && !Array.isArray(each)) continue;
    for (const one of firstValues(each)) queue.push(one);
  }
  return '';
};

/** @param {unknown} value */
const show = value => {
  const text = inspectValue(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
};

/**
 * @param {unknown} error  that the value caused
 * @param {Refusal} refusal
 * @param {(sought: unknown) => Frame | undefined} findFunction  finds the place of a function in the vat's sources
 */
export const explainRefusal = (error, refusal, findFunction) => {
  try {
    explain(error, refusal, findFunction);
  } catch {
    // The value cannot be inspected, so the error stays as it is.
  }
};

/** @type {typeof explainRefusal} */
const explain = (error, { kind, value, object, method }, findFunction) => {
  if (kind === 'root') {
    // Add the place of the function that returned it. The message of today has the returned value; that of 2020 has not.
    const isTold = readError(/** @type {Error} */ (error)).message.startsWith('buildRootObject ');
    const what = `buildRootObject returned ${show(value)}; it must return a hardened object of methods`;
    explainError(error, isTold ? undefined : what, findFunction(object));
    return;
  }
  const undeclared = findUndeclared(value);
  const instead = typeof value === 'function' ? ofFunctions : suggestInstead(value);
  const isOfPromise =
    kind === 'arguments' && ['then', 'catch', 'finally'].includes(`${String(method)}`);
  const plain = undeclared === undefined ? instead : remedy;
  const hint = isOfPromise ? ofPromise(String(method)) : plain;
  const undeclaredFrame = undeclared === undefined ? undefined : findFunction(undeclared);
  const name = method === undefined ? 'a function' : `${String(method)}()`;
  if (kind === 'arguments') {
    const args = [.../** @type {unknown[]} */ (value)].map(show).join(', ');
    const call = method === undefined ? `E(…)(${args})` : `E(…).${String(method)}(${args})`;
    explainError(error, `the arguments of ${call} cannot be passed${hint}`, undeclaredFrame);
    return;
  }
  if (object === undefined) {
    const how = kind === 'result' ? 'fulfilled with' : 'rejected with';
    explainError(
      error,
      `a promise was ${how} ${show(value)}, which cannot be passed${hint}`,
      undeclaredFrame,
    );
    return;
  }
  const found = findMethod(object, /** @type {PropertyKey} */ (method ?? ''));
  const frame = findFunction(method === undefined ? object : found);
  const how = kind === 'result' ? 'returned' : 'threw';
  explainError(error, `${name} ${how} ${show(value)}, which cannot be passed${hint}`, frame);
};
