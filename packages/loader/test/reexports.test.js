// Modules that re-export each other's names get what the language says, also in circles. Node is the oracle.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rmSync } from 'node:fs';
import test from 'ava';
import { linkModules } from '../bundle/link-exports.js';
import fc from 'fast-check';

import { ensureLockdown } from '../index.js';
import { bundleVat, importBundle, prepareBundle } from '../bundle/index.js';
import { adoptBundle } from '#config';
import { cacheDir, folders, importOf, writeFiles } from './bundle-sources.js';
import { makeArchive } from './make-archive.js';

test.before(() => ensureLockdown());

test.after.always(() => {
  for (const folder of [...folders, cacheDir]) rmSync(folder, { recursive: true, force: true });
});

test('names that lead to and fro between two modules are found', async t => {
  const { namespace } = await importOf({
    'vat-x.js': "export { x as y, y as x } from './b.js';",
    'b.js': "export { x } from './vat-x.js'; export let y = 5; export const add = () => (y += 1);",
  });
  t.deepEqual({ ...namespace }, { x: 5, y: 5 });
  const b = await importOf({
    'vat-x.js': "import { add } from './b.js'; export { x as y, y as x } from './b.js'; add();",
    'b.js': "export { x } from './vat-x.js'; export let y = 5; export const add = () => (y += 1);",
  });
  t.deepEqual({ ...b.namespace }, { x: 6, y: 6 }, 'they are live');
});

test('modules that export all of each other have the names of both', async t => {
  const { namespace } = await importOf({
    'vat-x.js': "export * from './b.js'; export * from './vat-x.js'; export const x = 'x';",
    'b.js':
      "export * from './vat-x.js'; export * from './c.js'; import { c } from './vat-x.js'; export const b = () => c;",
    'c.js': "export * from './b.js'; export * from './vat-x.js'; export const c = 'c';",
  });
  t.deepEqual(Object.keys(namespace), ['b', 'c', 'x']);
  t.deepEqual([namespace.x, namespace.c, namespace.b()], ['x', 'c', 'c']);
});

test('a binding that is exported by two ways is one, and two bindings of a name are none', async t => {
  const { namespace } = await importOf({
    'vat-x.js': "export * from './b.js'; export * from './c.js';",
    'b.js': "export { it as one } from './d.js'; export const two = 2;",
    'c.js': "export { it as one } from './d.js'; export const two = 2, three = 3;",
    'd.js': 'export const it = 1;',
  });
  t.deepEqual({ ...namespace }, { one: 1, three: 3 });
});

test('a name written as a string is passed on in a circle', async t => {
  const { namespace } = await importOf({
    'vat-x.js': `import { "a b" as x } from './b.js'; export { x, x as "c d" };`,
    'b.js': `import { "c d" as y } from './vat-x.js'; export const z = 7; export { z as "a b", y };`,
  });
  t.deepEqual({ ...namespace }, { x: 7, 'c d': 7 });
});

/** @type {[string, Record<string, string>, string][]} */
const refusals = [
  [
    're-exports',
    { 'vat.js': "\nexport { x } from './b.js';", 'b.js': "export { x } from './vat.js';" },
    'vat.js:2: "./b.js" does not export "x"; its re-exports lead in a circle',
  ],
  [
    'imports that are exported',
    {
      'vat.js': "import { x } from './b.js'; export { x };",
      'b.js': "import { x } from './vat.js'; export { x };",
    },
    'vat.js:1: "./b.js" does not export "x"; its re-exports lead in a circle',
  ],
  [
    'a module of itself',
    { 'vat.js': "export { default } from './vat.js';" },
    'vat.js:1: "./vat.js" does not export "default"; its re-exports lead in a circle',
  ],
  [
    '"export *"',
    { 'vat.js': "export { z } from './b.js';", 'b.js': "export * from './vat.js';" },
    'vat.js:1: "./b.js" does not export "z"; its re-exports lead in a circle',
  ],
  [
    'two bindings of one name',
    {
      'vat.js': "import { x } from './b.js';",
      'b.js': "export * from './c.js'; export * from './d.js';",
      'c.js': 'export const x = 1;',
      'd.js': 'export const x = 1;',
    },
    'vat.js:1: "./b.js" exports more than one "x" by "export *"; it must export one by its name',
  ],
  [
    'a name that the last module lacks',
    {
      'vat.js': "import { x } from './b.js';",
      'b.js': "export { x } from './c.js';",
      'c.js': "import './vat.js';",
    },
    'b.js:1: "./c.js" does not export "x"; it exports nothing',
  ],
];

for (const [title, files, line] of refusals)
  test(`refused with one line: ${title}`, async t => {
    const modules = Object.entries(files).map(([name, text]) => [`./${name}`, { text }]);
    const bundle = adoptBundle(makeArchive(Object.fromEntries(modules)), 'it');
    const { importNow } = await prepareBundle(bundle);
    t.throws(() => importNow({ name: 'x' }), { name: 'UserError', message: `vat:x/mine/${line}` });
  });

test('a compiled module of an archive that re-exports in a circle is refused with one line', async t => {
  const record = {
    ...{ imports: ['./b.js'], exports: ['x'], __reexportMap__: { './b.js': [['x', 'x']] } },
    __syncModuleProgram__: `({ imports }) => { imports([['./b.js', []]]); }`,
  };
  const modules = {
    './vat.js': { text: JSON.stringify(record), parser: 'pre-mjs-json' },
    './b.js': { text: "export { x } from './vat.js';" },
  };
  const { importNow } = await prepareBundle(adoptBundle(makeArchive(modules), 'it'));
  t.throws(() => importNow({ name: 'x' }), {
    name: 'UserError',
    message: 'vat:x/mine/vat.js:1: "./b.js" does not export "x"; its re-exports lead in a circle',
  });
});

const names = ['x', 'y', 'default'];

/** Statements of modules that export names of their own and of each other. @param {number} count  of modules */
const arbitraryModules = count => {
  const name = fc.constantFrom(...names);
  const target = fc.nat(count - 1).map(number => `'./m${number}.js'`);
  const statement = fc.oneof(
    { weight: 3, arbitrary: name.map(exported => ({ exported, text: 'own' })) },
    fc.tuple(name, name, target).map(([exported, local, from]) => ({
      exported,
      text: `export { ${local} as ${exported} } from ${from};`,
    })),
    fc.tuple(name, name, target).map(([exported, local, from]) => ({
      exported,
      text: `import { ${local} as ${exported}_ } from ${from}; export { ${exported}_ as ${exported} };`,
    })),
    target.map(from => ({ exported: `* ${from}`, text: `export * from ${from};` })),
  );
  const module = fc.uniqueArray(statement, {
    ...{ selector: ({ exported }) => exported, minLength: 1, maxLength: 5 },
  });
  return fc.array(module, { minLength: count, maxLength: count });
};

/** @param {{ exported: string, text: string }[]} statements @param {number} number */
const writeModule = (statements, number) =>
  statements
    .map(({ exported, text }) =>
      text === 'own'
        ? `let ${exported}_ = '${number} ${exported}'; export { ${exported}_ as ${exported} }; export const set${number}${exported} = () => { ${exported}_ += '!'; };`
        : text,
    )
    .join('\n');

test('random modules that re-export each other give what Node gives, or are refused as there', async t => {
  const arbitrary = fc.integer({ min: 1, max: 4 }).chain(arbitraryModules);
  let ran = 0;
  const property = fc.asyncProperty(arbitrary, async modules => {
    const imports = modules.map((_, number) => `import * as n${number} from './m${number}.js';`);
    const folder = writeFiles({
      'package.json': '{ "type": "module" }',
      ...Object.fromEntries(modules.map((one, index) => [`m${index}.js`, writeModule(one, index)])),
      'vat-x.js': `${imports.join('\n')}
        const all = [${modules.map((_, number) => `n${number}`).join(', ')}];
        for (const one of all) for (const name in one) if (name.startsWith('set')) one[name]();
        export const shown = all.map(one => Object.entries(one).map(([name, value]) => name + ' ' + value));`,
    });
    const file = join(folder, 'vat-x.js');
    const byNode = await import(pathToFileURL(file).href).then(
      ({ shown }) => shown,
      ({ name }) => name,
    );
    const { bundle, sourceUrls } = await bundleVat(file, { cacheDir });
    const ours = await importBundle(bundle, { name: 'x', cacheDir, sourceUrls }).then(
      ({ namespace }) => namespace.shown,
      ({ message }) => message,
    );
    if (Array.isArray(byNode)) {
      ran += 1;
      t.deepEqual(ours, byNode);
    } else {
      t.is(byNode, 'SyntaxError');
      t.regex(String(ours), /^\S+m\d\.js:\d+: ".*" (?:does not export|exports more than one) ".*$/);
    }
  });
  await fc.assert(property, { seed: 1, numRuns: 60 });
  t.true(ran > 15, `${ran} ran`);
});

test('modules that have all names of each other are asked for each name once', t => {
  const keys = Array.from({ length: 60 }, (_, i) => `m${i}`);
  const names = ['x', 'y', 'z'];
  let asked = 0;
  /** @type {Record<string, any>} */
  const modules = {};
  /** @type {Record<string, any>} */
  const compiled = {};
  for (const key of keys) {
    const others = keys.filter(other => other !== key);
    const own = key === 'm0' ? names : [];
    modules[key] = { type: 'js', imports: Object.fromEntries(others.map(each => [each, each])) };
    compiled[key] = {
      ...{ program: '', exports: own, reexports: others, reexportMap: {}, liveExportMap: {} },
      early: { uses: [], passedOn: {} },
      get fixedExportMap() {
        asked += 1;
        return Object.fromEntries(own.map(name => [name, [name]]));
      },
    };
  }
  const linker = linkModules({ modules }, compiled, {});
  for (const key of keys) {
    linker.link(key);
    for (const name of names) t.is(linker.resolve(key, name).found, 1);
  }
  // Its variables are looked up once more for each module that is linked.
  t.true(asked <= keys.length * names.length + 2 * keys.length, `${asked}`);
});
