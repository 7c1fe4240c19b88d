// Under `2020-09` a promise that a vat resolves to a device stays unresolved: liveslots of that time took every reference
// for an object's, and failed before it told the kernel.

import test from 'ava';
import { runVats } from '../vats/run-vats.js';

const bob = `
export const buildRootObject = () => {
  let settle;
  return harden({
    give: value => value,
    list: value => harden([value]),
    later: () => harden([new Promise(resolve => { settle = resolve; })]),
    settle: value => settle(value),
  });
};`;

const bootstrap = `
import { E } from '@agoric/eventual-send';
const tell = (label, promise) => promise.then(value => console.log(label, typeof value));
export const buildRootObject = () => harden({
  async bootstrap({ bob }, { timer }) {
    tell('result', E(bob).give(timer));
    tell('in a list', E(bob).list(timer));
    const [later] = await E(bob).later();
    tell('later', later);
    await E(bob).settle(timer);
    console.log('done');
  },
});`;

test('a promise that a vat of 2020 resolves to a device stays unresolved', async t => {
  const ran = await runVats({ bootstrap, bob }, { profile: '2020-09', devices: { timer: {} } });
  t.is(ran.failure, undefined);
  t.deepEqual(ran.printed, ['bootstrap: in a list object', 'bootstrap: done']);
});
