// Errors of vats reach whoever runs them: with the vat's name and the author's file and line, once.

import test from 'ava';
import { runVats, tellUnstarted } from './run-vats.js';

/**
 * A vat bob with one method `foo(x)`, whose body begins at line 6.
 *
 * @param {string} body
 * @param {{ top?: string, build?: string }} [more]  line 2 and line 4
 */
const bob = (body, { top = '', build = '' } = {}) => `import { E, Far } from '@endo/far';
${top}
export const buildRootObject = () => {
  ${build}
  return Far('bob', { foo(x) {
    ${body}
  } });
};
`;

/** @param {string} body  of bootstrap, from line 4 on */
const bootstrap = body => `import { E, Far } from '@endo/far';
export const buildRootObject = () => Far('bootstrap', {
  async bootstrap(vats) {
    ${body}
  },
  take(x) {},
});
`;

const ignoring = 'await E(vats.bob).foo(1).catch(() => {});';

const profiles = /** @type {const} */ (['current', '2020-09']);

/** @type {[title: string, body: string, expected: RegExp][]} */
const thrown = [
  ['by a method', "throw Error('mine');", /^vat bob: Error: mine\n {4}at .*foo \(vat-bob\.js:6:/],
  [
    'by an async method, later',
    "return (async () => { await null;\n throw RangeError('mine'); })();",
    /^vat bob: RangeError: mine\n {4}at .*vat-bob\.js:7:/,
  ],
  [
    'by the engine',
    'return undefined.x;',
    /^vat bob: TypeError: Cannot read .*\n {4}at .*foo \(vat-bob\.js:6:/,
  ],
  [
    'in a promise job that nobody waits for',
    "Promise.resolve().then(() => { throw Error('lost'); });",
    /^vat bob: Error: lost\n {4}at .*vat-bob\.js:6:/,
  ],
  [
    'in a promise job, and in the result too',
    "const p = Promise.reject(Error('both')); return p;",
    /^vat bob: Error: both\n {4}at .*foo \(vat-bob\.js:6:/,
  ],
];

for (const profile of profiles) {
  for (const [title, body, expected] of thrown) {
    test(`${profile}: an error thrown ${title} is reported once, with its place`, async t => {
      const run = await runVats({ bob: bob(body), bootstrap: bootstrap(ignoring) }, { profile });
      t.is(run.failure, undefined);
      t.is(run.errors.length, 1, run.errors.join('\n'));
      t.regex(run.errors[0], expected);
    });
  }

  /** @type {[title: string, source: string, expected: string][]} */
  const atStart = [
    ['at module level', bob('', { top: "throw Error('top');" }), 'vat-bob.js:2:7: Error: top'],
    [
      'by the engine at module level',
      bob('', { top: 'undefined.x;' }),
      "vat-bob.js:2:11: TypeError: Cannot read properties of undefined (reading 'x')",
    ],
    [
      'in buildRootObject',
      bob('', { build: "throw Error('built');" }),
      'vat-bob.js:4:9: Error: built',
    ],
  ];
  for (const [title, source, expected] of atStart) {
    test(`${profile}: an error thrown ${title} is reported with its place, and ends ${profile === 'current' ? 'the vat alone' : 'the run'}`, async t => {
      const run = await runVats({ bob: source, bootstrap: bootstrap('') }, { profile });
      const isAlone = profile === 'current';
      t.is(run.failure, isAlone ? undefined : `vat bob did not start: ${expected}`);
      t.is(run.errors.length, isAlone ? 2 : 1, run.errors.join('\n'));
      if (isAlone) t.regex(run.errors[1], /^vat bob: Error: vat bob was ended: /);
      const [place, text] = expected.split(/: (.*)/);
      t.true(run.errors[0].startsWith(`vat bob: ${text}\n`), run.errors[0]);
      t.true(run.errors[0].includes(place), run.errors[0]);
    });
  }
}

test('current: a vat whose buildRootObject never settles does not start', async t => {
  const source = bob('', { build: 'return new Promise(() => {});' });
  const run = await runVats({ bob: source, bootstrap: bootstrap('') }, { profile: 'current' });
  const told = tellUnstarted(run);
  t.regex(told, /^vat bob.*: buildRootObject unresolved: it may wait only for what it does itself/);
  t.true(
    told.endsWith('itself; a root object with a method then() is taken for a promise, too'),
    told,
  );
});

/** By profile: in 2020 a date passed as text, and objects of classes by reference. */
const unpassable = {
  current: [
    ['a Date', 'return new Date(3);', 'foo() returned 1970-01-01T00:00:00.003Z'],
    ['an object of a class', 'class X { y() {} } return new X();', 'foo() returned X {}'],
    ['a Date, later', 'return Promise.resolve(new Date(3));', 'foo() returned 1970-01-01'],
    ['a Date in data', 'return { when: [new Date(3)] };', 'foo() returned { when: [ 1970'],
    ['a Date as reason', 'return Promise.reject(new Date(3));', 'foo() threw 1970-01-01'],
  ],
  '2020-09': [
    ['a symbol', "return Symbol('x');", 'foo() returned Symbol(x)'],
    ['a function, later', 'return Promise.resolve(() => {});', 'foo() returned [Function (anon'],
    ['methods in data', 'return { x: 1, y() {} };', 'foo() returned { x: 1, y: [Function: y] }'],
    ['a symbol as reason', "return Promise.reject(Symbol('x'));", 'foo() threw Symbol(x)'],
  ],
};

for (const profile of profiles) {
  for (const [title, body, expected] of unpassable[profile]) {
    test(`${profile}: what a method returned and cannot be passed (${title}) is reported with its place`, async t => {
      const run = await runVats({ bob: bob(body), bootstrap: bootstrap(ignoring) }, { profile });
      t.is(run.failure, undefined);
      t.is(run.errors.length, 1, run.errors.join('\n'));
      t.true(run.errors[0].startsWith(`vat bob: ${expected}`), run.errors[0]);
      t.regex(
        run.errors[0],
        /, which cannot be passed(; an object with methods is declared by Far\(name, \{methods\}\)|; an? [^;]* is passed as [^;]*)?: (Type)?Error: .*\n {4}at foo \(vat-bob\.js:5:23\)$/,
      );
    });
  }

  test(`${profile}: arguments that cannot be passed are reported, although nobody waits for the answer`, async t => {
    const run = await runVats(
      { bob: bob(''), bootstrap: bootstrap('E(vats.bob).foo("x".repeat(200), () => {});') },
      { profile },
    );
    t.is(run.errors.length, 1);
    t.regex(
      run.errors[0],
      /^vat bootstrap: the arguments of E\(…\)\.foo\('x{99}…, \[Function \(anonymous\)\]\) cannot be passed; an object with methods is declared by Far\(name, \{methods\}\): (Type)?Error: /,
    );
  });
}

test('an error in a message without a result is reported', async t => {
  const run = await runVats({
    bob: bob("throw Error('mine');"),
    bootstrap: bootstrap('E.sendOnly(vats.bob).foo(1);'),
  });
  t.is(run.errors.length, 1);
  t.regex(run.errors[0], /^vat bob: Error: mine\n {4}at .*foo \(vat-bob\.js:6:/);
});

test('an unhandled rejection from another vat is reported only there', async t => {
  const run = await runVats({
    bob: bob("throw Error('mine');"),
    bootstrap: bootstrap('E(vats.bob).foo(1);'),
  });
  t.is(run.errors.length, 1);
  t.regex(run.errors[0], /^vat bob: /);
});

test('a method that stands twice in the sources is named without a place', async t => {
  const twice = 'foo() { return new Date(0); }';
  const run = await runVats({
    bob: `import { Far } from '@endo/far';
      export const other = Far('other', { ${twice} });
      export const buildRootObject = () => Far('bob', { ${twice} });`,
    bootstrap: bootstrap(ignoring),
  });
  t.is(run.errors.length, 1);
  t.regex(run.errors[0], /^vat bob: foo\(\) returned 1970.*expected: \(an object\)$/);
});

test('a place in a folder whose name has parentheses is found', async t => {
  const run = await runVats(
    { bob: bob("throw Error('mine');"), bootstrap: bootstrap(ignoring) },
    { folderName: 'copy (2) of it' },
  );
  t.is(run.errors.length, 1);
  t.regex(run.errors[0], /at .*foo \(vat-bob\.js:6:/);
});

test("a place on the first line has no column, which is not the author's there", async t => {
  const { failure, errors } = await runVats({
    bootstrap: `throw Error('top');`,
  });
  t.regex(failure ?? '', /did not start/);
  t.regex(errors.join('\n'), /^vat bootstrap: Error: top\n {4}at .*bootstrap\.js:1\)?$/m);
});

test('with the fallback of drain, each of several simulations gets its own errors', async t => {
  const names = ['one', 'two', 'three', 'four'];
  const runs = await Promise.all(
    names.map(name =>
      runVats(
        {
          bootstrap: bootstrap(
            `for (let i = 0; i < 5; i += 1) Promise.reject(Error('${name} ' + (await E(vats.bob).foo(i))));`,
          ),
          bob: bob('return x;'),
        },
        { draining: 'immediate' },
      ),
    ),
  );
  runs.forEach(({ errors }, i) => {
    t.deepEqual(
      errors.map(text => text.split('\n')[0]),
      [0, 1, 2, 3, 4].map(n => `vat bootstrap: Error: ${names[i]} ${n}`),
    );
  });
});

test('vatAdmin prints the end of a vat of the config, since nobody waits for it', async t => {
  const sources = {
    bootstrap: bootstrap('E(vats.bob).foo(1).catch(() => {}); E(vats.ann).foo(1);'),
    ann: bob('return x;'),
    bob: bob('return x;', { build: "throw Error('not today');" }),
  };
  const { printedByAdmin } = await runVats(sources);
  t.deepEqual(printedByAdmin, ['vatAdmin: DANGER: static or non-running vat v2 terminated']);
  const { printedByAdmin: printed2020 } = await runVats(
    { ...sources, bob: bob('return x;') },
    { profile: '2020-09' },
  );
  t.deepEqual(printed2020, []);
});
