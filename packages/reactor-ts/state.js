// The data of a reactor: parameters, which do not change, and state.

/** A parameter of a reactor: read, never set. @template T */
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

/** A state variable of a reactor. @template T */
export class State {
  #value;

  /** @param {T} value */
  constructor(value) {
    this.#value = value;
  }

  /** The value now. @returns {T} */
  get() {
    return this.#value;
  }

  /** Change the value. @param {T} value */
  set(value) {
    this.#value = value;
  }
}
