// Bundles of the format `endoZipBase64`: a vat gets the modules of its archive, and a damaged archive is refused.

import '#testkit/lockdown.js';
import test from 'ava';
import { ModuleSource } from '@endo/module-source';
import { toolsBundle } from '#config';
import { adoptBundle, importBundle } from '../bundle/index.js';
import { makeArchive, makeZip, sha512 } from './make-archive.js';

/** @param {string} text  of a module @param {object} [changes] */
const compiled = (text, changes = {}) => {
  const { imports, exports, reexports, ...parts } = /** @type {any} */ (new ModuleSource(text));
  const names = ['__syncModuleProgram__', '__liveExportMap__', '__fixedExportMap__'];
  const others = ['__reexportMap__', '__needsImport__', '__needsImportMeta__'];
  const kept = Object.fromEntries([...names, ...others].map(name => [name, parts[name]]));
  const record = { imports, exports, reexports, ...kept, ...changes };
  return { text: JSON.stringify(record), parser: 'pre-mjs-json' };
};

const sources = {
  './vat.js': `import { twice } from './lib/twice.js';
import data, * as all from './data.json';
import five, { count, up as more } from 'other';
export * from './lib/twice.js';
export const buildRootObject = () => ({ run: () => { more(); return [twice(data.n), count, five, all.default === data]; } });
`,
  './lib/twice.js': "import { two } from '../two'; export const twice = n => n * two ** 1;",
  './two.js': 'export const two = 2;',
};

const links = {
  './data.json': { text: '{"n":21}', parser: 'json' },
  './two': { compartment: 'mine', module: './two.js' },
  other: { compartment: 'other-v1', module: '.' },
};

const extra = {
  'other/main.js':
    'export let count = 0; export const up = () => { count += 1; }; export default 5;',
};

const others = {
  'other-v1': {
    location: 'other',
    modules: {
      '.': { module: './main.js', compartment: 'other-v1' },
      './main.js': { location: 'main.js', parser: 'mjs', sha512: sha512(extra['other/main.js']) },
    },
  },
};

test('an import may be called __proto__', async t => {
  const given = makeArchive({
    './vat.js': { text: "import { two } from '__proto__'; export const four = two * 2;" },
    ['__proto__']: { text: 'export const two = 2;' },
  });
  const { namespace } = await importBundle(adoptBundle(given, 'it'), { name: 'a' });
  t.is(namespace.four, 4);
});

for (const [title, convert, deflates] of /** @type {const} */ ([
  ['written by their authors', (/** @type {string} */ text) => ({ text }), false],
  ['compiled by @endo/module-source', compiled, false],
  ['compiled and deflated', compiled, true],
]))
  test(`modules ${title} run with all their links`, async t => {
    const modules = Object.fromEntries(
      Object.entries(sources).map(([specifier, text]) => [specifier, convert(text)]),
    );
    const given = makeArchive({ ...modules, ...links }, { deflates, others, extra });
    const bundle = adoptBundle(given, 'it');
    t.is(bundle.id, `b1-${given.endoZipBase64Sha512}`);
    t.deepEqual(adoptBundle(JSON.parse(JSON.stringify(bundle)), 'it'), bundle);
    t.deepEqual(toolsBundle(bundle), given);
    const { namespace } = await importBundle(bundle, { name: 'x' });
    const { run } = namespace.buildRootObject();
    t.deepEqual(run(), [42, 1, 5, true]);
    t.deepEqual(run(), [42, 2, 5, true]);
    t.is(namespace.twice(4), 8);
  });

const vat = { text: 'export const buildRootObject = () => {};' };

/** @type {Record<string, [bundle: any, message: string | RegExp]>} */
const wrong = {
  'without its text': [{ moduleFormat: 'endoZipBase64' }, 'it is a bundle without "endoZipBase64"'],
  'that is no ZIP': [
    { moduleFormat: 'endoZipBase64', endoZipBase64: 'AAAA' },
    'it is a damaged archive: it has no end record of ZIP',
  ],
  'without a map': [
    { moduleFormat: 'endoZipBase64', endoZipBase64: makeZip({ a: 'b' }).toString('base64') },
    'it is an archive without compartment-map.json',
  ],
  'with another hash': [
    { ...makeArchive({ './vat.js': vat }), endoZipBase64Sha512: '00' },
    /^it was changed after it was made: endoZipBase64Sha512: expected 00, got [0-9a-f]{128}$/,
  ],
  'with a module that was changed': [
    makeArchive({ './vat.js': { ...vat, sha512: '00' } }),
    'it was changed after it was made: "mine/vat.js" does not have its SHA-512',
  ],
  'with a module that its map does not pin': [
    makeArchive({ './vat.js': { ...vat, sha512: undefined } }),
    'it: "mine/vat.js" has no "sha512" in compartment-map.json',
  ],
  'that lacks a file': [
    makeArchive({ './vat.js': vat, './a.js': { location: 'a.js', parser: 'mjs' } }),
    'it lacks the file of "mine/a.js"',
  ],
  'with a module of another language': [
    makeArchive({ './vat.js': vat, './a.txt': { text: 'a', parser: 'text' } }),
    'it: "mine/a.txt" has the format "text"; a vat is made of modules and JSON ("mjs", "pre-mjs-json", "cjs", "pre-cjs-json", "json")',
  ],
  'without its entry': [makeArchive({ './a.js': vat }), 'it lacks its entry "./vat.js"'],
  'whose aliases lead in a circle': [
    makeArchive({ './vat.js': { compartment: 'mine', module: './vat.js' } }),
    'it lacks its entry "./vat.js"',
  ],
  'whose map is none': [
    {
      moduleFormat: 'endoZipBase64',
      endoZipBase64: makeZip({ 'compartment-map.json': '{"entry":{}}' }).toString('base64'),
    },
    'it: compartment-map.json must have "entry" and "compartments" with their modules',
  ],
};

for (const [title, [bundle, message]] of Object.entries(wrong))
  test(`an archive ${title} is refused`, t => {
    t.throws(() => adoptBundle(bundle, 'it'), { name: 'UserError', message });
  });

test('a map whose values cannot be made strings is refused, or taken as if they were absent', t => {
  const odd = { toString: 1, valueOf: 1 };
  const text = 'export const buildRootObject = () => 1;';
  const given = makeArchive({ './vat.js': { text } });
  const refused = { name: 'UserError', message: /^it / };
  t.throws(() => adoptBundle({ ...given, endoZipBase64Sha512: odd }, 'it'), refused);
  const unknown = makeArchive({ './vat.js': { text, parser: odd } });
  const message = /^it: "mine\/vat\.js" has the format object; /;
  t.throws(() => adoptBundle(unknown, 'it'), { name: 'UserError', message });
  for (const link of [{ compartment: odd, module: './vat.js' }, { location: odd }]) {
    const archive = makeArchive({ './vat.js': { text }, './other.js': link });
    t.notThrows(() => adoptBundle(archive, 'it'));
  }
  const others = { far: { location: odd, modules: { './a.js': { location: 'a.js' } } } };
  t.throws(() => adoptBundle(makeArchive({ './vat.js': { text } }, { others }), 'it'), refused);
  t.throws(() => adoptBundle(makeArchive({ './vat.js': { compartment: odd } }), 'it'), refused);
});

test('an archive with any byte changed or cut off is refused, or has the same content', t => {
  const { endoZipBase64, ...rest } = makeArchive({ './vat.js': vat, ...links, './two.js': vat });
  const zip = Buffer.from(endoZipBase64, 'base64');
  const whole = adoptBundle({ ...rest, endoZipBase64 }, 'it');
  let refused = 0;
  const tryOne = (/** @type {Buffer} */ bytes) => {
    try {
      const bundle = adoptBundle({ ...rest, endoZipBase64: bytes.toString('base64') }, 'it');
      t.is(bundle.id, whole.id);
    } catch (error) {
      t.is(/** @type {Error} */ (error).name, 'UserError', /** @type {Error} */ (error).stack);
      refused += 1;
    }
  };
  for (let at = 0; at < zip.length; at += 1) {
    const changed = Buffer.from(zip);
    changed[at] ^= 1 << (at % 8);
    tryOne(changed);
    tryOne(zip.subarray(0, at));
  }
  t.true(refused > zip.length);
});

/** @type {Record<string, [modules: Record<string, object>, message: RegExp]>} */
const unfit = {
  'imports what is not in it': [
    { './vat.js': { text: "import 'nobody';" } },
    /"mine\/vat\.js" imports "nobody", which the archive lacks$/,
  ],
  'imports a module of the host': [
    { './vat.js': { text: "import 'fs';" }, fs: { exit: 'fs' } },
    /"mine" imports "fs", a module of the host; a vat has no such module$/,
  ],
  'imports at run time in a form that no compiler made': [
    {
      './vat.js': compiled("export const f = () => import('x');", {
        __syncModuleProgram__: '({ import: load }) => load("x")',
      }),
    },
    /"mine\/vat\.js": a vat has no import\(\)/,
  ],
  'has newer syntax': [
    {
      './vat.js': compiled('export const f = 1;', {
        __syncModuleProgram__: '() => { using x = 1; }',
      }),
    },
    /"mine\/vat\.js": .*using/s,
  ],
  'has a compiled module that is not JSON': [
    { './vat.js': { text: '{', parser: 'pre-mjs-json' } },
    /"mine\/vat\.js" is not a compiled module: it is not JSON$/,
  ],
  'has a compiled module without a part': [
    { './vat.js': compiled('export const f = 1;', { exports: 'f' }) },
    /"mine\/vat\.js" is not a compiled module: it lacks a part$/,
  ],
  'has a module with a mistake': [
    { './vat.js': { text: 'export const = 1;' } },
    /"mine\/vat\.js":1:14: Unexpected token/,
  ],
};

for (const [title, [modules, message]] of Object.entries(unfit))
  test(`an archive that ${title} makes no vat`, async t => {
    const bundle = adoptBundle(makeArchive(modules), 'it');
    await t.throwsAsync(importBundle(bundle, { name: 'x' }), { name: 'UserError', message });
  });

const damagedRecords = {
  'a live export of no pair': { __liveExportMap__: { x: 5 } },
  'a live export of null': { __liveExportMap__: { x: null } },
  'a live export without its flag': { __liveExportMap__: { x: ['x'] } },
  'a fixed export of no list': { __fixedExportMap__: { x: 5 } },
  'a re-export of no pairs': { __reexportMap__: { x: [5] } },
};

for (const [title, changes] of Object.entries(damagedRecords))
  test(`a compiled module with ${title} is refused`, async t => {
    const given = makeArchive({ './vat.js': compiled('export const x = 1;', changes) });
    const error = await t.throwsAsync(importBundle(adoptBundle(given, 'it'), { name: 'a' }));
    t.is(error?.name, 'UserError');
    t.regex(`${error?.message}`, /"mine\/vat\.js" is not a compiled module: it lacks a part$/);
  });

test('many modules of one large file are refused', t => {
  const text = 'x'.repeat(2 ** 20);
  const one = { location: 'vat.js', parser: 'mjs', sha512: sha512(text) };
  const more = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`./${i}.js`, one]));
  t.throws(() => adoptBundle(makeArchive({ './vat.js': { text }, ...more }), 'it'), {
    name: 'UserError',
    message: 'it: its modules have more than 67108864 bytes',
  });
});

test('two modules of one name are refused', t => {
  const given = makeArchive({ './vat.js': { text: '' }, 'vat.js': { text: '' } });
  t.throws(() => adoptBundle(given, 'it'), { message: 'it has "mine/vat.js" twice' });
});

test('a format that is nested deeply is refused', t => {
  /** @type {any} */
  let parser = [];
  for (let i = 0; i < 4_000; i += 1) parser = [parser];
  t.throws(() => adoptBundle(makeArchive({ './vat.js': { text: '', parser } }), 'it'), {
    message: /^it: "mine\/vat\.js" has the format object; /,
  });
});
