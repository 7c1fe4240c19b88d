// Copies the built scripts of the libraries, with their licences, from node_modules to files/. It runs when the package
// is made (`npm run vendor`), and in a checkout when files/ is missing. Each file is replaced in one step, since
// several processes may do this at the same time.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { bundleModules } from './bundle-modules.js';
import { database, libraries } from './libraries.js';

/** @import { Library } from './libraries.js' */

const root = path.join(import.meta.dirname, '../..');
const target = path.join(import.meta.dirname, 'files');

/** @param {string} name */
const placeOf = name => path.join(root, 'node_modules', name);

/** @param {string} name */
const isInstalled = name => fs.existsSync(placeOf(name));

/** @param {string} name */
const folderOf = name => {
  if (isInstalled(name)) return placeOf(name);
  throw Error(`the package "${name}" is not installed; run npm ci in the checkout`);
};

/**
 * Write a file of `files/`, in one step.
 *
 * @param {string} name
 * @param {string} text
 */
export const writeFile = (name, text) => {
  const file = path.join(target, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, text);
  fs.renameSync(draft, file);
};

/** @param {string} name  of an installed package */
export const readManifest = name =>
  JSON.parse(fs.readFileSync(path.join(folderOf(name), 'package.json'), 'utf8'));

/**
 * The package and all its dependencies, which its built script may contain.
 *
 * @param {string} name
 * @param {Set<string>} [found]
 */
const findClosure = (name, found = new Set()) => {
  if (found.has(name) || !isInstalled(name)) return found;
  found.add(name);
  for (const next of Object.keys(readManifest(name).dependencies ?? {})) findClosure(next, found);
  return found;
};

/** @param {string} name */
const readLicence = name => {
  const folder = folderOf(name);
  const file = fs.readdirSync(folder).find(each => /^licen[cs]e/i.test(each));
  return file === undefined ? '' : fs.readFileSync(path.join(folder, file), 'utf8').trim();
};

/**
 * Write the licences of libraries and of all that they need, each text once.
 *
 * @param {string} file
 * @param {Library[]} all
 */
export const writeLicences = (file, all) => {
  /** @type {Map<string, string[]>} */
  const byText = new Map();
  for (const name of new Set(all.flatMap(each => [...findClosure(each.package)]))) {
    const { version, license } = readManifest(name);
    const home = all.find(each => each.package === name)?.home;
    const line = `${name} ${version}, ${license}${home === undefined ? '' : `, sources: ${home}`}`;
    const text = readLicence(name);
    byText.set(text, [...(byText.get(text) ?? []), line]);
  }
  const notices = [...byText].map(([text, lines]) => `${lines.join('\n')}\n\n${text}\n`);
  writeFile(file, notices.join(`\n${'-'.repeat(80)}\n\n`));
};

/** In a folder that is named as its package: by this name its binary is found. */
const collectDatabase = () => {
  const { package: name, absent } = database;
  const entry = createRequire(import.meta.url).resolve(name);
  writeFile(`${name}/${name}.cjs`, bundleModules(entry, { absent }));
  const { version } = readManifest(name);
  writeFile(`${name}/package.json`, `${JSON.stringify({ name, version })}\n`);
  writeLicences(`${name}/LICENSES.txt`, [{ package: name, source: '' }]);
};

export const collectLibraries = () => {
  fs.mkdirSync(target, { recursive: true });
  /** @type {[string, Library][]} */
  const all = Object.entries(libraries);
  for (const [name, { package: packageName, source, changes = [] }] of all) {
    let text = fs.readFileSync(path.join(folderOf(packageName), source), 'utf8');
    for (const [from, to] of changes) {
      if (!text.includes(`require(${from})`)) throw Error(`${source} does not require ${from}`);
      text = text.replaceAll(`require(${from})`, `require(${to})`);
    }
    // A map that is not there is looked for by debuggers.
    writeFile(`${name}.cjs`, text.replace(/^\/\/# sourceMappingURL=.*$/m, ''));
  }
  writeLicences('LICENSES.txt', Object.values(libraries));
  collectDatabase();
};
