// The cache of compiled modules, and errors for missing or wrong files of vats.

import test from 'ava';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, cpSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { adoptBundle, bundleVat, importBundle } from '../bundle/index.js';
import { makeBundle } from '#config';
import { forgetCompiled, provideCompiled } from '../bundle/compiled-cache.js';
import { makePrivateFolder } from '#native/cache-dir.js';
import { describeVatError } from '../compartment/index.js';
import { ensureLockdown } from '../lockdown.js';
import { folders, cacheDir, writeFiles, bundleOf, importOf } from './bundle-sources.js';

/** @typedef {Record<string, string>} Files  texts by relative path */

test.before(() => ensureLockdown());

test.after.always(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * The message of the error, without the folder's name.
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

/** Compile a module by way of a cache, in a process of its own. @param {string} folder @param {string} own  the cache */
const compileIn = (folder, own) => {
  const script = `
    import { bundleVat, importBundle } from ${JSON.stringify(new URL('../bundle/index.js', import.meta.url).href)};
    import { ensureLockdown } from ${JSON.stringify(new URL('../lockdown.js', import.meta.url).href)};
    await ensureLockdown();
    const { bundle } = await bundleVat(${JSON.stringify(join(folder, 'vat-x.js'))}, { cacheDir: ${JSON.stringify(own)} });
    console.log((await importBundle(bundle, { name: 'x', cacheDir: ${JSON.stringify(own)} })).namespace.two);
  `;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
};

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
        const babel = Object.keys(Module._cache).some(path => /compiler.\\w+\\.cjs$/.test(path));
        console.log(namespace.one, babel);
        `,
      ],
      { encoding: 'utf8' },
    ).stdout;
  t.is(run(), '1 true\n');
  t.is(run(), '1 false\n');
});

test('a damaged cache entry is compiled again without a notice', async t => {
  const folder = writeFiles({ 'vat-x.js': 'export const two = 2;' });
  const own = join(folder, 'cache');
  const run = () => compileIn(folder, own);
  run();
  const [name] = readdirSync(join(own, 'modules'));
  const file = join(own, 'modules', name);
  const whole = readFileSync(file, 'utf8');
  // Truncated; another program; the entry of another module.
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

const hasUsers = process.geteuid !== undefined;

(hasUsers ? test : test.skip)('code that others could have written is not run', t => {
  const folder = writeFiles({ 'vat-x.js': 'export const two = 2;' });
  const own = join(folder, 'cache');
  compileIn(folder, own);
  const modules = join(own, 'modules');
  for (const each of [own, modules]) t.is(statSync(each).mode & 0o777, 0o700);
  const [name] = readdirSync(modules);
  const key = name.replace('.json', '');
  const whole = readFileSync(join(modules, name), 'utf8');
  const forged = whole.slice(65).replace('2', '3');
  const digest = createHash('sha256').update(`${key}\n${forged}`).digest('hex');
  writeFileSync(join(modules, name), `${digest}\n${forged}`);
  t.is(compileIn(folder, own).stdout, '3\n', 'a checksum does not protect a private cache');
  for (const mode of [0o770, 0o707]) {
    chmodSync(modules, mode);
    writeFileSync(join(modules, name), `${digest}\n${forged}`);
    t.is(compileIn(folder, own).stdout, '2\n');
    t.is(statSync(modules).mode & 0o777, 0o700);
    t.is(readFileSync(join(modules, name), 'utf8'), whole);
  }
});

(hasUsers ? test : test.skip)('a cache folder of another user is refused', t => {
  const folder = writeFiles({});
  makePrivateFolder(folder);
  const userId = Number(process.geteuid?.()) + 1;
  const error = t.throws(() => makePrivateFolder(folder, { userId }));
  t.regex(error.message, /belongs to another user/);
});

(hasUsers ? test : test.skip)('a cache folder that another user could replace is refused', t => {
  const folder = join(writeFiles({}), 'cache');
  makePrivateFolder(join(folder, 'modules'));
  const refused = { message: /another user could replace the folder/ };
  chmodSync(folder, 0o777);
  t.throws(() => makePrivateFolder(join(folder, 'modules')), refused);
  chmodSync(folder, 0o1777);
  makePrivateFolder(join(folder, 'modules'));
  chmodSync(folder, 0o700);
  if (process.geteuid?.() !== 0) return;
  // As where somebody else has made the folder before.
  chownSync(folder, 1, 1);
  t.throws(() => makePrivateFolder(join(folder, 'modules')), refused);
});

test('a cache folder that is not writable does no harm', async t => {
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
  'a name that is exported twice, which TypeScript takes': [
    { 'vat-x.js': 'export const a = 1;\nexport { a };\n' },
    'vat-x.js:2:10: `a` has already been exported. Exported identifiers must be unique.',
  ],
  'TypeScript in a file of JavaScript': [
    { 'vat-x.js': 'export const a: number = 1;\n' },
    'vat-x.js:1:15: Missing initializer in const declaration. The text is TypeScript; call a file with types ".ts"',
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
    'vat-x.js:1: cannot import "not-installed/sub": no package "not-installed" is installed for it; npm install not-installed',
  ],
  'a subpath that a package does not export': [
    {
      'vat-x.js': "import 'dep/inner.js';",
      'node_modules/dep/package.json': '{ "name": "dep", "exports": "./index.js" }',
      'node_modules/dep/index.js': '',
    },
    'vat-x.js:1: cannot import "dep/inner.js": the package at node_modules/dep does not export "./inner.js"',
  ],
  'a package that was not built': [
    {
      'vat-x.js': "import 'dep/inner.js';",
      'node_modules/dep/package.json': '{ "name": "dep", "exports": { "./*": "./dist/*" } }',
    },
    'vat-x.js:1: cannot import "dep/inner.js": the package at node_modules/dep has no file "./dist/inner.js", which it exports as "./inner.js"; it may have to be built',
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
    'vat-x.js:1: "@endo/far" does not export "Farr"; did you mean "Far"?; vats get it from the system, not from an installed package',
    { shims: { '@endo/far': { E: 1, Far: 2 } } },
  ],
  'a module that the runner does not provide here': [
    { 'vat-x.js': "import { M } from '@agoric/store';" },
    'vat-x.js:1: the module "@agoric/store" is not provided here',
  ],
  'a name of package.json for a missing package': [
    {
      'vat-x.js': "import '#db';",
      'package.json': '{ "name": "own", "imports": { "#db": "not-installed" } }',
    },
    'vat-x.js:1: cannot import "#db": no package "not-installed" is installed for it; npm install not-installed',
  ],
  contracts: [
    { 'vat-x.js': "import { makeIssuerKit } from '@agoric/ertp';" },
    'vat-x.js:1: cannot import "@agoric/ertp": no package "@agoric/ertp" is installed for it; npm install @agoric/ertp',
  ],
  'a file that an installed package lacks': [
    {
      'vat-x.js': "import '@agoric/zoe/exported.js';",
      'node_modules/@agoric/zoe/package.json': '{ "name": "@agoric/zoe" }',
    },
    /^vat-x\.js:1: cannot import "@agoric\/zoe\/exported\.js": the package at .* does not export "\.\/exported\.js"$/,
  ],
  'virtual data': [
    { 'vat-x.js': "import { provide } from '@agoric/vat-data/src/bindings.js';" },
    'vat-x.js:1: cannot import "@agoric/vat-data/src/bindings.js": no package "@agoric/vat-data" is installed for it; "@agoric/vat-data" itself comes with the program; for its other modules, npm install @agoric/vat-data',
  ],
  'CommonJS in a package of ES modules': [
    {
      'package.json': '{ "name": "mine", "type": "module" }',
      'vat-x.js': "\nconst fs = require('fs');\nmodule.exports = {};",
    },
    'vat-x.js:2: this is a CommonJS module in a file of ES modules; use "import" and "export", or call it ".cjs"',
  ],
  'CommonJS that requires a module of Node': [
    { 'vat-x.js': "\nconst fs = require('fs');\nmodule.exports = {};" },
    'vat "x" does not start: vat-x.js:2:12: Error: cannot find module "fs"; vats have no modules of Node',
  ],
  'a dynamic import in CommonJS': [
    { 'vat-x.js': "exports.f = () =>\n  import('./a.js');" },
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

test('the error names a missing file of a vat', async t => {
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

/** @param {Record<string, string>} files @param {string} moduleFormat */
const bundleByOthers = (files, moduleFormat) => {
  const folder = writeFiles(files);
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
  return adoptBundle(JSON.parse(stdout || stderr), 'a bundle');
};

for (const moduleFormat of ['nestedEvaluate', 'getExport', 'endoScript', 'endoZipBase64']) {
  test(`a bundle of @endo/bundle-source in the format ${moduleFormat} runs`, async t => {
    const bundle = bundleByOthers(foreignFixture, moduleFormat);
    t.regex(bundle.id, /^b1-/);
    const { namespace } = await importBundle(bundle, { name: 'x' });
    t.is(namespace.buildRootObject({}, { n: 21 }).test(), 42);
    t.is(typeof namespace.fail, 'function');
  });
}

test('an import() in an archive is rejected when it is called', async t => {
  const files = { ...foreignFixture, 'vat-x.js': "export const later = () => import('./lib.js');" };
  const { namespace } = await importBundle(bundleByOthers(files, 'endoZipBase64'), { name: 'x' });
  await t.throwsAsync(namespace.later(), {
    message: 'a vat has no import(); import the module at the top of the file',
  });
});

test('the error for an unknown bundle format lists the known ones', t => {
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

test('a bundle of ours whose parts do not fit together is refused, although its id fits', t => {
  const module = { source: 'import { x } from "y";', type: 'js', imports: {} };
  const toNowhere = { ...module, imports: { y: './nowhere.js' } };
  for (const content of /** @type {any[]} */ ([
    { entry: './a.js', modules: { './a.js': toNowhere } },
    { entry: './a.js', modules: { './a.js': { ...module, imports: { y: 'toString' } } } },
    { entry: './b.js', modules: { './a.js': module } },
    { entry: 'toString', modules: {} },
    { entry: '.', modules: {}, foreign: { moduleFormat: 'getExport', source: 5 } },
    { entry: '.', modules: {}, foreign: { moduleFormat: 'other', source: '5' } },
    { entry: '.', modules: { '.': module }, foreign: { moduleFormat: 'getExport', source: '5' } },
  ]))
    t.throws(() => adoptBundle(makeBundle(content), 'it'), {
      name: 'UserError',
      message: 'it is not a whole bundle; make it again',
    });
});

test('sources that differ in half a surrogate pair alone are cached apart', async t => {
  const values = [];
  for (const half of ['\ud800', '\udbff', '\ufffd']) {
    const { program } = await provideCompiled(`export const a = "${half}";`, 'x.js', cacheDir);
    values.push(program.includes(half));
    forgetCompiled();
  }
  t.deepEqual(values, [true, true, true]);
});

test('a module whose name has half a surrogate pair runs', async t => {
  /** @type {Record<string, import('#config/bundle-format.js').BundledModule>} */
  const modules = {
    'a.js': { source: 'export { x } from "./b";', type: 'js', imports: { './b': '\ud800.js' } },
    '\ud800.js': { source: 'export const x = 7;', type: 'js', imports: {} },
  };
  const bundle = adoptBundle(makeBundle({ entry: 'a.js', modules }), 'it');
  const { namespace } = await importBundle(bundle, { name: 'x', cacheDir });
  t.is(namespace.x, 7);
});

test('bundling keeps the value of any string', async t => {
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
