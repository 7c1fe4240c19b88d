import test from 'ava';

import { Fail, KernelBug, quote, UserError } from '../index.js';

test("a user's mistake has its exit code and no more than a line", t => {
  const error = new UserError('no directory "x"; did you mean "y"?');
  t.true(error instanceof Error);
  t.is(error.exitCode, 2);
  t.is(error.name, 'UserError');
  t.false('cause' in error);
  const cause = Error('why');
  t.like(new UserError('failed', { exitCode: 1, cause }), { exitCode: 1, cause });
});

test('a bug is thrown with its values quoted', t => {
  t.throws(() => Fail`kref ${'ko20'} is not in the c-list of ${'v1'}, at ${3}`, {
    instanceOf: KernelBug,
    message: 'kref "ko20" is not in the c-list of "v1", at 3',
  });
});

test('every kind of value can be quoted', t => {
  t.deepEqual(['a"b', 1, 12n, undefined, null, true, ['x', 1n], Symbol.iterator].map(quote), [
    '"a\\"b"',
    '1',
    '12n',
    'undefined',
    'null',
    'true',
    '["x","1n"]',
    'Symbol(Symbol.iterator)',
  ]);
});

test('a value that JSON refuses is quoted by its kind', t => {
  /** @type {any} */
  const ring = {};
  ring.ring = ring;
  const angry = {
    get name() {
      throw Error('no');
    },
  };
  t.deepEqual([ring, [ring], angry].map(quote), ['an object', 'an array', 'an object']);
});
