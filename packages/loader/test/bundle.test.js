import test from 'ava';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';

import {
  adoptBundle,
  bundleVat,
  findSignOf2020,
  importBundle,
  prepareBundle,
} from '../bundle/index.js';
import { describeVatError } from '../compartment/index.js';
import { ensureLockdown } from '../lockdown.js';

/** @type {string[]} */
const folders = [];
const cacheDir = mkdtempSync(join(tmpdir(), 'ssr-cache-'));
folders.push(cacheDir);
test.before(() => ensureLockdown());
test.after.always(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** @typedef {Record<string, string>} Files  texts by relative path */

/** @param {Files} files  written to a new folder */
const writeFiles = files => {
  const folder = mkdtempSync(join(tmpdir(), 'ssr-bundle-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};

/** @param {Files} files */
const bundleOf = async (files, entry = 'vat-x.js') => {
  const folder = writeFiles(files);
  const made = await bundleVat(join(folder, entry), { cacheDir });
  return { folder, ...made };
};

/** @param {Files} files @param {object} [options] */
const importOf = async (files, options = {}) => {
  const { folder, bundle, sourceUrls } = await bundleOf(files);
  const { namespace, compartment } = await importBundle(bundle, {
    name: 'x',
    cacheDir,
    sourceUrls,
    ...options,
  });
  return { folder, namespace, compartment };
};

/**
 * The message of the mistake, with the folder's name taken out of it.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {Files} files
 * @param {object} [options]
 */
const mistakeOf = async (t, files, options) => {
  const folder = writeFiles(files);
  const error = await t.throwsAsync(async () => {
    const { bundle, sourceUrls } = await bundleVat(join(folder, 'vat-x.js'), { cacheDir });
    await importBundle(bundle, { name: 'x', cacheDir, sourceUrls, ...options });
  });
  t.is(error.name, 'UserError');
  t.false(error.message.includes('\n'), 'one line');
  return error.message.replaceAll(`${folder}/`, '');
};

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

test('a file imported by two ways is one module', async t => {
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

test('a program of 2020 is known by what it imports and how it sends', async t => {
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

test('a module that exports "then" is a module all the same', async t => {
  const { namespace } = await importOf({
    'vat-x.js': "export const then = () => { throw Error('called'); };",
  });
  t.throws(() => namespace.then(), { message: 'called' });
});

test('what looks like an import(), a comment of HTML or an eval is left alone where it is none', async t => {
  const { namespace } = await importOf({
    'vat-x.js': `
      // eval(x), import('./types.js') and <!-- this --> in a comment
      /** @typedef {import('./types.js').Foo} Foo */
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

test('with a warm cache the compiler is not loaded', t => {
  const folder = writeFiles({ 'vat-x.js': 'export const one = 1;' });
  const run = () =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `
        import Module from 'node:module';
        import { ensureLockdown } from ${JSON.stringify(new URL('../lockdown.js', import.meta.url).href)};
        import { bundleVat, importBundle } from ${JSON.stringify(new URL('../bundle/index.js', import.meta.url).href)};
        await ensureLockdown();
        const { bundle } = await bundleVat(${JSON.stringify(join(folder, 'vat-x.js'))}, { cacheDir: ${JSON.stringify(join(folder, 'cache'))} });
        const { namespace } = await importBundle(bundle, { name: 'x', cacheDir: ${JSON.stringify(join(folder, 'cache'))} });
        const babel = Object.keys(Module._cache).some(path => path.includes('@babel'));
        console.log(namespace.one, babel);
        `,
      ],
      { encoding: 'utf8' },
    ).stdout;
  t.is(run(), '1 true\n');
  t.is(run(), '1 false\n');
});

test('a damaged cache is made again, in silence', async t => {
  const folder = writeFiles({ 'vat-x.js': 'export const two = 2;' });
  const own = join(folder, 'cache');
  const script = `
    import { bundleVat, importBundle } from ${JSON.stringify(new URL('../bundle/index.js', import.meta.url).href)};
    import { ensureLockdown } from ${JSON.stringify(new URL('../lockdown.js', import.meta.url).href)};
    await ensureLockdown();
    const { bundle } = await bundleVat(${JSON.stringify(join(folder, 'vat-x.js'))}, { cacheDir: ${JSON.stringify(own)} });
    console.log((await importBundle(bundle, { name: 'x', cacheDir: ${JSON.stringify(own)} })).namespace.two);
  `;
  const run = () =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  run();
  const [name] = readdirSync(join(own, 'modules'));
  const file = join(own, 'modules', name);
  const whole = readFileSync(file, 'utf8');
  // Not whole; another program; another module's.
  for (const content of ['{"program": ', whole.replace('2', '3'), `${whole} `]) {
    t.not(content, whole);
    writeFileSync(file, content);
    t.is(run().stdout, '2\n');
    t.is(readFileSync(file, 'utf8'), whole);
  }
  const { stdout, stderr } = run();
  t.is(stdout, '2\n');
  t.is(stderr, '');
  t.deepEqual(readdirSync(join(own, 'modules')), [name]);
});

test('a folder that cannot be written to does no harm', async t => {
  const folder = writeFiles({ 'vat-x.js': 'export const three = 3;', 'cache/modules': 'a file' });
  const { bundle } = await bundleVat(join(folder, 'vat-x.js'), { cacheDir: join(folder, 'cache') });
  t.is((await importBundle(bundle, { name: 'x' })).namespace.three, 3);
});

test('a moved folder gives the same bundle with its own file names', async t => {
  const { folder, bundle } = await bundleOf({ 'vat-x.js': '\n\nexport const f = () => null.x;' });
  const copy = writeFiles({});
  cpSync(folder, copy, { recursive: true });
  const moved = await bundleVat(join(copy, 'vat-x.js'), { cacheDir });
  t.is(moved.bundle.id, bundle.id);
  const { namespace } = await importBundle(moved.bundle, {
    name: 'x',
    cacheDir,
    sourceUrls: moved.sourceUrls,
  });
  t.true(describeVatError('x', t.throws(namespace.f)).includes(`${copy}/vat-x.js:3:29`));
});

/** @type {Record<string, [files: Files, message: string | RegExp, options?: object]>} */
const mistakes = {
  'a syntax error': [
    { 'vat-x.js': 'export const a = 1;\nexport const b = ;\n' },
    'vat-x.js:2:18: Unexpected token',
  ],
  'a syntax error in an imported file': [
    { 'vat-x.js': "import './lib/a.js';", 'lib/a.js': '\n\n}' },
    'lib/a.js:3:1: Unexpected token',
  ],
  'a missing file': [
    { 'vat-x.js': "\nimport { a } from './missing.js';" },
    'vat-x.js:2: cannot import "./missing.js": there is no file missing.js',
  ],
  'a missing package': [
    { 'vat-x.js': "import { a } from 'not-installed/sub';" },
    'vat-x.js:1: cannot import "not-installed/sub": no package "not-installed" is installed for it',
  ],
  'a subpath that a package does not export': [
    {
      'vat-x.js': "import 'dep/inner.js';",
      'node_modules/dep/package.json': '{ "name": "dep", "exports": "./index.js" }',
      'node_modules/dep/index.js': '',
    },
    'vat-x.js:1: cannot import "dep/inner.js": the package at node_modules/dep does not export "./inner.js"',
  ],
  "Node's modules": [
    { 'vat-x.js': "// A vat.\nimport fs from 'node:fs';" },
    `vat-x.js:2: a vat cannot import Node's module "node:fs"; it has no access to the machine. What it needs must come as a device`,
  ],
  "Node's modules by their old names": [
    { 'vat-x.js': "import { readFileSync } from 'fs/promises';" },
    /^vat-x\.js:1: a vat cannot import Node's module "fs\/promises"/,
  ],
  'an absolute path': [
    { 'vat-x.js': "import '/etc/passwd.js';" },
    'vat-x.js:1: cannot import "/etc/passwd.js"; write a relative path ("./x.js") or a package\'s name',
  ],
  'a URL': [
    { 'vat-x.js': "import 'https://example.com/x.js';" },
    /cannot import "https:\/\/example\.com\/x\.js"; write a relative path/,
  ],
  'a name that a module does not export': [
    {
      'vat-x.js': "\nimport {\n  makeCounter,\n} from './a.js';",
      'a.js': 'export const makeCounters = 1;',
    },
    'vat-x.js:2: "./a.js" does not export "makeCounter"; did you mean "makeCounters"?',
  ],
  'a default that a module does not export': [
    { 'vat-x.js': "import a from './a.js';", 'a.js': 'export const one = 1, two = 2;' },
    'vat-x.js:1: "./a.js" does not export "default"; it exports one, two',
  ],
  'a re-export of a missing name': [
    { 'vat-x.js': "export { b } from './a.js';", 'a.js': '' },
    'vat-x.js:1: "./a.js" does not export "b"; it exports nothing',
  ],
  'a name that a provided module lacks': [
    { 'vat-x.js': "import { Farr } from '@endo/far';" },
    'vat-x.js:1: "@endo/far" does not export "Farr"; did you mean "Far"?',
    { shims: { '@endo/far': { E: 1, Far: 2 } } },
  ],
  'a module that the runner does not provide here': [
    { 'vat-x.js': "import { M } from '@agoric/store';" },
    'vat-x.js:1: the module "@agoric/store" is not provided here',
  ],
  contracts: [
    { 'vat-x.js': "import { makeIssuerKit } from '@agoric/ertp';" },
    'vat-x.js:1: cannot import "@agoric/ertp": it needs contracts, which are not there',
  ],
  'virtual data': [
    { 'vat-x.js': "import { provide } from '@agoric/vat-data/src/bindings.js';" },
    'vat-x.js:1: cannot import "@agoric/vat-data/src/bindings.js": it needs virtual and durable data, which are not there',
  ],
  'a CommonJS vat': [
    { 'vat-x.js': "\nconst fs = require('fs');\nmodule.exports = {};" },
    'vat-x.js:2: this is a CommonJS module; a vat is made of ES modules: use "import" and "export"',
  ],
  'a CommonJS package': [
    {
      'vat-x.js': "import a from 'old';",
      'node_modules/old/package.json': '{ "name": "old" }',
      'node_modules/old/index.js': "'use strict';\nexports.a = 1;",
    },
    /^node_modules\/old\/index\.js:2: this is a CommonJS module/,
  ],
  'a .cjs file': [
    { 'vat-x.js': "import a from './a.cjs';", 'a.cjs': '' },
    'a.cjs is a CommonJS module; a vat is made of ES modules',
  ],
  'a dynamic import': [
    { 'vat-x.js': "export const f = () =>\n  import('./a.js');" },
    'vat-x.js:2: a vat has no import(); import the module at the top of the file',
  ],
  'a direct eval': [
    { 'vat-x.js': "\nexport const f = () => eval('1');" },
    /^vat-x\.js:2: a vat has no direct eval/,
  ],
  'an await outside of functions': [
    { 'vat-x.js': 'const f = async () => { await 1; };\nawait f();' },
    'vat-x.js:2: a vat has no "await" outside of functions; move it into buildRootObject',
  ],
  'JSON with a mistake': [
    { 'vat-x.js': "import a from './a.json';", 'a.json': '{\n  "a": 1,\n}' },
    'a.json:3:1: not JSON: expected another field after the ",", got }',
  ],
  'a broken package.json': [
    { 'vat-x.js': "import a from 'dep';", 'node_modules/dep/package.json': '{' },
    /^node_modules\/dep\/package\.json is not JSON/,
  ],
  'a global that vats do not have': [
    { 'vat-x.js': '\nconst timer = setTimeout(() => {}, 1);' },
    'vat "x" does not start: vat-x.js:2:15: TypeError: setTimeout is not a function',
  ],
  'an error at the top level of an imported file': [
    { 'vat-x.js': "import './a.js';", 'a.js': '\nthrow RangeError("no");' },
    'vat "x" does not start: a.js:2:7: RangeError: no',
  ],
};

for (const [what, [files, message, options]] of Object.entries(mistakes)) {
  test(`${what}: one line that names the place`, async t => {
    const said = await mistakeOf(t, files, options);
    if (typeof message === 'string') t.is(said, message);
    else t.regex(said, message);
  });
}

test('a vat file that is not there is named', async t => {
  await t.throwsAsync(bundleVat('/nowhere/vat-x.js'), {
    name: 'UserError',
    message: 'there is no file /nowhere/vat-x.js to make a vat of',
  });
});

test('a vat cannot reach the linker: reserved names are refused', async t => {
  const { namespace } = await importOf({
    'vat-x.js': 'export const f = () => [typeof arguments, typeof $h_imports, this];',
  });
  t.deepEqual(namespace.f(), ['object', 'undefined', undefined]);
});

// Formats of @endo/bundle-source.
const foreignFixture = {
  'package.json': '{ "name": "mine", "version": "1.0.0", "type": "module" }',
  'vat-x.js': `import { twice } from './lib.js';
export const buildRootObject = (_powers, { n }) => harden({ test: () => twice(n) });
export const fail = () => { throw Error('there'); };
`,
  'lib.js': 'export const twice = n => n * 2;',
};

for (const moduleFormat of ['nestedEvaluate', 'getExport', 'endoScript', 'endoZipBase64']) {
  test(`a bundle of @endo/bundle-source in the format ${moduleFormat} runs`, async t => {
    const folder = writeFiles(foreignFixture);
    const script = `
      import '@endo/init';
      import bundleSource from '@endo/bundle-source';
      const bundle = await bundleSource(${JSON.stringify(join(folder, 'vat-x.js'))}, ${JSON.stringify(moduleFormat)});
      process.stdout.write(JSON.stringify(bundle));
    `;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { encoding: 'utf8', cwd: fileURLToPath(new URL('.', import.meta.url)) },
    );
    const bundle = adoptBundle(JSON.parse(stdout || stderr), 'a bundle');
    t.regex(bundle.id, /^b1-/);
    const { namespace } = await importBundle(bundle, { name: 'x' });
    t.is(namespace.buildRootObject({}, { n: 21 }).test(), 42);
    t.is(typeof namespace.fail, 'function');
  });
}

test('a bundle in another format says which can be used', t => {
  t.throws(() => adoptBundle({ moduleFormat: 'endoArchive' }, 'vat.json'), {
    name: 'UserError',
    message:
      'vat.json has the module format "endoArchive"; a vat can be made of "nestedEvaluate", "getExport", "endoScript", "endoZipBase64", or of a "sourceSpec"',
  });
  t.throws(() => adoptBundle({ moduleFormat: 'endoZipBase64' }, 'vat.json'), {
    message: 'vat.json is a bundle without "endoZipBase64"',
  });
  t.throws(() => adoptBundle({}, 'vat.json'), {
    message: 'vat.json is not a bundle: it has no "moduleFormat"',
  });
  t.throws(() => adoptBundle({ moduleFormat: 'getExport' }, 'vat.json'), {
    message: 'vat.json is a bundle without "source"',
  });
  t.throws(() => adoptBundle({ format: 'swingset-runner-1' }, 'vat.json'), {
    message: 'vat.json is not a whole bundle; make it again',
  });
});

test('any text in a string comes through bundling as it was', async t => {
  const piece = fc.constantFrom(
    'import',
    '(',
    ' ',
    '<!--',
    '-->',
    'eval',
    '/*',
    '//',
    '\\',
    "'",
    '`',
    '${',
    '\n',
    'x',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.array(piece).map(parts => parts.join('')),
        { maxLength: 5 },
      ),
      async texts => {
        const { namespace } = await importOf({
          'vat-x.js': `export const texts = ${JSON.stringify(texts)};\nexport const f = () => null.x;`,
        });
        t.deepEqual(namespace.texts, texts);
      },
    ),
    { numRuns: 25 },
  );
});
