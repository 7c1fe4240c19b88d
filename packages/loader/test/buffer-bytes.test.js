// The bound on array buffers counts live buffers, not allocated ones.

import test from 'ava';
import fc from 'fast-check';
import { boundBuffers, countBuffer } from '#loader/buffer-bytes.js';

class Beyond extends Error {}

test('a vat ends when its live buffers exceed the bound, to within a 64th, and never before', t => {
  const mostBytes = 64_000;
  let live = 0;
  let dead = 0;
  let collections = 0;
  boundBuffers({
    mostBytes,
    measure: () => live + dead,
    collect: () => {
      collections += 1;
      dead = 0;
    },
    onBeyond: () => {
      throw new Beyond();
    },
  });
  const step = fc.record({ bytes: fc.integer({ min: 0, max: 9_000 }), dies: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 100 }), steps => {
      live = 0;
      dead = 0;
      for (const { bytes, dies } of steps) {
        try {
          countBuffer(bytes);
        } catch (error) {
          t.true(error instanceof Beyond);
          return live + bytes > mostBytes;
        }
        if (live + bytes > mostBytes + mostBytes / 64) return false;
        if (dies) dead += bytes;
        else live += bytes;
      }
      return true;
    }),
  );
  t.true(collections > 0);
  t.throws(() => boundBuffers(/** @type {any} */ ({})), { message: /are bounded already/ });
});
