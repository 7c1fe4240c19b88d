// Makes a bundle from a vat's source file: it walks the graph of imports in the order in which they are written. Every
// file is read and compiled (usually from the cache), so each mistake in a source is an error here, with its file and
// line.

import { realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { quote, UserError } from '#model';

import {
  completePath,
  describeNoFile,
  findPackage,
  isFile,
  readTextFile,
  makeBundle,
  makeSourceBounds,
  parseJson,
  resolveBare,
  shimPrefix,
  showPath,
} from '#config';
import { looksCommonJs } from './commonjs.js';
import { provideCompiled } from './compiled-cache.js';
import { isTypeScript, stripTypes } from './strip-types.js';
import { isBuiltin, isWhole, providedModules, hintForMissing } from './provided-modules.js';
import { describeShortImport, describeSlips, describeTooEarly } from './source-notices.js';

/** @import { CompiledModule, ModuleImport } from './compile-module.js' */
/** @import { ProvidedNames } from './provided-modules.js' */
/** @import { SourceBounds } from '#config/source-bounds.js' */
/** @import { Bundle, BundledModule } from '#config/bundle-format.js' */

/** Bound on the files of a vat; one with more has probably imported code that is not meant for vats. */
const maxModules = 5_000;

/**
 * @typedef {object} BundledVat
 * @property {Bundle} bundle  the same on every machine
 * @property {Record<string, string>} sourceUrls  URL of each module's file by its key, for stacks and breakpoints
 * @property {string[]} notices  lines for the author, on files that are not of packages
 * @property {true} isMade
 */

/**
 * @typedef {object} BundleOptions
 * @property {string} [cacheDir]
 * @property {ReadonlySet<string>} [provided]  names of the modules that the vat gets from the runner
 * @property {ProvidedNames} [providedNames]  what these export: one that lacks a name gives way to the installed package.
 *   By default all are taken to be whole
 * @property {Iterable<string>} [sourceRoots]  directories and files that may be imported from, beside the vat's own
 *   directory and its packages
 */

/** @param {string} path */
const isRelative = path =>
  path.startsWith('./') || path.startsWith('../') || path === '.' || path === '..';

/**
 * The names that a module imports, by specifier.
 *
 * @param {readonly ModuleImport[]} imports
 */
const collectNames = imports => {
  /** @type {Map<string, string[]>} */
  const collected = new Map();
  for (const { specifier, names, all } of imports) {
    const known = collected.get(specifier) ?? [];
    collected.set(specifier, [...known, ...names, ...(all ? ['*'] : [])]);
  }
  return collected;
};

/** Provided modules whose scalar stores take no shapes; a vat that imports patterns may have shapes. */
const modulesOfStores = new Set(['@agoric/store', '@agoric/vat-data']);

/** @param {readonly string[]} names */
const namesStore = names => names.some(name => /^makeScalar(?:Weak)?(?:Map|Set)Store$/.test(name));

/** Whether a module has patterns. @param {ReadonlyMap<string, readonly string[]>} names  by specifier */
const namesPatterns = names =>
  names.has('@endo/patterns') || names.get('@agoric/vat-data')?.includes('M') === true;

/**
 * Whether to use the installed package instead of the provided module of that name, since the latter lacks a name that
 * the importer needs. An importer of a namespace may need any name.
 *
 * @param {string} specifier  of a provided module
 * @param {readonly string[]} names  `*` for all
 * @param {() => ReturnType<typeof resolveBare>} resolveInstalled
 * @param {ProvidedNames} providedNames
 */
const prefersInstalled = async (specifier, names, resolveInstalled, providedNames) => {
  const provided = await providedNames(specifier);
  if (provided === undefined) return false;
  const isThere = (/** @type {string} */ name) =>
    name === '*' ? isWhole(specifier) : provided.has(name);
  if (names.every(isThere)) return false;
  return 'file' in resolveInstalled();
};

/** Files that other tools import, by the ends of their names. */
const otherFormat =
  /\.(?:css|gif|html?|jpe?g|jsx|less|md|node|png|s[ac]ss|svg|toml|tsx|txt|vue|wasm|webp|ya?ml)$/i;

/**
 * Find the file of an import.
 *
 * @param {{ specifier: string, importer: string, place: string }} from  the importing file is a real path
 * @param {() => ReturnType<typeof resolveBare>} resolveInstalled
 * @param {SourceBounds} bounds
 * @returns {string} its real path
 */
const resolveImport = (from, resolveInstalled, bounds) => {
  const { specifier, importer, place } = from;
  if (isRelative(specifier)) {
    if (otherFormat.test(specifier))
      throw new UserError(
        `${place}: cannot import ${quote(specifier)}: vats import JavaScript, TypeScript (.ts) and JSON alone`,
      );
    const path = resolve(dirname(importer), specifier);
    const file = completePath(path);
    if (file === undefined) {
      throw new UserError(
        `${place}: cannot import ${quote(specifier)}: ${describeNoFile(path, showPath(path)) ?? `there is no file ${showPath(path)}`}`,
      );
    }
    return bounds.admitFile(file, from);
  }
  if (isBuiltin(specifier)) {
    throw new UserError(
      `${place}: a vat cannot import Node's module ${quote(specifier)}; it has no access to the machine. What it needs must come as a device`,
    );
  }
  if (specifier.startsWith('/') || /^[a-z]+:/.test(specifier)) {
    throw new UserError(
      `${place}: cannot import ${quote(specifier)}; write a relative path ("./x.js") or a package's name`,
    );
  }
  const found = resolveInstalled();
  if ('file' in found) return bounds.admitOfPackage(found, from);
  const hint = found.missing === undefined ? '' : hintForMissing(found.missing);
  throw new UserError(`${place}: cannot import ${quote(specifier)}: ${found.problem}${hint}`);
};

/** Resolve the bare specifiers of one walk: the modules of a folder often import the same packages. */
const makeResolver = () => {
  /** @type {Map<string, ReturnType<typeof resolveBare>>} */
  const known = new Map();
  /** @param {string} specifier @param {string} importer  only its folder matters */
  return (specifier, importer) => {
    const key = `${dirname(importer)}\0${specifier}`;
    let found = known.get(key);
    if (found === undefined) {
      found = resolveBare(specifier, importer);
      known.set(key, found);
    }
    return found;
  };
};

/**
 * The file of a `require`, which may never run.
 *
 * @param {{ specifier: string, importer: string, place: string }} from
 * @param {() => ReturnType<typeof resolveBare>} resolveInstalled
 * @param {SourceBounds} bounds
 * @returns {string | undefined} undefined if there is none that a vat may have
 */
const tryToResolve = (from, resolveInstalled, bounds) => {
  try {
    return resolveImport(from, resolveInstalled, bounds);
  } catch (error) {
    if (UserError.is(error)) return undefined;
    throw error;
  }
};

/** @param {string} file @param {string} source */
const isCommonJsFile = async (file, source) =>
  file.endsWith('.cjs') ||
  (file.endsWith('.js') && findPackage(file)?.json.type !== 'module' && looksCommonJs(source));

/**
 * Make a function from files to keys that hold no path of this machine.
 *
 * @param {string} entryFile
 */
const makeKeys = entryFile => {
  const entryFolder = dirname(entryFile);
  const own = findPackage(entryFile);
  /** @type {Map<string, string>} */
  const keyOfFile = new Map();
  /** @type {Set<string>} */
  const taken = new Set();
  /** @param {string} file */
  const chooseKey = file => {
    const found = findPackage(file);
    const slashed = (/** @type {string} */ path) => path.split(sep).join('/');
    if (found && found.folder !== own?.folder) {
      const { name, version } = found.json;
      const title = version === undefined ? name : `${name}@${version}`;
      return `${title}/${slashed(relative(found.folder, file))}`;
    }
    const path = slashed(relative(entryFolder, file));
    return path.startsWith('../') ? path : `./${path}`;
  };
  /** @param {string} file */
  return file => {
    const known = keyOfFile.get(file);
    if (known !== undefined) return known;
    // A package may be installed twice; the copies are numbered in the order of their discovery.
    const plain = chooseKey(file);
    let key = plain;
    for (let copy = 2; taken.has(key); copy += 1) key = `${plain}#${copy}`;
    taken.add(key);
    keyOfFile.set(file, key);
    return key;
  };
};

/**
 * Walk the imports of a vat.
 *
 * @param {string} sourceFile
 * @param {BundleOptions} options
 * @param {boolean} takesInstalledStores  whether installed stores are used instead of provided ones
 * @returns {Promise<{ bundled: BundledVat, wantsInstalledStores: boolean }>}
 * @throws {UserError} with file and line
 */
const walkImports = async (
  sourceFile,
  { cacheDir, provided = providedModules, providedNames = async () => undefined, sourceRoots },
  takesInstalledStores,
) => {
  const path = resolve(sourceFile);
  if (!isFile(path)) {
    const shown = showPath(path);
    const found = describeNoFile(path, shown);
    throw new UserError(
      found === undefined
        ? `there is no file ${shown} to make a vat of`
        : `${found}; a vat is made of a file`,
    );
  }
  const entryFile = realpathSync(path);
  const bounds = makeSourceBounds(entryFile, sourceRoots);
  const keyOf = makeKeys(entryFile);
  const resolvePackage = makeResolver();
  const entry = keyOf(entryFile);
  /** @type {Record<string, BundledModule>} */
  const modules = {};
  /** @type {Record<string, string>} */
  const sourceUrls = {};
  /** @type {string[]} */
  const notices = [];
  /** Files that are not of packages. @type {Record<string, { shown: string, compiled: CompiledModule }>} */
  const own = {};
  const files = [entryFile];
  /** @type {Set<string>} */
  const seen = new Set(files);
  let hasPatterns = false;
  let hasProvidedStores = false;
  // The list grows while it is walked.
  for (const file of files) {
    if (files.length > maxModules) {
      throw new UserError(`${showPath(path)} imports more than ${maxModules} files`);
    }
    // The entry has the name that a person gave it, which may be a link: /proc/self would be a number.
    const shown = showPath(file === entryFile ? path : file);
    const key = keyOf(file);
    const written = readTextFile(file, shown);
    const source = isTypeScript(file) ? await stripTypes(written, shown) : written;
    sourceUrls[key] = pathToFileURL(file).href;
    if (file.endsWith('.json')) {
      parseJson(source, shown);
      modules[key] = { source, type: 'json', imports: {} };
      continue;
    }
    const isCommonJs = await isCommonJsFile(file, source);
    const compiled = await provideCompiled(source, shown, cacheDir, { isCommonJs });
    const isOwn = !file.split(sep).includes('node_modules');
    if (isOwn) {
      notices.push(...describeSlips(compiled, shown));
      own[key] = { shown, compiled };
    }
    /** @type {Record<string, string>} */
    const imports = {};
    const names = collectNames(compiled.imports);
    hasPatterns ||= namesPatterns(names);
    for (const { specifier, line } of compiled.imports) {
      if (Object.hasOwn(imports, specifier)) continue;
      const place = `${shown}:${line}`;
      // A CommonJS module may use any name of what it requires.
      const named = isCommonJs ? ['*'] : (names.get(specifier) ?? []);
      const resolveInstalled = () => resolvePackage(specifier, file);
      const isOfStores =
        modulesOfStores.has(specifier) && namesStore(named) && 'file' in resolveInstalled();
      const isProvided =
        provided.has(specifier) &&
        !(isOfStores && takesInstalledStores) &&
        !(await prefersInstalled(specifier, named, resolveInstalled, providedNames));
      hasProvidedStores ||= isProvided && isOfStores;
      if (isProvided) {
        imports[specifier] = `${shimPrefix}${specifier}`;
        continue;
      }
      const from = { specifier, importer: file, place };
      const target = (isCommonJs ? tryToResolve : resolveImport)(from, resolveInstalled, bounds);
      if (target === undefined) continue;
      if (!seen.has(target)) {
        seen.add(target);
        files.push(target);
      }
      imports[specifier] = keyOf(target);
      if (isOwn && isRelative(specifier))
        notices.push(...describeShortImport(place, specifier, target));
    }
    modules[key] = { source, type: isCommonJs ? 'cjs' : 'js', imports };
  }
  const ofOwn = Object.fromEntries(Object.entries(own).map(([k, { compiled }]) => [k, compiled]));
  notices.push(...describeTooEarly({ entry, modules }, ofOwn, key => own[key].shown));
  return {
    bundled: { bundle: makeBundle({ entry, modules }), sourceUrls, notices, isMade: true },
    wantsInstalledStores: hasPatterns && hasProvidedStores,
  };
};

/**
 * @param {string} sourceFile  of the vat; relative to the working directory or absolute
 * @param {BundleOptions} [options]
 * @returns {Promise<BundledVat>}
 * @throws {UserError} with file and line
 */
export const bundleVat = async (sourceFile, options = {}) => {
  const first = await walkImports(sourceFile, options, false);
  if (!first.wantsInstalledStores) return first.bundled;
  return (await walkImports(sourceFile, options, true)).bundled;
};
