// Caches compiled modules by the content of their source: in memory for this process, in a folder for later ones. The
// folder may be deleted at any time; a file that is unreadable or damaged is compiled again without a notice. A folder
// to which another user could write is not used (cache-dir.js). A file
// holds the SHA-256 of key and content in hexadecimal digits, a line break, and the content.

import { createHash } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { mayHavePower, mayHaveTagged } from '../evaluation/index.js';
import { makePrivateFolder } from './cache-dir.js';
import { compileModule } from './compile-module.js';

/** @import { CompiledModule, CompileOptions } from './compile-module.js' */

/** Part of each key: increase it with any change of compile-module.js that changes its output. */
const compileVersion = 9;

/** Modules kept in memory; a run uses a few dozen. */
const maxKept = 10_000;

const digestCharacters = 64;

/** @type {Map<string, CompiledModule>} */
const kept = new Map();

/** @type {string | undefined} */
let compilerId;
const provideCompilerId = () => {
  // Read package.json only: importing the package loads Babel.
  compilerId ??= `${compileVersion} ${createRequire(import.meta.url)('@endo/module-source/package.json').version}`;
  return compilerId;
};

/** @param {string} source */
const cacheKey = source =>
  createHash('sha256').update(`${provideCompilerId()}\n${source}`).digest('hex');

/** @param {string} key @param {string} content */
const digestOf = (key, content) =>
  createHash('sha256').update(`${key}\n`).update(content).digest('hex');

/** Whether a folder can be used as a cache, by its path. @type {Map<string, boolean>} */
const usable = new Map();

/** @param {string} folder */
const isUsable = folder => {
  let found = usable.get(folder);
  if (found === undefined) {
    try {
      makePrivateFolder(folder);
      found = true;
    } catch {
      found = false;
    }
    usable.set(folder, found);
  }
  return found;
};

/** @param {string} path @param {string} key @returns {CompiledModule | undefined} */
const readCompiled = (path, key) => {
  try {
    // Reading a pipe would never end.
    if (!statSync(path).isFile()) return undefined;
    const text = readFileSync(path, 'utf8');
    const content = text.slice(digestCharacters + 1);
    if (text.slice(0, digestCharacters) !== digestOf(key, content)) return undefined;
    return JSON.parse(content);
  } catch {
    return undefined;
  }
};

/**
 * Write a draft and rename it, so that no other process reads a partial file.
 *
 * @param {string} path
 * @param {string} key
 * @param {CompiledModule} compiled
 */
const writeCompiled = (path, key, compiled) => {
  const draft = `${path}.${process.pid}.draft`;
  try {
    const content = JSON.stringify(compiled);
    writeFileSync(draft, `${digestOf(key, content)}\n${content}`);
    renameSync(draft, path);
  } catch {
    // Without a writable folder, modules are compiled again in each process.
  }
};

/** @param {string} key @param {CompiledModule} compiled */
const keep = (key, compiled) => {
  if (kept.size >= maxKept) kept.clear();
  kept.set(key, compiled);
};

/** Clear the cache in memory, for tests and measurements of a cold start. */
export const forgetCompiled = () => kept.clear();

/**
 * @param {string} source
 * @param {string} shownFile  names the file in messages
 * @param {string} [cacheDir]  default: no cache on disk
 * @param {CompileOptions} [options]
 * @returns {Promise<CompiledModule>}
 */
export const provideCompiled = async (
  source,
  shownFile,
  cacheDir,
  { isGuarded = true, isCommonJs = false } = {},
) => {
  // Where nothing is rewritten, both forms are one.
  const hasGuard = isGuarded || !(mayHavePower(source) || mayHaveTagged(source));
  // No module begins so, since it would not parse.
  const form = `${hasGuard ? '' : 'without guard\n'}${isCommonJs ? 'as CommonJS\n' : ''}`;
  const key = cacheKey(form + source);
  const known = kept.get(key);
  if (known) return known;
  const folder = cacheDir === undefined ? undefined : join(cacheDir, 'modules');
  const path = folder !== undefined && isUsable(folder) && join(folder, `${key}.json`);
  const found = path && readCompiled(path, key);
  if (found) {
    keep(key, found);
    return found;
  }
  const compiled = await compileModule(source, shownFile, { isGuarded: hasGuard, isCommonJs });
  keep(key, compiled);
  if (path) writeCompiled(path, key, compiled);
  return compiled;
};
