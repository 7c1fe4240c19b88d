// Drives the real kernel and the reference kernel with the same vats, block by block, and tells the first difference.
// The real one runs in several ways: plainly, with items begun ahead, watched by an observer, and taken up anew from its store
// after each block. What they leave in their stores must be the same, byte for byte.

import { audit } from '#kernel';
import { makeMemoryStore } from '#store';
import { describeKernel } from './oracle/describe-kernel.js';
import { ReferenceKernel } from './oracle/reference-kernel.js';
import { makeRandom } from './random.js';
import { makeRudeVat } from './rude-vat.js';
import { makeTestKernel } from './test-kernel.js';

/** @import { Answer, CapData } from '#model' */
/** @import { React } from './scripted-vat.js' */

/** @typedef {'plain' | 'ahead' | 'watched' | 'resumed'} Way */

const ways = /** @type {const} */ (['plain', 'ahead', 'watched', 'resumed']);

/**
 * @typedef {object} Step  what the host does, and how many cranks follow
 * @property {{ vat: number, body: string } | undefined} message
 * @property {boolean} releases
 * @property {number} cranks
 */

/**
 * @typedef {object} RudeProgram
 * @property {string} seed
 * @property {'current' | '2020-09'} profile
 * @property {{ name: string, starts: boolean, pipelining: boolean, interval: number, rudeness: number }[]} vats
 * @property {boolean} hasDevice
 * @property {Step[]} steps
 */

/**
 * @param {'current' | '2020-09'} profile
 * @param {string | number} number
 * @returns {RudeProgram}
 */
export const makeRudeProgram = (profile, number) => {
  const seed = `rude ${profile} ${number}`;
  const random = makeRandom(seed);
  const start = profile === 'current' ? '#' : '';
  const names = ['boot', 'alice', 'bob', random.chance(0.3) ? 'vatAdmin' : 'carol'];
  return {
    seed,
    profile,
    vats: names.map(name => ({
      name,
      starts: profile === 'current' && random.chance(0.3),
      pipelining: random.chance(0.25),
      interval: random.pick([2, 4, 9, Infinity]),
      rudeness: random.pick([0, 0.005, 0.02, 0.1, 0.3]),
    })),
    hasDevice: random.chance(0.5),
    steps: Array.from({ length: 4 + random.below(10) }, () => ({
      message: random.chance(0.8)
        ? { vat: 1 + random.below(4), body: `${start}["go ${random.below(100)}",[]]` }
        : undefined,
      releases: random.chance(0.3),
      cranks: random.pick([1, 2, 3, 5, 9]),
    })),
  };
};

/** @param {RudeProgram} program @param {string} name @returns {React} */
const reactOf = ({ seed, profile, vats }, name) => {
  const rudeness = vats.find(vat => vat.name === name)?.rudeness ?? 0;
  return makeRudeVat(makeRandom(`${seed}/${name}`), { profile, rudeness });
};

/**
 * It answers with what it was given, sends to it, makes nodes, and names what is not its own.
 *
 * @param {{ sendOnly: (target: string, methargs: CapData) => void }} powers
 * @param {string} _node
 * @param {string} method
 * @param {CapData} args
 * @returns {Exclude<Answer, { kind: 'value' }>}
 */
const device = ({ sendOnly }, _node, method, { body, slots }) => {
  if (method === 'tell' && slots.length > 0) sendOnly(slots[0], { body, slots });
  if (method === 'node') return { kind: 'return', data: { body, slots: ['d+1', 'd+0', ...slots] } };
  if (method === 'lie') return { kind: 'return', data: { body, slots: ['d+2', 'o-99'] } };
  return { kind: method === 'fail' ? 'throw' : 'return', data: { body, slots } };
};

/** Counts the cases that a test reached, so that it can assert that it reached them. */
export class Coverage {
  cranks = 0;

  faults = 0;

  /** @type {Record<string, number>} */
  counters = {};
}

/** @param {RudeProgram} program @param {Way} way */
const makeReal = (program, way) => {
  const store = makeMemoryStore();
  /** @type {[string, string][]} */
  const faults = [];
  const make = (/** @type {boolean} */ resume) =>
    makeTestKernel({
      profile: program.profile,
      store,
      resume,
      vats: Object.fromEntries(
        program.vats.map(({ name, starts, pipelining, interval }) => [
          name,
          {
            react: reactOf(program, name),
            starts,
            pipelining,
            options: { reapInterval: interval === Infinity ? 'never' : interval },
          },
        ]),
      ),
      ...(program.hasDevice && {
        devices: {
          device: {
            build: powers => ({
              invoke: (node, method, args) => device(powers, node, method, args),
            }),
          },
        },
      }),
      ...(way === 'ahead' && { lookahead: 5 }),
      ...(way === 'watched' && { crankObserver: { applied: () => {} } }),
    });
  let run = make(false);
  return {
    store,
    get kernel() {
      return run.kernel;
    },
    get faults() {
      return [...faults, ...run.faults];
    },
    endBlock() {
      run.kernel.commit();
      if (way !== 'resumed') return;
      faults.push(...run.faults);
      run = make(true);
    },
    left: () => ({
      entries: [...store.entries('')],
      streams: store
        .streamNames()
        .map(name => [name, Buffer.from(store.readStream(name)).toString('hex')]),
    }),
  };
};

/**
 * The first place where two values differ; undefined if there is none.
 *
 * @param {unknown} real
 * @param {unknown} expected
 * @param {string} [where]
 * @returns {string | undefined}
 */
const findDifference = (real, expected, where = '') => {
  if (Object.is(real, expected)) return undefined;
  const areObjects =
    typeof real === 'object' && typeof expected === 'object' && real !== null && expected !== null;
  if (!areObjects)
    return `${where}: ${JSON.stringify(real)} instead of ${JSON.stringify(expected)}`;
  for (const key of new Set([...Object.keys(real), ...Object.keys(expected)])) {
    const left = /** @type {Record<string, unknown>} */ (real)[key];
    const right = /** @type {Record<string, unknown>} */ (expected)[key];
    const found = findDifference(left, right, `${where}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
};

/**
 * A counter shows what its kind has; one that the reference has not counted is at 0.
 *
 * @param {Record<string, Record<string, number>>} shown
 * @param {Record<string, Record<string, number>>} counted
 */
const countersLike = (shown, counted) =>
  Object.fromEntries(
    Object.entries(shown).map(([name, fields]) => [
      name,
      Object.fromEntries(Object.keys(fields).map(field => [field, counted[name]?.[field] ?? 0])),
    ]),
  );

/**
 * @param {RudeProgram} program
 * @param {Coverage} [coverage]
 * @returns {string | undefined} the first difference
 */
export const compareKernels = (program, coverage = new Coverage()) => {
  const { profile, vats, hasDevice, steps } = program;
  const expected = new ReferenceKernel(
    profile,
    vats.map(vat => ({ ...vat, react: reactOf(program, vat.name) })),
    hasDevice ? device : undefined,
  );
  const reals = ways.map(way => ({ way, real: makeReal(program, way) }));
  const [plain, ...others] = reals;
  /** @type {string[]} */
  let results = ['kp40'];
  /**
   * @param {number} block
   * @param {boolean} isLast
   */
  const compare = (block, isLast) => {
    const described = expected.describe();
    // What the others leave is compared with the first: their tables as they are in memory only once.
    for (const { way, real } of isLast ? reals : [plain]) {
      const is = describeKernel(real.kernel, real.store);
      const counters = countersLike(/** @type {any} */ (is.counters), described.counters);
      const found =
        findDifference(real.faults, expected.faults, 'faults') ??
        findDifference(is, { ...described, counters }) ??
        [...audit(real.kernel.state)].map(String)[0];
      if (found !== undefined) return `${way}, block ${block}: ${found}`;
    }
    const left = plain.real.left();
    const text = JSON.stringify(left);
    for (const { way, real } of others) {
      const own = real.left();
      if (JSON.stringify(own) !== text)
        return `${way}, block ${block}: ${findDifference(own, left, 'store')}`;
    }
    return undefined;
  };
  for (const [block, { message, releases, cranks }] of steps.entries()) {
    if (releases && results.length > 0) {
      const [kpid] = results;
      results = results.slice(1);
      expected.release(kpid);
      for (const { real } of reals) real.kernel.release(kpid);
    }
    if (message !== undefined && expected.isRunning(`v${message.vat}`)) {
      const args = [`v${message.vat}`, { body: message.body, slots: [] }];
      results.push(expected.queueToVatRoot(.../** @type {[string, CapData]} */ (args)));
      for (const { real } of reals)
        real.kernel.queueToVatRoot(.../** @type {[string, CapData]} */ (args));
    }
    const done = expected.pump(cranks);
    for (const { way, real } of reals) {
      try {
        const pumped = real.kernel.pump(cranks);
        if (pumped.cranks !== done || pumped.waiting !== null)
          return `${way}, block ${block}: ${pumped.cranks} cranks instead of ${done}`;
        real.endBlock();
      } catch (error) {
        const { stack } = /** @type {Error} */ (error);
        return `${way}, block ${block}: ${stack}`;
      }
    }
    coverage.cranks += done;
    const found = compare(block, block === steps.length - 1);
    if (found !== undefined) return found;
  }
  coverage.faults += expected.faults.length;
  for (const [name, { up, value }] of Object.entries(expected.describe().counters))
    coverage.counters[name] = (coverage.counters[name] ?? 0) + (up ?? value);
  return undefined;
};
