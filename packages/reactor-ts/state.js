// The data of a reactor: constant parameters, and state.

/** A parameter of a reactor, which is never set. @template T */
export class Parameter {
  #value;

  /** @param {T} value */
  constructor(value) {
    this.#value = value;
  }

  /** The value of the parameter. @returns {T} */
  get() {
    return this.#value;
  }
}

/** A state variable of a reactor. @template T */
export class State {
  #value;

  /** @param {T} value */
  constructor(value) {
    this.#value = value;
  }

  /** The present value. @returns {T} */
  get() {
    return this.#value;
  }

  /** Change the value. @param {T} value */
  set(value) {
    this.#value = value;
  }
}
