// Resolves a bare specifier as Node resolves an `import`: package exports and imports with conditions, patterns,
// self-references. Node's own resolver does not fit: it resolves relative to the calling module, and its conditions are
// those of a program on Node, which a vat is not.

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quote, UserError } from '#model';

import { showPath } from './source-path.js';

/** Packages for hardened JavaScript use `endo`. `node` is left out, since a vat has no modules of Node. */
const conditions = new Set(['endo', 'import', 'default']);

/** @typedef {{ name?: string, version?: string, type?: string, main?: string, module?: string, exports?: unknown, imports?: unknown }} PackageJson */
/** @typedef {{ folder: string, json: PackageJson }} Package */

/** @type {Map<string, { mtimeMs: number, json: PackageJson }>} */
const readPackages = new Map();

/**
 * The file status of a path; `undefined` if the path does not exist or may not be read.
 *
 * @param {string} path
 */
const findStats = path => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

/** @param {string} path */
export const isFile = path => findStats(path)?.isFile() ?? false;

/** @param {string} path */
export const isFolder = path => findStats(path)?.isDirectory() ?? false;

/**
 * @param {string} folder
 * @returns {PackageJson | undefined}
 * @throws {UserError} if it is not a JSON object, or is a symbolic link that leads out of the folder
 */
const readPackage = folder => {
  const path = join(folder, 'package.json');
  const stat = findStats(path);
  if (!stat?.isFile()) return undefined;
  const known = readPackages.get(path);
  if (known && known.mtimeMs === stat.mtimeMs) return known.json;
  const real = realpathSync(path);
  if (dirname(real) !== realpathSync(folder))
    throw new UserError(`${showPath(path)} is a symbolic link that leads out of its folder`);
  let json;
  try {
    json = JSON.parse(readFileSync(real, 'utf8'));
  } catch {
    // The engine's own message would quote the file's text.
    throw new UserError(`${showPath(path)} is not JSON`);
  }
  if (typeof json !== 'object' || json === null)
    throw new UserError(`${showPath(path)} is not an object in JSON`);
  readPackages.set(path, { mtimeMs: stat.mtimeMs, json });
  return json;
};

/**
 * The package that a file belongs to: the nearest `package.json` with a name.
 *
 * @param {string} file
 * @returns {Package | undefined}
 */
export const findPackage = file => {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const json = readPackage(folder);
    if (json && typeof json.name === 'string') return { folder, json };
    if (dirname(folder) === folder) return undefined;
  }
};

/**
 * @param {unknown} target
 * @param {string} star  the text that the pattern's `*` matched
 * @returns {string | undefined}
 */
const pickTarget = (target, star) => {
  if (typeof target === 'string') return target.replaceAll('*', () => star);
  if (Array.isArray(target)) {
    for (const option of target) {
      const picked = pickTarget(option, star);
      if (picked !== undefined) return picked;
    }
    return undefined;
  }
  if (typeof target !== 'object' || target === null) return undefined;
  for (const [condition, value] of Object.entries(target)) {
    if (conditions.has(condition)) {
      const picked = pickTarget(value, star);
      if (picked !== undefined) return picked;
    }
  }
  return undefined;
};

/**
 * @param {Record<string, unknown>} map  of `exports` or `imports`
 * @param {string} key  as `./sub/path.js` or `#name`
 */
const matchMap = (map, key) => {
  if (key in map && !key.includes('*')) return pickTarget(map[key], '');
  /** The longest part before a `*` wins. @type {{ prefix: string, star: string, target: unknown } | undefined} */
  let best;
  for (const [pattern, target] of Object.entries(map)) {
    const at = pattern.indexOf('*');
    if (at === -1) continue;
    const prefix = pattern.slice(0, at);
    const suffix = pattern.slice(at + 1);
    const fits =
      key.startsWith(prefix) &&
      key.endsWith(suffix) &&
      key.length >= prefix.length + suffix.length &&
      (!best || prefix.length > best.prefix.length);
    if (fits) best = { prefix, star: key.slice(prefix.length, key.length - suffix.length), target };
  }
  return best && pickTarget(best.target, best.star);
};

/**
 * The file for a path that may lack its ending or name a folder; `undefined` if there is none.
 *
 * @param {string} path
 */
export const completePath = path => {
  const candidates = [
    ...[path, `${path}.js`, `${path}.mjs`, `${path}.json`, join(path, 'index.js')],
    // TypeScript imports a file by its name after compilation.
    ...[
      `${path}.ts`,
      path.replace(/\.js$/, '.ts'),
      path.replace(/\.mjs$/, '.mts'),
      join(path, 'index.ts'),
    ],
  ];
  return candidates.find(isFile);
};

/**
 * @param {Package} found
 * @param {string} subpath  `.` or `./sub/path.js`
 * @returns {{ file?: string, target?: string }}  `target`: what the package's `exports` has for it, if that is no file
 */
const resolveInPackage = ({ folder, json }, subpath) => {
  if (json.exports !== undefined && json.exports !== null) {
    const { exports } = json;
    const isMap =
      typeof exports === 'object' &&
      !Array.isArray(exports) &&
      Object.keys(exports).every(key => key.startsWith('.'));
    /** @type {Record<string, unknown>} */
    const map = isMap ? /** @type {Record<string, unknown>} */ (exports) : { '.': exports };
    const target = matchMap(map, subpath);
    if (target === undefined) return {};
    const file = join(folder, target);
    return isFile(file) ? { file } : { target };
  }
  const path = subpath === '.' ? (json.module ?? json.main ?? 'index.js') : subpath;
  return { file: completePath(join(folder, path)) };
};

/** A package name of npm, with or without a scope. It cannot hold a path such as `..`. */
const packageName = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/;

/**
 * @typedef {object} ResolvedBare
 * @property {string} file
 * @property {string} folder  of the package that it was found in
 * @property {string} [installedIn]  the `node_modules` that has it; absent for the importer's own package
 */

/**
 * The file of a bare specifier, or the problem with it. A `package.json` may lead anywhere: source-bounds.js decides on
 * the real path whether the file may be read.
 *
 * @param {string} specifier
 * @param {string} importer  absolute path of the importing file
 * @returns {ResolvedBare | { problem: string, missing?: string }}  `missing`: the specifier of a package, if
 *   none such is installed
 */
export const resolveBare = (specifier, importer) => {
  const own = findPackage(importer);
  if (specifier.startsWith('#')) {
    const map = /** @type {Record<string, unknown>} */ (own?.json.imports ?? {});
    const target = own && matchMap(map, specifier);
    if (!own || target === undefined) {
      return { problem: '"imports" of its package.json does not define it' };
    }
    if (!target.startsWith('./')) return resolveBare(target, importer);
    const file = join(own.folder, target);
    return isFile(file)
      ? { file, folder: own.folder }
      : { problem: `there is no file ${showPath(file)}` };
  }
  const name = packageNameOf(specifier);
  if (!packageName.test(name)) return { problem: `${quote(name)} is no name of a package` };
  const subpath = `.${specifier.slice(name.length)}`;
  if (own && own.json.name === name && own.json.exports !== undefined) {
    const { file } = resolveInPackage(own, subpath);
    if (file !== undefined) return { file, folder: own.folder };
  }
  for (let folder = dirname(importer); ; folder = dirname(folder)) {
    const installedIn = join(folder, 'node_modules');
    const candidate = join(installedIn, name);
    if (isFolder(candidate)) {
      const found = { folder: candidate, json: readPackage(candidate) ?? {} };
      const { file, target } = resolveInPackage(found, subpath);
      if (file !== undefined) return { file, folder: candidate, installedIn };
      const problem =
        target === undefined
          ? `the package at ${showPath(candidate)} does not export "${subpath}"`
          : `the package at ${showPath(candidate)} has no file ${quote(target)}, which it exports as "${subpath}"; it may have to be built`;
      return { problem };
    }
    if (dirname(folder) === folder) break;
  }
  const problem = `no package "${name}" is installed for it`;
  return name === 'swingset-runner' || name === 'swingset-kernel'
    ? {
        problem: `${problem}; it runs vats, and they do not import it, but for "swingset-runner/reactor"`,
      }
    : { problem, missing: specifier };
};

/**
 * The name of the package of a bare specifier: `@agoric/zoe` of `@agoric/zoe/src/x.js`.
 *
 * @param {string} specifier
 */
export const packageNameOf = specifier => {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
};
