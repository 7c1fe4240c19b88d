// The engine's garbage collector, which Node shows only on request: a full collection, and what it takes for a vat to
// find out which of its references are dead.
//
// What a collection finds must follow from what the vats have done, and from nothing else. Two things would make it
// otherwise: code that the engine compiles in the background, which holds the closures that it is made for, so that is
// waited for; and optimised code, in which a suspended async function no longer holds the variables that it will not
// read again, where code that is interpreted does, so optimised code holds them too (engine-flags.js). (A marking that is under way, in
// which what has died since counts as alive, V8's `gc` ends before it begins its own.)

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

/** @type {(() => void) | undefined} */
let finishCompiling;

/**
 * Wait for what the engine compiles in the background; some microseconds when there is nothing. V8 has it for its own
 * tests only. An engine without it goes on without it.
 */
const awaitCompiler = () => {
  if (finishCompiling === undefined) {
    setFlagsFromString('--allow-natives-syntax');
    try {
      finishCompiling = /** @type {() => void} */ (
        runInNewContext('() => %FinalizeOptimization()')
      );
      finishCompiling();
    } catch {
      finishCompiling = () => {};
    } finally {
      setFlagsFromString('--no-allow-natives-syntax');
    }
  }
  finishCompiling();
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
      awaitCompiler();
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
