// Compiled modules by the content of their source: in memory for this process, in a folder for the next ones. The
// folder may be deleted at any time; what cannot be read or written, or is not what was written, is compiled again, in
// silence. A file is the SHA-256 of key and content, in hexadecimal digits, a line break, and the content.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { compileModule } from './compile-module.js';

/** @import { CompiledModule } from './compile-module.js' */

/** Changed with anything in compile-module.js that changes what it makes. */
const compileVersion = 6;

/** Modules kept in memory; a run uses a few dozen. */
const maxKept = 10_000;

const digestCharacters = 64;

/** @type {Map<string, CompiledModule>} */
const kept = new Map();

/** @type {string | undefined} */
let compilerId;
const provideCompilerId = () => {
  // The package's own file, not the package: importing it loads Babel.
  compilerId ??= `${compileVersion} ${createRequire(import.meta.url)('@endo/module-source/package.json').version}`;
  return compilerId;
};

/** @param {string} source */
const cacheKey = source =>
  createHash('sha256').update(`${provideCompilerId()}\n${source}`).digest('hex');

/** @param {string} key @param {string} content */
const digestOf = (key, content) =>
  createHash('sha256').update(`${key}\n`).update(content).digest('hex');

/** @param {string} path @param {string} key @returns {CompiledModule | undefined} */
const readCompiled = (path, key) => {
  try {
    // (Reading a pipe would wait for ever.)
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
 * Written beside and renamed, so that no other process ever reads half of it.
 *
 * @param {string} folder
 * @param {string} path
 * @param {string} key
 * @param {CompiledModule} compiled
 */
const writeCompiled = (folder, path, key, compiled) => {
  const draft = `${path}.${process.pid}.draft`;
  try {
    mkdirSync(folder, { recursive: true });
    const content = JSON.stringify(compiled);
    writeFileSync(draft, `${digestOf(key, content)}\n${content}`);
    renameSync(draft, path);
  } catch {
    // A folder that cannot be written to costs time, nothing else.
  }
};

/** @param {string} key @param {CompiledModule} compiled */
const keep = (key, compiled) => {
  if (kept.size >= maxKept) kept.clear();
  kept.set(key, compiled);
};

/** For tests and measurements that need a cold start. */
export const forgetCompiled = () => kept.clear();

/**
 * @param {string} source
 * @param {string} shownFile  names the file in messages
 * @param {string} [cacheDir]  without one, nothing is kept on disk
 * @returns {Promise<CompiledModule>}
 */
export const provideCompiled = async (source, shownFile, cacheDir) => {
  const key = cacheKey(source);
  const known = kept.get(key);
  if (known) return known;
  const folder = cacheDir === undefined ? undefined : join(cacheDir, 'modules');
  const path = folder && join(folder, `${key}.json`);
  const found = path && readCompiled(path, key);
  if (found) {
    keep(key, found);
    return found;
  }
  const compiled = await compileModule(source, shownFile);
  keep(key, compiled);
  if (folder && path) writeCompiled(folder, path, key, compiled);
  return compiled;
};
