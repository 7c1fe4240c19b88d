import test from 'ava';
import fc from 'fast-check';
import { insistOptions, withArticle } from '../index.js';

/** @type {Record<string, import('../options.js').OptionRule>} */
const rules = {
  dir: 'string',
  resume: 'boolean',
  onBlock: 'function',
  calls: 'object',
  argv: 'array',
  time: ['physical', 'leaping'],
  free: 'any',
};

/** @param {unknown} options @returns {string} what is told, or nothing */
const tell = options => {
  try {
    insistOptions('make()', options, rules);
    return '';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return error.message;
  }
};

test('options with known names and right types pass', t => {
  t.is(tell({}), '');
  t.is(tell({ dir: 'x', resume: false, onBlock() {}, calls: {}, time: 'leaping', free: 1 }), '');
  t.is(tell({ argv: [] }), '');
  t.is(tell({ dir: undefined, time: undefined }), '', 'undefined is left out');
});

test('an unknown option is refused with the nearest name', t => {
  t.is(
    tell({ resme: true }),
    'option "resme" of make() does not exist, got true; did you mean "resume"?',
  );
  t.is(
    tell({ quux: { secret: 1 } }),
    'option "quux" of make() does not exist, got an object; the options are dir, resume, onBlock, calls, argv, time, free',
  );
  t.regex(tell({ ['x'.repeat(500)]: 1 }), /^option "x{60}…" of make\(\) does not exist/);
  t.regex(tell({ toString: 1 }), /^option "toString" of make\(\) does not exist/);
});

for (const [given, told] of /** @type {[object, string][]} */ ([
  [
    { resume: 'yes' },
    'option "resume" of make() has a wrong value, got the string "yes"; give true or false',
  ],
  [{ dir: null }, 'option "dir" of make() has a wrong value, got null; give a string'],
  [{ onBlock: 3 }, 'option "onBlock" of make() has a wrong value, got 3; give a function'],
  [{ calls: [] }, 'option "calls" of make() has a wrong value, got an array; give an object'],
  [{ calls: null }, 'option "calls" of make() has a wrong value, got null; give an object'],
  [{ argv: {} }, 'option "argv" of make() has a wrong value, got an object; give an array'],
  [
    { time: 'soon' },
    'option "time" of make() has a wrong value, got the string "soon"; give one of "physical", "leaping"',
  ],
]))
  test(`${JSON.stringify(given)} is a wrong value`, t => {
    t.is(tell(given), told);
  });

test('options that are no object are refused', t => {
  t.is(tell('x'), 'the options of make() are not an object, got the string "x"; give { dir: … }');
  t.is(tell(null), 'the options of make() are not an object, got null; give { dir: … }');
  t.is(tell([]), 'the options of make() are not an object, got an array; give { dir: … }');
});

test('any options pass, or are refused in one line that ends', t => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withSparseArray: true }), given => {
      const told = tell(given);
      t.true(told.length < 400 && !told.includes('\n'));
    }),
  );
});

test('a noun has the article that it is spoken with', t => {
  const nouns = ['Object', 'array', 'undefined', 'error', 'URL', 'Uint8Array', 'string', ''];
  t.deepEqual(nouns.map(withArticle), [
    ...['an Object', 'an array', 'an undefined', 'an error'],
    ...['a URL', 'a Uint8Array', 'a string', 'a '],
  ]);
});
