// Reads the cranks of a slog's file, one after the other, with the names of their vats. If a process ended before the
// commit of its last block, the cranks of that block are left out, since the next process ran them again.

import { quote, UserError } from '#model';
import { findProcessEnds, readSlogRecords } from './read-slog.js';

/** @import { SlogRecord } from './read-slog.js' */

/**
 * A crank of a slog, or one that a vat's reactors ran by themselves (`kind` is `quiet`).
 *
 * @typedef {object} SlogCrank
 * @property {number} crankNum
 * @property {string} kind  of the item
 * @property {string} vatId  empty if no vat was reached
 * @property {string} vatName  empty if no vat was reached
 * @property {string} target  kref of a message's target; empty for none
 * @property {string} method  of a message; empty for other items and for one that cannot be read
 * @property {SlogRecord} record  the parsed line
 */

/** @param {unknown} value */
const textOf = value => (typeof value === 'string' ? value : '');

/** @param {unknown} value */
const numberOf = value => (typeof value === 'number' ? value : NaN);

/** The kernel's name of a reference: `ko27` of `ko27 o-50`. @param {unknown} pair */
export const krefOf = pair => textOf(pair).split(' ', 1)[0];

/** Longer bodies are not read for their method. */
const longestBody = 1_000_000;

/**
 * The method of a message's data, in either notation.
 *
 * @param {unknown} data
 * @returns {string} empty if it cannot be read
 */
export const methodOf = data => {
  const body = textOf(/** @type {any} */ (data)?.body);
  if (body === '' || body.length > longestBody) return '';
  // The usual form needs no parsing.
  const plain = /^#?\["([A-Za-z_$][\w$]*)",/.exec(body)?.[1];
  if (plain !== undefined) return plain;
  try {
    const [method] = JSON.parse(body.startsWith('#') ? body.slice(1) : body);
    if (typeof method === 'string') return method.replace(/^[!%]/, '');
    return textOf(method?.name);
  } catch {
    return '';
  }
};

/** @param {SlogRecord} record @param {Map<string, string>} names @returns {SlogCrank} */
const readCrank = (record, names) => {
  const { crankNum, kind, delivery, vatID, target } = record;
  const isMessage = Array.isArray(delivery) && delivery[0] === 'message';
  const vatId = textOf(vatID);
  return {
    ...{ crankNum: numberOf(crankNum), kind: textOf(kind), vatId, vatName: names.get(vatId) ?? '' },
    target: isMessage ? krefOf(delivery[1]) : textOf(target),
    method: isMessage ? methodOf(delivery[2]) : '',
    record,
  };
};

/**
 * @param {SlogRecord} record  quiet
 * @param {Map<string, string>} names
 * @returns {SlogCrank[]} one for each tag
 */
const readQuiet = (record, names) => {
  const tags = Array.isArray(record.tags) ? record.tags : [];
  const vatId = textOf(record.vatID);
  const first = numberOf(record.crankNum) - tags.length + 1;
  return tags.map((tag, i) => ({
    ...{ crankNum: first + i, kind: 'quiet', vatId, vatName: names.get(vatId) ?? '' },
    ...{ target: '', method: '', record: { type: 'quiet', vatID: vatId, tag } },
  }));
};

/**
 * @param {string} file
 * @param {string} reader  who reads it, for messages
 * @param {(head: SlogRecord) => void} [onHead]  called with the first line of each process
 * @returns {Generator<SlogCrank>} in the order of the run
 * @throws {UserError} if it is not a slog, or is empty
 */
export function* readCranks(file, reader, onHead = () => {}) {
  /** @type {number[] | undefined} */
  let ends;
  let process = -1;
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const { record } of readSlogRecords(file, reader)) {
    if (record.type === 'slog') {
      // The file exists, since its first line was read.
      ends ??= findProcessEnds(file);
      process += 1;
      for (const [id, name] of Object.entries(record.vats ?? {})) names.set(id, textOf(name));
      onHead(record);
    }
    if (record.type !== 'crank' && record.type !== 'quiet') continue;
    if (numberOf(record.crankNum) > (ends?.[process] ?? Infinity)) continue;
    if (typeof record.name === 'string') names.set(textOf(record.vatID), record.name);
    if (record.type === 'crank') yield readCrank(record, names);
    else yield* readQuiet(record, names);
  }
  if (process < 0)
    throw new UserError(`${quote(file)} is empty; ${reader} takes what --slog writes`);
}
