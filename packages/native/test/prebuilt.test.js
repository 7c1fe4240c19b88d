// The files that come with the package: made from the sources as they are, each for its own system and processor,
// needing nothing but Node's functions. The one for this machine is loaded by counters.test.js, the one for Linux on
// ARM by test/arm64.test.js.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { hashSources } from '../compile-addon.js';
import { prebuiltDir } from '../load-addon.js';
import { readBinary } from './binary-format.js';

const manifest = JSON.parse(fs.readFileSync(join(prebuiltDir, 'manifest.json'), 'utf8'));
const read = (/** @type {string} */ name) => fs.readFileSync(join(prebuiltDir, name));

const entries = ['napi_register_module_v1', 'node_api_module_get_api_version_v1'];
const isOfNode = (/** @type {string} */ name) => name.startsWith('napi_');

test('the files are made from the sources as they are', t => {
  t.is(
    manifest.sources,
    hashSources(),
    'make them anew: npm run prebuild (packages/native/README.md says how)',
  );
  for (const [name, fingerprint] of Object.entries(manifest.files)) {
    t.is(createHash('sha256').update(read(name)).digest('hex'), fingerprint, name);
  }
  t.deepEqual(
    fs.readdirSync(prebuiltDir).sort(),
    [...Object.keys(manifest.files), 'manifest.json'].sort(),
  );
});

for (const processor of /** @type {const} */ (['x64', 'arm64'])) {
  test(`the file for Linux on ${processor} needs Node's functions and no library, so that any C library will do`, t => {
    const found = readBinary(read(`linux-${processor}.node`));
    t.is(found.format, 'elf');
    t.is(found.processor, processor);
    t.deepEqual(found.offered.sort(), entries);
    t.true(found.needed.length > 10 && found.needed.every(isOfNode), found.needed.join());
    // A program that hides what it has of libuv and V8 can load the file too.
    t.deepEqual(found.wanted?.sort(), [
      '_ZN2v87Isolate10GetCurrentEv',
      '_ZN2v87Isolate16RequestInterruptEPFvPS0_PvES2_',
      'pthread_detach',
      'uv_thread_create',
    ]);
    t.deepEqual(found.libraries, []);
  });

  test(`the file for macOS on ${processor} needs Node's functions and the system's library`, t => {
    const found = readBinary(read(`darwin-${processor}.node`));
    t.is(found.format, 'mach-o');
    t.is(found.processor, processor);
    const ofLinker = ['__dso_handle', '_mh_dylib_header'];
    t.deepEqual(found.offered.filter(name => !ofLinker.includes(name)).sort(), entries);
    t.true(found.needed.length > 10);
    t.deepEqual(
      found.needed.filter(name => !isOfNode(name) && name !== 'dyld_stub_binder'),
      [],
    );
    t.deepEqual(
      found.libraries.filter(name => name !== '/usr/lib/libSystem.B.dylib'),
      [],
    );
    // Apple's processors run nothing that is not.
    if (processor === 'arm64') t.true(found.isSigned);
  });
}

test('the file for Windows on x64 needs the system alone, and finds Node in the program that loads it', t => {
  const found = readBinary(read('win32-x64.node'));
  t.is(found.format, 'pe');
  t.is(found.processor, 'x64');
  t.deepEqual(found.offered.sort(), entries);
  t.deepEqual(found.libraries, ['KERNEL32.dll']);
  t.true(found.needed.includes('GetProcAddress'));
  t.false(found.needed.some(isOfNode));
});

test('all of them together are small', t => {
  const bytes = Object.keys(manifest.files).reduce((sum, name) => sum + read(name).length, 0);
  t.true(bytes < 150_000, `${bytes} bytes`);
});
