// Imports and exports as the language has them, or refused; and bundles of somebody else, with names of any kind.

import test from 'ava';
import { rmSync } from 'node:fs';
import { adoptBundle, makeBundle } from '#config';
import { importBundle, usesVirtualData } from '../bundle/index.js';
import { ensureLockdown } from '../lockdown.js';
import { bundleOf, cacheDir, folders, importOf } from './bundle-sources.js';

folders.push(cacheDir);

test.before(() => ensureLockdown());

test.after.always(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** @param {string} source @param {Record<string, string>} [imports] */
const moduleOf = (source, imports = {}) =>
  /** @type {import('#config/bundle-format.js').BundledModule} */ ({ source, type: 'js', imports });

/**
 * @param {Record<string, import('#config/bundle-format.js').BundledModule>} modules
 * @param {string} [entry]
 */
const importForged = (modules, entry = 'a') =>
  importBundle(
    adoptBundle(JSON.parse(JSON.stringify(makeBundle({ entry, modules }))), 'a bundle'),
    { name: 'x' },
  );

test('exports may have strings as names', async t => {
  const { namespace } = await importOf({
    'vat-x.js': `
      import { "a name" as name, "default" as main, "<!-- import(" as odd } from './b.js';
      import * as all from './c.js';
      export { "a name" } from './b.js';
      export * as "import('x')" from './b.js';
      export const test = () => [name, main, odd, Object.keys(all), all["\\"'"]];
    `,
    'b.js': `
      let value = 1;
      export { value as "a name", value as "default", value as "<!-- import(" };
      value = 2;
    `,
    'c.js': `export { "a name" as "\\"'", "default" as "__proto__" } from './b.js';`,
  });
  t.deepEqual(namespace.test(), [2, 2, 2, [`"'`, '__proto__'], 2]);
  t.deepEqual(Object.keys(namespace), ['a name', "import('x')", 'test']);
  t.is(namespace['a name'], 2);
});

const refused = {
  'import { a } from "./b.js";\na = 1;': /vat-x\.js:2: a is imported, and an import cannot be/,
  'import a from "./b.js"; export const f = () => { [, { a }] = []; };': /a is imported/,
  'import * as a from "./b.js"; for (a of []);': /a is imported/,
  'import { a } from "./b.js"; (a)++;': /a is imported/,
  'export class A {}\nA = 1;': /vat-x\.js:2: the class A is exported and assigned to/,
  'class A {} export { A as B }; A &&= 1;': /the class A is exported and assigned to/,
  'export default class A {} A = 1;': /the class A is exported and assigned to/,
  'export default function f() {} f = 1;': /the function f is the default export and assigned to/,
  '{ var i = 4; } export { i };': /the variable i is exported and declared in a block/,
  'export { j as i }; for (var [j] of [[1]]);': /the variable j is exported and declared in a b/,
  'export var i = 1; if (i) { var i = 2; }': /the variable i is exported and declared in a block/,
};

for (const [source, message] of Object.entries(refused))
  test(`a module is refused that would not do what the language says: ${source}`, async t => {
    await t.throwsAsync(
      bundleOf({ 'vat-x.js': source, 'b.js': 'export let a; export default a;' }),
      {
        message,
      },
    );
  });

test('variables of the same name as an import or an export may be assigned to', async t => {
  const { namespace } = await importOf({
    'vat-x.js': `
      import { a } from './b.js';
      export class A { static name2 = () => { try { A = 1; } catch (error) { return error.name; } }; }
      export let i = 0;
      export function f() { return 1; }
      f = () => 2;
      export const test = b => {
        const inner = a => { a = 3; for (var i of [1]) { i += 1; } return [a, i]; };
        { let a = 1; a = 2; class A {} A = 2; }
        try { throw 1; } catch (a) { a = 2; }
        a.b = 1;
        [a.c] = [2];
        i += 1;
        return [...inner(), a.b, a.c, i, A.name2(), f()];
      };
    `,
    'b.js': 'export const a = {};',
  });
  t.deepEqual(namespace.test(), [3, 2, 1, 2, 1, 'TypeError', 2]);
});

test('a bundle may name its modules as it likes', async t => {
  const { namespace } = await importForged(
    {
      ['__proto__']: moduleOf('import { b } from "toString"; export const a = b;', {
        toString: 'constructor',
      }),
      constructor: moduleOf('export const b = 1;'),
    },
    '__proto__',
  );
  t.is(namespace.a, 1);
});

test("a module's name stays on its line in an error", async t => {
  await t.throwsAsync(
    importForged({ ['a\n\u001b[2J']: moduleOf('export const x = ;') }, 'a\n\u001b[2J'),
    {
      message: 'a\\n\\u001B[2J:1:18: Unexpected token',
    },
  );
});

test('a bundle that lacks a module is refused, whatever the module is called', async t => {
  for (const name of ['toString', 'constructor', '__proto__', 'b']) {
    await t.throwsAsync(importForged({ a: moduleOf(`\nimport "${name}";`) }), {
      name: 'UserError',
      message: `vat:x/a:2: the bundle lacks the module "${name}"`,
    });
    await t.throwsAsync(importForged({ a: moduleOf('import "b";', { b: `shim:${name}` }) }), {
      name: 'UserError',
      message: 'vat:x/a:1: the module "b" is not provided here',
    });
    const required = { ...moduleOf(`require("${name}");`), type: /** @type {const} */ ('cjs') };
    await t.throwsAsync(importForged({ a: required }), {
      name: 'UserError',
      message: new RegExp(`cannot find module "${name}"`),
    });
  }
});

test('it takes time by the length of a source to see whether a vat uses virtual data', t => {
  const source = 'buildRootObject=function '.repeat(100_000);
  t.false(usesVirtualData(makeBundle({ entry: 'a', modules: { a: moduleOf(source) } })));
  for (const form of ['', ' =', ' = async ', ' = function', ' = async function* root'])
    t.true(
      usesVirtualData(
        makeBundle({
          entry: 'a',
          modules: { a: moduleOf(`buildRootObject${form}({ a, b }, _, c) {}`) },
        }),
      ),
    );
});

test('a module is refused for which the compiler would take the square of its size', async t => {
  const many = Array.from({ length: 20_000 }, (_, i) => i);
  for (const source of [
    many.map(i => `export const a${i} = 1;`).join(''),
    `import { ${many.map(i => `a${i}`).join()} } from './b.js';`,
    `export const a = 1, b = 2; ${many.map(i => `export { a as a${i} };`).join('')}`,
  ])
    await t.throwsAsync(importForged({ a: moduleOf(source) }), {
      message:
        /^a: a module with \d+ statements imports and exports 2000\d names, which are too many/,
    });
  for (const source of ['', 'a~.b();'])
    await t.throwsAsync(importForged({ a: moduleOf(source + '/**/'.repeat(400_000)) }), {
      message: /^a: a long line has too many block comments to be compiled; break it into lines$/,
    });
});
