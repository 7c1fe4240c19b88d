// Bundles that a host program installs during a run.

import { fileURLToPath } from 'node:url';
import bundleSource from '@endo/bundle-source';
import test from 'ava';

import { buildVatController } from '../index.js';

const bare = fileURLToPath(new URL('fixtures/undeclared/root.js', import.meta.url));

test('an archive is installed once, under its own id', async t => {
  const c = await buildVatController({});
  t.teardown(c.shutdown);
  const archive = await bundleSource(bare);
  const id = `b1-${archive.endoZipBase64Sha512}`;
  t.is(await c.validateAndInstallBundle(archive), id);
  t.is(await c.validateAndInstallBundle(archive, id), id);
  await t.throwsAsync(c.validateAndInstallBundle(archive, 'b1-00'), {
    message: /^alleged bundleID "b1-00" does not match actual "b1-/,
  });
});

test('a bundle without a hash of its own is refused, as in SwingSet', async t => {
  const c = await buildVatController({});
  t.teardown(c.shutdown);
  const archive = await bundleSource(bare);
  for (const [bundle, message] of /** @type {[any, string | RegExp][]} */ ([
    [
      { moduleFormat: 'nestedEvaluate', source: 'x' },
      'the bundle has the module format "nestedEvaluate"; validateAndInstallBundle takes "endoZipBase64", which bundleSource() makes',
    ],
    [{ moduleFormat: 'getExport', source: 'x' }, /module format "getExport"/],
    [{}, /module format undefined/],
    [undefined, 'the bundle must be what bundleSource() makes, got undefined'],
    [
      { moduleFormat: 'endoZipBase64', endoZipBase64: archive.endoZipBase64 },
      `the bundle's "endoZipBase64Sha512" must be a string, as bundleSource() makes it, got undefined`,
    ],
    [
      { ...archive, more: 1 },
      'the bundle has the field "more"; it has "moduleFormat", "endoZipBase64", "endoZipBase64Sha512"',
    ],
    [{ ...archive, endoZipBase64Sha512: '00' }, /^the bundle was changed after it was made/],
  ]))
    await t.throwsAsync(c.validateAndInstallBundle(bundle), { message });
});
