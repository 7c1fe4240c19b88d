// Transports that overlap and reorder everything that the kernel allows to overlap (packages/README.md,
// "Determinism"). `begin` only notes the delivery; deliveries that are begun are executed in a random order, other
// than the kernel's, while somebody waits in `finish`. State, counters, identifiers and hash must not change.
//
// Vats of one thread share its promise jobs, so one delivery is executed at a time, each in a macrotask; what is
// reordered is who runs before whom.

import { inMacrotask } from './macrotask.js';
import { makeRandom } from './random.js';

/** @import { CrankResult, Transport } from '#kernel' */

/**
 * A delivery that is begun.
 *
 * @typedef {{ number: number, execute: () => CrankResult | Promise<CrankResult>, result: CrankResult | undefined }} Begun
 */

/** @param {string | number} seed */
export const makeOverlappingTransports = seed => {
  const random = makeRandom(seed);
  let number = 0;
  let executed = 0;
  let reordered = 0;
  let forgotten = 0;
  let workedEarly = 0;

  /** @type {Begun[]} in the order of `begin`, not yet executed */
  let waiting = [];

  const executeOne = async () => {
    const begun = random.pick(waiting);
    if (waiting[0] !== begun) reordered += 1;
    waiting = waiting.filter(other => other !== begun);
    executed += 1;
    // A vat of this thread is settled only from a macrotask.
    begun.result = await inMacrotask(begun.execute);
  };

  /**
   * A vat on the kernel's own thread, which the kernel may have carry out an item ahead of its turn.
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
          begun = {
            number,
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
          while (current.result === undefined) await executeOne();
          begun = undefined;
          return current.result;
        },
        close() {
          // The vat has ended. A delivery that it is still at may be executed or not: nobody may notice.
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
     * Counts: deliveries executed, those that overtook an earlier one, those of vats that ended meanwhile, and those that the
     * kernel's thread carried out while it waited.
     */
    get counts() {
      return { executed, reordered, forgotten, workedEarly };
    },

    /** Throws if nothing was reordered: then a test of reordering has tested nothing. */
    insistReordered() {
      if (reordered === 0)
        throw Error(`none of ${executed} deliveries overtook another (seed ${seed})`);
    },
  });
};

/** @typedef {ReturnType<typeof makeOverlappingTransports>} OverlappingTransports */
