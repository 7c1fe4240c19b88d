// State that is set back by itself: when a mode is entered by a reset, and when a transient child begins anew.

import { insistContainer } from './container.js';

/** @template T */
export class State {
  /**
   * @param {any} container
   * @param {T | (() => T)} initial  a function is called for each fresh value
   */
  constructor(container, initial) {
    const { node, mode } = insistContainer(container, 'a state');
    this.mode = mode;
    this.initial = initial;
    /** @type {T} */
    this.value = /** @type {any} */ (undefined);
    this.reset();
    node.states.push(this);
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
