import test from 'ava';
import fc from 'fast-check';
import { parse } from '@babel/parser';
import { spawnSync } from 'node:child_process';

import { makeVatCompartment } from '../compartment/index.js';
import { mayHavePower, mayHaveTagged, mayImport, walk } from '../evaluation/index.js';
import { needsParsing } from '../evaluation/guard-source.js';
import { findRefused } from '../evaluation/parse-source.js';
import { findNewerGroup } from '../evaluation/regexp-syntax.js';
import { ensureLockdown } from '../lockdown.js';

test.before(() => ensureLockdown());

/** @param {string} source */
const evaluate = source => makeVatCompartment({ name: 'x' }).evaluate(source);

const refused = [
  'import.source(u)',
  'import.defer(u)',
  'import.anything(u)',
  'import . source (u)',
  'import\n.\u2028source\t(u)',
  'import./**/source(u)',
  'import.//\nsource(u)',
  'import.source/**/(u)',
  'import.source//\n(u)',
  'import.\\u0073ource(u)',
  'import.\\u{73}ource(u)',
  'import.source`x`',
  'import.source?.(u)',
  'import.meta2(u)',
  'import.meta$(u)',
  'import.m\u00e9ta(u)',
  '...import.source(u)',
  '"import.source(u)"',
];

test('an import with a phase is refused in every spelling', t => {
  for (const text of refused) t.true(mayImport(text), text);
});

const harmless = [
  'import.meta',
  'import.meta.url',
  '// the side effect of the import. Then the rest (of it) follows',
  'reimport.source(u)',
  'imports.source(u)',
  '$import + 1',
  'x.important.source(u)',
];

test('other texts are left alone', t => {
  for (const text of harmless) t.false(mayImport(text), text);
});

test('a long text is looked through once', t => {
  // Each took a pattern that tries all ways for hours.
  t.false(mayImport(`import.${'\\u1'.repeat(100)};`));
  t.true(mayImport(`import.${'\\u0061'.repeat(100)}(u)`));
  t.false(mayImport(`import.${'\u00a0'.repeat(1_000_000)};`));
  t.false(mayHaveTagged('\u00a0'.repeat(1_000_000)));
  t.true(mayHaveTagged(`a${'\u00a0'.repeat(100)}\`\``));
  t.true(mayHaveTagged('a``'));
  t.true(mayHaveTagged('``\n``'));
  t.false(mayHaveTagged('a = `b;`'));
});

test('options of evaluate() and of a compartment cannot bypass the check', t => {
  const text = JSON.stringify('u => IM.source(u)');
  const unmark = "source => source.replace('IM', 'im' + 'port')";
  for (const source of [
    `new Compartment().evaluate((${unmark})(${text}), { __moduleShimLexicals__: {} })`,
    `new Compartment().evaluate((${unmark})(${text}), { sloppyGlobalsMode: true })`,
    `new Compartment().evaluate(${text}, { transforms: [${unmark}] })`,
    `new Compartment({}, {}, { transforms: [${unmark}] }).evaluate(${text})`,
    `new Compartment({}, {}, { __shimTransforms__: [${unmark}] }).evaluate(${text})`,
    `new Compartment({ __options__: true, transforms: [${unmark}] }).evaluate(${text})`,
    `(0, eval)((${unmark})(${text}))`,
    `Function('u', (${unmark})('return IM.source(u)'))`,
  ]) {
    t.throws(() => evaluate(source), { instanceOf: SyntaxError }, source);
  }
  t.throws(() => evaluate(`new Compartment({}, {}, { transforms: [() => ({})] }).evaluate('1')`), {
    instanceOf: TypeError,
    message: 'a source must be a string',
  });
});

test("a vat's compartments are compartments in all else", t => {
  t.deepEqual(
    evaluate(`
      const made = new Compartment({ a: 1 }, {}, { name: 'inner' });
      class Own extends Compartment { own = 1; }
      [
        made.evaluate('a'), made.globalThis.a, made.name, made instanceof Compartment, String(made),
        new Own().own, new Own() instanceof Own, new Own({ b: 2 }).evaluate('b'),
        new Compartment({ __options__: true, globals: { c: 3 } }).evaluate('c'),
        new Compartment().evaluate('new Compartment({ d: 4 }).evaluate("d")'),
        new Compartment({}, {}, { transforms: [s => s + '+1'] }).evaluate('1'),
        Compartment.name, Compartment.prototype === Object.getPrototypeOf(made),
        Object.isFrozen(Compartment), Object.isFrozen(Compartment.prototype),
      ]
    `),
    [
      1,
      1,
      'inner',
      true,
      '[object Compartment]',
      1,
      true,
      2,
      3,
      4,
      2,
      'Compartment',
      true,
      true,
      true,
    ],
  );
  t.throws(() => evaluate('Compartment()'), { instanceOf: TypeError });
  t.throws(() => evaluate('new Compartment.prototype.constructor()'), { instanceOf: TypeError });
});

// Older engines have only the import that SES refuses.
const onPhasedImports = Number(process.versions.node.split('.')[0]) < 24 ? test.skip : test;

onPhasedImports('the loader refuses what evaluated code asks for, and nothing else', t => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `
        import { ensureLockdown } from ${JSON.stringify(new URL('../lockdown.js', import.meta.url).href)};
        await ensureLockdown();
        const ask = new Compartment().evaluate('u => import.source(u)');
        for (const u of ['./commons.js', './scope-constants.js', 'node:fs', 'file:///etc/passwd', 'data:application/wasm;base64,AGFzbQEAAAA=']) {
          await ask(u).then(() => console.log('got', u), error => console.log(error.message));
        }
        // Another copy of SES, too.
        await import(import.meta.resolve('ses', ${JSON.stringify(import.meta.url)}).replace('index.js', 'src/make-evaluate.js') + '?copy');
        console.log((await import('data:text/javascript,export default 7')).default);
      `,
    ],
    { encoding: 'utf8', cwd: new URL('.', import.meta.url) },
  );
  t.is(
    stdout,
    `${'code that was evaluated in a compartment can import nothing\n'.repeat(5)}7\n`,
    stderr,
  );
});

const pieces = [
  ...['a', ' ', '2', '*', '**', '**=', '/', '/*', '*/', '/**', '//', '\n', '/x/', '/x*/', '[', ']'],
  ...['(', ')', '+', '"', '`', '${', '}', ';', 'g'],
];

test('every text with a power is recognised, except of a regular expression', t => {
  let found = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), parts => {
      // Every text has a power behind a comment, a string or an expression that could hide it.
      const text = `${parts.join('')}** 3`;
      let program;
      try {
        ({ program } = parse(text, { sourceType: 'script', strictMode: true }));
      } catch {
        return;
      }
      walk(/** @type {any} */ (program), ({ type, operator, left }) => {
        const isPower = type === 'AssignmentExpression' ? operator === '**=' : operator === '**';
        if (!isPower || left.type === 'RegExpLiteral') return;
        found += 1;
        if (!mayHavePower(text)) throw Error(`not found in ${JSON.stringify(text)}`);
      });
    }),
    { numRuns: 20_000 },
  );
  t.true(found > 100, `${found}`);
  t.is(evaluate('/x/** 2'), NaN);
  for (const comment of ['/** @type {a} */ (b)', 'f(/** c */)', 'a; /**** d */', '// /** e'])
    t.false(mayHavePower(comment), comment);
});

const newerPieces = [
  ...[
    'using',
    'using ',
    ' ',
    '\n',
    'x',
    '\\u{78}',
    '\\u0078',
    '=',
    ' of ',
    ',',
    '/**/',
    '/*',
    '*/',
    '//',
    '{',
    '}',
    ';',
  ],
  ...[
    '/',
    '"',
    '`',
    '[',
    ']',
    '(?<',
    '(?<n>',
    '(?<\\u{6e}>',
    '(?i:',
    'a)',
    'n>a)',
    '|',
    '(?:',
    '$',
    '\ufeff',
    '_',
  ],
];

test('every text with syntax that Node 20 lacks is recognised', t => {
  const found = { group: 0, using: 0 };
  const heads = ['', '"(?<";', '/[(?<]/;', '`(?<`;', '/*(?<*/', '/[(?<]', 'using'];
  const bodies = [
    ...['/(?<n>a)|(?<n>b)/', '/(?<n>a)|(?<\\u006e>b)/', '/[(?<](?<n>a)|(?<n>b)/', '/(?-i:a)/'],
    ...[
      '{ using \\u{61} = 1 }',
      'for (using \\u{61}\\u{62} of []);',
      '{ using a\\u{62}/**/= 1 }',
      '',
    ],
  ];
  const text = fc
    .tuple(
      fc.constantFrom(...heads),
      fc.array(fc.constantFrom(...newerPieces), { maxLength: 6 }),
      fc.constantFrom(...bodies),
      fc.array(fc.constantFrom(...newerPieces), { maxLength: 4 }),
    )
    .map(([head, before, body, after]) => [head, ...before, body, ...after].join(''));
  fc.assert(
    fc.property(text, given => {
      let program;
      try {
        ({ program } = parse(given, { sourceType: 'script', strictMode: true }));
      } catch {
        return;
      }
      const { problem } = findRefused(/** @type {any} */ (program)) ?? {};
      if (problem === undefined) return;
      found[problem.includes('using') ? 'using' : 'group'] += 1;
      if (!needsParsing(given)) throw Error(`not found in ${JSON.stringify(given)}`);
    }),
    { numRuns: 20_000 },
  );
  t.true(found.group > 100 && found.using > 100, JSON.stringify(found));
});

test('a text may have words of any length behind "using"', t => {
  const long = 'x'.repeat(10_000_000);
  t.false(needsParsing(`using ${long}`));
  t.true(needsParsing(`using ${long} = 1`));
  t.false(needsParsing('using '.repeat(100_000)));
  t.is(evaluate(`"using ${long}".length`), 6 + long.length);
});

test('no string, comment or escape hides syntax that Node 20 lacks', t => {
  const told = (/** @type {string} */ text) => {
    try {
      return evaluate(text);
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  };
  const twice = 'a regular expression has two groups of the name "n", which not every engine knows';
  for (const text of [
    '/[(?<](?<n>a)|(?<n>b)/',
    '"(?<"; /(?<n>a)|(?<n>b)/',
    '/*(?<*/ /(?<n>a)|(?<n>b)/',
  ])
    t.is(told(text), twice, text);
  const using = 'there is a declaration "using", which not every engine knows';
  for (const text of [
    '{ using \\u{61} = 1; }',
    '{ using a\\u{62} /**/ = 1; }',
    'for (using \\u{61} of []);',
  ])
    t.is(told(text), using, text);
});

test('texts are checked in a compartment whose options say only by inheritance that they are some', t => {
  for (const options of [
    'Object.create({ __options__: true })',
    'Object.defineProperty({}, "__options__", { value: true })',
    'Object.assign(Object.create({ __options__: true }), { globals: { x: 1 } })',
  ]) {
    const source = `
      const { globalThis: globals, ...inner } = new Compartment(${options});
      const tell = text => { try { return new Compartment(${options}).evaluate(text); } catch (e) { return 'refused'; } };
      [tell('/(?i:a)/'), tell('(u => im' + 'port.source(u))'), tell('const two = 2; two ** -1;'), tell('typeof __shimTransforms__')].join()`;
    t.is(evaluate(source), 'refused,refused,0.5,undefined', options);
  }
  // Neither a trap of a proxy nor a wrong mark leads around it.
  t.throws(() => evaluate('new Compartment(new Proxy({}, { has: () => true }))'), {
    message: /only supports true __options__/,
  });
});

test('a pattern of many names without an end is looked through once', t => {
  t.is(findNewerGroup(`${'(?<a'.repeat(1_000_000)}>`, ''), undefined);
  t.is(findNewerGroup('(?<a>x)(?<b>y)(?i:z)', '')?.start, 14);
});

test('a literal has a bounded number of levels and parts, wherever it stands', t => {
  const compartment = makeVatCompartment({ name: 'x' });
  const nest = (/** @type {number} */ levels, open = '(?:a|b', close = ')*?') =>
    open.repeat(levels) + close.repeat(levels);
  const told = (/** @type {string} */ text) => {
    try {
      compartment.evaluate(text);
      return 'made';
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  };
  const deep = 'a regular expression has groups nested 41 deep; 40 levels are the most';
  for (const text of [
    '/!/',
    'let x = 4 /2; x = /!/',
    '[`/`, "/", /!/]',
    '() => /[/]/.test(/!/u)',
  ]) {
    t.is(told(text.replace('!', () => nest(40))), 'made', text);
    t.is(told(text.replace('!', () => nest(41))), deep, text);
  }
  t.is(told(`/${'([a&&[b*]]+)'.repeat(41)}/v`), 'made');
  t.is(told(`/${nest(41, '([a&&[b*]]', ')')}/v`), deep);
  t.is(told(`/${nest(41, '(a[)]', ')')}/`), deep, 'nor one in a class');
  t.is(told(`/${nest(41, '([/]', ')')}/`), deep, 'a slash in a class ends no literal');
  t.is(told(`/${nest(41, '(a\\)\\/', ')')}/`), deep, 'nor an escaped one');
  t.is(
    told(`/${'a*'.repeat(2001)}/`),
    'a regular expression has 2001 parts in a row; 2000 are the most',
  );
  // All code on one line, as bundlers write it.
  t.is(told(`(${'(1/2)+('.repeat(60)}1${')'.repeat(60)})`), 'made');
  t.is(told(`"${'(/[/'.repeat(100_000)}"`), 'made');
});
