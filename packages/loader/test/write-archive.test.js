// Archives that are made of bundles of ours: Endo's own reader and ours import them, and equal sources make equal archives.

import '#testkit/lockdown.js';
import test from 'ava';
import fc from 'fast-check';
import { importArchive } from '@endo/compartment-mapper/import-archive.js';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeZip } from '#config';
import { readZip } from '#config/read-zip.js';
import { adoptBundle, bundleVat, importBundle } from '../bundle/index.js';
import { forgetCompiled } from '../bundle/compiled-cache.js';
import { writeArchive } from '../bundle/write-archive.js';
import { cacheDir, writeFiles } from './bundle-sources.js';

const packageFile = (/** @type {string} */ name, /** @type {object} */ more = {}) =>
  JSON.stringify({ name, version: '1.2.3', type: 'module', ...more });

const files = {
  'package.json': packageFile('mine', { exports: { './two.js': './src/two.js' } }),
  'src/deep/vat-x.js': `import { two } from '../two';
import data from '../../data.json';
import helper, { count, up } from '@scope/helper';
import * as other from 'other/lib/extra.js';
export * from '../../more.js';
export const run = () => { up(); return [two ** 3, data.n, helper(2), count, other.extra, 'eval(x) and import(y)']; };
`,
  'src/two.js': 'export const two = 2; // <!-- import("x")',
  'more.js': "export { two as again } from './src/two.js';",
  'data.json': '{"n":21}',
  'node_modules/@scope/helper/package.json': packageFile('@scope/helper', { main: 'index.js' }),
  'node_modules/@scope/helper/index.js':
    "import { extra } from 'other/lib/extra.js'; export let count = 0; export const up = () => { count += 1; }; export default n => [n, extra];",
  'node_modules/@scope/helper/node_modules/other/package.json': packageFile('other'),
  'node_modules/@scope/helper/node_modules/other/lib/extra.js':
    "export { extra } from '../base.js';",
  'node_modules/@scope/helper/node_modules/other/base.js': "export const extra = 'inner';",
  'node_modules/other/package.json': packageFile('other'),
  'node_modules/other/lib/extra.js': "export { extra } from '../base.js';",
  'node_modules/other/base.js': "export const extra = 'outer';",
};

const expected = [8, 21, [2, 'inner'], 1, 'outer', 'eval(x) and import(y)'];

/** @param {string} folder */
const archiveOf = async folder => {
  const { bundle } = await bundleVat(join(folder, 'src/deep/vat-x.js'), {
    ...{ cacheDir, provided: new Set(), sourceRoots: [folder] },
  });
  return writeArchive(bundle);
};

test('an archive has the modules of its bundle, for our reader', async t => {
  const archive = await archiveOf(writeFiles(files));
  const { namespace } = await importBundle(adoptBundle(archive, 'it'), { name: 'x', cacheDir });
  t.deepEqual(namespace.run(), expected);
  t.is(namespace.again, 2);
});

test("Endo's reader imports it", async t => {
  const { endoZipBase64 } = await archiveOf(writeFiles(files));
  const bytes = new Uint8Array(Buffer.from(endoZipBase64, 'base64'));
  /** @type {any} */
  const { namespace } = await importArchive(async () => bytes, 'it.zip', {});
  t.deepEqual(namespace.run(), expected);
});

test('equal sources in other folders make the same archive', async t => {
  const [left, right] = await Promise.all([
    archiveOf(writeFiles(files)),
    archiveOf(writeFiles(files)),
  ]);
  t.deepEqual(left, right);
  const changed = { ...files, 'src/two.js': 'export const two = 3;' };
  t.not((await archiveOf(writeFiles(changed))).endoZipBase64Sha512, left.endoZipBase64Sha512);
});

// Other tests of this file compile the same sources.
test.serial('an archive is made of cached modules, with powers as they are written', async t => {
  const folder = writeFiles(files);
  const own = join(folder, 'cache');
  const { bundle } = await bundleVat(join(folder, 'src/deep/vat-x.js'), {
    ...{ cacheDir: own, provided: new Set(), sourceRoots: [folder] },
  });
  const imports = async (/** @type {object} */ archive) =>
    (await importBundle(adoptBundle(archive, 'it'), { name: 'x' })).namespace.run();
  forgetCompiled();
  const first = await writeArchive(bundle, own);
  t.deepEqual(await imports(first), expected);
  // A vat of the bundle has another form of the module with the power.
  await importBundle(bundle, { name: 'x', cacheDir: own });
  const modules = join(own, 'modules');
  const texts = new Map(
    readdirSync(modules).map(name => [name, readFileSync(join(modules, name), 'utf8')]),
  );
  const powers = [...texts.values()].filter(text => text.includes('data.n'));
  t.deepEqual(powers.map(text => text.includes('two ** 3')).sort(), [false, true]);
  for (const [name, text] of texts) {
    const content = text
      .slice(text.indexOf('\n') + 1)
      .replace("extra = 'outer'", "extra = 'cached'");
    const digest = createHash('sha256').update(`${name.replace('.json', '')}\n${content}`);
    writeFileSync(join(modules, name), `${digest.digest('hex')}\n${content}`);
  }
  forgetCompiled();
  t.deepEqual(
    await imports(await writeArchive(bundle, own)),
    expected.map(value => (value === 'outer' ? 'cached' : value)),
  );
  forgetCompiled();
});

test('what is provided to vats alone cannot be in an archive', async t => {
  const folder = writeFiles({ 'vat-x.js': "import { Far } from '@endo/far'; export { Far };" });
  const { bundle } = await bundleVat(join(folder, 'vat-x.js'), { cacheDir });
  await t.throwsAsync(writeArchive(bundle), {
    message: '"./vat-x.js" imports "@endo/far", which is not installed',
  });
});

test('a written ZIP archive is read again', t => {
  const name = fc.string({ minLength: 1, maxLength: 12 }).filter(text => text.isWellFormed());
  const content = fc.string({ unit: 'binary' }).filter(text => text.isWellFormed());
  fc.assert(
    fc.property(fc.dictionary(name, content, { noNullPrototype: true }), written => {
      const read = readZip(Buffer.from(writeZip(new Map(Object.entries(written)))), 'it');
      t.deepEqual(
        Object.fromEntries([...read].map(([file, bytes]) => [file, bytes.toString()])),
        written,
      );
    }),
    { numRuns: 100 },
  );
});
