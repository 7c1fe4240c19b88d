// Promises settle: those that the vat decides, and those that others decide.

import '#testkit/lockdown.js';

import test from 'ava';
import { cap, startVat } from './run-supervisor.js';

test('the value that a method returns settles its result in the same crank', async t => {
  const vat = await startVat(() => ({ add: (a, b) => a + b }));
  t.deepEqual(await vat.call('add', ['+1', '+2'], { result: 'p-60' }), [
    ['resolve', [['p-60', false, cap('+3')]]],
  ]);
});

test("an error of a method rejects its result, and the vat's host is told of it", async t => {
  const vat = await startVat(() => ({
    fail() {
      throw Error('as it was meant');
    },
  }));
  const [[, [[vref, isRejected, { body }]]]] = await vat.call('fail', [], { result: 'p-60' });
  t.deepEqual([vref, isRejected], ['p-60', true]);
  t.regex(body, /as it was meant/);
  t.deepEqual(vat.heard, ['as it was meant']);
});

test('a result that waits is settled in the crank that settles what it waits for', async t => {
  const vat = await startVat(() => ({ wait: async promise => (await promise) + 1n }));
  t.deepEqual(await vat.call('wait', ['&0'], { slots: ['p-70'], result: 'p-60' }), [
    ['subscribe', 'p-70'],
  ]);
  t.deepEqual(await vat.notify(['p-70', false, cap('+4')]), [
    ['resolve', [['p-60', false, cap('+5')]]],
  ]);
});

test('promises that are settled together in one notify may name each other', async t => {
  const vat = await startVat(() => ({ wait: async outer => (await outer).inner }));
  await vat.call('wait', ['&0'], { slots: ['p-70'], result: 'p-60' });
  const syscalls = await vat.notify(
    ['p-70', false, cap({ inner: '&0' }, ['p-71'])],
    ['p-71', false, cap('here')],
  );
  t.deepEqual(syscalls, [['resolve', [['p-60', false, cap('here')]]]]);
});

test('a rejection that comes in rejects what waits for it, with the reason as it came', async t => {
  const vat = await startVat(() => ({ wait: promise => promise }));
  await vat.call('wait', ['&0'], { slots: ['p-70'], result: 'p-60' });
  const reason = cap({ code: 'closed' });
  t.deepEqual(await vat.notify(['p-70', true, reason]), [['resolve', [['p-60', true, reason]]]]);
});

test('a promise that goes out and settles later is resolved then, once', async t => {
  /** @type {(value: string) => void} */
  let settle = () => {};
  const later = new Promise(resolve => {
    settle = resolve;
  });
  const vat = await startVat(({ E }) => ({
    send: other => void E(other).take(later),
    settle: () => settle('now'),
  }));
  const [sent] = await vat.call('send', ['$0.Alleged: other'], { slots: ['o-50'] });
  t.deepEqual(sent[2], cap(['take', ['&0']], ['p+5']));
  t.deepEqual(await vat.call('settle'), [['resolve', [['p+5', false, cap('now')]]]]);
  t.deepEqual(await vat.call('settle'), []);
});
