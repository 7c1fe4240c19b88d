// node scripts/make-kernel-package.js DIR
//
// Makes the package swingset-kernel in DIR: the same tree without the command line and what draws. Which folders are in it
// follows from what its entries import, and its dependencies from what these folders import. With --no-types it has none.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { collectLibraries } from '../packages/vendored/collect.js';
import { collectCompiler } from './vendor-compiler.js';

const root = path.join(import.meta.dirname, '..');
const name = 'swingset-kernel';

/** Entries that need nothing that draws. */
const entries = [
  '.',
  './testing',
  './internals',
  './reactor',
  './swingset',
  './swing-store',
  './trace',
];

/** Files of the package that are in none of its folders. */
const otherFiles = ['LICENSE', 'SECURITY.md', 'CHANGELOG.md'];

/** The database's library and the compiler (packages/vendored), which git does not know. */
const vendoredFolders = ['lmdb', 'compiler'].map(each => `packages/vendored/files/${each}`);

/** @type {Record<string, any>} */
const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));

/** @param {string} folder @returns {string[]} the files of the package in it */
const filesOf = folder =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', folder], { cwd: root })
    .toString()
    .trim()
    .split('\n')
    .filter(
      file =>
        !/\/(test|testkit)\//.test(file) && file !== '' && fs.existsSync(path.join(root, file)),
    );

/** The imports of a module: names of folders (`#host`) and of packages. @param {string} file */
const importsOf = file => {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  const found = text.matchAll(
    /(?:^|[\s;])(?:import|export)\b[^;'"]*?['"]([^'"\n]+)['"]|(?:import|require|resolve)\(\s*['"]([^'"\n]+)['"]\s*\)/gm,
  );
  return [...found].map(([, declared, called]) => declared ?? called);
};

/** @param {string} specifier  `#host/calls.js` @returns {string} `packages/host` */
const folderOf = specifier => {
  const [folder] = specifier.slice(1).split('/');
  return `packages/${folder}`;
};

/**
 * The folders that the entries need, and the packages that these need.
 *
 * @param {string[]} first  folders
 */
const findClosure = first => {
  /** @type {Map<string, string[]>} */
  const folders = new Map();
  /** @type {Set<string>} */
  const packages = new Set();
  const queue = [...first];
  for (const folder of queue) {
    if (folders.has(folder)) continue;
    const files = filesOf(folder);
    // The pattern also finds other texts that begin with a sign of number.
    if (files.length === 0) continue;
    folders.set(folder, files);
    for (const specifier of files.filter(file => file.endsWith('.js')).flatMap(importsOf)) {
      if (/^#[a-z-]+(\/|$)/.test(specifier)) queue.push(folderOf(specifier));
      const library = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';
      if (library in manifest.dependencies) packages.add(library);
    }
  }
  return { folders, packages };
};

/** @param {Record<string, any>} all @param {(key: string, value: any) => boolean} isKept */
const pick = (all, isKept) =>
  Object.fromEntries(Object.entries(all).filter(([key, value]) => isKept(key, value)));

/**
 * @param {string} target
 * @param {boolean} withTypes
 */
const makePackage = (target, withTypes) => {
  const chosen = pick(manifest.exports, key => entries.includes(key));
  const first = Object.values(chosen).map(({ default: file }) =>
    file.split('/').slice(1, 3).join('/'),
  );
  const { folders, packages } = findClosure(first);

  fs.rmSync(target, { recursive: true, force: true });
  for (const file of [...[...folders.values()].flat(), ...otherFiles]) {
    fs.cpSync(path.join(root, file), path.join(target, file));
  }
  for (const folder of vendoredFolders)
    fs.cpSync(path.join(root, folder), path.join(target, folder), { recursive: true });
  fs.copyFileSync(path.join(root, 'packages/embed/README.md'), path.join(target, 'README.md'));
  if (withTypes) {
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const args = ['-p', 'tsconfig.build.json', '--outDir', path.join(target, 'types')];
    execFileSync(process.execPath, [tsc, ...args], { cwd: root, stdio: 'inherit' });
    for (const part of ['stats', 'runner', 'packages/diagram']) {
      fs.rmSync(path.join(target, 'types', part), { recursive: true, force: true });
    }
  }
  const isInside = (/** @type {string} */ key) => folders.has(folderOf(key));
  const { version, license, author, type, engines } = manifest;
  const { optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
  const made = {
    ...{ name, version },
    description: 'A kernel for deterministic concurrency in JavaScript, for programs that embed it',
    keywords: manifest.keywords,
    ...{ license, author, type, engines },
    exports: { ...chosen, './package.json': './package.json' },
    imports: pick(manifest.imports, isInside),
    dependencies: pick(manifest.dependencies, key => packages.has(key)),
    ...{ optionalDependencies, peerDependencies, peerDependenciesMeta },
  };
  fs.writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(made, null, 2)}\n`);
};

const [target, flag] = process.argv.slice(2);
if (target === undefined || (flag !== undefined && flag !== '--no-types')) {
  console.error('usage: node scripts/make-kernel-package.js DIR [--no-types]');
  process.exit(2);
}
collectLibraries();
collectCompiler();
makePackage(path.resolve(target), flag === undefined);
