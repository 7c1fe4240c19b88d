import test from 'ava';
import { compileModule } from '#loader/bundle/compile-module.js';

const find = async (/** @type {string} */ body) => {
  const text = `import { E } from '@endo/far';\nexport const go = async (b, list) => { ${body} };\n`;
  return (await compileModule(text, 'x.js')).unawaited;
};

/** @type {[body: string, text: string, problem: RegExp][]} */
const slips = [
  ['return 1 + E(b).m();', 'E(b).m()', /neither a number nor text/],
  ['let n = 0; n += E(b).m(); return n;', 'E(b).m()', /neither a number nor text/],
  ['const n = E(b).m(); return n > 3;', 'n', /neither a number nor text/],
  ['const n = E(b).m(1); return -n;', 'n', /neither a number nor text/],
  ['return Math.max(E(b).m(), 1);', 'E(b).m()', /neither a number nor text/],
  ['return Number(E(b).m());', 'E(b).m()', /neither a number nor text/],
  ['return `${E(b)(1)} of it`;', 'E(b)(1)', /as text it is "\[object Promise\]"/],
  ['if (E(b).has()) return 1;', 'E(b).has()', /always true/],
  ['return E(b)["has"]() ? 1 : 2;', 'E(b)["has"]()', /always true/],
  ['while (!E(b).done()) b = list;', 'E(b).done()', /always true/],
  ['return E(b).find() ?? 7;', 'E(b).find()', /always true/],
  ['return E(b).name() === "ann";', 'E(b).name()', /equals nothing else/],
  ['const p = E(b).find(); return undefined !== p;', 'p', /equals nothing else/],
  ['switch (E(b).kind()) { default: }', 'E(b).kind()', /equals nothing else/],
  ['return E(b).amount().value;', 'E(b).amount()', /it has no value/],
  ['const a = E(b).amount(); return a?.value;', 'a', /it has no value/],
  ['return E(b).all()[0];', 'E(b).all()', /it has no 0/],
  ['const { value } = E(b).amount(); return value;', 'E(b).amount()', /it has no value/],
  ['let v; ({ value: v } = E(b).amount()); return v;', 'E(b).amount()', /it has no value/],
  ['return { ...E(b).record() };', 'E(b).record()', /nothing to spread/],
  ['for (const x of E(b).all()) b(x);', 'E(b).all()', /no elements/],
  ['return list[E(b).id()];', 'E(b).id()', /no key/],
  ['return JSON.stringify(E(b).all());', 'E(b).all()', /as JSON it is \{\}/],
  ['return E.get(b).count + 1;', 'E.get(b).count', /neither/],
  ['return E.when(b, x => x) + 1;', 'E.when(b, x => x)', /neither/],
  ['const f = async () => 1; return f() + 1;', 'f()', /neither/],
  ['async function f() {} if (f()) b();', 'f()', /always true/],
  ['return Promise.all(list).length;', 'Promise.all(list)', /it has no length/],
  ['const p = E(b).m(); const q = p.then(x => x); return q * 2;', 'q', /neither/],
  ['const p = list ? E(b).m() : E(b).n(); return p - 1;', 'p', /neither/],
];

for (const [body, text, problem] of slips)
  test(`a forgotten await is found: ${body}`, async t => {
    const found = await find(body);
    t.is(found.length, 1);
    t.is(found[0].text, text);
    t.is(found[0].line, 2);
    t.regex(found[0].problem, problem);
  });

for (const body of [
  'return await E(b).count;',
  'const n = await E(b)["count"]; return n;',
  'E(b).count;',
  'return E(b).count + 1;',
  'if (E(b).count) return 1;',
  'return `${E(b).count}`;',
])
  test(`a method that is not called is found: ${body}`, async t => {
    const [{ line, text, isMethod }, ...others] = await find(body);
    t.deepEqual([line, isMethod, others], [2, true, []]);
    t.regex(text, /^E\(b\)/);
  });

test('code that awaits, or may have another value, is not found', async t => {
  for (const body of [
    'return 1 + (await E(b).m());',
    'const n = await E(b).m(); return n + 1;',
    'let n = E(b).m(); n = 1; return n + 1;',
    'return E(b).m().then(x => x + 1).catch(() => 0);',
    'const p = E(b).m(); return [p, { p }, b(p), typeof p, p === list];',
    'const p = E(b).m(); { const p = 1; return p + 1; }',
    'const p = E(b).m(); const f = p => p + 1; return f(await p);',
    'const p = E(b).m(); try { b(); } catch (p) { return p + 1; } return p;',
    'const p = E(b).m(); for (const p of list) b(p + 1); return p;',
    'const { p } = await E(b).m(); return p + 1;',
    'const p = p2; const p2 = p; return p + 1;',
    'const E = x => x; return E(b).m() + 1;',
    'const Promise = { all: x => x }; return Promise.all(list).length;',
    'const p = E(b).m(); p.cancel = b; return p.cancel;',
    'return E.sendOnly(b).m();',
    'const f = E(b).m; return [f, E(b).m.name, typeof E(b).m];',
    'E.get(b).count; await E.get(b).count;',
    'const f = async function* () {}; return f() + 1;',
    'return b`${E(b).m()}`;',
    'return list ? E(b).m() : 1;',
    'return list && E(b).m();',
    'function f() { return E(b).m(); } return f;',
    'return (E(b).m(), 1) + 1;',
    'var p = E(b).m(); var p = 1; return p + 1;',
    'class p { static x = 1; } return p.x + 1;',
    'switch (b) { case 1: { const p = 1; return p + 1; } default: const p = E(b).m(); return p; }',
  ])
    t.deepEqual(await find(body), [], body);
});

test('an E that is not of the packages that have it is left alone', async t => {
  for (const from of ["import { E } from './e.js';", 'const E = x => x;', ''])
    t.deepEqual(
      (await compileModule(`${from}\nexport const go = b => E(b).m() + 1;\n`, 'x.js')).unawaited,
      [],
    );
});

test('a module has ten slips told, each in 60 characters', async t => {
  const long = 'x'.repeat(100);
  const found = await find(`${`b(E(b).${long}() + 1);`.repeat(20)}`);
  t.is(found.length, 10);
  t.is(found[0].text.length, 60);
  t.true(found[0].text.endsWith('x…'));
});

test('constants that refer to each other twice are asked about once', async t => {
  const chain = Array.from({ length: 60 }, (_, i) => `const p${i + 1} = list ? p${i} : p${i};`);
  const found = await find(`const p0 = E(b).m(); ${chain.join(' ')} return 1 + p60;`);
  t.deepEqual(
    found.map(({ text }) => text),
    ['p60'],
  );
});
