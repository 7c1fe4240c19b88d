// Types of messages: `E<T>(presence)` in a vat and `testVat<T>(file)` in its test. The compiler
// checks the expectations; the program also runs.

import test from 'ava';
import { testVat } from '../index.js';

/** @import { TestedVat } from '../index.js' */
/** @import { Root } from './typed-vat.ts' */

test('a vat in TypeScript with typed messages runs, and its test knows its methods', async t => {
  /** @type {TestedVat<Root>} */
  const { vat, vats, close } = await testVat('./typed-vat.ts', {
    vats: { other: './typed-vat.ts' },
  });
  const account = await vat.open('ann');
  t.is(await account.deposit(3n), 3n);
  t.is(await vats.vat.openBy(vats.other, 'bob', 7n), 7n);

  /** @type {() => unknown} only for the compiler */
  const refused = () => {
    // @ts-expect-error: an amount is a bigint
    void account.deposit(3);
    // @ts-expect-error: there is no such method
    void vat.close();
    // @ts-expect-error: the answer is a promise
    return vat.open('ann').deposit;
  };
  t.is(typeof refused, 'function');
  await close();
});
