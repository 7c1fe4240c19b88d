// Transports that overlap and reorder deliveries as far as the kernel allows (docs/design/determinism.md).
// `begin` only notes the delivery; noted deliveries are executed in a random order while a caller waits in `finish`.
// State, counters, identifiers and hash must not change.
//
// Vats of one thread share its promise jobs, so one delivery is executed at a time, each in a macrotask; only their
// order changes.

import { inMacrotask } from './macrotask.js';
import { makeRandom } from './random.js';

/** @import { CrankResult, Transport } from '#kernel' */

/**
 * A delivery that has begun.
 *
 * @typedef {{ number: number, isAhead: boolean, execute: () => CrankResult | Promise<CrankResult>, result: CrankResult | undefined }} Begun
 */

/**
 * @param {string | number} seed
 * @param {{ takesBack?: boolean }} [options]  `takesBack`: the kernel may take back deliveries that began ahead of earlier
 *   tags, so they are not executed before their turn
 */
export const makeOverlappingTransports = (seed, { takesBack = false } = {}) => {
  const random = makeRandom(seed);
  let number = 0;
  let executed = 0;
  let reordered = 0;
  let forgotten = 0;
  let workedEarly = 0;
  let overtook = 0;

  /** @type {Begun[]} in the order of `begin`, not yet executed */
  let waiting = [];

  /** @param {Begun} wanted  whose turn has come */
  const executeOne = async wanted => {
    const begun = random.pick(
      takesBack ? waiting.filter(each => each === wanted || !each.isAhead) : waiting,
    );
    if (waiting[0] !== begun) reordered += 1;
    waiting = waiting.filter(other => other !== begun);
    executed += 1;
    // A vat on this thread can only be drained from a macrotask.
    begun.result = await inMacrotask(begun.execute);
  };

  /**
   * Wrap the transport of a vat on the kernel's thread, where the kernel may run an item before its turn.
   *
   * @param {Transport} transport
   * @returns {Transport}
   */
  const wrapAtHome = transport => {
    /** @type {CrankResult | undefined} */
    let early;
    return Object.freeze({
      overlaps: false,
      begin: transport.begin,
      async work() {
        early = await inMacrotask(() => transport.finish());
        workedEarly += 1;
      },
      finish() {
        const result = early ?? transport.finish();
        early = undefined;
        return result;
      },
      close: transport.close,
    });
  };

  return Object.freeze({
    /**
     * For `wrapTransport`.
     *
     * @param {Transport} transport
     * @returns {Transport}
     */
    wrap(transport) {
      if (random.chance(0.3)) return wrapAtHome(transport);
      /** @type {Begun | undefined} */
      let begun;
      return Object.freeze({
        isDone: () => begun?.result !== undefined && random.chance(0.5),
        begin(delivery, answer, when) {
          if (begun !== undefined) throw Error('a vat takes one delivery at a time');
          number += 1;
          if (when.mustNotWait) overtook += 1;
          begun = {
            number,
            isAhead: when.mustNotWait === true,
            execute: () => {
              transport.begin(delivery, answer, when);
              return transport.finish();
            },
            result: undefined,
          };
          waiting.push(begun);
        },
        async finish() {
          if (begun === undefined) throw Error('finish() before begin()');
          const current = begun;
          while (current.result === undefined) await executeOne(/** @type {Begun} */ (current));
          begun = undefined;
          return current.result;
        },
        rewind() {
          if (begun?.result !== undefined)
            throw Error('a vat that has run ahead cannot be taken back here');
          waiting = waiting.filter(other => other !== begun);
          begun = undefined;
        },
        close() {
          // The vat has ended. Its delivery under way may be executed or not, without a visible difference.
          if (begun !== undefined && random.chance(0.5)) {
            waiting = waiting.filter(other => other !== begun);
          }
          if (begun !== undefined) forgotten += 1;
          begun = undefined;
          transport.close();
        },
      });
    },

    /**
     * Numbers of deliveries: executed ones, ones that overtook an earlier one, ones of vats that ended meanwhile, ones
     * that the kernel's thread ran while it waited, and reactions that began ahead of earlier tags.
     */
    get counts() {
      return { executed, reordered, forgotten, workedEarly, overtook };
    },

    /** Throw if nothing was reordered: then a test of reordering has tested nothing. */
    insistReordered() {
      if (reordered === 0)
        throw Error(`none of ${executed} deliveries overtook another (seed ${seed})`);
    },
  });
};

/** @typedef {ReturnType<typeof makeOverlappingTransports>} OverlappingTransports */
