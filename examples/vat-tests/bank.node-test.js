import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { testVat } from 'swingset-runner/testing';

const file = new URL('../bank/vat-bank.js', import.meta.url);

let bank;
let close;
beforeEach(async () => {
  ({ vat: bank, close } = await testVat(file));
  await bank.open('ann', 100n);
  await bank.open('bob', 100n);
});
afterEach(() => close());

test('a payment moves money', async () => {
  const account = await bank.account('ann');
  assert.equal(await account.pay('bob', 30n), 70n);
  assert.equal(await bank.balance('bob'), 130n);
});

test('nobody pays more than there is', async () => {
  const account = await bank.account('ann');
  await assert.rejects(account.pay('bob', 101n), /ann has 100, less than 101/);
  assert.equal(await bank.balance('bob'), 100n);
});
