// The cases that random programs reach.

/** Counts the cases in a test, which asserts that they occurred. */
export class Coverage {
  cranks = 0;

  faults = 0;

  /** Counts of the reasons for which vats ended. @type {Record<string, number>} */
  reasons = {};

  /** @type {Record<string, number>} */
  counters = {};

  /** Counts of actions of meddling hosts. @type {Record<string, number>} */
  meddled = {};

  /** Counts of actions of lively devices. @type {Record<string, number>} */
  lived = {};

  /** @param {Record<string, number>} counts @param {'counters' | 'meddled' | 'lived' | 'reasons'} to */
  add(counts, to) {
    for (const [name, count] of Object.entries(counts))
      this[to][name] = (this[to][name] ?? 0) + count;
  }
}
