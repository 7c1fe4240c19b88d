// Decides after how many cranks of a block to look whether vats should move: blocks of short cranks have none of these
// pauses, and those of long cranks one after each.

/** The time between two pauses. */
const pauseMs = 20;

/** Cranks between two pauses, at first and at most. */
const firstCranks = 16;
const mostCranks = 256;

/** Among short cranks may be long ones: the time of a crank counts for longer than for one interval. */
const keptPart = 0.75;

export class Pauses {
  #isAlways;

  #crankMs = pauseMs / firstCranks;

  #sinceMs = -Infinity;

  #sinceCranks = 0;

  /** @param {boolean} [isAlways]  for tests: pause after each crank */
  constructor(isAlways = false) {
    this.#isAlways = isAlways;
  }

  /** Cranks until the next pause. */
  get after() {
    if (this.#isAlways) return 1;
    return Math.ceil(Math.min(pauseMs / this.#crankMs, mostCranks));
  }

  /**
   * Note the end of a block, or a pause.
   *
   * @param {number} nowMs
   * @param {number} cranks  so far
   */
  note(nowMs, cranks) {
    const passed = cranks - this.#sinceCranks;
    const crankMs = passed > 0 && this.#sinceMs > 0 ? (nowMs - this.#sinceMs) / passed : 0;
    this.#crankMs = Math.max(crankMs, this.#crankMs * keptPart, pauseMs / mostCranks);
    this.#sinceMs = nowMs;
    this.#sinceCranks = cranks;
  }
}
