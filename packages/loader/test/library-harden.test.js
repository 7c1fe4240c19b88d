// The hardener that copies of @endo/harden find in a realm that this package has locked down.

import { ensureLockdown, setLibraryHarden } from '#loader';
import test from 'ava';

test('libraries get the hardener that was set, and that of SES before', async t => {
  await ensureLockdown();
  // Copies of @endo/harden read this property.
  const { [Symbol.for('harden')]: hardenOfLibraries } = /** @type {any} */ (Object);
  const inner = { list: [] };
  hardenOfLibraries({ inner });
  t.true(Object.isFrozen(inner.list));
  /** @type {unknown[]} */
  const given = [];
  setLibraryHarden(value => {
    given.push(value);
    return harden(value);
  });
  const record = { list: [] };
  t.is(hardenOfLibraries(record), record);
  t.deepEqual(given, [record]);
  t.true(Object.isFrozen(record.list));
});

test('nothing that vats share with it can be changed', async t => {
  await ensureLockdown();
  /** @type {any} */
  const shared = Object;
  const key = Symbol.for('harden');
  t.true(Object.isFrozen(shared[key]));
  t.throws(() => {
    shared[key] = () => {};
  });
  t.is(new Compartment().evaluate('Object[Symbol.for("harden")]'), shared[key]);
});
