import '#testkit/lockdown.js';

import test from 'ava';
import { Far, getInterfaceOf } from '../marshal/index.js';

test('loading the marshallers defines no HandledPromise, and one defined later is used', async t => {
  t.false('HandledPromise' in globalThis);
  t.is(getInterfaceOf(Far('x', {})), 'Alleged: x');
  await import('@endo/eventual-send/shim.js');
  t.true('HandledPromise' in globalThis);
  const { E } = await import('@endo/eventual-send');
  t.is(await E(Far('adder', { add: (/** @type {number} */ a) => a + 1 })).add(4), 5);
  t.is(await E.resolve(7), 7);
  t.is(await E.get({ a: 3 }).a, 3);
});
