// State that is set back by itself, if it was made by `this.state(…)` of a reactor: when a mode is entered by a reset, and
// when a transient child begins anew.

/** @import { Mode } from './mode.js' */

/** A state variable of a reactor. `this.state()` makes one that is set back with its mode. @template T */
export class State {
  /** @param {T | (() => T)} initial  a function is called for each fresh value */
  constructor(initial) {
    this.initial = initial;
    /** @type {Mode | null} whose reset sets it back */
    this.mode = null;
    /** @type {T} */
    this.value = /** @type {any} */ (undefined);
    this.reset();
  }

  /** The value now. @returns {T} */
  get() {
    return this.value;
  }

  /** Change the value, until a reset sets it back. @param {T} value */
  set(value) {
    this.value = value;
  }

  /** Set the value back to the initial one; where that was a function, it is called again. */
  reset() {
    const { initial } = this;
    this.value = typeof initial === 'function' ? /** @type {() => T} */ (initial)() : initial;
  }
}

/**
 * A value given to a reactor when it is made; a plain constructor argument does as well.
 *
 * @template T
 */
export class Parameter {
  #value;

  /** @param {T} value */
  constructor(value) {
    this.#value = value;
  }

  /** The value that the parameter was made with. @returns {T} */
  get() {
    return this.#value;
  }
}
