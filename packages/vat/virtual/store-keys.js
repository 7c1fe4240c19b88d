// Walks over the keys of the vat's store, and the bounds of what is written there.

import { Fail } from '@endo/errors';

/** @import { CapData } from '#model' */
/** @import { SyscallBuffer } from '../supervisor/syscall-buffer.js' */

/** The bounds of today's liveslots. */
const maxBodyLength = 10_000_000;
const maxSlots = 10_000;

/**
 * @param {CapData} data
 * @throws {Error} for data that is too large to be kept
 */
export const insistDataSize = ({ body, slots }) => {
  (body.length <= maxBodyLength && slots.length <= maxSlots) || Fail`syscall capdata too large`;
};

/**
 * All keys that begin with a prefix. One that is deleted while the walk stands on it does not end the walk.
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
 * @param {() => void} check  called before the walk goes on; may throw
 */
export function* keysInRange(syscalls, start, end, check) {
  let key = syscalls.vatstoreGet(start) ? start : syscalls.vatstoreGetNextKey(start);
  while (key !== undefined && key < end) {
    yield key;
    check();
    key = syscalls.vatstoreGetNextKey(key);
  }
}
