// Bounds the bytes of a process's array buffers, which the engine's heap limit leaves out. Each new buffer of a vat is
// counted; the live bytes are measured only when the count may reach the bound.

import { Fail } from '#model';

/**
 * A measurement may need a collection, so at least 1/leastPart of the bound is allocated between two; the bound may be
 * exceeded by that.
 */
const leastPart = 64;

/**
 * @typedef {object} BufferBound
 * @property {number} mostBytes  the bound for all array buffers together
 * @property {() => number} measure  bytes of the buffers that are not collected yet
 * @property {() => void} collect  collects unreachable buffers
 * @property {() => void} onBeyond  called when an allocation would exceed the bound; it should not return
 */

/** @type {BufferBound | undefined} */
let bound;

/** Bytes that may be allocated before the next measurement. */
let left = Infinity;

/**
 * Bound the array buffers of this process from now on; at most once.
 *
 * @param {BufferBound} wanted
 * @throws {Error} if there is a bound already
 */
export const boundBuffers = wanted => {
  bound === undefined || Fail`array buffers are bounded already`;
  bound = wanted;
  left = 0;
};

/** Count a new buffer of a vat. @param {number} bytes */
export const countBuffer = bytes => {
  left -= bytes;
  if (left < 0 && bound !== undefined) look(bound, bytes);
};

/** @param {BufferBound} bound @param {number} bytes  of the new buffer */
const look = ({ mostBytes, measure, collect, onBeyond }, bytes) => {
  let used = measure() + bytes;
  if (used > mostBytes) {
    collect();
    used = measure() + bytes;
  }
  if (used > mostBytes) onBeyond();
  left = Math.max(mostBytes - used, Math.floor(mostBytes / leastPart));
};
