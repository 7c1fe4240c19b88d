// Imports a bundle into a compartment of its own. Preparation is asynchronous (a cold cache loads the compiler); the
// import is synchronous, so that a vat's top level runs at once and we leave no promise jobs behind.

import { quote, showInLine, UserError } from '#model';

import { describeErrorForRun, noteVatUrl } from '../compartment/index.js';
import { makeVatCompartment } from '../compartment/vat-compartment.js';
import { adoptBundle, shimPrefix, showUrl } from '#config';
import { isSynchronous } from './can-queue-jobs.js';
import { checkLinks } from './check-links.js';
import { makeCommonJsSource } from './commonjs.js';
import { provideCompiled } from './compiled-cache.js';
import { compileArchive } from './compile-archive.js';
import { findFunction } from './find-function.js';
import { evaluateForeign } from './foreign-bundle.js';
import { insistShallow } from './import-order.js';
import { noOpModules } from './provided-modules.js';
import { linkModules } from './link-exports.js';
import { makeModuleEvaluator } from './shared-evaluator.js';
import { provideTextCache } from './text-cache.js';

/** @import { Frame } from '../compartment/error-report.js' */
/** @import { WriteConsole } from '../compartment/vat-console.js' */
/** @import { Bundle, BundledModule } from '#config/bundle-format.js' */
/** @import { CompiledModule } from './compile-module.js' */
/** @import { Shims } from './export-graph.js' */

/**
 * @typedef {object} ImportOptions
 * @property {string} name  of the vat, for messages
 * @property {Record<string, unknown>} [endowments]  globals beside those of every vat; hardened here
 * @property {Record<PropertyKey, unknown>} [inherited]  further globals, which compartments made by the vat get too
 * @property {Shims} [shims]  provided modules by specifier; each is hardened here
 * @property {WriteConsole} [write]  gets the vat's console output
 * @property {Record<string, string>} [sourceUrls]  URL of each module by its key; default: a URL made of the key
 * @property {string} [cacheDir]  keeps texts that the vat evaluates; default: no cache on disk
 */

/**
 * @typedef {object} ImportedVat
 * @property {Record<string, any>} namespace
 * @property {Compartment} compartment
 * @property {(sought: unknown) => Frame | undefined} findFunction  finds the place of a function in the vat's sources
 */

/**
 * A bundle that can be imported any number of times, each time into a new compartment.
 *
 * @typedef {object} PreparedBundle
 * @property {Bundle} bundle
 * @property {boolean} isSynchronous  whether its code can queue no promise job, unless the vat is given a promise
 * @property {(options: ImportOptions) => ImportedVat} importNow
 */

/**
 * A record without a prototype, since a bundle may name its modules and imports by anything (`__proto__`, `toString`).
 *
 * @template T
 * @param {Record<string, T>} record
 * @returns {Record<string, T>}
 */
const bareRecord = record => Object.assign(Object.create(null), record);

/** @param {Record<string, BundledModule>} modules  of a bundle */
const bareModules = modules => {
  const made = bareRecord(modules);
  for (const [key, module] of Object.entries(made))
    made[key] = { ...module, imports: bareRecord(module.imports) };
  return made;
};

/**
 * @param {CompiledModule} compiled
 * @param {string} url
 * @param {(compiled: CompiledModule, program: string) => unknown} evaluate  see shared-evaluator.js
 */
const makeModuleSource = (compiled, url, evaluate) => {
  const program = `${compiled.program}//# sourceURL=${url}\n`;
  return {
    imports: [...new Set(compiled.imports.map(({ specifier }) => specifier))],
    exports: compiled.exports,
    reexports: compiled.reexports,
    __syncModuleProgram__: program,
    // SES calls it when it links the module, where it would evaluate the program.
    get __syncModuleFunctor__() {
      return evaluate(compiled, program);
    },
    __liveExportMap__: compiled.liveExportMap,
    __fixedExportMap__: compiled.fixedExportMap,
    // SES looks for specifiers in it.
    __reexportMap__: bareRecord(compiled.reexportMap),
    __needsImport__: false,
    __needsImportMeta__: compiled.needsImportMeta,
  };
};

/** @param {string} source */
const makeJsonSource = source => ({
  imports: [],
  exports: ['default'],
  execute: (/** @type {Record<string, unknown>} */ env) => {
    env.default = harden(JSON.parse(source));
  },
});

/** @param {Record<string, unknown>} shim */
const makeShimSource = shim => ({
  imports: [],
  exports: Object.keys(shim),
  execute: (/** @type {Record<string, unknown>} */ env) => {
    for (const [name, value] of Object.entries(shim)) env[name] = harden(value);
  },
});

/**
 * A line break would end the comment that carries the URL, and half a surrogate pair has no URL; a bundle may name a module
 * by either.
 *
 * @param {string} text
 */
const safeUrl = text => encodeURI(text.toWellFormed());

/**
 * @param {Bundle} bundle
 * @param {Record<string, CompiledModule>} compiled
 * @param {ImportOptions} options
 * @returns {ImportedVat}
 */
const importModules = (bundle, compiled, options) => {
  const { name, endowments, inherited, write, shims: given = {} } = options;
  const { cacheDir } = options;
  const sourceUrls = bareRecord(options.sourceUrls ?? {});
  const { entry, modules: bundled } = bundle;
  /** @param {string} key */
  const urlOf = key => sourceUrls[key] ?? safeUrl(`vat:${name}/${key}`);
  /** @type {Shims} */
  const shims = bareRecord(given);
  const noOps = [...noOpModules].filter(specifier => !shims[specifier]);
  for (const specifier of noOps) shims[specifier] = {};
  const linker = linkModules(bundle, compiled, shims);
  checkLinks(bundle, compiled, shims, linker, key => showUrl(urlOf(key)));
  /** @type {Record<string, { source: object }>} */
  const modules = Object.create(null);
  /** @type {Map<string, { exports: any }>} */
  const running = new Map();
  const evaluator = makeModuleEvaluator(() => compartment);
  for (const [key, { source, type, imports }] of Object.entries(bundled)) {
    const url = urlOf(key);
    noteVatUrl(url);
    if (type === 'json') modules[key] = { source: makeJsonSource(source) };
    else if (type === 'js') {
      modules[key] = { source: makeModuleSource(linker.link(key), url, evaluator.evaluate) };
    } else {
      const { program } = compiled[key];
      const module = { key, program, url, imports, exports: [...linker.exportsOf(key)] };
      modules[key] = { source: makeCommonJsSource(module, running) };
    }
    for (const target of Object.values(imports)) {
      if (target.startsWith(shimPrefix) && !modules[target]) {
        modules[target] = { source: makeShimSource(shims[target.slice(shimPrefix.length)]) };
      }
    }
  }
  const compartment = makeVatCompartment({
    name,
    endowments,
    inherited,
    write,
    modules,
    textCache: provideTextCache(cacheDir),
    isChecked: evaluator.isOwn,
    resolveHook: (specifier, referrer) => bundled[referrer].imports[specifier],
  });
  const texts = () =>
    Object.entries(compiled).map(([key, { program }]) => ({ url: urlOf(key), program }));
  try {
    return {
      namespace: compartment.importNow(entry),
      compartment,
      findFunction: sought => findFunction(texts(), sought),
    };
  } catch (error) {
    throw new UserError(`vat ${quote(name)} does not start: ${describeErrorForRun(error)}`, {
      exitCode: 1,
      cause: error,
    });
  }
};

/**
 * @param {Bundle} bundle  its content must match its id
 * @param {{ cacheDir?: string, sourceUrls?: Record<string, string>, isMade?: boolean }} [options]  `isMade`: whether this
 *   process made the bundle, so that its id is not computed again
 * @returns {Promise<PreparedBundle>}
 * @throws {UserError} if a module is refused, or its imports go too deep
 */
export const prepareBundle = async (bundle, { cacheDir, sourceUrls = {}, isMade = false } = {}) => {
  if (!isMade) adoptBundle(bundle, `bundle ${bundle.id}`);
  const { foreign, modules } = bundle;
  if (foreign?.moduleFormat === 'endoZipBase64') {
    const archive = await compileArchive(bundle.id, foreign, cacheDir);
    const opened = { ...bundle, entry: archive.entry, modules: archive.modules };
    insistShallow(opened, archive.compiled);
    return {
      bundle,
      isSynchronous: false,
      importNow: options => importModules(opened, archive.compiled, { cacheDir, ...options }),
    };
  }
  if (foreign) {
    return {
      bundle,
      isSynchronous: false,
      importNow: options => evaluateForeign(bundle.id, foreign, { cacheDir, ...options }),
    };
  }
  const bare = { ...bundle, modules: bareModules(modules) };
  /** @type {Record<string, CompiledModule>} */
  const compiled = Object.create(null);
  for (const [key, { source, type }] of Object.entries(bare.modules)) {
    const shown = Object.hasOwn(sourceUrls, key) ? showUrl(sourceUrls[key]) : showInLine(key);
    if (type !== 'json') {
      const isCommonJs = type === 'cjs';
      compiled[key] = await provideCompiled(source, shown, cacheDir, { isCommonJs });
    }
  }
  insistShallow(bare, compiled);
  return {
    bundle,
    isSynchronous: isSynchronous(bare, compiled),
    importNow: options => importModules(bare, compiled, { cacheDir, ...options }),
  };
};

/**
 * Prepare and import a bundle. The namespace is a property of the result, since a namespace with an export `then` would
 * be taken for a promise.
 *
 * @param {Bundle} bundle
 * @param {ImportOptions} options
 * @returns {Promise<ImportedVat>}
 */
export const importBundle = async (bundle, { cacheDir, ...options }) => {
  const prepared = await prepareBundle(bundle, { cacheDir, sourceUrls: options.sourceUrls });
  return prepared.importNow(options);
};
