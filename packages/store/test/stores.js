// Stores for tests.

import fc from 'fast-check';

/** @import { Batch, Durability } from '#store' */

/** @type {Durability[]} */
export const durabilities = ['commit', 'group', 'none'];

/** @type {(entries: [string, string | Uint8Array | undefined][]) => Batch} */
export const puts = entries => ({ puts: new Map(entries) });

export const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ minLength: 0, maxLength: 8 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.nat(3000).map(length => 'v'.repeat(length)) },
);

export const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'ab', 'b', 'b\0', 'c.1', 'c.2', 'c.3', '\u0001') },
  { weight: 1, arbitrary: text.filter(value => value.length > 0 && value.length < 300) },
);
