// Helpers that the store's tests share.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { formatSlot, readSlots, slotPosition } from '../log-head.js';

/**
 * A directory that is removed when the test ends.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {string} [parent]
 */
export const temporaryDirectory = (t, parent = os.tmpdir()) => {
  const dir = fs.mkdtempSync(path.join(parent, 'store-test-'));
  t.teardown(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
};

/** Where files cost no disk time, if there is such a place. */
export const fastDirectory = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

/**
 * Pseudo-random numbers from a seed: the same on every machine.
 *
 * @param {number} seed
 * @returns {(limit: number) => number} a whole number from 0 to `limit` - 1
 */
export const makeRandom = seed => {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return limit => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
};

/**
 * The n-th block of a run with a given seed: keys that stay and are overwritten, keys that come and go, three
 * streams that grow, one that is dropped now and then. Key `block` holds n.
 *
 * @param {number} seed
 * @param {number} n  from 1
 * @returns {import('#store').Batch}
 */
export const blockOf = (seed, n) => {
  const random = makeRandom(seed * 1_000_003 + n);
  /** @type {Map<string, string | Uint8Array | undefined>} */
  const puts = new Map([['block', String(n)]]);
  for (let i = 0; i < 6; i += 1) puts.set(`fixed.${random(12)}`, 'x'.repeat(random(500)) + n);
  for (let i = 0; i < 3; i += 1) {
    puts.set(`kp${n * 3 + i}`, `promise ${n}`);
    if (n > 2) puts.set(`kp${(n - 2) * 3 + i}`, undefined);
  }
  if (n % 7 === 0) puts.set('bytes', Buffer.alloc(random(3000), n));
  const appends = new Map(
    ['transcript.v1', 'transcript.v2', 'inputs'].map(name => [
      name,
      Buffer.alloc(random(400) + 1, `${name} ${n};`),
    ]),
  );
  if (n % 5 === 0) appends.set('transcript.v3', Buffer.alloc(random(9000), n));
  return { puts, appends, deleteStreams: n % 23 === 0 ? ['transcript.v3'] : [] };
};

/**
 * Make a saved state look as if the machine had been started since: what follows a loss of power.
 *
 * @param {string} dir
 */
export const startMachineAnew = dir => {
  const file = path.join(dir, 'blocks.log');
  if (!fs.existsSync(file)) return;
  const bytes = fs.readFileSync(file);
  for (const slot of readSlots(bytes))
    bytes.set(formatSlot({ ...slot, boot: 'another boot' }), slotPosition(slot.generation));
  fs.writeFileSync(file, bytes);
};
