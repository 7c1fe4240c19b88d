// State of a reactor.

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
