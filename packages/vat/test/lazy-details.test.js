// Details and quotes that are made when an error needs them, as vats under 2020-09 have them.

import '#testkit/lockdown.js';
import test from 'ava';
import { provideLazyAssert } from '../shims/index.js';
import { shims } from './shims-used.js';

/** @type {{ modules: any, assert: any }} */
const lazy = provideLazyAssert();
const { details, q } = lazy.modules['@agoric/assert'];

/** @param {() => void} call */
const textOf = call => {
  try {
    call();
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
  return 'nothing was thrown';
};

test('a lazy module has the names of the other one', t => {
  for (const [specifier, exports] of Object.entries(lazy.modules))
    t.deepEqual(Object.keys(exports), Object.keys(shims[specifier]));
});

test('every function that takes details takes lazy ones', t => {
  const { Fail, X, assert, makeError } = lazy.modules['@agoric/assert'];
  const shown = '1 is (a string)\nSee console for error data.';
  const lazyOne = () => details`${q(1)} is ${'secret'}`;
  t.is(`${lazyOne()}`, shown);
  t.is(
    textOf(() => assert(false, lazyOne())),
    shown,
  );
  t.is(
    textOf(() => assert.equal(1, 2, lazyOne())),
    shown,
  );
  t.is(
    textOf(() => assert.typeof(1, 'string', lazyOne())),
    shown,
  );
  t.is(
    textOf(() => assert.string(1, lazyOne())),
    shown,
  );
  t.is(makeError(lazyOne()).message, shown);
  t.is(assert.error(lazyOne(), TypeError).message, shown);
  t.is(
    textOf(() => lazy.assert(false, lazyOne())),
    shown,
  );
  t.is(
    textOf(() => lazy.assert.makeAssert()(false, lazyOne())),
    shown,
  );
  t.is(lazy.modules['@endo/errors'].makeError(lazyOne()).message, shown);
  t.is(
    textOf(() => Fail`${q('plain')} and ${2}`),
    '"plain" and (a number)',
  );
  t.is(`${X`${q('plain')}`}`, '"plain"');
});

test('a value is asked for its text only by an error, and once', t => {
  let count = 0;
  const noisy = {
    toJSON() {
      count += 1;
      return 'noisy';
    },
  };
  const one = details`${q(noisy)} fails`;
  t.is(count, 0);
  t.is(`${one}`, '"noisy" fails\nSee console for error data.');
  t.true(count > 0);
});

test('no vat gets at the class of lazy details', t => {
  const prototype = Object.getPrototypeOf(details`text`);
  t.true(Object.isFrozen(prototype));
  t.deepEqual(Reflect.ownKeys(prototype), ['toString']);
  t.is(Object.getPrototypeOf(q(1)), prototype);
  t.is(prototype.toString(), '[no details]');
});

test('every lazy function is hardened', t => {
  for (const exports of [...Object.values(lazy.modules), lazy.assert])
    for (const [name, value] of Object.entries(exports)) t.true(Object.isFrozen(value), name);
});
