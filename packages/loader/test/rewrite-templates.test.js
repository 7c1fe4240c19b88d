import test from 'ava';

import { provideCompiled } from '#loader/bundle/compiled-cache.js';
import { importBundle, prepareBundle } from '#loader/bundle/index.js';
import { makeVatCompartment } from '#loader/compartment/index.js';
import { makeBundle } from '#config/bundle-format.js';
import { ensureLockdown, getStackFrames } from '#loader/lockdown.js';

test.before(() => ensureLockdown());

/** @param {string} source */
const bundleOf = source =>
  makeBundle({ entry: './x.js', modules: { './x.js': { source, type: 'js', imports: {} } } });

/** @param {string} source @returns {Promise<Record<string, any>>} */
const run = async source => (await importBundle(bundleOf(source), { name: 'x' })).namespace;

/** Functions that the programs use: `show` tells all that a tag can see. */
const prelude = `
  const log = [];
  const at = (name, value) => { log.push(name); return value; };
  const show = (parts, ...values) => JSON.stringify([
    [...parts].map(part => part === undefined ? 'none' : part), parts.raw, values, Object.isFrozen(parts),
    Object.isFrozen(parts.raw), Object.isFrozen(Object.getOwnPropertyDescriptor(parts, 'raw')),
    Object.getOwnPropertyDescriptor(parts, 'raw').enumerable, Reflect.ownKeys(parts), Array.isArray(parts.raw),
  ]);
`;

/** Bodies of functions; the compartments of SES have the templates of the engine. */
const programs = [
  'return show`plain`',
  'return show``',
  'return show`a${1}b${2, 3}c`',
  'return show`${1}${2}`',
  'return show`\\u{41}\\x42\\n\\\n\\${}\\``',
  'return show`\\unicode ${1} \\xerxes \\8`',
  'return show`\u2028\u2029\r\n\r"\'\\u2028`',
  'return show`\ud800${1}\\ud800`',
  'return show`a${show`b${show`c`}`}d${`e${show`f`}`}`',
  'return show /* a ` comment */ `a` + show // another `\n`b`',
  'const o = { v: 7, show() { return this.v; } }; return [o.show`a`, o["show"]`b`, (o).show`c`, o?.v].join()',
  'const twice = p => q => p.concat(q).join(); return twice`a``b`',
  'class A { constructor(v) { this.v = v; } }; const of = p => A; return [new (of`x`)(1).v, new of`x`(2).v, new of`x`().v, new ({ of }).of`x`(3).v].join()',
  'class A { t(p) { return p[0] + this.v; } v = 1; } class B extends A { u() { return super.t`a`; } } return new B().u()',
  'const f = () => { return show\n`a` }; return f()',
  'const a = 1\nconst f = p => p[0]\nconst b = f\n`x`\nreturn b + a',
  'const t = p => p; const f = () => t`a`; const g = () => t`a`; return [f() === f(), f() === g(), [1, 2].map(() => t`a`).every((p, i, all) => p === all[0])].join()',
  'return String.raw`\\a${1}\\u` + `${String.raw`\\\\`}`',
  'at("o", { get t() { at("get"); return at.bind(null, "tag"); } }).t`a${at("one", 1)}b${at("two", 2)}`; return log.join()',
  'function* g() { return show`a${yield 1}b`; } const i = g(); i.next(); return i.next(5).value',
  'const f = (a = show`x`, { b = show`y` } = {}) => a + b; return f()',
  'try { (0)`a`; } catch (error) { return error.name; }',
  'const eval1 = 1; let async = show; return async`a` + eval1',
  'return (x => x)`a`[0] + (() => show)()`b`',
  'const shadow = ($) => show`${$}`; return shadow(1) + typeof __template0',
];

test('a tag is given what the engine would give it', async t => {
  for (const [i, program] of programs.entries()) {
    const { result } = await run(`${prelude}\nexport const result = (() => { ${program} })();`);
    const expected = new Compartment().evaluate(`${prelude}\n(() => { ${program} })()`);
    t.is(result, expected, `${i}: ${program}`);
  }
});

/** Further ones for texts that vats evaluate: scripts. */
const scripts = [
  ...programs,
  'return (eval)`x`[0]',
  'return [new (show)`a`, new (class { v = show`b`; })().v].length',
  'return show`\x3c!-- \x2d-> im\x70ort(1) ev\x61l(1)`',
  'const __template__ = show; return __template__`a`',
  'return Function("show", "return show`a${1}b` // `")(show)',
  'return (0, eval)("show`a`; // x`") === undefined',
  'return new Compartment({ show }).evaluate("show`a${1}`")',
  'return new Compartment({ show, __template__: 1 }).evaluate("show`a`")',
];

test('a tag in a text that a vat evaluates is given what the engine would give it', t => {
  for (const [i, program] of scripts.entries()) {
    const text = `globalThis.show = show; ${program}`;
    const resultIn = (/** @type {Compartment} */ compartment) => {
      try {
        return compartment.evaluate(`${prelude}\n(() => { ${text} })()`);
      } catch (error) {
        return /** @type {Error} */ (error).name;
      }
    };
    t.is(
      resultIn(makeVatCompartment({ name: 'x' }).evaluate('new Compartment()')),
      resultIn(new Compartment()),
      `${i}: ${program}`,
    );
  }
});

test('texts that vats evaluate have no tagged template, so that the engine may keep their code', t => {
  const evaluate = (/** @type {string} */ text) => makeVatCompartment({ name: 'x' }).evaluate(text);
  t.false(`${evaluate('t => t`a${1}`')}`.includes('`'));
  t.false(`${evaluate('Function("t", "return t`a`")')}`.includes('`'));
  t.false(`${evaluate('new Compartment().evaluate("t => t`a`")')}`.includes('`'));
  // SES would refuse the rewritten text.
  t.true(`${evaluate('t => t`im\\x70ort(1)`')}`.includes('`'));
});

test('each evaluation of a text has templates of its own', t => {
  const compartment = makeVatCompartment({ name: 'x' });
  const [one, other] = [1, 2].map(() => compartment.evaluate('() => (p => p)`a`'));
  t.is(one(), one());
  t.not(one(), other());
});

test("a text's own syntax error stays that of the engine", t => {
  const compartment = makeVatCompartment({ name: 'x' });
  const error = t.throws(() => compartment.evaluate('a`b`; +;'), { instanceOf: SyntaxError });
  t.is(error.message, "Unexpected token ';'");
});

test('a text that is nested too deeply for the parser is evaluated', t => {
  const depth = 20_000;
  const text = `(p => p[0])\`a\` + '${'x'.repeat(10)}'${' + 1'.repeat(depth)}`;
  t.is(makeVatCompartment({ name: 'x' }).evaluate(text).length, 11 + depth);
});

test('compiled modules have no tagged template, so that the engine may keep their code', async t => {
  const { program } = await provideCompiled('export const f = t => t`a${1}`;', 'x.js');
  t.false(program.includes('`'));
  const kept = await provideCompiled('export const f = t => t`a${1}`;', 'x.js', undefined, {
    isGuarded: false,
  });
  t.true(kept.program.includes('t`a${1}`'));
});

test('variables of templates have a name that the module lacks, found in one pass', async t => {
  const long = `__template${'_'.repeat(200_000)}`;
  const { program } = await provideCompiled(`// ${long}\nexport const f = t => t\`a\`;`, 'x.js');
  t.true(program.includes(`${long}_0`));
});

test('a place has one template in a vat, and another in each vat', async t => {
  const prepared = await prepareBundle(bundleOf('export const f = () => (p => p)`a`;'));
  const [one, other] = ['one', 'other'].map(name => prepared.importNow({ name }).namespace.f);
  t.is(one(), one());
  t.not(one(), other());
});

test('lines stay', async t => {
  const { fail } = await run(
    'const t = p => p;\nconst x = t`a\n\nb${[\n1]}\nc`;\nexport const fail = () => {\n  throw Error(x[0]);\n};',
  );
  t.regex(getStackFrames(t.throws(() => fail())), /x\.js:8:/);
});

test('text that SES refuses in code may be in a template of a tag', async t => {
  const { x } = await run('export const x = String.raw`<!-- import(${1}) -->`;');
  t.is(x, '<!-- import(1) -->');
});

test('a tag that is called eval is left alone', async t => {
  const { program } = await provideCompiled('export const f = () => eval`1`;', 'x.js');
  t.true(program.includes('eval`1`'));
});

test('a module that uses the name of the function is left alone', async t => {
  const { x } = await run('const __template__ = p => p[0]; export const x = __template__`a`;');
  t.is(x, 'a');
});

test('the function that makes templates is one of the globals, which vats cannot replace', t => {
  const compartment = makeVatCompartment({ name: 'x' });
  t.throws(() => compartment.evaluate('__template__ = 1'), { instanceOf: TypeError });
  t.deepEqual(compartment.evaluate('__template__(["a"], ["b"]).raw'), ['b']);
});
