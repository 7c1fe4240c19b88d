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
 * Waits for the engine's compilation in the background; quick when there is none. V8 has it for its own tests only. An
 * engine without it goes on without it.
 */
const awaitCompiler = () => {
  // Each time: the engine drops the code of a function that was not called for long, and then parses it again.
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
 * Vats that are asked for their dead references with nothing between them share one collection. Only their references are
 * let go of while it runs: every other vat keeps what it has until it is asked itself.
 *
 * @param {() => readonly string[]} findAsked  the vats that are asked behind the one that is asked now, before anything
 *   comes to them
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
        /** The vat has ended, or runs elsewhere. */
        forget() {
          if (tables.get(vatId) === own) tables.delete(vatId);
        },
        /** The vat runs here again. */
        rejoin() {
          if (own !== undefined) tables.set(vatId, own);
        },
      });
    },

    /** How many collections there were since it was asked last, and how long they took. */
    takeSpent() {
      const spent = { count, ns: Math.round(ns) };
      count = 0;
      ns = 0;
      return spent;
    },
  });
};
