// The ways that are measured, and how each is gone. A way is gone in rounds, which take turns, so that a noisy moment
// hits all of them.

/** @import { Pattern } from './instrument.js' */
/** @import { Bench } from './bench.js' */

/** L4Re's three columns, and what stands beside them for comparison. @typedef {'intra' | 'inter' | 'syscall' | 'yardstick'} PathGroup */

/**
 * @typedef {object} Path
 * @property {string} name  unique
 * @property {PathGroup} group
 * @property {string} about  what one call is
 * @property {'memory' | 'lmdb'} [store]  where it makes a difference
 * @property {Pattern} pattern
 * @property {number} [together]  so many calls lie between two marks
 * @property {number} [share]  of the usual number of calls, where one takes long; 1 if left out
 * @property {(bench: Bench, calls: number) => Promise<void> | void} go  with the marks in it
 */

/** Calls that are shorter than reading the counters are marked so many at a time. */
const together = 64;

/** System calls of a vat in one crank. Real cranks make fewer. */
const callsOfCrank = 1_000;

/**
 * @param {string} vat
 * @param {string} method
 * @param {unknown[]} rest  arguments behind the number of calls
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
    // In one crank: between two the kernel works.
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
    about:
      'all that one message makes: its crank, and that of the notify which tells the sender that it is done',
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
  // Between threads stands here when the kernel has them.
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
