// A test of a vat: `npm test`. The vat runs in memory; each call is a message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testVat } from 'swingset-runner/testing';

test('the counter adds numbers, and refuses the rest', async () => {
  const { vat: counter, close } = await testVat('./vat-counter.js');
  assert.equal(await counter.increment(2), 2);
  assert.equal(await counter.increment(3), 5);
  await assert.rejects(counter.increment('4'), /increment takes a number, got string/);
  assert.equal(await counter.read(), 5);
  await close();
});
