import test from 'ava';
import fc from 'fast-check';

import { provideCompiled } from '#loader/bundle/compiled-cache.js';
import { makeVatCompartment } from '#loader/compartment/index.js';
import { mayHavePower } from '#loader/evaluation/index.js';
import { importBundle } from '#loader/bundle/index.js';
import { makeBundle } from '#config/bundle-format.js';
import { ensureLockdown } from '#loader/lockdown.js';

test.before(() => ensureLockdown());

/** @param {string} source */
const evaluate = source => makeVatCompartment({ name: 'x' }).evaluate(source);

/** Programs whose powers are exact on every engine, so that the engine's own operator says what must come. */
const programs = [
  '2 ** 10',
  '2 ** 3 ** 2',
  '(2 ** 3) ** 2',
  '(-2) ** 3',
  '-(2 ** 3)',
  '2 ** -1',
  '2n ** 3n',
  '[3] ** 2',
  '({}) ** 2',
  '/a/** 2',
  '"3" ** "2"',
  'null ** 2',
  '`x${2 ** 3}y**`',
  '"a ** b" + 2 ** 1',
  'let x = 2; x **= 3; x',
  'let x = 2; x **= x **= 2; x',
  'let x = 2; (x) **= 3; x',
  'const o = { a: { b: 2 } }; o.a.b **= 3; o.a.b',
  'const o = { b: 2 }; (o.b) **= 3; ((o)["b"]) **= 2; o.b',
  'const o = { a: 1, b: 2 }; o["a", "b"] **= 3; o.b',
  'const o = { b: 2 };\no\n// a comment .x\n.b /* ] ** */ **= /* ) */ 3; o.b',
  'const o = { b: 2 }; o[ /* [ */ "b" /* ] */ ] **= 3; o.b',
  'const a = [2]; a[0] **= a[0] **= 2; a[0]',
  '[1, 2].map(x => x ** 2).join()',
  'const f = x => ({ v: x }).v ** 2; f(3)',
  'const f = (a = 2 ** 3, { b = a ** 2 } = {}) => a + b; f()',
  'const [a = 2 ** 2, { b = a ** 2 } = {}] = []; a + b',
  'class A { #x = 2; m(o) { return o.#x **= 5; } static #y = 3; static z = (A.#y **= 2); } [new A().m(new A()), A.z].join()',
  'class A { a = 2 ** 2; static { this.b = 3; this.b **= 2; } ["c" + 2 ** 1] = 1; } [new A().a, A.b, new A().c2].join()',
  'class A { get x() { return 3; } set x(v) { this.y = v; } } class B extends A { m() { return super.x **= 2; } n(k) { super[k()] **= 3; return this.y; } } const b = new B(); [b.m(), b.y, b.n(() => "x")].join()',
  'function* g() { const o = { a: 2 }; o[yield 1] **= yield 2; return (yield 3) ** (yield 4) + o.a; } const i = g(); i.next(); i.next("a"); i.next(4); i.next(2); i.next(5).value',
  'let r = ""; for (let i = 2 ** 1; i < 2 ** 3; i **= 2) r += i; r',
  'let r; if (1) r = 2 ** 2; else r = 3 ** 3; r',
  'const f = o => o?.a ** 2; [f(null), f({ a: 3 })].join()',
  'let i = 5; [i++ ** 2, ++i ** 2, i-- ** 1, i].join()',
  'const f = () => { return[2] ** 2 }; f()',
  'let a = 1\n;[2].forEach(x => { a = x ** 2 })\na',
  'typeof (2 ** 2) + void (2 ** 2)',
  'new (class { v = 2 })().v ** 3',
  'async () => { const o = { a: 1 }; o[await 1] **= await 2; for await (const x of [2 ** 2]); }; 1',
];

test("rewritten programs with powers give the engine's results", t => {
  for (const program of programs) {
    // The compartments of SES have the operator of the engine.
    t.deepEqual(evaluate(program), new Compartment().evaluate(program), program);
  }
});

/** Programs that write down what they do. */
const logged = [
  'at("o", { get k() { at("get"); return 2; }, set k(v) { at(`set ${v}`); } })[at("key", { toString() { at("toString"); return "k"; } })] **= at("right", { valueOf() { at("valueOf"); return 3; } })',
  'at("l", { valueOf() { at("left"); return 2; } }) ** at("r", { valueOf() { at("right"); return 2; } })',
  'at("l", { valueOf() { at("left"); return 2n; } }) ** at("r", { valueOf() { at("right"); return 2; } })',
  'null[at("key", { toString() { at("toString"); } })] **= at("right", 1)',
  'at("o", undefined).x **= at("right", 1)',
  'at("o", Object.freeze({ x: 1 })).x **= at("right", 2)',
  'at("o", "text").x **= at("right", 2)',
  'at("o", { a: Symbol("s") }).a **= at("right", 2)',
  'nowhere **= at("right", 2)',
  'const k = at("k", 2); k **= at("right", 2)',
  'at("a", 2) ** at("b", 3) ** at("c", 2)',
  'class A { constructor() { at("A"); } } class B extends A { constructor() { super[at("key", "x")] **= at("right", 1); } } new B()',
  'new Proxy({ a: 2 }, { get(o, k) { at(`get ${String(k)}`); return o[k]; }, set(o, k, v) { at(`set ${String(k)} ${v}`); o[k] = v; return true; }, has() { at("has"); return true; } }).a **= at("right", 3)',
];

test('operands are evaluated once, and in the order of the language', t => {
  for (const program of logged) {
    const source = `
      const log = [];
      const at = (name, value) => { log.push(name); return value; };
      try { log.push(String((() => { ${program.startsWith('c') ? program : `return ${program}`} })())); }
      catch (error) { log.push(error.name); }
      log.join()
    `;
    // V8 converts an object that is a key twice, where the language does so once.
    const expected = new Compartment()
      .evaluate(source)
      .replace('toString,get,right,valueOf,toString', 'toString,get,right,valueOf');
    t.is(evaluate(source), expected, program);
  }
});

test('random expressions give the same results', t => {
  const expression = fc.letrec(tie => ({
    it: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom('2', '(-1)', 'x', 'o.a', 'o["a"]', 'f(2)', '0', '"2"', 'n?.b', '/* ** */ 1'),
      fc.tuple(tie('it'), tie('it')).map(([a, b]) => `(${a}) ** (${b})`),
      fc.tuple(tie('it'), tie('it')).map(([a, b]) => `(${a}, ${b})`),
      tie('it').map(a => `(x **= ${a})`),
      tie('it').map(a => `(o.a **= ${a})`),
      tie('it').map(a => `(o[f("a")] **= ${a})`),
      fc.tuple(tie('it'), tie('it')).map(([a, b]) => `[${a}, ${b}].length`),
      fc.tuple(tie('it'), tie('it'), tie('it')).map(([a, b, c]) => `((${a}) ? ${b} : ${c})`),
      tie('it').map(a => `(y => y ** 2)(${a})`),
      tie('it').map(a => `Number(\`\${${a}}\`)`),
    ),
  })).it;
  const mine = makeVatCompartment({ name: 'x' });
  const engines = new Compartment();
  fc.assert(
    fc.property(expression, text => {
      const source = `(() => { let x = 2; const o = { a: 2 }; const n = null; const log = []; const f = v => { log.push(v); return v; }; const r = ${text}; return [r, x, o.a, ...log].join(); })()`;
      // Results whose last bit the engine decides are left out.
      const round = (/** @type {string} */ shown) =>
        shown.replace(/-?[\d.]+(?:e[+-]?\d+)?/g, number => Number(number).toPrecision(12));
      t.is(round(mine.evaluate(source)), round(engines.evaluate(source)), text);
    }),
  );
});

test('a rewritten module has no such operator, and keeps its lines', async t => {
  const source = [
    'export let x = 2;',
    'export const o = {',
    '  a: 3, // **',
    '};',
    'export const go = k => {',
    '  x **= 2;',
    '  o',
    '    .a **= 2;',
    '  return [x ** 0.5, o.a, 10',
    '    ** -5, Math.pow(10, -5), k ** 2];',
    '};',
    'export const fail = () => {',
    '  throw Error("line 13");',
    '};',
  ].join('\n');
  const { program } = await provideCompiled(source, 'x.js');
  t.false(/\*\*(?!\n)/.test(program.replace('// **', '')));
  const bundle = makeBundle({
    entry: './x.js',
    modules: { './x.js': { source, type: 'js', imports: {} } },
  });
  const { namespace } = await importBundle(bundle, { name: 'x' });
  t.deepEqual(namespace.go(3), [2, 9, 0.00001, 0.00001, 9]);
  t.is(namespace.x, 4);
  const { getStackFrames } = await import('#loader/lockdown.js');
  const error = t.throws(() => namespace.fail());
  t.regex(getStackFrames(error), /x\.js:13:/);
});

test('only texts that may have the operator are parsed', t => {
  for (const text of ['/** a\n * comment */ 1', '  /** x */', 'a * b', '\n\t/** **']) {
    t.is(mayHavePower(text), text.endsWith('**') && text.includes(' **'), text);
  }
  for (const text of ['a**b', '/**/ 2 ** 3', 'x /**/**2', '1\n**2'])
    t.true(mayHavePower(text), text);
  // A power of a regular expression is NaN on every engine.
  t.false(mayHavePower('/a/**2'));
});

test('the name of the operator is not to be declared where it is used', t => {
  t.throws(() => evaluate('const __power__ = 1; 2 ** 3'), {
    instanceOf: SyntaxError,
    message: /__power__ is taken/,
  });
  t.throws(() => evaluate('const __pow\\u0065r__ = 1; 2 ** 3'), { instanceOf: SyntaxError });
  t.is(evaluate('const __power__ = 1; __power__'), 1);
  t.throws(() => evaluate('__power__ = 1'), { instanceOf: TypeError });
  t.is(evaluate('new Compartment({ ["__pow" + "er__"]: () => 7 }).evaluate("2 ** 3")'), 8);
});
