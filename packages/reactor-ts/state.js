// What a reactor knows: parameters, which do not change, and state.

/** @template T */
export class Parameter {
  #value;

  /** @param {T} value */
  constructor(value) {
    this.#value = value;
  }

  /** @returns {T} */
  get() {
    return this.#value;
  }
}

/** @template T */
export class State {
  #value;

  /** @param {T} value */
  constructor(value) {
    this.#value = value;
  }

  /** @returns {T} */
  get() {
    return this.#value;
  }

  /** @param {T} value */
  set(value) {
    this.#value = value;
  }
}
