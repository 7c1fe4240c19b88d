// State that is set back by itself, if it was made by `this.state(…)` of a reactor: when a mode is entered by a reset, and
// when a transient child begins anew.

/** @import { Mode } from './mode.js' */

/** @template T */
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

  get() {
    return this.value;
  }

  /** @param {T} value */
  set(value) {
    this.value = value;
  }

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

  get() {
    return this.#value;
  }
}
