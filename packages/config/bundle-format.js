// The format of a bundle: the authors' sources of one vat, and the module that each import leads to. A bundle holds no
// path of a machine and no compiler's output, so equal sources have the same id everywhere. The id is kept in the store.

import { createHash } from 'node:crypto';
import { isRecord, quote, UserError } from '#model';
import { readArchive } from './endo-archive.js';

export const bundleFormat = 'swingset-runner-1';

/**
 * @typedef {object} BundledModule
 * @property {string} source  the author's text
 * @property {'js' | 'cjs' | 'json'} type  an ES module, a CommonJS module, or data
 * @property {Record<string, string>} imports  by specifier: another module's key, or `shim:` and a provided module;
 *   a CommonJS module may lack some
 */

/**
 * A bundle that another tool made, as it was given in a config.
 *
 * @typedef {object} ForeignBundle
 * @property {'nestedEvaluate' | 'getExport' | 'endoScript' | 'endoZipBase64'} moduleFormat
 * @property {string} source  a program; for `endoZipBase64`, an archive of modules
 */

/**
 * Plain data. A module's key is its path from the entry's folder (`./vat-alice.js`, `../lib/x.js`), or
 * `name@version/path` for a module of another package.
 *
 * @typedef {object} Bundle
 * @property {typeof bundleFormat} format
 * @property {string} id  `b1-` and the SHA-256 of the bundle's content; for an archive, the SHA-512 that its maker gave
 *   it
 * @property {string} entry  key of the module that is the vat
 * @property {Record<string, BundledModule>} modules
 * @property {ForeignBundle} [foreign]  then `modules` is empty
 */

/** Prefix of a provided module's name in `imports`; it tells the name from a key of the bundle. */
export const shimPrefix = 'shim:';

/** @param {Record<string, unknown>} record */
const sortedEntries = record =>
  Object.entries(record).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));

/** @param {Omit<Bundle, 'id' | 'format'>} content */
const bundleId = ({ entry, modules, foreign }) => {
  if (foreign?.moduleFormat === archiveFormat) return openArchive(foreign, 'the bundle').id;
  const said = [
    bundleFormat,
    entry,
    sortedEntries(modules).map(([key, module]) => {
      const { source, type, imports } = /** @type {BundledModule} */ (module);
      return [key, type, source, sortedEntries(imports)];
    }),
    ...(foreign ? [foreign.moduleFormat, foreign.source] : []),
  ];
  return `b1-${createHash('sha256').update(JSON.stringify(said)).digest('hex')}`;
};

/**
 * @param {Omit<Bundle, 'id' | 'format'>} content
 * @returns {Bundle}
 */
export const makeBundle = content => ({
  format: bundleFormat,
  id: bundleId(content),
  ...content,
});

/** The usual format of `@endo/bundle-source`, whose bundles have a hash. */
export const archiveFormat = 'endoZipBase64';

const foreignFormats = ['nestedEvaluate', 'getExport', 'endoScript', archiveFormat];

/**
 * The modules of a bundle that is an archive.
 *
 * @param {ForeignBundle} foreign  of the format `endoZipBase64`
 * @param {string} what  names it in messages
 */
export const openArchive = ({ source }, what) => readArchive({ endoZipBase64: source }, what);

/**
 * The bundle as the tool that made it wrote it.
 *
 * @param {Bundle} bundle
 * @returns {Record<string, string> | undefined} undefined for a bundle of this package's own
 */
export const toolsBundle = ({ id, foreign }) => {
  if (foreign === undefined) return undefined;
  const { moduleFormat, source } = foreign;
  if (moduleFormat !== archiveFormat) return { moduleFormat, source };
  return { moduleFormat, endoZipBase64: source, endoZipBase64Sha512: id.slice('b1-'.length) };
};

/** @param {unknown} target  of an import @param {Record<string, unknown>} modules */
const isTarget = (target, modules) =>
  typeof target === 'string' && (target.startsWith(shimPrefix) || Object.hasOwn(modules, target));

/** @param {unknown} module @param {Record<string, unknown>} modules  of its bundle @returns {module is BundledModule} */
const isModule = (module, modules) =>
  isRecord(module) &&
  typeof module.source === 'string' &&
  ['js', 'cjs', 'json'].includes(module.type) &&
  isRecord(module.imports) &&
  Object.values(module.imports).every(target => isTarget(target, modules));

/** @param {unknown} foreign @returns {foreign is ForeignBundle} */
const isForeign = foreign =>
  isRecord(foreign) &&
  foreignFormats.includes(foreign.moduleFormat) &&
  typeof foreign.source === 'string';

/**
 * @param {unknown} value
 * @returns {value is Bundle} whether it has all parts of a bundle of ours; its id may not fit
 */
export const isBundleShape = value => {
  if (!isRecord(value) || typeof value.id !== 'string' || typeof value.entry !== 'string')
    return false;
  const { entry, modules, foreign } = value;
  if (!isRecord(modules)) return false;
  if (foreign !== undefined) return isForeign(foreign) && Object.keys(modules).length === 0;
  return (
    Object.hasOwn(modules, entry) &&
    Object.values(modules).every(module => isModule(module, modules))
  );
};

/**
 * Read a bundle from a file or a config. One of ours is checked; one that `@endo/bundle-source` or
 * `@agoric/bundle-source` made is wrapped.
 *
 * @param {unknown} value
 * @param {string} what  names it in messages
 * @returns {Bundle}
 * @throws {UserError} for an unknown format, a missing part, and a bundle of ours whose content does not match its id
 */
export const adoptBundle = (value, what) => {
  if (isRecord(value) && value.format === bundleFormat) {
    if (!isBundleShape(value)) throw new UserError(`${what} is not a whole bundle; make it again`);
    const { id, entry, modules, foreign } = value;
    if (id !== bundleId({ entry, modules, foreign })) {
      throw new UserError(
        `${what} was changed after it was made: its id ${quote(id)} does not fit`,
      );
    }
    return value;
  }
  if (!isRecord(value) || typeof value.moduleFormat !== 'string') {
    throw new UserError(`${what} is not a bundle: it has no "moduleFormat"`);
  }
  const { moduleFormat, source } = value;
  if (!foreignFormats.includes(moduleFormat)) {
    throw new UserError(
      `${what} has the module format ${quote(moduleFormat)}; a vat can be made of ${foreignFormats
        .map(quote)
        .join(', ')}, or of a "sourceSpec"`,
    );
  }
  if (moduleFormat === archiveFormat) {
    const { id } = readArchive(value, what);
    const archive = /** @type {ForeignBundle} */ ({ moduleFormat, source: value.endoZipBase64 });
    return { format: bundleFormat, id, entry: '.', modules: {}, foreign: archive };
  }
  if (typeof source !== 'string') throw new UserError(`${what} is a bundle without "source"`);
  const foreign = /** @type {ForeignBundle} */ ({ moduleFormat, source });
  return makeBundle({ entry: '.', modules: {}, foreign });
};
