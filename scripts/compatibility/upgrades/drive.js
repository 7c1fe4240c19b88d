// Runs the rounds of a program on either kernel.

import { nameVats } from '../name-vats.js';
import { renameMarked } from '../deliveries/names.js';
import { makeRound, seedsOfRounds } from './program.js';
import { lookAt, makeObjectNames } from './state.js';

/** @import { makeTrace } from '../deliveries/trace.js' */
/** @import { KvStore } from './state.js' */

/**
 * @typedef {object} Kernel
 * @property {ReturnType<typeof makeTrace>} trace
 * @property {(vatId: string) => string | undefined} findStatic  the name of a vat of the config
 * @property {(kref: string) => { vatId: string, vref: string } | undefined} findExport
 * @property {KvStore} kvStore
 * @property {(method: string, args: unknown[]) => void} send  to the root of the bootstrap vat
 * @property {() => void} reap
 * @property {() => Promise<unknown>} run
 */

/** Numbers of vats are each kernel's own. @param {string} line */
const withoutVatIds = line => line.replaceAll(/(vat \\*")v\d+/g, '$1v');

/**
 * Objects get their names as soon as a line has them, since they may be retired later in the same run.
 *
 * @param {Kernel} kernel
 */
export const prepare = ({ trace, findStatic, findExport }) => {
  let nameVat = nameVats(findStatic);
  const nameObject = makeObjectNames(findExport, vatId => nameVat(vatId));
  let noted = 0;
  const note = () => {
    const lines = trace.rounds[trace.rounds.length - 1];
    for (; noted < lines.length; noted += 1) renameMarked(lines[noted], nameObject);
  };
  const { deliver, syscall } = trace;
  Object.assign(trace, {
    /** @type {typeof deliver} */
    deliver: (vatId, delivery) => {
      if (delivery[0] === 'startVat') nameVat(vatId);
      deliver(vatId, delivery);
      note();
    },
    /** @type {typeof syscall} */
    syscall: (vatId, ...rest) => {
      syscall(vatId, ...rest);
      note();
    },
  });
  const beginRound = () => {
    trace.begin();
    noted = 0;
    nameVat = nameVats(findStatic);
  };
  return { beginRound, nameObject, nameVat: (/** @type {string} */ vatId) => nameVat(vatId) };
};

/**
 * @param {number} seed
 * @param {number} rounds
 * @param {Kernel} kernel
 * @param {ReturnType<typeof prepare>} names
 * @returns {Promise<string[][]>} lines of each round
 */
export const runRounds = async (seed, rounds, kernel, { beginRound, nameObject, nameVat }) => {
  const { trace, kvStore, send, reap, run } = kernel;
  await run();
  const results = [];
  for (const roundSeed of seedsOfRounds(seed, rounds)) {
    beginRound();
    const lines = trace.rounds[trace.rounds.length - 1];
    /** @type {string[]} */
    const told = [];
    /** @type {Map<string, string>} */
    const others = new Map();
    const rename = (/** @type {string} */ name) => {
      if (name.startsWith('ko')) return nameObject(name);
      if (!others.has(name)) others.set(name, `${name.replace(/[\d:].*/, '')}#${others.size + 1}`);
      return /** @type {string} */ (others.get(name));
    };
    let at = 0;
    for (const call of makeRound(roundSeed)) {
      told.push(`# ${typeof call === 'string' ? call : call.slice(0, 2).join(' ')}`);
      if (call === 'look') {
        told.push(...lookAt(kvStore, nameVat, nameObject));
        continue;
      }
      if (call === 'reap') reap();
      else send(call[0], call.slice(1));
      await run();
      for (; at < lines.length; at += 1) {
        const line = renameMarked(lines[at], rename);
        if (line !== undefined) told.push(withoutVatIds(line));
      }
    }
    results.push(told);
  }
  return results;
};
