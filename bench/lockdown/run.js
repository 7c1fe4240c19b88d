// Measures stores in this realm, locked down or not; each in a process of its own, as lockdown cannot be undone.

import { createHash } from 'node:crypto';
import { ensureLockdown } from '#host';
import { measureInTurns } from '#measure';
import { answer } from '../process.js';

/** Elements of each array. */
const size = 64;

await answer(async ({ isLocked, small }) => {
  if (isLocked) await ensureLockdown();
  const bytes = new Uint8Array(size);
  const doubles = new Float64Array(size);
  const byteView = new DataView(bytes.buffer);
  const doubleView = new DataView(doubles.buffer);
  const list = Array.from({ length: size }, (_, i) => i);
  const source = Object.freeze(list.map(i => i * 3));
  const record = { a: 1, b: 2, c: 3 };
  const map = new Map(source.map(key => [key, key]));

  /** Each does `size` stores. @type {Record<string, (turn: number) => ArrayLike<number> | object>} */
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
