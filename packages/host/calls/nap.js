// The sleep of a loop that has nothing to do.

export class Nap {
  /** @type {(() => void) | undefined} ends the sleep */
  #wakeUp;

  /** Whether something sleeps. */
  get isOn() {
    return this.#wakeUp !== undefined;
  }

  /** End the sleep, if there is one. */
  end() {
    this.#wakeUp?.();
  }

  /**
   * @param {number | undefined} mostMs  at most 2 ** 31 - 1; undefined: until it is ended
   * @returns {Promise<void>} settles when it is over or was ended
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
