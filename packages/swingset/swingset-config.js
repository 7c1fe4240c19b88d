// Reads the configs of SwingSet's host programs: plain objects from a file or a folder, which the program may change.
// Fields without effect here are ignored, as SwingSet ignores unknown fields.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPackage, isFile, managerTypes, readConfigObject, resolveBare } from '#config';
import { compareTexts, quote, UserError } from '#model';

/** @import { LoadedConfig } from '#config' */

/** A config of SwingSet. @typedef {Record<string, any>} SwingSetConfig */

const vatFile = /^vat-(.*)\.js$/s;

/** @param {string} path @param {unknown} cause @returns {never} */
const failToRead = (path, cause) => {
  throw new UserError(`${path} cannot be read: ${/** @type {Error} */ (cause).message}`, { cause });
};

/**
 * Make the config of a folder: a vat for each `vat-NAME.js`, and `bootstrap.js` as the bootstrap vat, if it exists.
 *
 * @param {string} basedir
 * @param {{ includeDevDependencies?: boolean, bundleFormat?: string }} [options]  copied into the config
 * @returns {SwingSetConfig}
 * @throws {UserError} if the folder cannot be read
 */
export const loadBasedir = (basedir, { includeDevDependencies = false, bundleFormat } = {}) => {
  const entries = (() => {
    try {
      return readdirSync(basedir, { withFileTypes: true });
    } catch (error) {
      return failToRead(basedir, error);
    }
  })();
  /** @type {Record<string, any>} */
  const vats = {};
  const found = entries.flatMap(entry => {
    const label = entry.isFile() ? vatFile.exec(entry.name)?.[1] : undefined;
    return label === undefined ? [] : [{ label, file: entry.name }];
  });
  for (const { label, file } of found.sort((left, right) => compareTexts(left.label, right.label)))
    vats[label] = { sourceSpec: resolve(basedir, file), parameters: {} };
  /** @type {SwingSetConfig} */
  const config = { vats, includeDevDependencies, bundleFormat };
  const bootstrap = resolve(basedir, 'bootstrap.js');
  if (existsSync(bootstrap)) {
    vats.bootstrap = { sourceSpec: bootstrap, parameters: {} };
    config.bootstrap = 'bootstrap';
  }
  return config;
};

/**
 * Resolve a spec: first as a module seen from the config's folder, then as a path.
 *
 * @param {string} spec
 * @param {string} folder
 */
const resolveSpec = (spec, folder) => {
  if (spec.startsWith('file:')) return fileURLToPath(spec);
  const module = /^\.{0,2}\//.test(spec) ? undefined : resolveBare(spec, resolve(folder, 'config'));
  return module && 'file' in module ? module.file : resolve(folder, spec);
};

/**
 * Resolve all specs of a config, in place.
 *
 * @param {SwingSetConfig} config
 * @param {string} [configPath]  default: specs are relative to the working directory
 * @throws {UserError} if a file does not exist, or `bootstrap` names no vat
 */
export const normalizeConfig = async (config, configPath) => {
  const folder = configPath === undefined ? process.cwd() : dirname(resolve(configPath));
  const shown = configPath ?? 'the config';
  for (const section of ['vats', 'bundles']) {
    for (const [name, entry] of Object.entries(config[section] ?? {})) {
      if (section === 'vats') entry.parameters ??= {};
      for (const field of ['sourceSpec', 'bundleSpec']) {
        if (entry[field] === undefined) continue;
        const file = resolveSpec(entry[field], folder);
        if (!existsSync(file) && !existsSync(`${file}.js`))
          throw new UserError(
            `${shown}: ${section}.${name}.${field} leads to ${quote(file)}, which does not exist`,
          );
        entry[field] = file;
      }
    }
  }
  if (config.bootstrap === undefined)
    throw new UserError(`${shown} has no "bootstrap"; it names the vat that starts`);
  if (!Object.hasOwn(config.vats ?? {}, config.bootstrap))
    throw new UserError(`${shown}: bootstrap names no vat: ${quote(config.bootstrap)}`);
};

/**
 * Read a config file, with its specs resolved.
 *
 * @param {string} configPath
 * @returns {Promise<SwingSetConfig | null>} null if there is no such file
 * @throws {UserError} if it is not a config
 */
export const loadSwingsetConfigFile = async configPath => {
  if (!existsSync(configPath)) return null;
  /** @type {SwingSetConfig} */
  let config;
  try {
    config = JSON.parse(readFileSync(configPath, 'utf8'));
  } catch (error) {
    return failToRead(configPath, error);
  }
  await normalizeConfig(config, configPath);
  return config;
};

/** The bundle format of `buildKernelBundles`: the name of a vat that comes with the system. */
export const systemFormat = 'swingset-runner-system';

/** System vats that a config may have several of, by their paths in SwingSet. @type {Readonly<Record<string, string>>} */
const systemSpecs = {
  comms: '@agoric/swingset-vat/src/vats/comms/index.js',
  vattp: '@agoric/swingset-vat/src/vats/vattp/vat-vattp.js',
};

const codeFields = ['sourceSpec', 'bundleSpec', 'bundle', 'bundleName'];

/** The config's fields for a part's code, with URLs as paths. @param {Record<string, any>} part */
const codeOf = part =>
  Object.fromEntries(
    codeFields
      .filter(field => part[field] !== undefined)
      .map(field => {
        const value = part[field];
        if (field === 'bundle' && value?.moduleFormat === systemFormat)
          return ['sourceSpec', systemSpecs[value.name] ?? value.name];
        if (typeof value !== 'string' || field === 'bundleName') return [field, value];
        const path = value.startsWith('file:') ? fileURLToPath(value) : value;
        // The ending may be left out.
        return [field, existsSync(`${path}.js`) && !isFile(path) ? `${path}.js` : path];
      }),
  );

/** @param {Record<string, any>} part */
const partOf = part => ({
  ...codeOf(part),
  ...(part.parameters !== undefined && { parameters: part.parameters }),
  ...(part.creationOptions !== undefined && { creationOptions: part.creationOptions }),
});

/**
 * Refuse `nodeOptions` of a vat without a process of its own, which SwingSet calls `node-subprocess`. The error text is
 * SwingSet's.
 *
 * @param {Record<string, any>} vats
 * @param {string} usual  the default kind of worker
 * @throws {UserError} if a vat of another kind has `nodeOptions`
 */
const insistNodeOptions = (vats, usual) => {
  for (const { creationOptions: { nodeOptions, managerType = usual } = {} } of Object.values(vats))
    if (nodeOptions && managerType !== 'node-subprocess')
      throw new UserError("nodeOptions requires managerType 'node-subprocess'");
};

/** @param {Record<string, any> | undefined} section @param {(part: any) => object} read */
const sortedSection = (section, read) =>
  Object.fromEntries(
    Object.keys(section ?? {})
      .sort()
      .map(name => [name, read(/** @type {any} */ (section)[name])]),
  );

/** Source files that a config names. @param {SwingSetConfig} config */
const filesOf = config =>
  ['vats', 'bundles', 'devices'].flatMap(section =>
    Object.values(config[section] ?? {})
      .map(({ sourceSpec }) => sourceSpec)
      .filter(spec => typeof spec === 'string'),
  );

/** SwingSet's own vats, which come with the system. */
const systemVats = /** @type {const} */ (['vatAdmin', 'comms', 'vattp', 'timer']);

/** Deliveries after which a vat is asked for its dead references: SwingSet's default, the minimum. */
const defaultReapInterval = 1;

/**
 * Convert a config of SwingSet to one of ours, with the vats in SwingSet's order, which determines their ids.
 *
 * @param {SwingSetConfig} config
 * @param {unknown} [bootstrapArgs]  become `vatParameters.argv` of the bootstrap vat
 * @param {object} [options]
 * @param {Record<string, string | undefined>} [options.env]  `SWINGSET_WORKER_TYPE` is the default kind of worker
 * @param {readonly string[]} [options.omitted]  vats of the system to leave out
 * @returns {LoadedConfig & { managerType: string }}
 * @throws {UserError}
 */
export const adoptConfig = (config, bootstrapArgs, { env = process.env, omitted = [] } = {}) => {
  const managerType = config.defaultManagerType ?? env.SWINGSET_WORKER_TYPE ?? 'local';
  if (!managerTypes.includes(managerType))
    throw new UserError(
      `config.defaultManagerType is ${quote(managerType)}; it is one of ${managerTypes.map(quote).join(', ')}`,
    );
  const { bootstrap } = config;
  const given = /** @type {Record<string, any>} */ (sortedSection(config.vats, partOf));
  insistNodeOptions(given, managerType);
  if (bootstrap && !Object.hasOwn(given, bootstrap))
    throw new UserError(
      `config.bootstrap: vat name ${quote(bootstrap)} must exist, but doesn't; the vats of the config are ${Object.keys(given).map(quote).join(', ') || 'none'}`,
    );
  const withArgs = { ...given[bootstrap] };
  if (bootstrapArgs && given[bootstrap] !== undefined)
    withArgs.parameters = { ...withArgs.parameters, argv: bootstrapArgs };
  const { [bootstrap]: _first, ...others } = given;
  for (const name of systemVats) delete others[name];
  const folder = process.cwd();
  const loaded = readConfigObject(
    {
      ...(given[bootstrap] !== undefined && { bootstrap }),
      vats: { ...(given[bootstrap] !== undefined && { [bootstrap]: withArgs }), ...others },
      bundles: sortedSection(config.bundles, codeOf),
      devices: sortedSection(config.devices, partOf),
      pinBootstrapRoot: config.pinBootstrapRoot === true,
      relaxDurabilityRules: Boolean(config.relaxDurabilityRules),
      defaultReapInterval: config.defaultReapInterval ?? defaultReapInterval,
      ...(config.defaultReapGCKrefs !== undefined && {
        defaultReapGCKrefs: config.defaultReapGCKrefs,
      }),
    },
    { shown: 'config', folder, notices: [], needsBootstrap: false },
  );
  const { [bootstrap]: first, ...rest } = loaded.vats;
  const system = Object.fromEntries(
    systemVats
      .filter(name => !omitted.includes(name))
      .map(name => [
        name,
        {
          builtIn: name,
          parameters: {},
          creationOptions: name === 'comms' ? { reapInterval: /** @type {const} */ ('never') } : {},
        },
      ]),
  );
  const packages = filesOf(config).map(file => findPackage(resolveSpec(file, folder))?.folder);
  return {
    ...loaded,
    vats: { ...(first !== undefined && { [bootstrap]: first }), ...system, ...rest },
    baseDir: folder,
    ...(omitted.length > 0 && { omitted }),
    sourceRoots: [...new Set(packages.filter(folder => folder !== undefined))],
    notices: [],
    managerType: managerType === 'xs-worker' ? 'xsnap' : managerType,
  };
};
