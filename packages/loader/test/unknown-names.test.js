import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ensureLockdown } from '#loader';
import { bundleVat } from '#loader/bundle';
import { compileModule } from '#loader/bundle/compile-module.js';
import { makeVatCompartment } from '#loader/compartment';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const find = async (/** @type {string} */ text) =>
  (await compileModule(text, 'x.js')).unknownNames.map(({ name }) => name);

test('names that nobody declares are found at their first use, with what was meant', async t => {
  const { unknownNames } = await compileModule(
    'const count = 1;\nexport const a = () => cuont + other;\nexport const b = () => other;\n',
    'x.js',
  );
  t.deepEqual(unknownNames, [
    { name: 'cuont', line: 2, meant: 'count' },
    { name: 'other', line: 2 },
  ]);
  t.deepEqual(await find('export const a = [free, { free: 1, [key]: 2 }, x.y[z]];'), [
    'free',
    'key',
    'x',
    'z',
  ]);
});

test('every form of declaration and every name that is no reference is known', async t => {
  for (const text of [
    "import a, { b as c } from './a.js';\nimport * as d from './d.js';\nexport default [a, c, d];",
    "export { e as f } from './a.js';\nexport * from './b.js';\nexport * as g from './c.js';",
    'const { a, b: { c = 1 }, ...d } = {}, [e, , f = a, ...g] = [c]; export { d as h, e, f, g };',
    'export function f(a, { b }, [c] = [], ...d) { return [a, b, c, d, arguments]; }',
    'export class A extends Array { #x = 1; y = 2; static z = this.y; get w() { return this.#x; } has(o) { return #x in o; } }',
    'export const a = class B { c() { return B; } }, b = function d() { return d; };',
    'outer: for (const a of []) { for (let b = 0; b < a; b += 1) continue outer; break outer; }\nexport {};',
    'try { x(); } catch ({ message }) { void message; } finally { y(); } function x() {} var y = () => {}; export {};',
    "export const a = typeof missing === 'undefined', b = { c: 1, d() {}, get e() { return 1; } }, f = b?.c;",
    'export const a = new.target, b = import.meta;'.replace('new.target', '1'),
    'export const a = x => later(x); const later = y => y;',
  ])
    t.deepEqual(await find(text), [], text);
});

test('each global of a vat is known', async t => {
  await ensureLockdown();
  const globals = Object.getOwnPropertyNames(makeVatCompartment({ name: 'a' }).globalThis);
  const names = globals.filter(name => /^[A-Za-z]\w*$/.test(name));
  t.true(names.length > 50);
  t.deepEqual(await find(`export const a = () => [${names.join(', ')}];`), []);
});

test('a vat is noticed for its own files, and not for those of packages', async t => {
  const dir = temporaryDirectory(t);
  const inside = join(dir, 'node_modules/some');
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(inside, 'package.json'), '{"name":"some","type":"module","main":"i.js"}');
  writeFileSync(join(inside, 'i.js'), 'export const b = () => elsewhere;');
  writeFileSync(join(dir, 'package.json'), '{"name":"own","type":"module"}');
  writeFileSync(
    join(dir, 'vat-a.js'),
    "import { b } from 'some';\nexport const buildRootObject = () => bb ?? b;\n",
  );
  const { notices } = await bundleVat(join(dir, 'vat-a.js'));
  t.is(notices.length, 1);
  t.regex(notices[0], /vat-a\.js:2: nobody declares "bb", so it is undefined in the vat/);
});
