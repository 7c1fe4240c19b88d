// The checks of `npm run house` find what is wrong. What is right they say in the run itself.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ESLint } from 'eslint';
import test from 'ava';
import { insistDefault, readOptions } from '../scripts/option-tables.js';
import { findWrongBegins } from '../scripts/house/comments.js';
import { checkDocstrings } from '../scripts/house/docstrings.js';
import { findSubjectProblem } from '../scripts/house/commits.js';
import { findRowProblems } from '../scripts/house/kept-rows.js';
import { anchorsOf, checkLinks, targetsOf } from '../scripts/house/links.js';
import { houseRules } from '../scripts/house/lint-rules.js';
import { findWronglySkipped } from '../scripts/house/skipped.js';
import { checkSizes } from '../scripts/house/sizes.js';
import { checkSpelling, makeSpeller, wordsOf } from '../scripts/house/spelling.js';

test('a subject of a commit has a type, one idea, and at most 72 characters', t => {
  t.is(findSubjectProblem('fix(kernel): reject a subscribe to a retired promise'), undefined);
  t.is(findSubjectProblem(`fix: ${'x'.repeat(67)}`), undefined);
  t.is(findSubjectProblem(`fix: ${'x'.repeat(68)}`), 'has 73 characters; 72 are the most');
  t.regex(String(findSubjectProblem('fix: this is done; that too')), /semicolon/);
  for (const subject of [
    'ci: list what was skipped',
    'Fix the kernel',
    'fix(Kernel): x y z a b c d',
  ])
    t.regex(String(findSubjectProblem(subject)), /type\(scope\): imperative/);
});

test('docstrings of public exports and methods have purpose, parameters, result and errors', t => {
  const root = mkdtempSync(join(tmpdir(), 'house-'));
  t.teardown(() => rmSync(root, { recursive: true }));
  const write = (/** @type {string} */ file, /** @type {string} */ text) =>
    writeFileSync(join(root, file), text);
  write(
    'package.json',
    JSON.stringify({
      exports: { '.': { default: './index.js' }, './internals': './inner.js' },
      imports: { '#one': './one.js', '#folder/*.js': { default: './*.js' } },
    }),
  );
  write(
    'index.js',
    `import { there as moved } from '#folder/two.js';
export { good, poor as bad } from '#one';
export * from './inner.js';
export { moved };`,
  );
  write(
    'one.js',
    `/** A sum. @param {number} a @returns {number} @throws {Error} it is odd */
// eslint-disable-next-line some-rule
export const good = a => { if (a % 2) throw Error('odd'); return a; };
/** @param {number} a */
export const poor = (a, b) => { insistEven(a); [b].map(c => { return c; }); return a; };`,
  );
  write(
    'two.js',
    `/** @import { Other } from './one.js' */
export class there {
  constructor() {}
  get size() { return 1; }
  /** Adds one. @param {number} a */
  add(a) { if (a < 0) throw Error('negative'); }
  /** @protected */
  inside() { return 1; }
  _hidden() { return 1; }
  #own() { return 1; }
  toString() { return ''; }
}`,
  );
  write('inner.js', "export const inner = refuse('inner', 'it is not here');");
  t.deepEqual(checkDocstrings({ root, files: [], git: () => '' }), [
    'one.js:5: bad of ".": lacks a description, @param for each of its 2 parameters, @returns, @throws',
    'two.js:2: moved of ".": lacks a docstring',
    'two.js:4: there.size of ".": lacks a docstring',
    'two.js:6: there.add of ".": lacks @throws',
  ]);
  write('two.js', 'export const here = 1;');
  t.throws(() => checkDocstrings({ root, files: [], git: () => '' }), {
    message: './index.js exports moved, which no file declares',
  });
});

test('options are read from their docstring, with the default from the code', t => {
  const text = `/** Another. */
/**
 * @typedef {object} Options
 * @property {{ a: number }} [shape={}]  of
 *   two lines
 * @property {string} name
 */
const usualMs = 2 * 1_000;
export const make = ({ shape = {}, waitMs = usualMs }) => [shape, waitMs];
/** @param {object} options @param {number} [options.unread]  here */
`;
  const shape = { name: 'shape', type: '{ a: number }', isRequired: false, usual: '{}' };
  t.deepEqual(readOptions(text, 'Options'), [
    { ...shape, meaning: 'of two lines' },
    { name: 'name', type: 'string', isRequired: true, usual: undefined, meaning: '' },
  ]);
  t.throws(() => readOptions(text, 'Other'), {
    message: 'there is no docstring of the options Other',
  });
  const row = (/** @type {string} */ name, /** @type {string} */ usual) => ({
    ...shape,
    name,
    usual,
    meaning: '',
  });
  t.notThrows(() => insistDefault(row('waitMs', '2000'), [text]));
  t.notThrows(() => insistDefault(row('shape', '{}'), [text]));
  t.throws(() => insistDefault(row('waitMs', '20'), [text]), {
    message: 'option waitMs has the default 20 by its docstring, and in the code 2000',
  });
});

test('kept rows are from one commit, recent, and from an idle machine', t => {
  const rows = (/** @type {string} */ commit, noise = 'idle') => [{ commit, params: { noise } }];
  const ageOf = (/** @type {string} */ commit) => ({ new: 200, old: 201 })[commit];
  const check = (/** @type {any[]} */ ...all) =>
    findRowProblems(
      all.map((each, i) => ({ file: `${i}.json`, rows: each })),
      ageOf,
    ).slice(0, -1);
  t.deepEqual(check(rows('new'), rows('new')), []);
  t.deepEqual(check(rows('old')), [
    'kept rows of commit old are 201 commits old; 200 are the most',
  ]);
  t.deepEqual(check(rows('lost')), ['commit lost of kept rows is not in the history']);
  t.regex(check(rows('new'), rows('old'))[0], /rows of 2 commits are kept \(new, old\)/);
  const results = [rows('new'), rows('newer')].map((each, i) => ({
    file: `${i}.json`,
    rows: each,
  }));
  t.deepEqual(
    findRowProblems(
      results,
      () => 1,
      (one, other) => one + other === 'newnewer',
    ),
    [],
  );
  t.regex(
    findRowProblems(
      results,
      () => 1,
      () => false,
    )[0],
    /only if all are of the same code/,
  );
  t.regex(check(rows('new', 'not idle'))[0], /^0\.json: the machine was not idle/);
  t.deepEqual(check([]), ['0.json: it has no rows']);
});

test('a link without its file or heading is dead', t => {
  const root = mkdtempSync(join(tmpdir(), 'house-'));
  t.teardown(() => rmSync(root, { recursive: true }));
  writeFileSync(
    join(root, 'a.md'),
    '# One `two`, three\n\n[here](#one-two-three) [there](b.md#four) [gone](c.md) [no](b.md#five) `[code](d.md)` <https://e.test/f.md>\n\n```\n[code](e.md)\n```\n',
  );
  writeFileSync(join(root, 'b.md'), '# Four\n');
  const found = checkLinks({ root, files: ['a.md', 'b.md'], git: () => '' });
  t.deepEqual(found, [
    'a.md: there is no c.md (link "c.md")',
    'a.md: b.md has no heading #five (link "b.md#five")',
  ]);
  t.deepEqual(targetsOf('[x](https://a.test) ![y](y.png "t") <img src="z.svg">'), [
    'y.png',
    'z.svg',
  ]);
  t.deepEqual([...anchorsOf('# A b\n## A b\n')], ['a-b', 'a-b-1']);
});

test('words of prose are checked, names in code are not', t => {
  t.deepEqual(
    wordsOf('The vat’s `kref` is in foo.js, see makeKernel and SES (p-60). It isn’t hers.'),
    ['The', 'vat', 'is', 'in', 'see', 'and', 'It', "isn't", 'hers'],
  );
  const isKnown = makeSpeller('kref');
  for (const word of ['colour', 'Colour', 'kref', 'Kref', "isn't"]) t.true(isKnown(word), word);
  for (const word of ['recieve', 'colur', 'vrefs']) t.false(isKnown(word), word);
});

test('a misspelt comment and an unused listed word are found', t => {
  const root = mkdtempSync(join(tmpdir(), 'house-'));
  t.teardown(() => rmSync(root, { recursive: true }));
  const write = (/** @type {string} */ file, /** @type {string} */ text) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  write('scripts/house/words.txt', 'syscall\nvref\n');
  write('test/words.txt', 'kref\n');
  write(
    'packages/a.js',
    '// A syscall that we recieve names a kref.\nexport const recieve = "colur";\n',
  );
  write('README.md', 'A `colur` of the colour.\n');
  t.deepEqual(checkSpelling({ root, files: ['packages/a.js', 'README.md'], git: () => '' }), [
    'packages/a.js: "recieve" is in neither the dictionary nor scripts/house/words.txt; mend it, or add it there',
    'scripts/house/words.txt: no text has "vref" any more; take it out',
  ]);
});

test('a comment that begins with a clause or leans on the one above is found', t => {
  const found = findWrongBegins(`// What a vat was told.
// Whose vat it is stands below.
/** The same, but quicker. @type {number} */
let a;
/**
 * Of a vat: its name.
 *
 * @param {string} b
 */
const f = b => b; // Who reads it
/** Whatever a vat sends. */
// Whoever reads it is told.
let h;
let g; // Whether it is told is known.
`);
  t.deepEqual(found, [
    { line: 1, begin: 'What' },
    { line: 3, begin: 'The same' },
    { line: 5, begin: 'Of' },
    { line: 10, begin: 'Who' },
    { line: 11, begin: 'Whatever' },
    { line: 12, begin: 'Whoever' },
    { line: 14, begin: 'Whether' },
  ]);
});

test('sentences, questions, directives and strings are not reported', t => {
  const found = findWrongBegins(`// The vat that was told.
// What it knows is below.
/** Whether a vat was told. What it knows is data. */
// What is sent to a vat? Data.
/** @type {number} of a vat */
const a = '// Of a vat';
/* eslint-disable no-undef -- Of no use */
`);
  t.deepEqual(found, []);
});

test('a skipped test that was required is found in the log', t => {
  const log = [
    '  ✔ test › browser › a page runs',
    '  - [skip] test › browser › a page runs',
    '  \u001b[33m- [skip]\u001b[39m packages › cluster › test › link › x (needs nats-server: y)',
    '  - [skip] test › arm64 › the hash is the same',
  ]
    .join('\n')
    .replaceAll('\u001b[33m- [skip]\u001b[39m', '\u001b[33m-\u001b[39m [skip]');
  t.deepEqual(findWronglySkipped(log, []), []);
  t.deepEqual(findWronglySkipped(log, ['chromium']), ['test › browser › a page runs']);
  t.deepEqual(findWronglySkipped(log, ['nats-server', 'cc']), [
    'packages › cluster › test › link › x (needs nats-server: y)',
  ]);
  t.throws(() => findWronglySkipped(log, ['gcc']), { message: /no test needs "gcc"/ });
});

test('a long class needs a reason, and the reason must not be empty', async t => {
  const eslint = new ESLint({
    overrideConfigFile: true,
    overrideConfig: [
      {
        plugins: { house: houseRules },
        linterOptions: { reportUnusedDisableDirectives: 'off' },
        rules: { 'house/max-class-lines': ['error', 3], 'house/reason-for-length': 'error' },
      },
    ],
  });
  const rulesOf = async (/** @type {string} */ text) =>
    (await eslint.lintText(text))[0].messages.map(({ ruleId }) => ruleId);
  const body = '  a() {}\n  // a comment\n\n  b() {}\n  c() {}\n';
  t.deepEqual(await rulesOf(`class A {\n${body}}\n`), []);
  const long = `class A {\n${body}  d() {}\n}\n`;
  t.deepEqual(await rulesOf(long), ['house/max-class-lines']);
  const off = '// eslint-disable-next-line house/max-class-lines';
  t.deepEqual(await rulesOf(`${off}\n${long}`), ['house/reason-for-length']);
  t.deepEqual(await rulesOf(`${off} -- all methods change one private table\n${long}`), []);
});

test('a folder with more than 60 files and a style sheet with more than 500 lines are named', t => {
  const root = mkdtempSync(join(tmpdir(), 'house-'));
  t.teardown(() => rmSync(root, { recursive: true }));
  const house = (/** @type {string[]} */ files) => ({ root, files, git: () => '' });
  const full = Array.from({ length: 61 }, (_, i) => `full/${i}.js`);
  t.deepEqual(checkSizes(house(full.slice(1))), []);
  t.deepEqual(checkSizes(house(full)), ['full: 61 files; 60 are the most']);
  for (const lines of [500, 501])
    writeFileSync(join(root, `${lines}.css`), 'p { margin: 0 }\n'.repeat(lines));
  t.deepEqual(checkSizes(house(['500.css', '501.css'])), ['501.css: 501 lines; 500 are the most']);
});
