// The measured paths, and the loop that runs each. Rounds of different paths take turns, so that a
// noisy moment affects all of them.

/** @import { Pattern } from './instrument.js' */
/** @import { Bench } from './bench.js' */

/** L4Re's three columns, and further paths for comparison. @typedef {'intra' | 'inter' | 'syscall' | 'yardstick'} PathGroup */

/**
 * @typedef {object} Path
 * @property {string} name  unique
 * @property {PathGroup} group
 * @property {string} about the definition of one call
 * @property {'memory' | 'lmdb'} [store]  the store, if it matters
 * @property {Pattern} pattern
 * @property {number} [together]  the number of calls between two marks
 * @property {number} [share]  of the number of calls, less than 1 for slow calls; 1 by default
 * @property {(bench: Bench, calls: number) => Promise<void> | void} go  runs the calls with their
 *   marks
 */

/** The number of calls between two marks if a call is shorter than reading the counters. */
const together = 64;

/** System calls of a vat in one crank. Real cranks make fewer. */
const callsOfCrank = 1_000;

/**
 * @param {string} vat
 * @param {string} method
 * @param {unknown[]} rest  arguments after the number of calls
 * @returns {Path['go']}
 */
const inCranks =
  (vat, method, ...rest) =>
  async (bench, calls) => {
    for (let left = calls; left > 0; left -= callsOfCrank)
      await bench.send(vat, method, [Math.min(left, callsOfCrank), ...rest]);
  };

/** @type {Path[]} */
const intra = [
  {
    name: 'plain call',
    group: 'intra',
    about: 'a method of an object in the vat is called, 64 between two readings',
    pattern: 'pair',
    together,
    go: (bench, calls) =>
      inCranks('left', 'plain', together)(bench, Math.max(1, Math.round(calls / together))),
  },
  {
    name: 'eventual send',
    group: 'intra',
    about: 'object to object in one vat: E(other).hop() until the method begins',
    pattern: 'chain',
    // All in one crank, so that no work of the kernel lies between calls.
    go: (bench, calls) => bench.send('left', 'near', [calls]),
  },
  {
    name: 'reactor to reactor',
    group: 'intra',
    about: 'a value on a port until the reaction to it begins, in one vat: 64 reactors in a line',
    pattern: 'pair',
    together,
    go: (bench, calls) => {
      const lines = Math.max(1, Math.round(calls / together));
      return bench.send('reactors', 'line', [lines]);
    },
  },
];

/** @param {'memory' | 'lmdb'} store @returns {Path[]} */
const inter = store => [
  {
    name: `message, ${store}`,
    group: 'inter',
    about:
      'vat to vat: from the beginning of the crank that delivers it to that of the next crank, the commit of each 200 included',
    store,
    pattern: 'cranks',
    go: (bench, calls) => bench.sendMarked('left', 'hop', [calls], 'cranks'),
  },
  {
    name: `message and notify, ${store}`,
    group: 'inter',
    about: 'all cranks of one message: its own, and that of the notify to its sender',
    store,
    pattern: 'chain',
    go: (bench, calls) => bench.sendMarked('left', 'hop', [calls], 'messages'),
  },
  {
    name: `call and answer, ${store}`,
    group: 'inter',
    about: 'vat to vat and back: await E(right).answer()',
    store,
    share: 0.5,
    pattern: 'chain',
    go: (bench, calls) => bench.send('left', 'call', [calls]),
  },
  {
    name: `port, ${store}`,
    group: 'inter',
    about:
      'vat to vat: from the beginning of the crank in which a reaction writes a port to that of the crank in which another vat reacts to it, the commit of each 200 included',
    store,
    pattern: 'cranks',
    go: (bench, calls) => bench.sendMarked('ping', 'hand', [calls], 'cranks'),
  },
  // Messages between threads belong here.
];

/** @param {'memory' | 'lmdb'} store @returns {Path[]} */
const syscalls = store => [
  {
    name: `store read, ${store}`,
    group: 'syscall',
    about: 'a vat reads a key of its store',
    store,
    pattern: 'pair',
    go: inCranks('raw', 'read'),
  },
];

/** @type {Path[]} */
const others = [
  {
    name: 'device call',
    group: 'syscall',
    about: 'a vat calls a device that does nothing: D(device).nothing()',
    store: 'memory',
    pattern: 'pair',
    go: inCranks('left', 'device'),
  },
  {
    name: 'call into the addon',
    group: 'yardstick',
    about: 'JavaScript to C and back through Node-API, 64 between two readings',
    pattern: 'pair',
    together,
    go: ({ instrument: { mark, counters } }, calls) => {
      const { nothing } = counters;
      for (let i = 0; i < calls / together; i += 1) {
        mark();
        for (let k = 0; k < together; k += 1) nothing();
        mark();
      }
    },
  },
  {
    name: 'postMessage',
    group: 'yardstick',
    about: 'to another thread and back',
    share: 0.2,
    pattern: 'chain',
    go: (bench, calls) => bench.bounce(calls),
  },
];

export const paths = Object.freeze([
  ...intra,
  ...inter('memory'),
  ...inter('lmdb'),
  ...syscalls('memory'),
  ...syscalls('lmdb'),
  ...others,
]);
