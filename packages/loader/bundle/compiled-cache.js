// Caches compiled modules by the content of their source: in memory for this process, in a folder for later ones
// (cache-files.js).

import { createHash } from 'node:crypto';
import { readCompilerVersions } from '#vendored/compiler.js';
import { mayHavePower, mayHaveTagged } from '../evaluation/index.js';
import { makeCacheFiles } from './cache-files.js';
import { compileModule } from './compile-module.js';

/** @import { CompiledModule, CompileOptions } from './compile-module.js' */

/** Part of each key: increase it with any change of compile-module.js that changes its output or what it refuses. */
const compileVersion = 16;

/** Modules kept in memory; a run uses a few dozen. */
const maxKept = 10_000;

/** Compiled modules by their sources, by form. @type {Map<string, Map<string, CompiledModule>>} */
const forms = new Map();

/** @param {string} form  how a source is compiled */
const provideKept = form => {
  let kept = forms.get(form);
  if (kept === undefined) {
    kept = new Map();
    forms.set(form, kept);
  }
  return kept;
};

/** @type {string | undefined} */
let compilerId;
const provideCompilerId = () => {
  compilerId ??= `${compileVersion} ${readCompilerVersions().moduleSource}`;
  return compilerId;
};

/** As UTF-16, which has a code for half a surrogate pair, too. @param {string} source */
const cacheKey = source =>
  createHash('sha256').update(`${provideCompilerId()}\n`).update(source, 'utf16le').digest('hex');

/** Clear the cache in memory, for tests and measurements of a cold start. */
export const forgetCompiled = () => forms.clear();

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
  const kept = provideKept(form);
  const known = kept.get(source);
  if (known) return known;
  const files = makeCacheFiles(cacheDir, 'modules');
  const key = files && cacheKey(form + source);
  const found = key && files.find(key);
  const compiled =
    found ?? (await compileModule(source, shownFile, { isGuarded: hasGuard, isCommonJs }));
  if (key && !found) files.keep(key, compiled);
  if (kept.size >= maxKept) kept.clear();
  kept.set(source, compiled);
  return compiled;
};
