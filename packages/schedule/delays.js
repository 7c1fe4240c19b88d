// The shortest delays between nodes that send each other values: how soon anything that happens at one can reach another.
// A delay is a time, after which the microstep begins anew, and microsteps.

/** @typedef {{ from: number, to: number, delayNs: number, microsteps: number }} DelayedEdge */

export class Delays {
  #count;

  #times;

  #microsteps;

  /**
   * @param {number} count  of nodes
   * @param {Float64Array} times  in nanoseconds, by source and target; Infinity where no path leads
   * @param {Float64Array} microsteps
   */
  constructor(count, times, microsteps) {
    this.#count = count;
    this.#times = times;
    this.#microsteps = microsteps;
  }

  /**
   * Whether everything that begins at a source at a tag reaches a target after another tag, if it reaches it at all.
   *
   * @param {number} from
   * @param {import('#model').Tag} tag
   * @param {number} to
   * @param {import('#model').Tag} other
   * @returns {boolean}
   */
  isLater(from, { timeNs, microstep }, to, other) {
    const at = from * this.#count + to;
    const delayNs = this.#times[at];
    const arrivalNs = timeNs + delayNs;
    if (arrivalNs !== other.timeNs) return arrivalNs > other.timeNs;
    return this.#microsteps[at] + (delayNs > 0 ? 0 : microstep) > other.microstep;
  }
}

/**
 * Find the shortest delay between each two nodes, by the algorithm of Floyd and Warshall. Delays are added as tags are:
 * a time sets the microstep back to 0, so times are compared first.
 *
 * @param {number} count  of nodes
 * @param {readonly DelayedEdge[]} edges
 * @returns {Delays}
 */
export const findDelays = (count, edges) => {
  const times = new Float64Array(count * count).fill(Infinity);
  const microsteps = new Float64Array(count * count);
  const shorten = (
    /** @type {number} */ at,
    /** @type {number} */ delayNs,
    /** @type {number} */ steps,
  ) => {
    if (delayNs > times[at] || (delayNs === times[at] && steps >= microsteps[at])) return;
    times[at] = delayNs;
    microsteps[at] = steps;
  };
  for (const { from, to, delayNs, microsteps: steps } of edges)
    shorten(from * count + to, delayNs, steps);
  for (let via = 0; via < count; via += 1) {
    for (let from = 0; from < count; from += 1) {
      const first = from * count + via;
      if (times[first] === Infinity) continue;
      for (let to = 0; to < count; to += 1) {
        const second = via * count + to;
        const restarts = times[second] > 0;
        shorten(
          from * count + to,
          times[first] + times[second],
          microsteps[second] + (restarts ? 0 : microsteps[first]),
        );
      }
    }
  }
  return new Delays(count, times, microsteps);
};
