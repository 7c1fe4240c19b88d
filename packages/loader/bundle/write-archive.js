// Makes an archive (`endoZipBase64`) of a bundle of ours, for vats that import it into a compartment of their own: the form in
// which SwingSet gives out a bundle made of a `sourceSpec`. Every module is of the bundle: nothing is provided there.

import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { quote, UserError } from '#model';
import { shimPrefix, writeZip } from '#config';
import { provideCompiled } from './compiled-cache.js';

/** @import { Bundle, BundledModule } from '#config/bundle-format.js' */

/** A compartment of the archive: a package, or one of its copies. @typedef {{ compartment: string, module: string }} Place */

/** @param {string} content */
const sha512 = content => createHash('sha512').update(content).digest('hex');

/** The compartment of the modules that are in no package of their own. */
const ownCompartment = 'own';

/** `name@1.2.3/src/x.js#2`: a package with its version, a path, and a number of the copy. */
const keyOfPackage = /^((?:@[^/]+\/)?[^/@]+(?:@[^/]+)?)\/(.+?)(#\d+)?$/;

/**
 * Where each module goes. Paths of the own package begin as many folders down as one of them goes up.
 *
 * @param {readonly string[]} keys
 * @returns {Map<string, Place>}
 */
const placeModules = keys => {
  const isOwn = (/** @type {string} */ key) => key.startsWith('./') || key.startsWith('../');
  const rise = Math.max(
    0,
    ...keys.filter(isOwn).map(key => key.split('/').filter(part => part === '..').length),
  );
  return new Map(
    keys.map(key => {
      if (isOwn(key)) {
        const path = posix.join('in/'.repeat(rise), key);
        return [key, { compartment: ownCompartment, module: `./${path}` }];
      }
      const [, name, path, copy = ''] = /** @type {RegExpExecArray} */ (keyOfPackage.exec(key));
      return [key, { compartment: `${name}${copy}`, module: `./${path}` }];
    }),
  );
};

/** Endo's names of the forms of modules in archives. */
const parsers = Object.freeze({ js: 'pre-mjs-json', cjs: 'pre-cjs-json', json: 'json' });

/** @param {string} specifier @param {string} referrer  a module of the compartment */
const nameInCompartment = (specifier, referrer) =>
  /^\.\.?(?:\/|$)/.test(specifier)
    ? `./${posix.join(posix.dirname(referrer), specifier)}`
    : specifier;

/**
 * @param {Bundle} bundle  of modules; its keys and texts alone decide the result
 * @param {string} [cacheDir]  of compiled modules; default: no cache on disk
 * @returns {Promise<{ moduleFormat: 'endoZipBase64', endoZipBase64: string, endoZipBase64Sha512: string }>}
 * @throws {UserError} if it imports a module that is provided to vats alone
 */
export const writeArchive = async ({ entry, modules }, cacheDir) => {
  const places = placeModules(Object.keys(modules));
  const placeOf = (/** @type {string} */ key) => /** @type {Place} */ (places.get(key));
  /** @type {Record<string, { name: string, label: string, location: string, modules: Record<string, object> }>} */
  const compartments = {};
  const provideCompartment = (/** @type {string} */ name) => {
    compartments[name] ??= { name, label: name, location: name, modules: {} };
    return compartments[name].modules;
  };
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const [key, { source, type, imports }] of Object.entries(modules)) {
    const { compartment, module } = placeOf(key);
    const listed = provideCompartment(compartment);
    const text = type === 'json' ? source : await compileForArchive(key, modules[key], cacheDir);
    const location = module.slice('./'.length);
    const parser = parsers[type];
    files.set(`${compartment}/${location}`, text);
    listed[module] = { location, parser, sha512: sha512(text) };
    for (const [specifier, target] of Object.entries(imports)) {
      if (target.startsWith(shimPrefix))
        throw new UserError(`${quote(key)} imports ${quote(specifier)}, which is not installed`);
      const name = nameInCompartment(specifier, module);
      const link = placeOf(target);
      const known = listed[name];
      if (link.compartment === compartment && link.module === name) continue;
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(link))
        throw new UserError(`${quote(specifier)} is two modules in ${quote(compartment)}`);
      listed[name] = link;
    }
  }
  const sorted = (/** @type {Record<string, any>} */ record) =>
    Object.fromEntries(
      Object.keys(record)
        .sort()
        .map(name => [name, record[name]]),
    );
  for (const one of Object.values(compartments)) one.modules = sorted(one.modules);
  const map = JSON.stringify({
    tags: [],
    entry: placeOf(entry),
    compartments: sorted(compartments),
  });
  const zip = writeZip(new Map([['compartment-map.json', map], ...files]));
  return {
    moduleFormat: 'endoZipBase64',
    endoZipBase64: Buffer.from(zip).toString('base64'),
    endoZipBase64Sha512: sha512(map),
  };
};

/**
 * A module as Endo's bundlers write it.
 *
 * @param {string} shown
 * @param {BundledModule} module  no JSON
 * @param {string | undefined} cacheDir
 */
const compileForArchive = async (shown, { source, type, imports: found }, cacheDir) => {
  const isCommonJs = type === 'cjs';
  // The vat that imports the archive guards what it evaluates.
  const compiled = await provideCompiled(source, shown, cacheDir, { isGuarded: false, isCommonJs });
  const specifiers = new Set(compiled.imports.map(({ specifier }) => specifier));
  const links = {
    // A CommonJS module may name modules that are not there; Endo takes none such.
    imports: [...specifiers].filter(specifier => Object.hasOwn(found, specifier)),
    exports: compiled.exports,
    reexports: compiled.reexports,
  };
  if (isCommonJs) return JSON.stringify({ ...links, source: compiled.program });
  return JSON.stringify({
    ...links,
    __syncModuleProgram__: compiled.program,
    __liveExportMap__: compiled.liveExportMap,
    __reexportMap__: compiled.reexportMap,
    __fixedExportMap__: compiled.fixedExportMap,
    __needsImport__: false,
    __needsImportMeta__: compiled.needsImportMeta,
  });
};
