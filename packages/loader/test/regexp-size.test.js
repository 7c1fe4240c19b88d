// The bounds of regular expressions against the engine: the longest that are allowed must compile on the main thread, whose
// stack is the smallest.

import test from 'ava';
import fc from 'fast-check';
import { findSizeProblem } from '../evaluation/regexp-size.js';

/**
 * The most repetitions of a text that are allowed, if they are fewer than twice `enough`.
 *
 * @param {(n: number) => string} make
 * @param {string} flags
 * @param {number} enough
 */
const mostAllowed = (make, flags, enough) => {
  const isAllowed = (/** @type {number} */ n) => findSizeProblem(make(n), flags) === undefined;
  let allowed = 1;
  while (allowed < enough && isAllowed(allowed * 2)) allowed *= 2;
  let refused = allowed * 2;
  while (refused - allowed > 1) {
    const middle = (allowed + refused) >> 1;
    if (isAllowed(middle)) allowed = middle;
    else refused = middle;
  }
  return allowed;
};

/** @param {string} pattern @param {string} flags */
const compile = (pattern, flags) => {
  // The engine compiles when it first executes, and anew when it executes often.
  const expression = new RegExp(pattern, flags);
  for (let i = 0; i < 3; i += 1) expression.test('aaabk');
};

const { pattern: row } = fc.letrec((/** @type {any} */ tie) => ({
  atom: fc.constantFrom(
    ...[
      'a',
      '.',
      'k',
      '[ab]',
      '[^a]',
      '\\d',

      '\\b',
      '^',
      '$',
      '\\B',
      'a|',
      'ab',
      'a*',
      '[ab]+',
      'a{1,3}?',
    ],
  ),
  group: fc
    .tuple(
      fc.constantFrom('(', '(?:', '(?=', '(?<!'),
      tie('pattern'),
      fc.constantFrom('', '*', '+', '?', '{2}', '{3}?', '{0,2}', '{2,}'),
    )
    .map(
      ([open, inner, quantifier]) =>
        `${open}${inner})${open.startsWith('(?') && open !== '(?:' ? '' : quantifier}`,
    ),
  pattern: fc
    .array(fc.oneof({ weight: 3, arbitrary: tie('atom') }, tie('group')), {
      minLength: 1,
      maxLength: 4,
    })
    .map(items => items.join('')),
}));

test('the longest expressions that are allowed compile', t => {
  fc.assert(
    fc.property(
      row,
      fc.constantFrom('', 'i', 'm', 'u', 'iu', 'v', 'imsu'),
      fc.constantFrom(['', ''], ['(?:', ')+'], ['(?:', '){3}']),
      (text, flags, [open, close]) => {
        const make = (/** @type {number} */ n) => `${open}${text.repeat(n)}${close}`;
        try {
          compile(make(1), flags);
        } catch {
          return;
        }
        compile(make(mostAllowed(make, flags, 2_000)), flags);
      },
    ),
    { numRuns: 8 },
  );
  t.pass();
});

test('the longest rows of one item that are allowed compile', t => {
  for (const [item, flags] of [
    ['k', 'iu'],
    ['.', 'imsu'],
    ['[^a]', 'u'],
    ['[\\q{ab|c}]', 'v'],
    ['a$', 'm'],
    ['\\Ba', ''],
    ['\\1', ''],
    ['(a|b)+', ''],
    ['(?:[ab]){3}', 'u'],
  ]) {
    const make = (/** @type {number} */ n) => `(x)?${item.repeat(n)}`;
    const allowed = mostAllowed(make, flags, 8_000);
    t.notThrows(() => compile(make(allowed), flags), item);
    t.not(findSizeProblem(make(allowed + 1), flags), undefined, item);
  }
});

test('parts are counted where they are in a row', t => {
  const told = (/** @type {string} */ pattern, flags = '') => findSizeProblem(pattern, flags);
  const many = '2001 parts in a row; 2000 are the most';
  t.is(told('\\b'.repeat(2_001)), many);
  t.is(told('(a)\\1'.repeat(1_001)), '2002 parts in a row; 2000 are the most');
  t.is(told(`(?:${'a$'.repeat(998)})+`), undefined);
  t.is(told(`(?:${'a$'.repeat(1_000)})+`), '2003 parts in a row; 2000 are the most');
  t.is(told('^abc$|'.repeat(5_000)), undefined);
  t.is(told(`(${'x\\b|'.repeat(3_000)})`.repeat(600)), undefined);
  t.is(told('a'.repeat(30_000)), undefined);
  t.is(told('\\u{1f600}'.repeat(8_000), 'u'), undefined);
  t.is(told('\\u{1f600}'.repeat(8_001), 'u'), many);
  t.is(told('[a[b]]'.repeat(2_001), 'v'), many);
  t.is(told('\\p{'.repeat(100_000), 'u'), '200000 parts in a row; 2000 are the most');
});

test('no character that looks like an escape hides groups', t => {
  const nest = `${'('.repeat(41)}${')'.repeat(41)}`;
  const deep = 'groups nested 41 deep; 40 levels are the most';
  for (const hide of ['[\\k<]!>', '\\k<!>', '[\\p{]!}', '\\p{!}', '[\\u{]!}', '\\c(\\c!'])
    t.is(findSizeProblem(hide.replace('!', nest).replace('\\c(', '\\c'), ''), deep, hide);
  t.is(findSizeProblem(`[\\p{L}]${nest}`, 'u'), deep);
});
