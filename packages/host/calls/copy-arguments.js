// Copies arguments for a vat, so that the caller's objects are not frozen and its later changes have no effect. An
// error names the place of a value that cannot be passed.

import { types } from 'node:util';
import { quote, showInLine, UserError, withArticle } from '#model';

const passStyle = Symbol.for('passStyle');

/** Bound on the depth; deeper data is probably cyclic. */
const mostDepth = 500;

/** Advice on values that cannot be passed, by their class. @type {Record<string, string>} */
const remedies = {
  Map: 'pass its entries, [...map]',
  Set: 'pass its elements, [...set]',
  Date: 'pass a number or a string, as date.toISOString()',
  RegExp: 'pass its source',
  Buffer: 'pass a string, as buffer.toString("hex")',
  Uint8Array: 'pass a string or an array of numbers',
  ArrayBuffer: 'pass a string or an array of numbers',
  URL: 'pass its href',
};

/**
 * The name of an object's class, for a message.
 *
 * @param {object} value
 * @returns {string}
 */
const classOf = value => {
  try {
    const { constructor } = value;
    return typeof constructor === 'function' && constructor.name !== ''
      ? showInLine(String(constructor.name), 100)
      : 'object without a class';
  } catch {
    return 'object';
  }
};

/**
 * Whether a record is capdata, which `status` returns. It would pass as a plain record, which is never intended.
 *
 * @param {Record<string, unknown>} record
 */
const isCapData = record => {
  const { body, slots } = record;
  return typeof body === 'string' && Array.isArray(slots) && Object.keys(record).length === 2;
};

/**
 * The place of a value in an argument: the names on the way to it. It is formatted only for an error.
 *
 * @typedef {{ path: Path, name: string | number } | undefined} Path
 */

/** @param {Path} place @returns {string} `.orders[2].price` */
const showPath = place => {
  /** @type {string[]} */
  const parts = [];
  for (let at = place; at !== undefined; at = at.path) {
    const { name } = at;
    const isPlain = typeof name === 'string' && /^[A-Za-z_$][\w$]*$/.test(name);
    parts.push(isPlain ? `.${name}` : `[${quote(name)}]`);
  }
  return parts.reverse().join('');
};

/**
 * @param {string} subject  for errors: `argument 1 of bank.order()`
 * @param {(value: object) => boolean} isReference  whether an object passes by reference: a handle, or a promise of the run
 */
export const makeCopier = (subject, isReference) => {
  /** @param {Path} place @param {string} what @returns {never} */
  const refuse = (place, what) => {
    const path = showPath(place);
    const where = path === '' ? '' : ` at ${path}`;
    throw new UserError(`${subject}${where} ${what}`);
  };

  /**
   * @param {unknown} value
   * @param {Path} path
   * @param {number} depth
   * @returns {unknown}
   */
  const copy = (value, path, depth) => {
    if (typeof value === 'function')
      refuse(
        path,
        'is a function, which no vat can be given; send to a handle, or let a device call the host',
      );
    if (typeof value !== 'object' || value === null) return value;
    if (isReference(value)) return value;
    if (types.isProxy(value)) refuse(path, 'is a proxy; pass a plain copy of it');
    if (depth > mostDepth)
      refuse(undefined, `is nested ${mostDepth} deep or refers to itself; pass data without rings`);
    if (types.isNativeError(value)) return harden(value);
    if (Array.isArray(value)) {
      const hole = value.findIndex((each, i) => each === undefined && !(i in value));
      if (hole >= 0)
        refuse({ path, name: hole }, 'is a hole of an array; write undefined or null there');
      return Object.freeze(value.map((each, i) => copy(each, { path, name: i }, depth + 1)));
    }
    if (types.isPromise(value))
      refuse(path, 'is a promise, and not one that a vat gave; await it, and pass the result');
    // Tagged data of an answer passes; the marshaller refuses remotables that are not handles.
    if (passStyle in value) return harden(value);
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      const name = classOf(value);
      const remedy = Object.hasOwn(remedies, name) ? remedies[name] : 'pass plain data or a handle';
      refuse(path, `is ${withArticle(name)}, which cannot be passed to a vat; ${remedy}`);
    }
    return copyRecord(/** @type {Record<string, unknown>} */ (value), path, depth);
  };

  /** @param {Record<string, unknown>} record @param {Path} path @param {number} depth */
  const copyRecord = (record, path, depth) => {
    /** @type {Record<string, unknown>} */
    const made = {};
    const [symbol] = Object.getOwnPropertySymbols(record);
    if (symbol !== undefined)
      refuse(path, `has the symbol ${String(symbol)} as a name; use strings`);
    for (const name of Object.keys(record)) {
      const value = copy(record[name], { path, name }, depth + 1);
      if (name !== '__proto__') made[name] = value;
      else {
        const plain = { enumerable: true, writable: true, configurable: true };
        Object.defineProperty(made, name, { value, ...plain });
      }
    }
    if (isCapData(made))
      refuse(
        path,
        'is capdata ({ body, slots }), which a vat would take for a record; pass the value that it stands for, which call() returns',
      );
    return Object.freeze(made);
  };

  return (/** @type {unknown} */ value) => copy(value, undefined, 0);
};
