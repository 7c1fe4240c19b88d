// A sleep that can be ended early, for the loop without work.

export class Nap {
  /** @type {(() => void) | undefined} ends the sleep */
  #wakeUp;

  /** Whether a sleep is on. */
  get isOn() {
    return this.#wakeUp !== undefined;
  }

  /** End the sleep, if one is on. */
  end() {
    this.#wakeUp?.();
  }

  /**
   * @param {number | undefined} mostMs  at most 2 ** 31 - 1; undefined: until `end()`
   * @returns {Promise<void>} settles when the sleep is over
   */
  begin(mostMs) {
    return new Promise(resolve => {
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      const wakeUp = () => {
        this.#wakeUp = undefined;
        if (timer !== undefined) clearTimeout(timer);
        resolve();
      };
      if (mostMs !== undefined) timer = setTimeout(wakeUp, mostMs);
      this.#wakeUp = wakeUp;
    });
  }
}
