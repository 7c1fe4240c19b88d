// Prepares the modules of an archive (`endoZipBase64`) for a compartment. Source modules are compiled like a vat's own;
// modules that the archive's maker compiled are checked like any text that a vat evaluates.

import { openArchive } from '#config';
import { quote, UserError } from '#model';
import { makeGuard } from '../evaluation/index.js';
import { provideCompiled } from './compiled-cache.js';
import { provideTextCache } from './text-cache.js';
import { withoutImport } from './without-import.js';

/** @import { BundledModule, ForeignBundle } from '#config/bundle-format.js' */
/** @import { ArchivedType } from '#config/endo-archive.js' */
/** @import { CompiledModule } from './compile-module.js' */

/** @param {unknown} value @returns {value is string[]} */
const isTexts = value => Array.isArray(value) && value.every(text => typeof text === 'string');

/** @param {unknown} value @param {(entry: any) => boolean} isEntry */
const isMapOf = (value, isEntry) =>
  value === undefined ||
  (typeof value === 'object' && value !== null && Object.values(value).every(isEntry));

/** @param {any} record */
const isRecord = record =>
  typeof record === 'object' &&
  record !== null &&
  [record.imports, record.exports, record.reexports ?? []].every(isTexts) &&
  typeof record.__syncModuleProgram__ === 'string' &&
  isMapOf(
    record.__liveExportMap__,
    pair => Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'boolean',
  ) &&
  isMapOf(record.__fixedExportMap__, isTexts) &&
  isMapOf(record.__reexportMap__, pairs => Array.isArray(pairs) && pairs.every(isTexts));

/** @param {string} text @param {string} shown @returns {any} */
const parseRecord = (text, shown) => {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new UserError(`${shown} is not a compiled module: it is not JSON`);
  }
};

/**
 * @param {string} program
 * @param {string} shown
 * @param {string | undefined} cacheDir
 */
const guard = (program, shown, cacheDir) => {
  try {
    return makeGuard(provideTextCache(cacheDir))(program);
  } catch (error) {
    throw new UserError(`${shown}: ${/** @type {Error} */ (error).message}`, { cause: error });
  }
};

/** @param {any} record  checked @param {string} specifier @returns {string[]} */
const reexported = ({ __reexportMap__: map = {} }, specifier) =>
  Object.hasOwn(map, specifier)
    ? map[specifier].flatMap((/** @type {string[]} */ pair) => pair.slice(0, 1))
    : [];

/**
 * @param {any} record  checked
 * @param {string} program
 * @returns {CompiledModule}
 */
const describeModule = (record, program) => ({
  imports: record.imports.map((/** @type {string} */ specifier) => ({
    // The names of plain imports stand in the program alone.
    ...{ specifier, names: reexported(record, specifier), line: 1, all: false },
  })),
  exports: record.exports,
  reexports: record.reexports ?? [],
  program,
  liveExportMap: record.__liveExportMap__ ?? {},
  fixedExportMap: record.__fixedExportMap__ ?? {},
  reexportMap: record.__reexportMap__ ?? {},
  needsImportMeta: record.__needsImportMeta__ === true,
  canQueueJobs: true,
  unknownNames: [],
  unawaited: [],
  early: { uses: [], passedOn: {} },
  importCalls: [],
});

/**
 * Read a module that `@endo/module-source` compiled.
 *
 * @param {string} text  JSON
 * @param {string} shown  names the module in messages
 * @param {string} [cacheDir]
 * @returns {CompiledModule}
 */
const readCompiled = (text, shown, cacheDir) => {
  const record = parseRecord(text, shown);
  if (!isRecord(record)) throw new UserError(`${shown} is not a compiled module: it lacks a part`);
  return describeModule(record, guard(withoutImport(record, shown), shown, cacheDir));
};

/**
 * Read a CommonJS module that a bundler analysed: its links, and the function that it became.
 *
 * @param {string} text  JSON
 * @param {string} shown  names the module in messages
 * @param {string} [cacheDir]
 * @returns {CompiledModule}
 */
const readCommonJs = (text, shown, cacheDir) => {
  const record = parseRecord(text, shown);
  const parts = [record.imports, record.exports, record.reexports ?? []];
  if (typeof record.source !== 'string' || !parts.every(isTexts))
    throw new UserError(`${shown} is not a compiled module: it lacks a part`);
  return describeModule(record, guard(record.source, shown, cacheDir));
};

/** Readers of what a bundler has made. @type {Partial<Record<ArchivedType, typeof readCompiled>>} */
const readers = { compiled: readCompiled, 'compiled-cjs': readCommonJs };

/**
 * The file of an import; undefined if a CommonJS module requires what the archive lacks.
 *
 * @param {(specifier: string) => string} resolve
 * @param {string} specifier
 * @param {boolean} isCommonJs
 */
const findImport = (resolve, specifier, isCommonJs) => {
  try {
    return resolve(specifier);
  } catch (error) {
    if (isCommonJs && UserError.is(error)) return undefined;
    throw error;
  }
};

/**
 * @param {string} id  of the bundle
 * @param {ForeignBundle} foreign
 * @param {string | undefined} cacheDir
 * @returns {Promise<{ entry: string, modules: Record<string, BundledModule>, compiled: Record<string, CompiledModule> }>}
 * @throws {UserError} if a module is damaged or refused, or imports a missing module
 */
export const compileArchive = async (id, foreign, cacheDir) => {
  const what = `bundle ${quote(id)}`;
  const archive = openArchive(foreign, what);
  /** @type {Record<string, BundledModule>} */
  const modules = {};
  /** @type {Record<string, CompiledModule>} */
  const compiled = {};
  for (const [key, { source, type, resolve }] of Object.entries(archive.modules)) {
    // A record without a prototype, since an import may be called `__proto__`.
    /** @type {Record<string, string>} */
    const imports = Object.create(null);
    if (type === 'json') {
      modules[key] = { source, type, imports };
      continue;
    }
    const shown = `${what}: ${quote(key)}`;
    const isCommonJs = type === 'cjs' || type === 'compiled-cjs';
    const read = readers[type];
    const module =
      read?.(source, shown, cacheDir) ??
      (await provideCompiled(source, shown, cacheDir, { isCommonJs }));
    for (const { specifier } of module.imports) {
      const target = findImport(resolve, specifier, isCommonJs);
      if (target !== undefined) imports[specifier] = target;
    }
    modules[key] = { source, type: isCommonJs ? 'cjs' : 'js', imports };
    compiled[key] = module;
  }
  return { entry: archive.entry, modules, compiled };
};
