// Full collections by the engine's garbage collector, by which vats find their dead references.
//
// The findings of a collection must depend on the vats' actions only. Two things would violate that. Compilation in the
// background holds the closures for which it compiles, so we wait for it. In optimised code a suspended async function
// drops variables that it will not read again, while interpreted code keeps them, so optimised code is made to keep
// them, too (engine-flags.js). (A marking under way, in which objects that died since count as alive, is ended by V8's
// `gc` before it begins its own.)

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setFlag } from './process-flags.js';

/** @import { Collected, Collector } from '#vat' */

/** @type {(() => void) | undefined} */
let collector;

/** A full collection. */
export const forceCollection = () => {
  if (collector === undefined) {
    setFlag('--expose-gc', '--no-expose-gc');
    collector = /** @type {() => void} */ (runInNewContext('gc'));
  }
  collector();
};

/** @type {(() => void) | undefined} */
let finishCompiling;

/**
 * Wait for the engine's compilation in the background; quick if there is none. V8 has this function for its tests;
 * without it we do not wait.
 */
const awaitCompiler = () => {
  // Set the flag each time: the engine drops the code of a function after a while, and then parses it again.
  setFlagsFromString('--allow-natives-syntax');
  try {
    finishCompiling ??= /** @type {() => void} */ (
      runInNewContext('() => %FinalizeOptimization()')
    );
    finishCompiling();
  } catch {
    finishCompiling = () => {};
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
};

/** The collector of one vat's references. @typedef {Collector & { forget: () => void, rejoin: () => void }} VatCollector */

/**
 * Make the collector of a kernel's vats. Vats that are asked for dead references one directly after the other share one
 * collection. Only their references are weakened during it: every other vat keeps its references until it is asked
 * itself.
 *
 * @param {() => readonly string[]} findAsked  the vats that are asked next, before any other delivery
 */
export const makeCollector = findAsked => {
  /** @type {Map<string, Collected>} */
  const tables = new Map();
  let count = 0;
  let ns = 0;

  /** @param {Iterable<Collected>} together */
  const collect = together => {
    const begun = performance.now();
    for (const table of together) table.beginCollection();
    try {
      awaitCompiler();
      forceCollection();
    } finally {
      for (const table of together) table.endCollection();
    }
    count += 1;
    ns += (performance.now() - begun) * 1_000_000;
  };

  return Object.freeze({
    /**
     * @param {string} vatId
     * @returns {VatCollector}
     */
    ofVat(vatId) {
      /** @type {Collected | undefined} */
      let own;
      return Object.freeze({
        WeakRef,
        watch(table) {
          own = table;
          tables.set(vatId, table);
        },
        collect() {
          const together = new Set(own && [own]);
          for (const asked of findAsked()) {
            const table = tables.get(asked);
            if (table !== undefined) together.add(table);
          }
          collect(together);
        },
        /** To be called when the vat has ended or moved away. */
        forget() {
          if (tables.get(vatId) === own) tables.delete(vatId);
        },
        /** The vat runs here again. */
        rejoin() {
          if (own !== undefined) tables.set(vatId, own);
        },
      });
    },

    /** The number and time of collections since the last call. */
    takeSpent() {
      const spent = { count, ns: Math.round(ns) };
      count = 0;
      ns = 0;
      return spent;
    },
  });
};
