// Counts the bytes of a process's array buffers, which the engine leaves out of the bound of its heap. Buffers that vats make are
// counted as they are made; only when they may add up to the bound is it measured what of them still lives.

import { Fail } from '#model';

/** A look costs a collection, so the next one comes no sooner than behind this part of the bound: so far it may be exceeded. */
const leastPart = 64;

/**
 * @typedef {object} BufferBound
 * @property {number} mostBytes  of all array buffers together
 * @property {() => number} measure  bytes of those that have not been collected
 * @property {() => void} collect  collects those that nobody refers to
 * @property {() => void} onBeyond  called when they would be more than that; it should not return
 */

/** @type {BufferBound | undefined} */
let bound;

/** Bytes that may be made before it is measured again. */
let left = Infinity;

/**
 * Bound the array buffers of this process from now on. Once.
 *
 * @param {BufferBound} wanted
 * @throws {Error} they are bounded already
 */
export const boundBuffers = wanted => {
  bound === undefined || Fail`array buffers are bounded already`;
  bound = wanted;
  left = 0;
};

/** A vat makes a buffer. @param {number} bytes */
export const countBuffer = bytes => {
  left -= bytes;
  if (left < 0 && bound !== undefined) look(bound, bytes);
};

/** @param {BufferBound} bound @param {number} bytes  that are about to be made, or have just been */
const look = ({ mostBytes, measure, collect, onBeyond }, bytes) => {
  let used = measure() + bytes;
  if (used > mostBytes) {
    collect();
    used = measure() + bytes;
  }
  if (used > mostBytes) onBeyond();
  left = Math.max(mostBytes - used, Math.floor(mostBytes / leastPart));
};
