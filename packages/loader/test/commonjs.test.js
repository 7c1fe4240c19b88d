// CommonJS modules in vats: packages of npm as they are, from sources and in archives.

import '#testkit/lockdown.js';
import test from 'ava';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { importArchive } from '@endo/compartment-mapper/import-archive.js';
import { adoptBundle, bundleVat, importBundle } from '../bundle/index.js';
import { forgetCompiled } from '../bundle/compiled-cache.js';
import { writeArchive } from '../bundle/write-archive.js';
import { bundleOf, cacheDir, folders, importOf, writeFiles } from './bundle-sources.js';

folders.push(cacheDir);

test.after.always(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const old = (/** @type {Record<string, string>} */ files) =>
  Object.fromEntries([
    ['node_modules/old/package.json', '{ "name": "old", "version": "1.0.0" }'],
    ...Object.entries(files).map(([path, text]) => [`node_modules/old/${path}`, text]),
  ]);

const files = {
  'package.json': '{ "name": "mine", "version": "1.0.0", "type": "module" }',
  'vat-x.js': `
    import old, { twice, later, passed } from 'old';
    import * as all from 'old';
    import { square } from './square.cjs';
    export const run = () => [old === all.default, twice(4), later, passed, old.data.n, square(3), old.modern(), old.kind];
  `,
  'square.cjs': 'exports.square = n => n ** 2; // <!-- no comment, import("x")',
  ...old({
    'index.js': `#!/usr/bin/env node
      var helper = require('./lib/helper');
      Object.defineProperty(exports, '__esModule', { value: true });
      exports.twice = helper.twice;
      exports.later = this === exports && typeof require('./lib/other.js').later === 'function';
      exports.passed = require('./lib');
      exports.data = require('./data.json');
      exports.modern = () => require('modern').default ?? require('modern').name;
      exports.kind = typeof module + typeof __filename + \`\${helper.tag\`a\${1}b\`}\`;
      if (false) require('fs');
    `,
    'lib/helper.js':
      "exports.twice = function (n) { return 2 * n; }; exports.tag = (parts, ...others) => parts.raw.join('-') + others;",
    'lib/index.js': "module.exports = require('./other').later()",
    // The two require each other.
    'lib/other.js':
      "exports.later = () => back.name; var back = require('./back'); exports.name = 'other';",
    'lib/back.js':
      "'use strict'; var other = require('./other.js'); module.exports = { name: 'back', early: typeof other.later };",
    'data.json': '{"n": 21}',
  }),
  'node_modules/modern/package.json': '{ "name": "modern", "type": "module" }',
  'node_modules/modern/index.js': "export const name = 'an ES module';",
};

const expected = [true, 8, true, 'back', 21, 9, 'an ES module', 'objectobjecta-b1'];

test('a vat imports and requires CommonJS modules, JSON and ES modules', async t => {
  const { namespace } = await importOf(files);
  t.deepEqual(namespace.run(), expected);
});

test('the forms of modules are those of their files and packages', async t => {
  const { bundle } = await bundleOf(files);
  const types = Object.fromEntries(
    Object.entries(bundle.modules).map(([key, { type }]) => [key, type]),
  );
  t.deepEqual(types, {
    './vat-x.js': 'js',
    './square.cjs': 'cjs',
    'old@1.0.0/index.js': 'cjs',
    'old@1.0.0/lib/helper.js': 'cjs',
    'old@1.0.0/lib/other.js': 'cjs',
    'old@1.0.0/lib/index.js': 'cjs',
    'old@1.0.0/data.json': 'json',
    'old@1.0.0/lib/back.js': 'cjs',
    'modern/index.js': 'js',
  });
  forgetCompiled();
  t.is((await bundleOf(files)).bundle.id, bundle.id);
});

test('archives with CommonJS run, ours and in Endo', async t => {
  const folder = writeFiles(files);
  const { bundle } = await bundleVat(join(folder, 'vat-x.js'), { cacheDir });
  const archive = await writeArchive(bundle);
  const { namespace } = await importBundle(adoptBundle(archive, 'it'), { name: 'x', cacheDir });
  t.deepEqual(namespace.run(), expected);
  const bytes = Buffer.from(archive.endoZipBase64, 'base64');
  const { namespace: there } = /** @type {any} */ (
    await importArchive(async () => bytes, 'it.zip', {})
  );
  t.deepEqual(there.run(), expected);
});

test('a vat whose own module is CommonJS has its exports', async t => {
  const { namespace } = await importOf({
    'vat-x.js': "exports.buildRootObject = () => 'a root'; exports['other name'] = 1;",
  });
  t.is(namespace.buildRootObject(), 'a root');
  t.is(namespace.default['other name'], 1);
});

test('a module that is an ES module by its syntax is one, whatever its comments say', async t => {
  const { bundle } = await bundleOf({
    'vat-x.js': "// module.exports, require('x')\nexport const module = 'exports';",
  });
  t.is(bundle.modules['./vat-x.js'].type, 'js');
});

test('a text is compiled for each form in which it is a module', async t => {
  /** @type {string[]} */
  const noted = [];
  const text = 'note(typeof require);';
  await importOf(
    {
      'vat-x.js': "import './one.cjs'; import './two.mjs';",
      'one.cjs': text,
      'two.mjs': `CommonJS\n${text}`,
    },
    { endowments: { note: (/** @type {string} */ what) => void noted.push(what) } },
  );
  t.deepEqual(noted, ['function', 'undefined']);
});

test('names that a package passes on are imported', async t => {
  const { namespace } = await importOf({
    'vat-x.js': "import { deep } from 'old'; export const run = () => deep;",
    ...old({
      'index.js': "module.exports = require('./deep.js');",
      'deep.js': "exports.deep = 'down';",
    }),
  });
  t.is(namespace.run(), 'down');
});

test('a missing module throws where it is required, with the code of Node', async t => {
  const { namespace } = await importOf({
    'vat-x.js': "import { found, tryOne, place } from 'old'; export { found, tryOne, place };",
    ...old({
      'index.js': `
        exports.found = 'nothing';
        try { exports.found = require('optional'); } catch (error) { exports.found = error.code; }
        exports.tryOne = name => require(name);
        exports.place = name => require.resolve(name);
        exports.fs = () => require('fs');
      `,
    }),
  });
  t.is(namespace.found, 'MODULE_NOT_FOUND');
  for (const name of ['fs', 'vat-x', '__proto__'])
    for (const ask of [namespace.tryOne, namespace.place])
      t.throws(() => ask(name), {
        message: `cannot find module "${name}"; vats have no modules of Node`,
      });
});

test('a module that throws does not start the vat, and mistakes have file and line', async t => {
  /** @type {[string, RegExp][]} */
  const cases = [
    [
      "\nthrow Error('too old'); exports.a = 1;",
      /^vat "x" does not start: .*vat-x\.js:1: Error: too old$/,
    ],
    ['\nexports.a = 010;', /node_modules\/old\/index\.js:2:\d+: /],
    ['exports.a = ;', /node_modules\/old\/index\.js:1:13: /],
    ['exports.a = 1;\n}); (function () {', /node_modules\/old\/index\.js:2:1: /],
    ["\nexports.a = eval('1');", /node_modules\/old\/index\.js:2: a vat has no direct eval/],
    ["\nexports.a = () => import('b');", /node_modules\/old\/index\.js:2: a vat has no import\(\)/],
  ];
  for (const [text, message] of cases)
    await t.throwsAsync(
      importOf({
        'vat-x.js': "import old from 'old'; export { old };",
        ...old({ 'index.js': text }),
      }),
      { message },
    );
});

test('a name that a package does not export is refused with the importing line', async t => {
  await t.throwsAsync(
    importOf({
      'vat-x.js': "\nimport { b } from 'old'; export { b };",
      ...old({ 'index.js': 'exports.a = 1;' }),
    }),
    { message: /vat-x\.js:2: "old" does not export "b"; it exports a, default$/ },
  );
});
