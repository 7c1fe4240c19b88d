// Measures stores and other small steps in this realm, locked down or not, each in a process of its
// own, since lockdown cannot be undone. docs/v8-in-a-locked-down-realm.md draws the conclusions.

import { createHash } from 'node:crypto';
import { ensureLockdown } from '#host';
import { measureInTurns } from '#measure';
import { answer } from '../process.js';

/** Elements of each array, and steps of each turn. */
const size = 64;

/** The engine's own method, taken before lockdown. */
const { setFloat64 } = DataView.prototype;

const { __lookupGetter__ } = /** @type {any} */ (Object.prototype);
/** @type {(object: object, key: PropertyKey) => unknown} */
const lookupGetter = Function.prototype.call.bind(__lookupGetter__);

class Base {
  /** @param {number} value */
  constructor(value) {
    this.value = value;
  }
}

class Derived extends Base {}

class WrittenDerived extends Base {
  /** @param {number} value */
  constructor(value) {
    super(value);
  }
}

class Stamped {
  #mark = 1;

  /** @param {Stamped} object */
  static markOf = object => object.#mark;
}

/**
 * Repeats a step that yields a number.
 *
 * @param {(i: number) => number} step
 * @returns {number[]} the sum
 */
const sum = step => {
  let total = 0;
  for (let i = 0; i < size; i += 1) total += step(i);
  return [total];
};

await answer(async ({ isLocked, small }) => {
  if (isLocked) await ensureLockdown();
  const bytes = new Uint8Array(size);
  const doubles = new Float64Array(size);
  const byteView = new DataView(bytes.buffer);
  const doubleView = new DataView(doubles.buffer);
  const list = Array.from({ length: size }, (_, i) => i);
  const slots = list.slice();
  Object.setPrototypeOf(slots, null);
  const source = Object.freeze(list.map(i => i * 3));
  const record = { a: 1, b: 2, c: 3 };
  const frozenLists = Array.from({ length: 8 }, (_, i) => Object.freeze([i, i + 1, i + 2]));
  const map = new Map(source.map(key => [key, key]));
  const ownView = Object.assign(new DataView(doubles.buffer), { setOwn: setFloat64 });
  const promise = Promise.resolve();
  const methods = Object.freeze({ next: (/** @type {number} */ i) => i + 1 });
  const withGetter = Object.freeze({
    next: (/** @type {number} */ i) => i + 1,
    get size() {
      return size;
    },
  });
  const stamped = new Stamped();
  const weak = new WeakMap([[stamped, 1]]);

  /** Each does `size` steps. @type {Record<string, (turn: number) => ArrayLike<number> | object>} */
  const patterns = {
    'bytes[i] = v': turn => {
      for (let i = 0; i < size; i += 1) bytes[i] = turn;
      return bytes;
    },
    'DataView.setUint8(i, v)': turn => {
      for (let i = 0; i < size; i += 1) byteView.setUint8(i, turn);
      return bytes;
    },
    'doubles[i] = v': turn => {
      for (let i = 0; i < size; i += 1) doubles[i] = turn;
      return doubles;
    },
    'DataView.setFloat64(8 * i, v)': turn => {
      for (let i = 0; i < size; i += 1) doubleView.setFloat64(i * 8, turn, true);
      return doubles;
    },
    'bytes.set(array)': () => {
      bytes.set(source);
      return bytes;
    },
    'list[i] = v, over what is there': turn => {
      for (let i = 0; i < size; i += 1) list[i] = turn;
      return list;
    },
    'list[i] = v, of a list without a prototype': turn => {
      for (let i = 0; i < size; i += 1) slots[i] = turn;
      return slots;
    },
    'list[list.length] = v': turn => {
      /** @type {number[]} */
      const made = [];
      for (let i = 0; i < size; i += 1) made[i] = turn;
      return made;
    },
    'list.push(v)': turn => {
      /** @type {number[]} */
      const made = [];
      for (let i = 0; i < size; i += 1) made.push(turn);
      return made;
    },
    'new Array(n), then list[i] = v': turn => {
      const made = new Array(size);
      for (let i = 0; i < size; i += 1) made[i] = turn;
      return made;
    },
    'Array.from({ length }, f)': turn => Array.from({ length: size }, () => turn),
    '[...list]': () => [...source],
    'list.slice()': () => source.slice(),
    'list.map(f)': turn => source.map(value => value + turn),
    'record.name = v': turn => {
      for (let i = 0; i < size; i += 1) record.b = turn + i;
      return record;
    },
    '{ ...record }': () => {
      let made = record;
      for (let i = 0; i < size; i += 1) made = { ...made };
      return made;
    },
    'map.set(key, v)': turn => {
      for (let i = 0; i < size; i += 1) map.set(i * 3, turn);
      return map;
    },
    'view.setOwn(8 * i, v), the engine’s setFloat64': turn => {
      for (let i = 0; i < size; i += 1) ownView.setOwn(i * 8, turn, true);
      return doubles;
    },
    'value instanceof Promise': () => sum(() => (promise instanceof Promise ? 1 : 0)),
    'new Derived(v), no constructor written': () => sum(i => new Derived(i).value),
    'new Derived(v), constructor written': () => sum(i => new WrittenDerived(i).value),
    'object.method(), a literal of methods': () => sum(i => methods.next(i)),
    'object.method(), a literal with a getter': () => sum(i => withGetter.next(i)),
    'weakMap.get(object)': () => sum(() => weak.get(stamped) ?? 0),
    'object.#field': () => sum(() => Stamped.markOf(stamped)),
    'Reflect.ownKeys(record)': () => sum(() => Reflect.ownKeys(record).length),
    'Object.getOwnPropertyNames(record)': () =>
      sum(() => Object.getOwnPropertyNames(record).length),
    'Object.getOwnPropertyDescriptor(list, 0)': () =>
      sum(i => Object.getOwnPropertyDescriptor(frozenLists[i & 7], 0)?.value),
    'lookupGetter(list, 0), and list[0]': () =>
      sum(i => (lookupGetter(frozenLists[i & 7], 0) === undefined ? frozenLists[i & 7][0] : 0)),
    'list.concat(list), of two': () => sum(i => [i].concat([i]).length),
    'bytes.subarray(0, 8)': () => sum(() => bytes.subarray(0, 8).length),
  };

  const hash = createHash('sha256');
  for (const [name, act] of Object.entries(patterns)) {
    const made = act(7);
    const values = made instanceof Map ? [...made.values()] : Object.values(made);
    hash.update(`${name} ${values.join(' ')}\n`);
  }

  const contestants = Object.entries(patterns).map(([name, act]) => ({
    name: `${name}, ${isLocked ? 'locked down' : 'plain'}`,
    run: (/** @type {number} */ n) => {
      /** @type {unknown} */
      let last;
      // n counts elements, not arrays.
      for (let i = 0; i < n; i += size) last = act(i & 0x7f);
      return last;
    },
  }));
  const options = small ? { batches: 2, perBatch: size, warmupMs: 0 } : { batches: 11 };
  const figures = await measureInTurns(contestants, { ...options, params: { size } });
  return { figures, digest: hash.digest('hex') };
});
