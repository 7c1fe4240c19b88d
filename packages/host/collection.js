// The engine's garbage collector, which Node shows only on request: a full collection, and what it takes for a vat to
// find out which of its references are dead.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** @import { Collector } from '#vat' */

/** @type {(() => void) | undefined} */
let collector;

/** A full collection. */
export const forceCollection = () => {
  if (collector === undefined) {
    setFlagsFromString('--expose-gc');
    collector = /** @type {() => void} */ (runInNewContext('gc'));
  }
  collector();
};

/**
 * Vats that are asked for their dead references at one tag share one collection: nothing runs between them.
 *
 * @param {() => { timeNs: number, microstep: number }} getTag  of the crank that runs
 * @returns {Collector & { takeSpent(): { count: number, ns: number } }} `takeSpent`: how many collections there were
 *   since it was asked last, and how long they took
 */
export const makeCollector = getTag => {
  let last = '';
  let count = 0;
  let ns = 0;
  return Object.freeze({
    WeakRef,
    collect() {
      const { timeNs, microstep } = getTag();
      const tag = `${timeNs} ${microstep}`;
      if (tag === last) return;
      last = tag;
      const begun = performance.now();
      // The first one may only finish a marking that was under way, in which what has died since counts as alive.
      forceCollection();
      forceCollection();
      count += 1;
      ns += (performance.now() - begun) * 1_000_000;
    },
    takeSpent() {
      const spent = { count, ns: Math.round(ns) };
      count = 0;
      ns = 0;
      return spent;
    },
  });
};
