// A delivery gives a vat's objects their arguments.

import '#testkit/lockdown.js';

import test from 'ava';
import { startVat } from './run-supervisor.js';

test('a reference is the same object whenever it comes in', async t => {
  /** @type {unknown[]} */
  const seen = [];
  const vat = await startVat(() => ({ see: (...args) => void seen.push(...args) }));
  await vat.call('see', ['$0.Alleged: other', '$1'], { slots: ['o-50', 'o+0'] });
  await vat.call('see', ['$0', '$1'], { slots: ['o-50', 'o-51'] });
  t.is(seen[0], seen[2]);
  t.not(seen[0], seen[3]);
});

test('an own export comes in as the object itself', async t => {
  /** @type {unknown[]} */
  const seen = [];
  const vat = await startVat(({ Far }) => {
    const own = Far('own', {});
    return { give: () => own, take: arg => void seen.push(arg === own) };
  });
  const [[, [[, , data]]]] = await vat.call('give', [], { result: 'p-60' });
  t.deepEqual(data.slots, ['o+1']);
  await vat.call('take', ['$0'], { slots: ['o+1'] });
  t.deepEqual(seen, [true]);
});

test('a promise among the arguments is subscribed to once', async t => {
  const vat = await startVat(() => ({ see() {} }));
  const options = { slots: ['p-70'] };
  t.deepEqual(await vat.call('see', ['&0', '&0'], options), [['subscribe', 'p-70']]);
  t.deepEqual(await vat.call('see', ['&0'], options), []);
});

test('a method that is not there rejects the result, with the name', async t => {
  const vat = await startVat(() => ({ see() {} }));
  const [[kind, [[vref, isRejected, { body }]]]] = await vat.call('sea', [], { result: 'p-60' });
  t.deepEqual([kind, vref, isRejected], ['resolve', 'p-60', true]);
  t.regex(body, /sea/);
});
