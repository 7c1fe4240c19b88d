import test from 'ava';
import { testVat } from 'swingset-runner/testing';

test('an account is opened once', async t => {
  const { vat: bank, close } = await testVat(new URL('../bank/vat-bank.js', import.meta.url));
  t.teardown(close);
  await bank.open('ann', 100n);
  await t.throwsAsync(bank.open('ann', 5n), { message: 'ann has an account already' });
  t.deepEqual(await bank.owners(), ['ann']);
});
