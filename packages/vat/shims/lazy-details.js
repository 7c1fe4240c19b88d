// Details and quotes of errors that cost nothing until an error is made of them. SES enters each into a weak map, but
// programs of 2020 make them for every check, and nearly every check passes.

import { quote as todaysQuote } from '@endo/errors';

/** A value as a program gave it, until something of SES needs it. */
class Lazy {
  #make;

  #given;

  #more;

  /** @type {any} */
  #made = undefined;

  /**
   * @param {(given: any, more: any) => object} make  makes what SES knows
   * @param {unknown} given
   * @param {unknown} more
   */
  constructor(make, given, more) {
    this.#make = make;
    this.#given = given;
    this.#more = more;
  }

  toString() {
    const made = Lazy.resolve(this);
    return made === this ? '[no details]' : String(made);
  }

  /** @param {any} value */
  static resolve(value) {
    if (typeof value !== 'object' || value === null || !(#made in value)) return value;
    const lazy = /** @type {Lazy} */ (value);
    lazy.#made ??= lazy.#make(lazy.#given, lazy.#more);
    return lazy.#made;
  }
}
// Vats share the prototype, and none may get at the class.
Reflect.deleteProperty(Lazy.prototype, 'constructor');
harden(Lazy.prototype);

/**
 * Turns details or a quote that were made here into those of SES, and gives back any other value.
 *
 * @type {(value: any) => any}
 */
export const resolveLazy = Lazy.resolve;

/**
 * A value that an error may need.
 *
 * @template G, M
 * @param {(given: G, more: M) => object} make  makes what SES knows
 * @param {G} given
 * @param {M} more
 * @returns {any}
 */
export const delay = (make, given, more) => new Lazy(make, given, more);

/**
 * Like SES's `quote`.
 *
 * @param {unknown} value
 * @param {string | number} [spaces]
 * @returns {any}
 */
export const lazyQuote = (value, spaces) => new Lazy(todaysQuote, value, spaces);
harden(lazyQuote);

/**
 * Make functions of SES take what was made here.
 *
 * @template T
 * @param {T} given  a function with members of the kind, or an object of functions
 * @returns {T}
 */
export const takeLazy = given => {
  /** @type {any} */
  const known = given;
  const isFunction = typeof known === 'function';
  if (!isFunction && (typeof known !== 'object' || known === null)) return given;
  const made = isFunction
    ? (/** @type {unknown[]} */ ...args) => {
        const result = known(...args.map(resolveLazy));
        // `makeAssert` returns another such function.
        return typeof result === 'function' ? takeLazy(result) : result;
      }
    : {};
  for (const [name, value] of Object.entries(known)) {
    Object.defineProperty(made, name, { value: takeLazy(value), enumerable: true });
  }
  return harden(/** @type {any} */ (made));
};
harden(takeLazy);
