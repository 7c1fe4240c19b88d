import test from 'ava';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleVat, findSignOf2020, importBundle, prepareBundle } from '../bundle/index.js';
import { makeBundle } from '#config';
import { describeVatError } from '../compartment/index.js';
import { ensureLockdown } from '../lockdown.js';
import { folders, cacheDir, writeFiles, bundleOf, importOf } from './bundle-sources.js';

folders.push(cacheDir);

test.before(() => ensureLockdown());

test.after.always(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test('a vat of several files runs: names, defaults, namespaces, live bindings, cycles', async t => {
  const { namespace } = await importOf({
    'vat-x.js': `
      import main, { count, bump as increment } from './lib/counter.js';
      import * as all from './lib/counter';
      import { twice } from './lib/index.js';
      export { count } from './lib/counter.js';
      export * from './lib/index.js';
      export const test = () => { increment(); return [main(), count, all.count, twice(count)]; };
      export default class Vat {}
    `,
    'lib/counter.js': `
      import { twice } from './index.js';
      export let count = 0;
      export const bump = () => { count += 1; };
      export default function main() { return 'main ' + twice(count); }
    `,
    'lib/index.js': `
      import { count } from './counter.js';
      export const twice = n => n * 2;
      export const seen = () => count;
    `,
  });
  t.deepEqual(namespace.test(), ['main 2', 1, 1, 2]);
  t.is(namespace.count, 1);
  t.is(namespace.seen(), 1);
  t.deepEqual(Object.keys(namespace), ['count', 'default', 'seen', 'test', 'twice']);
});

test('a file imported by two specifiers is one module', async t => {
  const { namespace } = await importOf({
    'vat-x.js': `
      import { box } from './a.js';
      import { box as same } from './lib/../a';
      export const test = () => box === same;
    `,
    'a.js': 'export const box = {};',
    'lib/keep.js': '',
  });
  t.true(namespace.test());
});

test('JSON is imported as its default, hardened', async t => {
  const { namespace } = await importOf({
    'vat-x.js': `
      import data from './data.json' with { type: 'json' };
      export const test = () => [data.list[1], Object.isFrozen(data.list)];
    `,
    'data.json': '{ "list": [1, 2] }',
  });
  t.deepEqual(namespace.test(), [2, true]);
});

test('a byte order mark is no part of a source, JavaScript or JSON', async t => {
  const files = {
    'vat-x.js': `#!/usr/bin/env node
      import data from './data.json' with { type: 'json' };
      export const test = () => data.one;
    `,
    'data.json': '{ "one": 1 }',
  };
  const marked = Object.fromEntries(Object.entries(files).map(([k, text]) => [k, `\ufeff${text}`]));
  const { namespace } = await importOf(marked);
  t.is(namespace.test(), 1);
  t.is((await bundleOf(marked)).bundle.id, (await bundleOf(files)).bundle.id);
});

test('packages are found as Node finds them, with their exports, conditions, patterns and imports', async t => {
  const files = {
    'package.json': '{ "name": "mine", "version": "1.0.0", "imports": { "#own": "./own.js" } }',
    'own.js': 'export const own = 1;',
    'vat-x.js': `
      import { own } from '#own';
      import { a } from 'plain';
      import { b } from '@scope/mapped';
      import { c } from '@scope/mapped/features/c';
      import { d } from 'nested';
      export const test = () => [own, a, b, c, d];
    `,
    'node_modules/plain/package.json': '{ "name": "plain", "version": "2.0.0", "main": "./lib" }',
    'node_modules/plain/lib/index.js': 'export const a = 2;',
    'node_modules/@scope/mapped/package.json': JSON.stringify({
      name: '@scope/mapped',
      version: '3.0.0',
      exports: {
        '.': { node: './node.js', import: './esm.js', default: './no.js' },
        './features/*': { import: './f/*.js' },
      },
    }),
    'node_modules/@scope/mapped/esm.js': 'export const b = 3;',
    'node_modules/@scope/mapped/f/c.js': 'export const c = 4;',
    'node_modules/nested/package.json':
      '{ "name": "nested", "version": "1.0.0", "module": "m.js" }',
    'node_modules/nested/m.js': "import { a } from 'plain'; export const d = a;",
    'node_modules/nested/node_modules/plain/package.json':
      '{ "name": "plain", "version": "9.0.0" }',
    'node_modules/nested/node_modules/plain/index.js': 'export const a = 5;',
  };
  const { namespace } = await importOf(files);
  t.deepEqual(namespace.test(), [1, 2, 3, 4, 5]);
  const { bundle } = await bundleOf(files);
  t.deepEqual(Object.keys(bundle.modules), [
    './vat-x.js',
    './own.js',
    'plain@2.0.0/lib/index.js',
    '@scope/mapped@3.0.0/esm.js',
    '@scope/mapped@3.0.0/f/c.js',
    'nested@1.0.0/m.js',
    'plain@9.0.0/index.js',
  ]);
});

test('provided modules come from the shims and are never bundled', async t => {
  const E = harden(() => 'E');
  const { namespace } = await importOf(
    {
      'vat-x.js': `
        import '@endo/init';
        import 'ses';
        import { E } from '@endo/far';
        import * as far from '@endo/far';
        export * from '@endo/far';
        export const test = () => [E(), far.E === E];
      `,
      'node_modules/@endo/far/package.json': '{ "name": "@endo/far", "main": "index.js" }',
      'node_modules/@endo/far/index.js': 'export const E = 1;',
    },
    { shims: { '@endo/far': { E } } },
  );
  t.deepEqual(namespace.test(), ['E', true]);
  t.is(namespace.E, E);
});

test('eventual sends by ~. are transformed in sources that do not parse with them', async t => {
  const { namespace } = await importOf(
    {
      'vat-x.js': `const text = 'x~.y()'; // x~.y()
        export const test = x => [text, ~.5, x~.m(1, x~.n), x~.(2)];`,
    },
    {
      endowments: {
        HandledPromise: {
          applyMethod: (/** @type {any[]} */ ...args) => ['method', ...args.slice(1)],
          applyFunction: (/** @type {any[]} */ ...args) => ['function', ...args.slice(1)],
          get: (/** @type {any[]} */ ...args) => ['get', ...args.slice(1)],
        },
      },
    },
  );
  t.deepEqual(namespace.test({}), [
    'x~.y()',
    -1,
    ['method', 'm', [1, ['get', 'n']]],
    ['function', [2]],
  ]);
  await t.throwsAsync(() => bundleOf({ 'vat-x.js': 'export const a = x~.;\n' }), {
    message: /vat-x\.js:1:\d+: /,
  });
});

test('a program of 2020 is recognised by its imports and its sends', async t => {
  const signs = [];
  for (const source of [
    "import { E } from '@agoric/eventual-send';",
    "import { E } from '@endo/far';\n// nothing\nexport const a = x => x~.m();",
    "import { E } from '@endo/far'; export const a = ~.5;",
  ])
    signs.push(findSignOf2020((await bundleOf({ 'vat-x.js': source })).bundle));
  t.deepEqual(signs, [
    './vat-x.js imports "@agoric/eventual-send"',
    './vat-x.js:3 sends by "~."',
    undefined,
  ]);
});

test('an installed package wins over a provided module that lacks a name which the importer needs', async t => {
  const names = { '@agoric/store': ['makeStore'], '@endo/far': ['E', 'Far'] };
  const providedNames = async (/** @type {string} */ specifier) =>
    new Set(names[/** @type {keyof typeof names} */ (specifier)]);
  const folder = writeFiles({
    'vat-x.js': `
      import './whole.js'; import './part.js'; import './space.js'; import './again.js';
      import { M } from '@agoric/time';
    `,
    'whole.js': "import { makeStore } from '@agoric/store'; import * as far from '@endo/far';",
    'part.js': "import { makeStore, M } from '@agoric/store';",
    'space.js': "import * as store from '@agoric/store';",
    'again.js': "export * from '@agoric/store';",
    'node_modules/@agoric/store/package.json': '{ "name": "@agoric/store", "main": "index.js" }',
    'node_modules/@agoric/store/index.js': 'export const makeStore = 1; export const M = 2;',
    'node_modules/@endo/far/package.json': '{ "name": "@endo/far", "main": "index.js" }',
    'node_modules/@endo/far/index.js': 'export const E = 1;',
  });
  const { bundle } = await bundleVat(join(folder, 'vat-x.js'), { cacheDir, providedNames });
  const targets = Object.fromEntries(
    Object.entries(bundle.modules).map(([key, { imports }]) => [key, Object.values(imports)]),
  );
  t.deepEqual(targets['./whole.js'], ['shim:@agoric/store', 'shim:@endo/far']);
  for (const key of ['./part.js', './space.js', './again.js'])
    t.deepEqual(targets[key], ['@agoric/store/index.js'], key);
  t.true(targets['./vat-x.js'].includes('shim:@agoric/time'), 'none is installed');
});

test('installed stores win over the provided ones where a vat imports patterns', async t => {
  const packages = {
    'node_modules/@agoric/store/package.json': '{ "name": "@agoric/store", "main": "index.js" }',
    'node_modules/@agoric/store/index.js': `
      export const makeStore = 1;
      export const makeScalarMapStore = 2;
    `,
    'node_modules/@agoric/vat-data/package.json': '{ "name": "@agoric/vat-data", "main": "v.js" }',
    'node_modules/@agoric/vat-data/v.js': 'export const makeScalarSetStore = 1;',
    'node_modules/@endo/patterns/package.json': '{ "name": "@endo/patterns", "main": "index.js" }',
    'node_modules/@endo/patterns/index.js': 'export const M = 1;',
  };
  const stores = {
    'store.js': "export { makeScalarMapStore } from '@agoric/store';",
    'data.js': "export { makeScalarSetStore } from '@agoric/vat-data';",
    'old.js': "import { makeStore } from '@agoric/store';",
  };
  const source = "import './store.js'; import './data.js'; import './old.js';";
  /** @param {Record<string, string>} files */
  const targetsOf = async files => {
    const folder = writeFiles(files);
    const { bundle } = await bundleVat(join(folder, 'vat-x.js'), { cacheDir });
    return ['./store.js', './data.js', './old.js'].map(
      key => Object.values(bundle.modules[key].imports)[0],
    );
  };
  const provided = ['shim:@agoric/store', 'shim:@agoric/vat-data', 'shim:@agoric/store'];
  t.deepEqual(await targetsOf({ ...packages, ...stores, 'vat-x.js': source }), provided);
  for (const importsPatterns of [
    "import { M } from '@endo/patterns';",
    "import { M } from '@agoric/vat-data';",
  ])
    t.deepEqual(
      await targetsOf({ ...packages, ...stores, 'vat-x.js': `${source} ${importsPatterns}` }),
      ['@agoric/store/index.js', '@agoric/vat-data/v.js', 'shim:@agoric/store'],
      importsPatterns,
    );
  const withoutPackage = {
    ...stores,
    'vat-x.js': `${source} import { M } from '@agoric/vat-data';`,
  };
  t.deepEqual(await targetsOf(withoutPackage), provided);
});

test('the id depends on the sources alone: not on the folder, the cache or the order of files', async t => {
  const files = {
    'vat-x.js': "import { a } from './a.js'; import { b } from 'dep'; export default [a, b];",
    'a.js': 'export const a = 1;',
    'node_modules/dep/package.json': '{ "name": "dep", "version": "1.2.3" }',
    'node_modules/dep/index.js': 'export const b = 2;',
  };
  const { bundle, folder } = await bundleOf(files);
  const elsewhere = await bundleOf(Object.fromEntries(Object.entries(files).reverse()));
  t.deepEqual(elsewhere.bundle, bundle);
  const cold = await bundleVat(join(folder, 'vat-x.js'));
  t.deepEqual(cold.bundle, bundle);
  t.regex(bundle.id, /^b1-[0-9a-f]{64}$/);
  t.is(
    bundle.id,
    'b1-d0636d22764f4a2d6a2d4d0edbd9c74479f275489e7919c5d2da72af2161da25',
    'a changed id changes every store: the notation of bundles is fixed',
  );
  t.false(JSON.stringify(bundle).includes(folder));
  const changed = await bundleOf({ ...files, 'a.js': 'export const a = 1; ' });
  t.not(changed.bundle.id, bundle.id);
});

test('a bundle survives JSON, and one that was changed is refused', async t => {
  const { bundle } = await bundleOf({ 'vat-x.js': 'export const one = 1;' });
  const copy = JSON.parse(JSON.stringify(bundle));
  t.deepEqual(copy, bundle);
  const { namespace } = await importBundle(copy, { name: 'x', cacheDir });
  t.is(namespace.one, 1);
  copy.modules['./vat-x.js'].source = 'export const one = 2;';
  await t.throwsAsync(prepareBundle(copy), {
    name: 'UserError',
    message: /was changed after it was made/,
  });
});

test('a bundle is imported into a new compartment each time', async t => {
  const { bundle } = await bundleOf({
    'vat-x.js': 'let n = 0; export const next = () => { n += 1; return n; };',
  });
  const { importNow } = await prepareBundle(bundle, { cacheDir });
  const first = importNow({ name: 'a' }).namespace;
  const second = importNow({ name: 'b' }).namespace;
  t.is(first.next(), 1);
  t.is(first.next(), 2);
  t.is(second.next(), 1);
});

test('importing leaves no promise jobs and needs none', async t => {
  const { bundle } = await bundleOf({ 'vat-x.js': 'export const one = 1;' });
  const { importNow } = await prepareBundle(bundle, { cacheDir });
  t.is(importNow({ name: 'x' }).namespace.one, 1);
});

test('a module may export "then"', async t => {
  const { namespace } = await importOf({
    'vat-x.js': "export const then = () => { throw Error('called'); };",
  });
  t.throws(() => namespace.then(), { message: 'called' });
});

test('text that only looks like an import(), an HTML comment or an eval keeps its meaning', async t => {
  const { namespace } = await importOf({
    'vat-x.js': `
      // eval(x), import('./types.js') and <!-- this --> in a comment
            export const texts = ['import("x")', "<!-- a -->", \`eval(1) import(2)\`, /-->/.test('-->')];
      export const count = n => { let turns = 0; while (n --> 0) turns += 1; return turns; };
      export const compare = (a, b) => a <!--b;
      export const where = () => { throw Error('here'); };
    `,
  });
  t.deepEqual(namespace.texts, ['import("x")', '<!-- a -->', 'eval(1) import(2)', true]);
  t.is(namespace.count(3), 3);
  t.deepEqual([namespace.compare(0, 1), namespace.compare(0, 2)], [true, false]);
});

test("an error's stack names the author's file, line and column, in every module", async t => {
  const { namespace, folder } = await importOf({
    'vat-x.js': `import { fail } from './lib/fail.js';
// A comment with import('./x.js') does not move lines.
export const test = async () => {
  await null;
  fail();
};
export function now() { fail(); }
`,
    'lib/fail.js': `

export const fail = () => {
  const message = \`two
lines\`;   throw TypeError(message.length);
};
`,
  });
  const lib = `${folder}/lib/fail.js`;
  const vat = `${folder}/vat-x.js`;
  const { test: later } = namespace;
  const error = await t.throwsAsync(/** @type {Promise<void>} */ (later()));
  t.is(
    describeVatError('alice', error),
    `vat alice: TypeError: 9\n    at fail (${lib}:5:17)\n    at test (${vat}:5:3)`,
  );
  const thrown = t.throws(namespace.now);
  t.is(
    describeVatError('alice', thrown),
    `vat alice: TypeError: 9\n    at fail (${lib}:5:17)\n    at now (${vat}:7:25)`,
  );
  t.is(thrown.stack, '', 'the vat does not see it');
});

test('a module without a known file is named by the vat and its key', async t => {
  const { bundle } = await bundleOf({ 'vat-x.js': '\nexport const f = () => null.x;' });
  const { namespace } = await importBundle(bundle, { name: 'my vat', cacheDir });
  const text = describeVatError('my vat', t.throws(namespace.f));
  t.regex(text, /at f \(vat:my%20vat\/\.\/vat-x\.js:2:29\)/);
});

test('a breakpoint set by file and line is hit, in a process with an inspector', t => {
  const folder = writeFiles({
    'vat-x.js': `// A vat.
import { add } from './lib.js';

export const test = (a, b) => {
  const sum = add(a, b);
  return sum * 2;
};
`,
    'lib.js': 'export const add = (a, b) => {\n  return a + b;\n};\n',
  });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `
      import { Session } from 'node:inspector';
      import { join } from 'node:path';
      import { pathToFileURL } from 'node:url';
      import { bundleVat, importBundle } from ${JSON.stringify(new URL('../bundle/index.js', import.meta.url).href)};
      import { ensureLockdown } from ${JSON.stringify(new URL('../lockdown.js', import.meta.url).href)};
      await ensureLockdown();
      const session = new Session();
      session.connect();
      session.post('Debugger.enable');
      const folder = ${JSON.stringify(folder)};
      const urls = new Map();
      session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url));
      session.on('Debugger.paused', ({ params: { callFrames: [{ location, functionName }], hitBreakpoints } }) => {
        const url = urls.get(location.scriptId);
        console.log(url.slice(url.lastIndexOf('/')), location.lineNumber + 1, functionName, hitBreakpoints.length);
        session.post('Debugger.resume');
      });
      for (const [file, line] of [['vat-x.js', 5], ['lib.js', 2]]) {
        session.post('Debugger.setBreakpointByUrl', { url: pathToFileURL(join(folder, file)).href, lineNumber: line - 1 });
      }
      const { bundle, sourceUrls } = await bundleVat(join(folder, 'vat-x.js'));
      const { namespace } = await importBundle(bundle, { name: 'x', sourceUrls });
      console.log(namespace.test(1, 2));
      `,
    ],
    { encoding: 'utf8' },
  );
  t.is(status, 0, stderr);
  t.is(stdout, '/vat-x.js 5 test 1\n/lib.js 2 add 1\n6\n');
});

/** Codes of a given depth. @type {Record<string, (levels: number) => string>} */
const deep = {
  properties: levels => `a${'.b'.repeat(levels)}`,
  calls: levels => `a${'()'.repeat(levels)}`,
  parentheses: levels => `${'('.repeat(levels)}1${')'.repeat(levels)}`,
  arrays: levels => `${'['.repeat(levels)}1${']'.repeat(levels)}`,
  sums: levels => `${'1+'.repeat(levels)}1`,
  powers: levels => `${'a**'.repeat(levels)}a`,
  templates: levels => `a${'``'.repeat(levels)}`,
};

for (const [name, write] of Object.entries(deep)) {
  test(`code that is nested too deeply is refused, whatever the stack has room for: ${name}`, async t => {
    const files = (/** @type {number} */ levels) => ({
      'vat-x.js': `export const f = a => ${write(levels)};`,
    });
    await t.notThrowsAsync(bundleOf(files(200)));
    for (const levels of [300, 1_000, 3_000, 30_000])
      await t.throwsAsync(bundleOf(files(levels)), {
        message: /vat-x\.js: the code is nested too deeply: it has more than 250 levels$/,
      });
  });
}

test('a module may have many comments that seem to call eval', async t => {
  const { namespace } = await importOf({
    'vat-x.js': `${'/*eval(*/'.repeat(5_000)} export const f = () => 'eval(1)'; // eval(`,
  });
  t.is(namespace.f(), 'eval(1)');
});

test('modules may import each other 500 deep, whatever the stack has room for', async t => {
  /** @param {number} count */
  const prepareRow = count => {
    /** @type {Record<string, import('#config/bundle-format.js').BundledModule>} */
    const modules = { './last.js': { source: 'export const x = 1;', type: 'js', imports: {} } };
    let next = './last.js';
    for (let i = 1; i < count; i += 1) {
      const source = "export * from './next.js';";
      modules[`./${i}.js`] = { source, type: 'js', imports: { './next.js': next } };
      next = `./${i}.js`;
    }
    return prepareBundle(makeBundle({ entry: next, modules }));
  };
  t.is((await prepareRow(500)).importNow({ name: 'x' }).namespace.x, 1);
  for (const count of [501, 20_000])
    await t.throwsAsync(prepareRow(count), {
      message: new RegExp(
        `: ${count} of its modules import each other in a row; 500 are the most$`,
      ),
    });
});
