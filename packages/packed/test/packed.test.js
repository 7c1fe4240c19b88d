// The pack of the runner's modules: it loads in Node's order, and is used only while the sources
// are unchanged.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import test from 'ava';
import fc from 'fast-check';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { packModules } from '../../../scripts/pack/pack-modules.js';
import { wrapModule } from '../../../scripts/pack/wrap-module.js';
import { CodeCache } from '../code-cache.js';
import { PackedModules } from '../modules.js';
import { readPack } from '../read-pack.js';

/** @param {string} dir @param {Record<string, string>} files */
const write = (dir, files) => {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    fs.writeFileSync(path.join(dir, name), text);
  }
};

/** Modules that note their execution in `globalThis.ran`. @type {Record<string, string>} */
const sources = {
  'package.json':
    '{ "type": "module", "imports": { "#one": "./lib/one.js", "#more/*.js": { "default": "./more/*.js" } } }',
  'main.js': `// A comment first.
import fs, { existsSync as isThere } from 'node:fs';
import * as path from 'node:path';
import { one, default as first } from '#one';
import * as all from './lib/all.js';
import './lib/effect.js';
globalThis.ran.push('main');
export const meta = import.meta;
export const later = () => import('#more/later.js');
export const seen = { one, first, all, same: fs.existsSync === isThere, base: path.basename('a/b') };
export function hoisted() { return notYet; }
const notYet = 'set';
export const foreign = (...names) => Promise.all(['node:path', ...names].map(each => import(each)));
export const fs2 = () => import('node:fs');
export const fail = () => { throw Error('here'); };
export class Named {}
export { one as renamed };
export default hoisted;
`,
  'lib/one.js': `globalThis.ran.push('one'); export const one = 1; const two = 2; export { two }; export default { name: 'é' };\n`,
  'lib/all.js': `export * from './one.js';\nexport * as nested from './one.js';\nexport { one as uno } from './one.js';\nglobalThis.ran.push('all');\nexport const two = 'own';\n`,
  'lib/effect.js': `globalThis.ran.push('effect');\n`,
  'more/later.js': `import { one } from '#one';\nglobalThis.ran.push('later');\nexport const both = [one, import.meta.url];\n`,
};

/** @param {import('ava').ExecutionContext} t */
const makePackage = t => {
  const root = fs.realpathSync(temporaryDirectory(t));
  write(root, sources);
  const target = path.join(root, 'files');
  packModules({ root, target, entries: ['main.js'] });
  return { root, target };
};

/** @param {string} root @param {string} target @param {string} [cacheDir] */
const open = (root, target, cacheDir) => {
  const pack = readPack(root, target);
  if (pack === undefined) throw Error('there is no pack');
  const code = new CodeCache(cacheDir, root, pack.index.digest);
  return { modules: new PackedModules(root, pack, code), code };
};

const globals = /** @type {{ ran: string[] }} */ (/** @type {unknown} */ (globalThis));

test.beforeEach(() => {
  globals.ran = [];
});

/** Everything that a program can observe of main.js's namespace. @param {Record<string, any>} main */
const look = async main => {
  const { both } = await main.later();
  let stack = '';
  try {
    main.fail();
  } catch (error) {
    stack = /** @type {Error} */ (error).stack?.split('\n')[1].trim() ?? '';
  }
  const { all, ...seen } = main.seen;
  return {
    ...{ ran: [...globals.ran], both, stack, seen, all: { ...all, nested: { ...all.nested } } },
    keys: [Object.keys(main), Object.keys(all)],
    texts: [main.hoisted, main.fail, main.Named].map(each => [each.name, String(each)]),
    meta: [main.meta.url, main.meta.dirname, main.meta.filename],
    values: [main.hoisted(), main.default === main.hoisted, main.renamed],
    tag: Object.prototype.toString.call(main),
    foreign: (await main.foreign(import.meta.resolve('#model'))).map(Object.keys),
    fs2: (await main.fs2()).default === fs,
    isSame: (await main.later()).both === both,
  };
};

test.serial(
  "packed modules run in Node's order, and are indistinguishable from the sources",
  async t => {
    const { root, target } = makePackage(t);
    const cacheDir = path.join(root, 'cache');
    const first = open(root, target, cacheDir);
    const packed = await look(await first.modules.load('main.js'));
    first.code.save();
    globals.ran = [];
    t.deepEqual(await look(await open(root, target, cacheDir).modules.load('main.js')), packed);
    globals.ran = [];
    const native = await look(await import(pathToFileURL(path.join(root, 'main.js')).href));
    t.deepEqual(packed, native);
    t.deepEqual(packed.ran, ['one', 'all', 'effect', 'main', 'later']);
  },
);

test.serial('concurrent imports run a module once', async t => {
  const { root, target } = makePackage(t);
  const { modules } = open(root, target);
  const [main, later] = await Promise.all([
    /** @type {Promise<any>} */ (modules.load('main.js')),
    modules.load('more/later.js'),
    modules.load('main.js'),
  ]);
  t.is(await main.later(), later);
  t.is(modules.find('main.js'), main);
  t.deepEqual(globals.ran, ['one', 'all', 'effect', 'main', 'later']);
  t.throws(() => modules.load('main'), { message: 'main is not packed' });
});

/** A program of two modules that imports a package, which imports another one. @type {Record<string, string>} */
const withPackages = {
  'package.json': '{ "type": "module" }',
  'main.js': `import { inner } from 'outer';
import { deep } from './deep.js';
globalThis.ran.push('main');
export const later = () => import('outer/more.js');
export { deep, inner };
`,
  'deep.js': `export { deep } from 'outer/more.js';\n`,
  'node_modules/outer/package.json':
    '{ "type": "module", "version": "1.0.0", "exports": { ".": "./src/index.js", "./more.js": "./more.js" } }',
  'node_modules/outer/src/index.js': `export * from 'inner';\nglobalThis.ran.push('outer');\n`,
  'node_modules/outer/more.js': `export const deep = import.meta.url;\n`,
  'node_modules/outer/node_modules/inner/package.json':
    '{ "type": "module", "version": "2.0.0", "exports": "./i.js" }',
  'node_modules/outer/node_modules/inner/i.js': `export const inner = import.meta.url;\nglobalThis.ran.push('inner');\n`,
};

/** @param {import('ava').ExecutionContext} t @param {Record<string, string>} [changed] */
const makeWithPackages = (t, changed) => {
  const root = fs.realpathSync(temporaryDirectory(t));
  write(root, { ...withPackages, ...changed });
  const target = path.join(root, 'files');
  const pack = () =>
    packModules({ root, target, entries: ['main.js'], isPackedPackage: name => name !== 'other' });
  return { root, target, pack };
};

test.serial('modules of packages are packed, and run as Node runs them', async t => {
  const { root, target, pack } = makeWithPackages(t);
  pack();
  const all = readPack(root, target);
  t.is(all?.packageFolders?.length, 2);
  const look2 = async (/** @type {any} */ main) => {
    const more = await main.later();
    return [main.inner, main.deep, more.deep, Object.keys(more), ...globals.ran];
  };
  const packed = await look2(await open(root, target).modules.load('main.js'));
  globals.ran = [];
  t.deepEqual(packed, await look2(await import(pathToFileURL(path.join(root, 'main.js')).href)));
  t.deepEqual(packed.slice(4), ['inner', 'outer', 'main']);
});

test.serial('packages are found where they were installed, in the packed version only', t => {
  const { root, target, pack } = makeWithPackages(t);
  pack();
  const find = () => readPack(root, target)?.packageFolders?.map(each => path.relative(root, each));
  t.deepEqual(find(), ['node_modules/outer', 'node_modules/outer/node_modules/inner']);
  const inner = path.join(root, 'node_modules/outer/node_modules/inner');
  const hoisted = path.join(root, 'node_modules/inner');
  fs.renameSync(inner, hoisted);
  t.deepEqual(find(), ['node_modules/outer', 'node_modules/inner']);
  fs.mkdirSync(path.join(root, 'store'));
  fs.renameSync(path.join(root, 'node_modules/outer'), path.join(root, 'store/outer'));
  fs.renameSync(hoisted, path.join(root, 'store/inner'));
  fs.symlinkSync('../store/outer', path.join(root, 'node_modules/outer'));
  t.is(find(), undefined, 'inner is gone');
  fs.mkdirSync(path.join(root, 'store/node_modules'));
  fs.symlinkSync('../inner', path.join(root, 'store/node_modules/inner'));
  t.deepEqual(find(), ['store/outer', 'store/inner']);
  const file = path.join(root, 'store/inner/package.json');
  const manifest = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, manifest.replace('2.0.0', '2.0.1'));
  t.is(find(), undefined, 'another version');
  fs.writeFileSync(file, manifest);
  t.truthy(find());
  fs.appendFileSync(path.join(root, 'store/inner/i.js'), '\n');
  t.is(find(), undefined, 'a file was changed');
  t.truthy(readPack(root, target), 'our own modules are still taken from the pack');
});

test.serial('Node loads packages that differ from the packed ones', async t => {
  const { root, target, pack } = makeWithPackages(t);
  pack();
  const { index, texts } = /** @type {NonNullable<ReturnType<typeof readPack>>} */ (
    readPack(root, target)
  );
  // The names lead to packages of this checkout: the pack imports from its own place.
  for (const each of index.modules)
    if (each.specifier !== undefined) each.specifier = '#testkit/temporary-directory.js';
  const other = { index, texts, packageFolders: undefined };
  const modules = new PackedModules(root, other, new CodeCache(undefined, root, index.digest));
  const main = /** @type {any} */ (await modules.load('main.js'));
  t.deepEqual(globals.ran, ['main']);
  t.is((await main.later()).temporaryDirectory, temporaryDirectory);
});

test.serial('a package is refused whose modules the pack cannot run as Node would', t => {
  const inner = 'node_modules/outer/node_modules/inner/';
  const refused = /** @type {[Record<string, string>, string][]} */ ([
    [{ [`${inner}package.json`]: '{}' }, 'inner cannot be packed'],
    [
      {
        [`${inner}package.json`]:
          '{ "type": "module", "exports": { "import": "./i.js", "default": "./i.js" } }',
      },
      'inner cannot be packed',
    ],
    [{ [`${inner}i.js`]: `import 'other';` }, 'imports other, which is not packed'],
  ]);
  for (const [changed, message] of refused) {
    const { pack } = makeWithPackages(t, { ...changed, [`${inner}index.js`]: '' });
    t.throws(pack, { message: new RegExp(message) });
  }
});

test.serial('dynamic imports of an excluded module are not packed', t => {
  const { root, target } = makePackage(t);
  const isLeft = (/** @type {string} */ file) => file === 'main.js';
  packModules({ root, target, entries: ['main.js'], isLeft });
  const files = readPack(root, target)?.index.modules.map(({ file }) => file);
  t.deepEqual(files, ['lib/one.js', 'lib/all.js', 'lib/effect.js', 'main.js']);
});

test.serial('a pack is used while each source is unchanged', t => {
  const { root, target } = makePackage(t);
  const file = path.join(root, 'lib/one.js');
  const old = fs.readFileSync(file, 'utf8');
  const later = new Date(Date.now() + 60_000);
  fs.utimesSync(file, later, later);
  t.truthy(readPack(root, target), 'unpacked later');
  fs.writeFileSync(file, old.replace('2', '3'));
  fs.utimesSync(file, later, later);
  t.is(readPack(root, target), undefined, 'changed, and as long as before');
  fs.writeFileSync(file, old);
  t.truthy(readPack(root, target));
  fs.appendFileSync(file, '\n');
  fs.utimesSync(file, new Date(0), new Date(0));
  t.is(readPack(root, target), undefined, 'longer');
  fs.writeFileSync(file, old);
  fs.appendFileSync(path.join(root, 'package.json'), ' ');
  t.is(readPack(root, target), undefined, 'names may lead elsewhere');
  write(root, { 'package.json': sources['package.json'] });
  fs.rmSync(file);
  t.is(readPack(root, target), undefined, 'gone');
  fs.writeFileSync(file, old);
  fs.writeFileSync(path.join(target, 'index.json'), '{');
  t.is(readPack(root, target), undefined, 'no index');
});

test.serial(
  'a packed module compiles other scripts with the cache, each text by itself',
  async t => {
    const { root, target } = makePackage(t);
    const cacheDir = path.join(root, 'cache/node');
    const run = async (/** @type {string} */ text) => {
      const { modules, code } = open(root, target, cacheDir);
      const { meta } = /** @type {any} */ (await modules.load('main.js'));
      const script = meta.compile('/other.js', text);
      const ran = script.runInThisContext();
      code.save();
      return [ran, script.cachedDataRejected];
    };
    t.deepEqual(await run('[1, 2].length'), [2, undefined], 'the cache had nothing');
    t.deepEqual(await run('[1, 2].length'), [2, false], 'the engine took the code');
    t.deepEqual(await run('[1, 3].length'), [2, undefined], 'another text of the same length');
    t.deepEqual(await run('[1].at(0) + 4'), [5, undefined]);
    t.deepEqual(await run('[1, 2].length'), [2, false]);
  },
);

test.serial('stacks name the files of the package that runs, not of an equal one', async t => {
  const cacheDir = path.join(makePackage(t).root, 'cache');
  for (let i = 0; i < 2; i += 1) {
    const { root, target } = makePackage(t);
    const { modules, code } = open(root, target, cacheDir);
    const { fail } = /** @type {any} */ (await modules.load('main.js'));
    const { stack = '' } = /** @type {Error} */ (t.throws(fail));
    t.true(stack.includes(pathToFileURL(path.join(root, 'main.js')).href), stack);
    code.save();
  }
});

test.serial('compiled code is cached, and a damaged cache file is ignored', async t => {
  const { root, target } = makePackage(t);
  const cacheDir = path.join(root, 'cache/node');
  const first = open(root, target, cacheDir);
  await first.modules.load('main.js');
  first.code.save();
  const [name] = fs.readdirSync(cacheDir);
  const file = path.join(cacheDir, name);
  const kept = fs.readFileSync(file);

  const second = open(root, target, cacheDir);
  await second.modules.load('main.js');
  fs.rmSync(file);
  second.code.save();
  t.false(fs.existsSync(file), 'there was nothing new to keep');
  await second.modules.load('more/later.js');
  second.code.save();
  t.true(fs.statSync(file).size > kept.length, 'what is new is added');

  const old = path.join(cacheDir, 'packed-old');
  const others = ['packed-young', 'v20'].map(each => path.join(cacheDir, each));
  for (const each of [old, ...others]) fs.writeFileSync(each, '');
  for (const each of [old, others[1]]) fs.utimesSync(each, new Date(0), new Date(0));

  const damage = fc.record({ at: fc.nat(kept.length - 1), bits: fc.integer({ min: 1, max: 255 }) });
  await fc.assert(
    fc.asyncProperty(damage, async ({ at, bits }) => {
      const bytes = Buffer.from(kept);
      bytes[at] ^= bits;
      fs.writeFileSync(file, bytes);
      const third = open(root, target, cacheDir);
      t.is((await third.modules.load('lib/one.js')).one, 1);
      third.code.save();
      t.notDeepEqual(fs.readFileSync(file), bytes, 'it was not taken, and is written anew');
    }),
    { numRuns: 20 },
  );
  fs.rmSync(file);
  if (spawnSync('mkfifo', [file]).status === 0)
    t.is((await open(root, target, cacheDir).modules.load('lib/one.js')).one, 1, 'nor a pipe');
  t.deepEqual(
    [old, ...others].map(each => fs.existsSync(each)),
    [false, true, true],
  );
});

test.serial('modules that load when flags were changed have a file for these flags', async t => {
  const { root, target } = makePackage(t);
  const cacheDir = path.join(root, 'cache/node');
  const tags = [cachedDataVersionTag()];
  t.teardown(() => setFlagsFromString('--max-inlined-bytecode-size=460'));
  const run = async () => {
    const { modules, code } = open(root, target, cacheDir);
    await modules.load('main.js');
    setFlagsFromString('--max-inlined-bytecode-size=459');
    tags[1] = cachedDataVersionTag();
    await modules.load('more/later.js');
    code.save();
    setFlagsFromString('--max-inlined-bytecode-size=460');
    code.save();
    t.is(cachedDataVersionTag(), tags[0]);
    const files = fs.readdirSync(cacheDir).sort();
    return files.map(name => ({ name, inode: fs.statSync(path.join(cacheDir, name)).ino }));
  };
  const kept = await run();
  t.notDeepEqual(tags[0], tags[1]);
  for (const tag of tags) t.true(kept.some(({ name }) => name.includes(`-${tag}-`)));
  t.is(kept.length, 2);

  /** @type {(boolean | undefined)[]} */
  const rejected = [];
  const { Script } = vm;
  t.teardown(() => (vm.Script = Script));
  vm.Script = class extends Script {
    /** @param {[string, vm.ScriptOptions]} given */
    constructor(...given) {
      super(...given);
      rejected.push(this.cachedDataRejected);
    }
  };
  t.deepEqual(await run(), kept, 'there was nothing new to keep');
  t.deepEqual(rejected, Array(5).fill(false));
});

test.serial('of the files of compiled code the newest are kept', async t => {
  const { root, target } = makePackage(t);
  const cacheDir = path.join(root, 'cache/node');
  fs.mkdirSync(cacheDir, { recursive: true });
  const names = Array.from({ length: 30 }, (_, i) => `packed-${i}`);
  for (const [i, name] of names.entries()) {
    fs.writeFileSync(path.join(cacheDir, name), '');
    const minutesAgo = new Date(Date.now() - (i + 1) * 60_000);
    fs.utimesSync(path.join(cacheDir, name), minutesAgo, minutesAgo);
  }
  const { modules, code } = open(root, target, cacheDir);
  await modules.load('main.js');
  code.save();
  const left = fs.readdirSync(cacheDir);
  t.is(left.length, 24, 'with the one that was written');
  t.deepEqual(
    names.filter(name => left.includes(name)),
    names.slice(0, 23),
  );
});

test('modules that would run differently are refused when they are packed', t => {
  const wrap = (/** @type {string} */ text) => wrapModule(text, () => undefined);
  t.throws(() => wrap('await 1;'), { instanceOf: SyntaxError });
  t.throws(() => wrap('export let a = 1;'), { message: 'an export is declared with let' });
  t.throws(() => wrap('export default () => {};'), { message: /has no name/ });
  t.throws(() => wrap('export const [a] = [1];'), { message: 'an export binds a ArrayPattern' });
  const root = fs.realpathSync(temporaryDirectory(t));
  write(root, {
    'package.json': '{}',
    'a.js': `import './b.js';`,
    'b.js': `import './a.js';`,
    'c.js': `import '#none';`,
  });
  const pack = (/** @type {string} */ entry) =>
    packModules({ root, target: path.join(root, 'files'), entries: [entry] });
  t.throws(() => pack('a.js'), { message: 'a.js imports itself by way of a.js, b.js' });
  t.throws(() => pack('c.js'), { message: 'c.js: #none is not among the imports of package.json' });
});

test.serial(
  'the drawing process runs from a pack, and from the sources when one has changed',
  async t => {
    const root = path.join(import.meta.dirname, '../../..');
    const target = path.join(temporaryDirectory(t), 'files');
    packModules({ root, target, entries: ['stats/draw/serve.js'] });
    const { modules } = open(root, target);
    const { serveJobs } = await modules.load('stats/draw/serve.js');
    t.is(typeof serveJobs, 'function');
    const index = path.join(target, 'index.json');
    const changed = fs.readFileSync(index, 'utf8').replace(/"digest":"./g, '"digest":"x');
    fs.writeFileSync(index, changed.replace(/"packedMs":\d+/, '"packedMs":0'));
    t.is(readPack(root, target), undefined);
  },
);
