import test from 'ava';
import { ensureLockdown } from '../lockdown.js';
import { transformTildot } from '../tildot.js';

test.before(() => ensureLockdown());

/** @type {[string, string][]} */
const table = [
  ['x~.foo(y, z)', 'HandledPromise.applyMethod(x, "foo", [y, z])'],
  ['x~.foo', 'HandledPromise.get(x, "foo")'],
  ['x~.(y)', 'HandledPromise.applyFunction(x, [y])'],
  ['x~.[a + b](...c)', 'HandledPromise.applyMethod(x, a + b, [...c])'],
  ['x~.[0]', 'HandledPromise.get(x, 0)'],
  [
    'x~.a(1)~.b(2)',
    'HandledPromise.applyMethod(HandledPromise.applyMethod(x, "a", [1]), "b", [2])',
  ],
  ['x~.a(y~.b())', 'HandledPromise.applyMethod(x, "a", [HandledPromise.applyMethod(y, "b", [])])'],
  ['x~.a.b', 'HandledPromise.get(x, "a").b'],
  ['x~.a().b()', 'HandledPromise.applyMethod(x, "a", []).b()'],
  ['(x || y)~.m()', 'HandledPromise.applyMethod((x || y), "m", [])'],
  ['new C(1)~.m()', 'HandledPromise.applyMethod(new C(1), "m", [])'],
  ['await x~.m()', 'await HandledPromise.applyMethod(x, "m", [])'],
  ['x?.y~.m()', 'HandledPromise.applyMethod(x?.y, "m", [])'],
  ['(z => z~.m())(1)', '(z => HandledPromise.applyMethod(z, "m", []))(1)'],
  ['x\n  ~.m(\n1)', 'HandledPromise.applyMethod(x, "m", [1])\n\n'],
  ['x /* y */ ~.m()', 'HandledPromise.applyMethod(x, "m", [])'],
  ['x // y\u2028 ~.m()', 'HandledPromise.applyMethod(x, "m", [])'],
  ['x // y\r ~.m()', 'HandledPromise.applyMethod(x, "m", [])'],
  ['["x~.m()", `a~.b ${x~.m()}`]', '["x~.m()", `a~.b ${HandledPromise.applyMethod(x, "m", [])}`]'],
  ['~.5 + x // x~.m()', '~.5 + x // x~.m()'],
  ['x.m()', 'x.m()'],
];

for (const [source, expected] of table) {
  test(`${JSON.stringify(source)} is ${JSON.stringify(expected)}`, t => {
    t.is(transformTildot(source), expected);
  });
}

test('a text that does not parse is refused with the place', t => {
  t.throws(() => transformTildot('let x = ;\nx~.m()'), {
    instanceOf: SyntaxError,
    message: /\(1:8\)/,
  });
  t.throws(() => transformTildot('x~.y = 3'), { instanceOf: SyntaxError });
});

test('a text that is nested too deeply is refused, however much stack there is', t => {
  const nested = (/** @type {number} */ levels) =>
    `${'('.repeat(levels)}x~.m()${')'.repeat(levels)}`;
  t.regex(transformTildot(nested(200)), /HandledPromise\.applyMethod\(x, "m", \[\]\)/);
  for (const levels of [300, 3_000, 50_000])
    t.throws(() => transformTildot(nested(levels)), {
      instanceOf: SyntaxError,
      message: 'the code is nested too deeply: it has more than 250 levels',
    });
});
