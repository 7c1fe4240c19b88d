// The activity hash of the reference kernel, and its c-lists in a form for comparison.

import { createHash } from 'node:crypto';
import { byText } from './world.js';

const chunkBytes = 65_536;

/** Numbers of outcomes in a record. */
export const outcomes = ['kept', 'dropped', 'exit', 'exitWithFailure'];

/**
 * @param {Uint8Array} bytes  all records
 * @returns {string} the hash chain over them, chunk by chunk
 */
export const hashRecords = bytes => {
  let chain = Buffer.alloc(32);
  let at = 0;
  const hash = (/** @type {Uint8Array} */ part) =>
    createHash('sha256').update(chain).update(part).digest();
  for (; bytes.length - at >= chunkBytes; at += chunkBytes)
    chain = hash(bytes.subarray(at, at + chunkBytes));
  return hash(bytes.subarray(at)).toString('hex');
};

/** @param {import('./world.js').List | undefined} list */
export const describeList = list =>
  list && { ...list, pairs: [...list.pairs].sort(([a], [b]) => byText(a, b)) };

/** The reason for the end of a vat that the machine stops, by the exceeded limit. @type {Record<string, string>} */
export const refusals = {
  '': 'it asked for more memory than there is',
  crankMs: 'its crank took longer than limits.crankMs allows',
  heap: 'its memory went beyond limits.heap',
};
