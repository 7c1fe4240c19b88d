// Bundles of the format `endoZipBase64`, the usual one of `@endo/bundle-source`: a ZIP archive of modules, with a map that
// says where each import of each package leads, and the SHA-512 of each file. The SHA-512 of the map is the bundle's id.

import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { isRecord, quote, UserError } from '#model';
import { readZip } from './read-zip.js';

const mapName = 'compartment-map.json';

/** The form of a module: its author's text, or what a bundler made of it. */
const languages = Object.freeze({
  mjs: 'js',
  'pre-mjs-json': 'compiled',
  cjs: 'cjs',
  'pre-cjs-json': 'compiled-cjs',
  json: 'json',
});

/** @typedef {'js' | 'compiled' | 'cjs' | 'compiled-cjs' | 'json'} ArchivedType */

/**
 * @typedef {object} ArchivedModule
 * @property {string} source  of a compiled module: JSON of its parts
 * @property {ArchivedType} type
 * @property {(specifier: string) => string} resolve  the key of the imported module; throws a `UserError` if there is
 *   none
 */

/** @typedef {{ id: string, entry: string, modules: Record<string, ArchivedModule> }} Archive */

/** @param {string | Uint8Array} content */
const sha512 = content => createHash('sha512').update(content).digest('hex');

/** @param {Record<string, any>} record @param {string} key */
const own = (record, key) => (Object.hasOwn(record, key) ? record[key] : undefined);

/** A value of the archive in a message; other than a string it may be nested as deep as it likes. @param {unknown} value */
const show = value => (typeof value === 'string' ? value.slice(0, 128) : typeof value);

/** Bound on the bytes of all modules together: many may name one file. */
const maxModuleBytes = 64 * 2 ** 20;

/** Bound on the aliases that are followed, since aliases may form a cycle. */
const maxAliases = 100;

/**
 * @param {Record<string, any>} compartments
 * @param {string} what
 */
const makeResolver = (compartments, what) => {
  /** @param {string} compartment @param {string} specifier */
  const find = (compartment, specifier) => {
    let from = compartment;
    let wanted = specifier;
    for (let i = 0; i < maxAliases; i += 1) {
      const modules = own(compartments, from)?.modules;
      const module = isRecord(modules) ? own(modules, wanted) : undefined;
      if (!isRecord(module)) return undefined;
      if (typeof module.location === 'string') return `${from}/${wanted.replace(/^\.\//, '')}`;
      if (typeof module.exit === 'string')
        throw new UserError(
          `${what}: ${quote(compartment)} imports ${quote(specifier)}, a module of the host; a vat has no such module`,
        );
      if (typeof module.compartment !== 'string' && typeof module.module !== 'string')
        return undefined;
      if (typeof module.compartment === 'string') from = module.compartment;
      if (typeof module.module === 'string') wanted = module.module;
    }
    return undefined;
  };
  return find;
};

/**
 * @param {string} specifier
 * @param {string} referrer  the importing module's name in its package
 */
const absolute = (specifier, referrer) => {
  if (!/^\.\.?(?:\/|$)/.test(specifier)) return specifier;
  const joined = posix.join(posix.dirname(referrer), specifier);
  return joined === '.' || joined === './' ? '.' : `./${joined}`;
};

/**
 * @param {Record<string, any>} bundle  with the format `endoZipBase64`
 * @param {string} what  names it in messages
 * @returns {Archive}
 * @throws {UserError} if it is damaged, or holds a module that a vat cannot have
 */
export const readArchive = ({ endoZipBase64: text, endoZipBase64Sha512: alleged }, what) => {
  if (typeof text !== 'string') throw new UserError(`${what} is a bundle without "endoZipBase64"`);
  const files = readZip(Buffer.from(text, 'base64'), what);
  const map = files.get(mapName);
  if (map === undefined) throw new UserError(`${what} is an archive without ${mapName}`);
  const hash = sha512(map);
  if (alleged !== undefined && alleged !== hash)
    throw new UserError(
      `${what} was changed after it was made: endoZipBase64Sha512: expected ${show(alleged)}, got ${hash}`,
    );
  const { entry, compartments } = parseMap(map, what);
  const find = makeResolver(compartments, what);
  /** @type {Record<string, ArchivedModule>} */
  const modules = Object.create(null);
  let total = 0;
  for (const [compartment, { modules: listed, location }] of Object.entries(compartments)) {
    const folder = typeof location === 'string' ? location : compartment;
    for (const [specifier, module] of Object.entries(listed)) {
      if (!isRecord(module) || typeof module.location !== 'string') continue;
      const key = `${compartment}/${specifier.replace(/^\.\//, '')}`;
      const file = files.get(`${folder}/${module.location}`);
      if (file === undefined) throw new UserError(`${what} lacks the file of ${quote(key)}`);
      if (modules[key] !== undefined) throw new UserError(`${what} has ${quote(key)} twice`);
      total += file.length;
      if (total > maxModuleBytes)
        throw new UserError(`${what}: its modules have more than ${maxModuleBytes} bytes`);
      // The bundle's id is the hash of the map: without this hash it would not cover the module's text.
      if (typeof module.sha512 !== 'string')
        throw new UserError(`${what}: ${quote(key)} has no "sha512" in ${mapName}`);
      if (module.sha512 !== sha512(file))
        throw new UserError(
          `${what} was changed after it was made: ${quote(key)} does not have its SHA-512`,
        );
      const type = typeof module.parser === 'string' ? own(languages, module.parser) : undefined;
      if (type === undefined)
        throw new UserError(
          `${what}: ${quote(key)} has the format ${typeof module.parser === 'string' ? quote(show(module.parser)) : show(module.parser)}; a vat is made of modules and JSON (${Object.keys(languages).map(quote).join(', ')})`,
        );
      modules[key] = {
        ...{ source: file.toString('utf8'), type },
        resolve: imported =>
          find(compartment, absolute(imported, specifier)) ?? failToResolve(what, key, imported),
      };
    }
  }
  const main = find(entry.compartment, entry.module);
  if (main === undefined || modules[main] === undefined)
    throw new UserError(`${what} lacks its entry ${quote(String(entry.module))}`);
  return { id: `b1-${hash}`, entry: main, modules };
};

/** @param {string} what @param {string} key @param {string} imported @returns {never} */
const failToResolve = (what, key, imported) => {
  throw new UserError(`${what}: ${quote(key)} imports ${quote(imported)}, which the archive lacks`);
};

/**
 * @param {Buffer} bytes
 * @param {string} what
 * @returns {{ entry: { compartment: string, module: string }, compartments: Record<string, Record<string, any>> }}
 */
const parseMap = (bytes, what) => {
  /** @type {unknown} */
  let map;
  try {
    map = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new UserError(`${what}: ${mapName} is not JSON`);
  }
  if (
    !isRecord(map) ||
    typeof map.entry?.compartment !== 'string' ||
    typeof map.entry.module !== 'string' ||
    !isRecord(map.compartments) ||
    !Object.values(map.compartments).every(one => isRecord(one) && isRecord(one.modules))
  )
    throw new UserError(
      `${what}: ${mapName} must have "entry" and "compartments" with their modules`,
    );
  return /** @type {any} */ (map);
};
