// Makes a folder in which Endo's test files are sources of vats: copies of its packages, with a test runner for vats in place of
// `ava`. The checkout stays as it is.
//
// Tests import their package by path (`../src/marshal.js`). If the system provides the package to vats with all names that a
// file imports, the copy imports the provided module, so ours is tested. Otherwise it imports Endo's, which runs on ours.

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { loadVatShims } from '#vat';

/** Packages whose tests are run. */
export const testedPackages = ['marshal', 'pass-style', 'eventual-send', 'exo', 'patterns'];

const shims = await loadVatShims(testedPackages.map(name => `@endo/${name}`));

/** @param {string} packageName @param {readonly string[]} names */
const isProvided = (packageName, names) => {
  const shim = shims[packageName];
  return shim !== undefined && names.every(name => Object.hasOwn(shim, name));
};

const namedImport = /import\s*\{([^}]*)\}\s*from\s*'(?:\.\.\/index\.js|\.\.\/src\/[^']*)'/g;

/**
 * @param {string} text  a test file
 * @param {string} packageName
 * @returns {string} the file with imports of our module wherever it has what is imported
 */
export const importOurs = (text, packageName) =>
  text.replaceAll(namedImport, (all, list) => {
    const names = String(list)
      .split(',')
      .map(part => part.trim().split(/\s/)[0])
      .filter(name => name !== '');
    return isProvided(packageName, names) ? `import {${list}} from '${packageName}'` : all;
  });

/** `E` of a package that has none beneath it. */
const ourEventualSend = "export { E, HandledPromise } from '@endo/eventual-send';\n";

/** @param {string} file */
const readFixture = file =>
  readFileSync(new URL(`../../test/fixtures/endo-tests/${file}`, import.meta.url), 'utf8');

/** The package that has globals of Node. */
const realmName = 'realm-of-node';

/**
 * The text of a module with the globals of Node that it uses, and that vats lack. Lines stay.
 *
 * @param {string} text
 */
const withRealm = text => {
  const names = ['process', 'Date', 'Math', 'Float32Array', 'Float64Array'].filter(name =>
    new RegExp(`\\b${name}\\b`).test(text),
  );
  return names.length === 0
    ? text
    : `import { ${names.join(', ')} } from '${realmName}'; ${text.replaceAll('globalThis.process', 'process')}`;
};

/** Files, beside tests, that use such globals: those of packages, and of what is installed for tests. */
const filesWithRealm = [
  'packages/marshal/tools',
  'node_modules/fast-check/lib/esm/arbitrary/_internals/helpers',
  'node_modules/fast-check/lib/esm/check/runner/configuration',
];

/** It reads options of a global object, of which vats have only a frozen one. */
const optionsFile = 'packages/env-options/src/env-options.js';

/** Packages in the place of those that test files import for `ava` and for the realm. @type {Record<string, Record<string, string>>} */
const standIns = {
  ava: { 'index.js': readFixture('harness.js') },
  [realmName]: { 'index.js': readFixture('realm.js') },
  '@endo/ses-ava': {
    'index.js': "export { default as wrapTest } from 'ava';\n",
    'test.js': "export { default } from 'ava';\n",
    'prepare-endo.js': "export { default } from 'ava';\n",
  },
};

/** @param {string} folder @param {string} name */
const writeStandIn = (folder, name) => {
  const place = join(folder, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  const manifest = { name, version: '0.0.0', type: 'module', main: 'index.js' };
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
  for (const [file, text] of Object.entries(standIns[name])) writeFileSync(join(place, file), text);
};

const isSource = (/** @type {string} */ path) => basename(path) !== 'node_modules';

/**
 * @param {string} folder  the new one
 * @param {string} endo  the checkout
 */
const copyPackages = (folder, endo) => {
  mkdirSync(join(folder, 'node_modules/@endo'), { recursive: true });
  for (const name of readdirSync(join(endo, 'packages'))) {
    const from = join(endo, 'packages', name);
    if (!existsSync(join(from, 'package.json')) || name === 'ses-ava') continue;
    const to = join(folder, 'packages', name);
    mkdirSync(to, { recursive: true });
    for (const entry of readdirSync(from)) {
      if (/\.(js|json)$/.test(entry) || ['src', 'tools'].includes(entry))
        cpSync(join(from, entry), join(to, entry), { recursive: true, filter: isSource });
    }
    symlinkSync(to, join(folder, 'node_modules/@endo', name));
  }
};

/**
 * @param {string} folder
 * @param {string} endo
 */
const linkInstalled = (folder, endo) => {
  const installed = join(endo, 'node_modules');
  if (!existsSync(installed)) return;
  mkdirSync(join(folder, 'node_modules/@fast-check'), { recursive: true });
  for (const name of ['fast-check', 'pure-rand', '@fast-check/ava']) {
    if (existsSync(join(installed, name)))
      cpSync(join(installed, name), join(folder, 'node_modules', name), {
        recursive: true,
        dereference: true,
      });
  }
};

/** @param {string} folder  whose packages are copied */
const giveRealm = folder => {
  const rewrite = (/** @type {string} */ file, /** @type {(text: string) => string} */ change) => {
    if (existsSync(file)) writeFileSync(file, change(readFileSync(file, 'utf8')));
  };
  for (const part of filesWithRealm) {
    const place = join(folder, part);
    const files = existsSync(place) ? readdirSync(place) : [];
    for (const file of files.filter(it => it.endsWith('.js')))
      rewrite(join(place, file), withRealm);
  }
  rewrite(join(folder, optionsFile), text =>
    withRealm(
      text.replace(
        'const localThis = globalThis;',
        'const localThis = { __proto__: globalThis, process };',
      ),
    ),
  );
};

/**
 * @param {string} folder
 * @param {string} endo
 * @param {string} name  of a package
 * @returns {string[]} its test files, without their ending
 */
const copyTests = (folder, endo, name) => {
  const [from, to] = [join(endo, 'packages', name, 'test'), join(folder, 'packages', name, 'test')];
  mkdirSync(to, { recursive: true });
  /** @type {string[]} */
  const found = [];
  for (const file of readdirSync(from).sort()) {
    if (!file.endsWith('.js')) continue;
    const text =
      file === '_get-hp.js'
        ? ourEventualSend
        : withRealm(importOurs(readFileSync(join(from, file), 'utf8'), `@endo/${name}`));
    writeFileSync(join(to, file), text);
    if (file.endsWith('.test.js')) found.push(file.slice(0, -'.test.js'.length));
  }
  return found;
};

/** @typedef {{ name: string, configFile: string }} TestFile  of a vat that runs it */

/**
 * @param {string} endo  a checkout; its packages need not be installed, but those with `fast-check` are refused then
 * @returns {{ folder: string, files: TestFile[] }} the folder is the caller's to delete
 */
export const makeWorkspace = endo => {
  const folder = mkdtempSync(join(tmpdir(), 'swingset-runner-endo-'));
  copyPackages(folder, endo);
  linkInstalled(folder, endo);
  for (const name of Object.keys(standIns)) writeStandIn(folder, name);
  giveRealm(folder);
  const files = testedPackages.flatMap(name =>
    copyTests(folder, endo, name).map(file => {
      const entry = `packages/${name}/test/vat-${file}.js`;
      writeFileSync(
        join(folder, entry),
        `import './${file}.test.js';\nexport { buildRootObject } from 'ava';\n`,
      );
      const configFile = join(folder, `${name}-${file}.json`);
      const vats = { bootstrap: { sourceSpec: `./${entry}` } };
      writeFileSync(configFile, JSON.stringify({ bootstrap: 'bootstrap', vats }));
      return { name: `${name}/${file}`, configFile };
    }),
  );
  return { folder, files };
};
