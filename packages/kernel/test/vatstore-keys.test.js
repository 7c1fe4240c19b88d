// Every key that the kernel lets a vat use is one that every store takes; all others are the vat's fault.

import test from 'ava';
import fc from 'fast-check';

import { makeMemoryStore } from '#store';
import { makeTestKernel } from '#testkit';
import { maxVatKeyLength } from '../tables/vatstore.js';

/** @typedef {import('#model').Syscall} Syscall */

/**
 * @param {Syscall} syscall  made by the vat in its first crank
 * @returns {Promise<{ fault: string | undefined, keys: string[] }>}
 */
const runOne = async syscall => {
  const store = makeMemoryStore();
  const run = makeTestKernel({ store, vats: { boot: (_delivery, call) => void call(...syscall) } });
  await run.run();
  run.kernel.commit();
  return { fault: run.faults[0]?.[1], keys: [...store.entries('vs.')].map(([key]) => key) };
};

/** @type {((key: string) => Syscall)[]} */
const uses = [
  key => ['vatstoreSet', key, 'value'],
  key => ['vatstoreDelete', key],
  key => ['vatstoreGet', key],
];

test('the empty key is a fault, but every key comes after it', async t => {
  for (const use of uses) {
    const { fault, keys } = await runOne(use(''));
    t.is(fault, `a key of the vat's store is empty`);
    t.deepEqual(keys, []);
  }
  t.is((await runOne(['vatstoreGetNextKey', ''])).fault, undefined);
});

test('the longest key that is allowed fits into a store, whatever its characters', async t => {
  for (const character of ['k', 'é', '\uffff']) {
    const key = character.repeat(maxVatKeyLength);
    const { fault, keys } = await runOne(['vatstoreSet', key, 'value']);
    t.is(fault, undefined);
    t.deepEqual(keys, [`vs.v1.${key}`]);
    for (const use of [...uses, /** @type {typeof uses[0]} */ (k => ['vatstoreGetNextKey', k])]) {
      t.regex((await runOne(use(`${key}k`))).fault ?? '', /has 331 characters; at most 330/);
    }
  }
});

test("any key of a vat is stored or is the vat's fault", async t => {
  const arbKey = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 5 })
      .map(codes => String.fromCharCode(...codes)),
  );
  await fc.assert(
    fc.asyncProperty(arbKey, async key => {
      const { fault, keys } = await runOne(['vatstoreSet', key, 'value']);
      if (fault === undefined) t.deepEqual(keys, [`vs.v1.${key}`]);
      else t.deepEqual(keys, []);
    }),
  );
});
