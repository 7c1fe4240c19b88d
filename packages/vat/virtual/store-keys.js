// Iterates over the keys of the vat's store, and bounds the data written there.

import { Fail } from '@endo/errors';

/** @import { CapData } from '#model' */
/** @import { SyscallBuffer } from '../supervisor/syscall-buffer.js' */

/** The bounds of today's liveslots. */
const maxBodyLength = 10_000_000;
const maxSlots = 10_000;

/**
 * @param {CapData} data
 * @throws {Error} for data that is too large to be stored
 */
export const insistDataSize = ({ body, slots }) => {
  (body.length <= maxBodyLength && slots.length <= maxSlots) || Fail`syscall capdata too large`;
};

/**
 * All keys that begin with a prefix. Deleting the current key does not end the iteration.
 *
 * @param {SyscallBuffer} syscalls
 * @param {string} prefix
 */
export function* keysWithPrefix(syscalls, prefix) {
  let key = syscalls.vatstoreGetNextKey(prefix);
  while (key !== undefined && key.startsWith(prefix)) {
    yield key;
    key = syscalls.vatstoreGetNextKey(key);
  }
}

/**
 * All keys from `start`, inclusive, to `end`, exclusive.
 *
 * @param {SyscallBuffer} syscalls
 * @param {string} start
 * @param {string} end
 * @param {() => void} check  called before each next key; may throw
 */
export function* keysInRange(syscalls, start, end, check) {
  let key = syscalls.vatstoreGet(start) ? start : syscalls.vatstoreGetNextKey(start);
  while (key !== undefined && key < end) {
    yield key;
    check();
    key = syscalls.vatstoreGetNextKey(key);
  }
}
