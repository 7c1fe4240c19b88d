// State that is restored automatically, if it was made by `this.state(…)` of a reactor: when a mode is entered by a
// reset, and when a transient child is reused.

/** @import { Mode } from './mode.js' */

/** A state variable of a reactor. `this.state()` makes one that is reset with its mode. @template T */
export class State {
  /** @param {T | (() => T)} initial  a function is called for each fresh value */
  constructor(initial) {
    this.initial = initial;
    /** @type {Mode | null} the mode whose reset restores it */
    this.mode = null;
    /** @type {T} */
    this.value = /** @type {any} */ (undefined);
    this.reset();
  }

  /** The present value. @returns {T} */
  get() {
    return this.value;
  }

  /** Changes the value until a reset restores it. @param {T} value */
  set(value) {
    this.value = value;
  }

  /** Restores the initial value; calls the function again if it was one. */
  reset() {
    const { initial } = this;
    this.value = typeof initial === 'function' ? /** @type {() => T} */ (initial)() : initial;
  }
}

/**
 * A value given to a reactor when it is made; a plain constructor argument works too.
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
