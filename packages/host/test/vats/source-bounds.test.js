import test from 'ava';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { bundleVat } from '#loader/bundle/index.js';
import { loadConfig } from '#config/index.js';
import { ensureLockdown } from '#loader/lockdown.js';

/** @type {string[]} */
const made = [];
test.after.always(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

const secret = '{"password":"hunter2"}';

/**
 * A folder with a project in it, and a secret beside that.
 *
 * @param {Record<string, string>} files  texts by path; what begins with `->` is a symbolic link
 */
const writeTree = files => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ssr-bounds-')));
  made.push(folder);
  for (const [path, text] of Object.entries({
    'outside/creds.json': secret,
    'outside/creds.js': 'export default "hunter2"; hunter2 hunter2',
    ...files,
  })) {
    const at = join(folder, path);
    mkdirSync(dirname(at), { recursive: true });
    if (text.startsWith('->')) symlinkSync(text.slice(2), at);
    else writeFileSync(at, text);
  }
  return folder;
};

const outside =
  /: it leads to .*, outside of the vat's directory .*; if that is meant, name its directory in "sourceRoots" of the config$/;

/** @type {[title: string, specifier: string, files: Record<string, string>, message?: RegExp][]} */
const refused = [
  ['a path with ..', '../outside/creds.json', {}],
  ['a path to a module that is none', '../outside/creds.js', {}],
  ['a path without its ending', '../outside/creds', {}],
  [
    'a path that goes out and in again elsewhere',
    './x/../../outside/creds.json',
    { 'vats/x/y': '' },
  ],
  ['a link to a file', './in.json', { 'vats/in.json': '->../outside/creds.json' }],
  ['a link to a folder', './in/creds.json', { 'vats/in': '->../outside' }],
  ['a link to a link', './a.json', { 'vats/a.json': '->b', 'vats/b': '->../outside/creds.json' }],
  ['an absolute path', '/etc/hostname', {}, /write a relative path/],
  ['a URL', 'file:///etc/hostname', {}, /write a relative path/],
  [
    'a package that is a link out of the directory',
    'dep/creds.json',
    { 'vats/node_modules/dep': '->../../outside' },
  ],
  [
    'a package whose exports lead out',
    'dep',
    {
      'vats/node_modules/dep/package.json':
        '{"name":"dep","exports":"./../../../outside/creds.json"}',
    },
  ],
  [
    'a package whose main leads out',
    'dep',
    { 'node_modules/dep/package.json': '{"name":"dep","main":"../../outside/creds.json"}' },
  ],
  [
    'a package whose pattern of exports leads out',
    'dep/../../../outside/creds',
    {
      'node_modules/dep/package.json': '{"name":"dep","exports":{"./*":"./x/*.json"}}',
      'node_modules/dep/x/y': '',
    },
    /is no name|outside of|does not export/,
  ],
  [
    'a subpath of a package with ..',
    'dep/../../outside/creds.json',
    { 'node_modules/dep/package.json': '{"name":"dep"}' },
  ],
  [
    'a file of a package that is a link',
    'dep/in.json',
    {
      'node_modules/dep/package.json': '{"name":"dep"}',
      'node_modules/dep/in.json': '->../../outside/creds.json',
    },
  ],
  [
    'imports of its own package.json that lead out',
    '#creds',
    { 'vats/package.json': '{"name":"v","imports":{"#creds":"./../outside/creds.json"}}' },
  ],
  [
    'imports of its own package.json without the dot',
    '#creds',
    { 'vats/package.json': '{"name":"v","imports":{"#creds":"../outside/creds.json"}}' },
    /is no name of a package/,
  ],
  [
    'a hidden folder beside packages',
    '.cache/creds.json',
    { 'node_modules/.cache/creds.json': secret },
    /is no name/,
  ],
  [
    'a scope that is a path',
    '@x/../outside/creds.json',
    { 'node_modules/@x/y': '' },
    /is no name|no package/,
  ],
  [
    'an inner file of a package by its path',
    '../node_modules/dep/inner.js',
    {
      'node_modules/dep/package.json': '{"name":"dep","exports":"./a.js"}',
      'node_modules/dep/inner.js': '',
    },
  ],
  [
    "files of the project's own package",
    '../creds.json',
    { 'package.json': '{"name":"v","exports":"./api.js"}', 'api.js': '', 'creds.json': secret },
  ],
];

for (const [title, specifier, files, message = outside] of refused) {
  test(`a vat cannot import ${title}`, async t => {
    const folder = writeTree({
      'vats/vat-x.js': `import x from ${JSON.stringify(specifier)};\nexport const y = x;`,
      ...files,
    });
    const error = await t.throwsAsync(bundleVat(join(folder, 'vats/vat-x.js')), {
      name: 'UserError',
      message,
    });
    t.notRegex(error.message, /hunter2|password/);
  });
}

/** @type {[title: string, specifier: string, files: Record<string, string>, roots?: string[]][]} */
const allowed = [
  ['a file of its own directory', './lib/x.js', { 'vats/lib/x.js': 'export default 1' }],
  [
    'a link within its directory',
    './y.js',
    { 'vats/lib/x.js': 'export default 1', 'vats/y.js': '->lib/x.js' },
  ],
  ['what the config names', '../shared/x.js', { 'shared/x.js': 'export default 1' }, ['shared']],
  [
    'one file that the config names',
    '../shared/x.js',
    { 'shared/x.js': 'export default 1' },
    ['shared/x.js'],
  ],
  [
    'what lies in a link that the config names',
    '../s/x.js',
    { 'shared/x.js': 'export default 1', s: '->shared' },
    ['s'],
  ],
  [
    'a package, with what its files import',
    'dep',
    {
      'node_modules/dep/package.json': '{"name":"dep","exports":"./src/a.js"}',
      'node_modules/dep/src/a.js': 'export { default } from "../lib/b.js";',
      'node_modules/dep/lib/b.js': 'export { default } from "other";',
      'node_modules/other/index.js': 'export default 1',
    },
  ],
  [
    'a package of a workspace, and what is installed for it',
    'dep',
    {
      'node_modules/dep': '->../packages/dep',
      'packages/dep/package.json': '{"name":"dep","main":"src/a.js"}',
      'packages/dep/src/a.js': 'export { default } from "../lib/b.js";',
      'packages/dep/lib/b.js': 'export { default } from "inner";',
      'packages/dep/node_modules/inner': '->../../inner',
      'packages/inner/index.js': 'export default 1',
    },
  ],
  [
    'a package of a store of links',
    'dep',
    {
      'vats/node_modules/dep': '->.store/dep@1/node_modules/dep',
      'vats/node_modules/.store/dep@1/node_modules/dep/index.js': 'export { default } from "peer";',
      'vats/node_modules/.store/dep@1/node_modules/peer': '->../../peer@2/node_modules/peer',
      'vats/node_modules/.store/peer@2/node_modules/peer/index.js': 'export default 1',
    },
  ],
  [
    'what its own package names, with what that imports',
    '#api',
    {
      'package.json': '{"name":"v","imports":{"#api":"./lib/api.js"}}',
      'lib/api.js': 'export { default } from "../src/x.js";',
      'src/x.js': 'export default 1',
    },
  ],
];

for (const [title, specifier, files, roots = []] of allowed) {
  test(`a vat can import ${title}`, async t => {
    const folder = writeTree({
      'vats/vat-x.js': `import x from ${JSON.stringify(specifier)};\nexport const y = x;`,
      ...files,
    });
    const sourceRoots = roots.map(root => join(folder, root));
    const { bundle } = await bundleVat(join(folder, 'vats/vat-x.js'), { sourceRoots });
    t.true(Object.values(bundle.modules).some(({ source }) => source === 'export default 1'));
  });
}

test("a config's own directory and its sourceRoots are open to all of its vats", async t => {
  const vat = 'import "../shared/x.js"; import "../../config/lib/y.js"; export const z = 1;';
  const folder = writeTree({
    'vats/inner/vat-a.js': vat.replace('../shared', '../../shared'),
    'shared/x.js': '',
    'config/lib/y.js': '',
    'config/swingset.json': JSON.stringify({
      bootstrap: 'a',
      sourceRoots: ['../shared'],
      vats: { a: { sourceSpec: '../vats/inner/vat-a.js' } },
    }),
  });
  await ensureLockdown();
  const { bundleConfiguredVat } = await import('#host/vats/vats.js');
  const config = loadConfig({ baseDir: join(folder, 'config') });
  const { bundle } = await bundleConfiguredVat('a', config.vats.a, config, undefined);
  t.is(Object.keys(bundle.modules).length, 3);
});

test('the error for a missing root gives its place', t => {
  const folder = writeTree({
    'vats/vat-a.js': '',
    'vats/swingset.json': JSON.stringify({
      bootstrap: 'a',
      sourceRoots: ['.', '../sharde'],
      vats: { a: { sourceSpec: 'vat-a.js' } },
    }),
  });
  t.throws(() => loadConfig({ baseDir: join(folder, 'vats') }), {
    name: 'UserError',
    message:
      /swingset\.json: sourceRoots\[1\] is "\.\.\/sharde", but there is no directory or file/,
  });
});

test('an unnamed vat must not be a link out of the folder', t => {
  const folder = writeTree({
    'vats/bootstrap.js': '',
    'vats/vat-x.js': '->../outside/creds.js',
  });
  t.throws(() => loadConfig({ baseDir: join(folder, 'vats') }), {
    name: 'UserError',
    message: /vat-x\.js is a symbolic link that leads out of its folder/,
  });
});

test('a package.json is not quoted, and not read through a link', async t => {
  const source = 'import "#x";';
  const broken = writeTree({ 'vats/vat-x.js': source, 'vats/package.json': 'hunter2 hunter2' });
  const error = await t.throwsAsync(bundleVat(join(broken, 'vats/vat-x.js')), {
    message: /package\.json is not JSON$/,
  });
  t.notRegex(error.message, /hunter2/);
  const linked = writeTree({
    'vats/vat-x.js': source,
    'vats/package.json': '->../outside/creds.json',
  });
  await t.throwsAsync(bundleVat(join(linked, 'vats/vat-x.js')), {
    message: /package\.json is a symbolic link that leads out of its folder$/,
  });
});
