// How wide a run is: the average number of deliveries under way at once.

/** Deliveries after which the width is known. */
const enoughCalls = 100;

export class RunWidth {
  #calls = 0;

  #waits = 0;

  /** Whether a delivery has begun since the last wait. */
  #isFresh = true;

  /** A delivery has begun. */
  noteCall() {
    this.#calls += 1;
    this.#isFresh = true;
  }

  /** The kernel takes a result. */
  noteWait() {
    if (this.#isFresh) this.#waits += 1;
    this.#isFresh = false;
  }

  /** The width since the last request; undefined if there were few deliveries. */
  take() {
    if (this.#calls < enoughCalls || this.#waits === 0) return undefined;
    const width = this.#calls / this.#waits;
    this.#calls = 0;
    this.#waits = 0;
    this.#isFresh = true;
    return width;
  }
}
