// A run crank by crank against a trace of the kernel of 2020 (test/reference/traces).
//
// The demos here say what those said in words of their own, so the text of strings is left out; everything else in
// a body stays: structure, numbers, `@qclass` kinds, slots. What a reference alleges to be is left out too.

import { isCapData } from '#model';

import { decodeCapData } from './results.js';

/**
 * One crank, in the form of the traces.
 *
 * @typedef {object} Step
 * @property {number} crank
 * @property {any} msg  the queue entry taken
 * @property {{ vat: string, d: any[], syscalls: any[][] }[]} deliveries  in vrefs
 * @property {any[]} queued  entries that the crank queued, in order
 * @property {string[]} clistAdded  `kref|vat|vref`, sorted
 * @property {string[]} clistRemoved
 * @property {string[]} promisesAdded
 * @property {string[]} promisesRemoved
 * @property {[string, string][]} promisesResolved  with the state
 * @property {Record<string, number>} stats  every counter after the crank
 */

/** The fields to compare, in the order in which a difference is easiest to understand. */
const fields = /** @type {const} */ ([
  'msg',
  'deliveries',
  'promisesAdded',
  'promisesResolved',
  'queued',
  'promisesRemoved',
  'clistAdded',
  'clistRemoved',
  'stats',
]);

/** Fields without an order of their own. */
const unordered = new Set([
  'promisesAdded',
  'promisesResolved',
  'promisesRemoved',
  'clistAdded',
  'clistRemoved',
]);

/**
 * @param {Partial<Step>[]} steps  a field that is absent is not compared
 * @param {Step[]} expected
 * @returns {string[]} no line means that they are equal; the first names the crank that differs first
 */
export const compareTrace = (steps, expected) => {
  const differences = [];
  for (let i = 0; i < expected.length; i += 1) {
    const step = steps[i];
    const number = expected[i].crank;
    if (step === undefined) {
      differences.push(`crank ${number}: expected ${text(expected[i].msg)}, got no crank`);
      break;
    }
    for (const field of fields) {
      if (field in step) {
        differences.push(
          ...compareField(field, step[field], expected[i][field]).map(
            difference => `crank ${number}: ${difference}`,
          ),
        );
      }
    }
  }
  for (const step of steps.slice(expected.length)) {
    differences.push(`crank ${step.crank}: expected no crank, got ${text(step.msg)}`);
  }
  return differences;
};

/**
 * @param {typeof fields[number]} field
 * @param {any} got
 * @param {any} want
 * @returns {string[]}
 */
const compareField = (field, got, want) => {
  if (field === 'stats') {
    return Object.keys(want)
      .filter(name => got[name] !== want[name])
      .map(name => `${name}: expected ${want[name]}, got ${text(got[name])}`);
  }
  if (field === 'deliveries') return compareDeliveries(got, want);
  if (unordered.has(field)) {
    const [g, w] = [got, want].map(list => list.map(text).sort());
    return String(g) === String(w) ? [] : [`${field}: expected ${text(want)}, got ${text(got)}`];
  }
  const [g, w] = [text(toShape(got, want)), text(toShape(want, want))];
  return g === w ? [] : [`${field}: expected ${w}, got ${g}`];
};

/**
 * @param {Step['deliveries']} got
 * @param {Step['deliveries']} want
 */
const compareDeliveries = (got, want) => {
  /** @type {string[]} */
  const differences = [];
  for (let i = 0; i < Math.max(got.length, want.length); i += 1) {
    // The delivery itself, then its syscalls.
    const lists = [got[i], want[i]].map(delivery =>
      delivery === undefined ? [] : [[delivery.vat, ...delivery.d], ...delivery.syscalls],
    );
    const [mine, theirs] = lists;
    for (let j = 0; j < Math.max(mine.length, theirs.length); j += 1) {
      const g = text(toShape(mine[j], theirs[j]));
      const w = text(toShape(theirs[j], theirs[j]));
      const what = j === 0 ? 'delivery' : `syscall ${j}`;
      if (g !== w) differences.push(`${what}: expected ${w}, got ${g}`);
    }
  }
  return differences;
};

/**
 * A value with every body replaced by its shape. Long bodies are cut in the traces: where the expected side is cut,
 * only the slots count.
 *
 * @param {any} value
 * @param {any} want  the expected value at the same place
 * @returns {any}
 */
const toShape = (value, want) => {
  if (Array.isArray(value)) return value.map((item, i) => toShape(item, want?.[i]));
  if (typeof value !== 'object' || value === null) return value;
  if (isCapData(value)) {
    const isCut = isCapData(want) && want.body.endsWith('...');
    return { shape: isCut ? 'cut' : withoutTexts(decodeCapData(value)), slots: value.slots };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, toShape(item, want?.[key])]),
  );
};

/**
 * @param {any} value  decoded capdata
 * @returns {any}
 */
const withoutTexts = value => {
  if (typeof value === 'string') return '…';
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (typeof value !== 'object' || value === null) return value;
  if ('$error' in value) return { $error: value.$error };
  if ('$slot' in value || '$' in value || '$bigint' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutTexts(item)]));
};

/**
 * @param {unknown} value
 * @returns {string}
 */
const text = value => (value === undefined ? 'nothing' : JSON.stringify(value));
