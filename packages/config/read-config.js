// Reads a config file into the plain object that a simulation takes. Every field counts: an unknown or contradictory
// one is an error with its path in the file, one without effect here gives a notice.

import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { didYouMean, quote, UserError } from '#model';

import { adoptBundle } from './bundle-format.js';
import { describeNoFile } from './no-file.js';
import { completePath, isFile, isFolder, resolveBare } from './package-exports.js';
import { readTextFile } from './read-text.js';
import { showPath } from './source-path.js';
import {
  bundleFields,
  codeFields,
  configFields,
  deviceFields,
  deviceOptionFields,
  vatFields,
  vatOptionFields,
} from './config-fields.js';
import { deviceNames, findDeviceBySpec } from './device-names.js';
import { parseJson } from './parse-json.js';
import { readFields, quoteShort } from './read-fields.js';
import { readWiring } from './read-wiring.js';
import { findVatBySpec } from './vat-specs.js';

/** @import { WiringPlan } from '#kernel' */
/** @import { Bundle } from './bundle-format.js' */
/** @import { Fields } from './config-fields.js' */
/** @import { Reading } from './read-fields.js' */

/**
 * The source of code: one of these fields.
 *
 * @typedef {object} CodeSource
 * @property {string} [sourceFile]  absolute path
 * @property {Bundle} [bundle]
 * @property {string} [bundleName]  of the config's `bundles`
 * @property {string} [builtIn]  name of a vat or a device that comes with the system
 */

/**
 * @typedef {object} VatOptions
 * @property {boolean} [enableSetup]
 * @property {boolean} [enablePipelining]
 * @property {string} [managerType]
 * @property {boolean} [critical]
 * @property {boolean} [mayFail]  it may end with a failure in a run that has gone well
 * @property {boolean} [useTranscript]
 * @property {boolean} [neverReap]
 * @property {number | 'never'} [reapInterval]
 * @property {number | 'never'} [reapGCKrefs]
 * @property {boolean} [enableDisavow]
 * @property {import('#model').VatLimits} [limits]
 * @property {string[]} [nodeOptions]
 * @property {boolean} [metered]
 * @property {boolean} [enableInternalMetering]
 */

/** @typedef {CodeSource & { parameters: Record<string, any>, creationOptions: VatOptions }} VatConfig */
/** @typedef {CodeSource & { parameters: Record<string, any>, creationOptions: { unendowed?: boolean } }} DeviceConfig */

/**
 * @typedef {object} Config
 * @property {string} bootstrap  name of the vat that starts; empty if the host program sends the first message
 * @property {Record<string, VatConfig>} vats  in the order in which they are created
 * @property {Record<string, CodeSource>} bundles
 * @property {Record<string, DeviceConfig>} devices
 * @property {VatConfig} [benchmarkDriver]
 * @property {number | 'auto'} [workers]  threads for vats
 * @property {number | 'never'} [defaultReapInterval]
 * @property {number | 'never'} [defaultReapGCKrefs]
 * @property {string} [bundleCachePath]  absolute
 * @property {string[]} [sourceRoots]  absolute; directories and files that sources may import from, beside their own
 * @property {boolean} pinBootstrapRoot
 * @property {boolean} [relaxDurabilityRules]  whether durable data may refer to data that is not durable, for tests
 * @property {boolean} [lenient]  whether objects with methods pass by reference without `Far`; default false
 * @property {WiringPlan} [wiring]  connections between the reactors of vats
 */

/**
 * Look a path up from the config's folder as it was named. If nothing is there and the folder is a symbolic link, look
 * from its target, as the operating system reads `link/../x`.
 *
 * @param {string} folder  exists
 * @param {string} path  relative to it, or absolute
 * @param {(file: string) => string | undefined} find  what is at an absolute path
 */
const findFrom = (folder, path, find) =>
  find(resolve(folder, path)) ?? find(resolve(realpathSync(folder), path));

/**
 * @param {Reading} reading
 * @param {string} path
 * @param {string} spec
 * @returns {string} absolute path of a file that exists
 */
const resolveSpec = ({ shown, folder }, path, spec) => {
  // Try a module first, then a path; `./x.js` and `/x.js` can only be paths.
  const module = /^\.{0,2}\//.test(spec) ? undefined : resolveBare(spec, resolve(folder, 'config'));
  if (module && 'file' in module) return module.file;
  // Configs of 2020 leave the ending out.
  const found = findFrom(folder, spec, completePath);
  if (found !== undefined) return found;
  throw new UserError(
    `${shown}: ${path} is ${quoteShort(spec)}, but ${explainMissing(spec, resolve(folder, spec))}`,
  );
};

/** @param {string} spec @param {string} file  absolute path, of no file */
const explainMissing = (spec, file) => {
  if (/^\w+:\/\//.test(spec)) return 'sources are files; save it, and give its path';
  if (isFolder(file)) return `${showShort(file)} is a directory; name the file in it`;
  const shown = showShort(file);
  const other = describeNoFile(file, shown);
  if (other !== undefined) return other;
  // A space at an end, or a control character, would not be seen.
  const missing = `there is no file ${/^[!-~]+$/.test(shown) ? shown : quoteShort(shown)}`;
  if (spec.includes('\\')) return `${missing}; write "/" between the parts of a path`;
  const folder = dirname(file);
  const names = isFolder(folder) ? readdirSync(folder).sort() : [];
  return `${missing}${didYouMean(basename(file), names)}`;
};

/**
 * @param {Reading} reading
 * @param {string[]} roots  relative to the config
 * @returns {string[]} absolute paths of existing files and folders
 */
const readRoots = ({ shown, folder }, roots) =>
  roots.map((root, at) => {
    const found = findFrom(folder, root, path =>
      isFolder(path) || isFile(path) ? path : undefined,
    );
    if (found !== undefined) return found;
    throw new UserError(
      `${shown}: sourceRoots[${at}] is ${quoteShort(root)}, but there is no directory or file ${showShort(resolve(folder, root))}`,
    );
  });

/**
 * @param {Reading} reading
 * @param {string} path
 * @param {Record<string, any>} value
 * @param {string[]} choices
 * @returns {CodeSource}
 */
const readCode = (reading, path, value, choices) => {
  const { shown } = reading;
  const given = choices.filter(choice => Object.hasOwn(value, choice));
  if (given.length === 0) {
    throw new UserError(
      `${shown}: ${path} has no code; give it one of ${choices.map(quote).join(', ')}`,
    );
  }
  if (given.length > 1) {
    const both = given.length === 2 ? 'both ' : '';
    throw new UserError(
      `${shown}: ${path} has ${both}${given.map(quote).join(' and ')}; it takes one`,
    );
  }
  const [choice] = given;
  const at = `${path}.${choice}`;
  if (choice === 'sourceSpec') return { sourceFile: resolveSpec(reading, at, value.sourceSpec) };
  if (choice === 'bundle') return { bundle: adoptBundle(value.bundle, `${shown}: ${at}`) };
  if (choice === 'bundleName') return { bundleName: value.bundleName };
  const file = resolveSpec(reading, at, value.bundleSpec);
  const shownFile = showPath(file);
  const text = readTextFile(file, shownFile);
  // A file of JSON may have any name.
  if (/\.[cm]?[jt]s$/.test(file) && !/^\s*\{/.test(text))
    throw new UserError(
      `${shown}: ${at} is ${quote(value.bundleSpec)}, a source and no bundle in JSON; name it by "sourceSpec"`,
    );
  return { bundle: adoptBundle(parseJson(text, shownFile), shownFile) };
};

/**
 * @param {Reading} reading
 * @param {string} path
 * @param {unknown} value
 * @param {Fields} fields
 * @param {Fields} optionFields
 * @returns {any}
 */
const readPart = (reading, path, value, fields, optionFields) => {
  const part = readFields(reading, path, value, fields);
  const optionsPath = `${path}.creationOptions`;
  const given = part.creationOptions ?? {};
  const creationOptions = { ...readFields(reading, optionsPath, given, optionFields, 'option') };
  if (creationOptions.neverReap && creationOptions.reapInterval !== undefined) {
    throw new UserError(
      `${reading.shown}: ${optionsPath} has both "neverReap" and "reapInterval"; a vat takes one`,
    );
  }
  if (creationOptions.critical && creationOptions.mayFail) {
    throw new UserError(
      `${reading.shown}: ${optionsPath} has both "critical" and "mayFail"; the end of a critical vat ends the run`,
    );
  }
  const builtIn = findVatBySpec(part.sourceSpec ?? '');
  return {
    ...(builtIn === undefined
      ? readCode(reading, path, part, Object.keys(codeFields))
      : { builtIn }),
    parameters: { ...part.parameters },
    creationOptions,
  };
};

/**
 * A device that comes with the system has no code: its name identifies it, or its path in SwingSet's own package.
 *
 * @param {Reading} reading
 * @param {string} path
 * @param {unknown} value
 * @returns {DeviceConfig}
 */
const readDevice = (reading, path, value) => {
  const part = readFields(reading, path, value, deviceFields);
  const name = path.slice('devices.'.length);
  const hasCode = Object.keys(codeFields).some(field => Object.hasOwn(part, field));
  const usual = !hasCode && deviceNames.includes(name) ? name : undefined;
  const builtIn = findDeviceBySpec(part.sourceSpec ?? '') ?? usual;
  if (builtIn === undefined)
    return readPart(reading, path, value, deviceFields, deviceOptionFields);
  return {
    builtIn,
    parameters: { ...part.parameters },
    creationOptions: readFields(
      reading,
      `${path}.creationOptions`,
      part.creationOptions ?? {},
      deviceOptionFields,
      'option',
    ),
  };
};

/**
 * Add a loopbox for `loopboxSenders`, the short form of this package.
 *
 * @param {Reading} reading
 * @param {Record<string, DeviceConfig>} devices  added to
 * @param {string[]} senders
 */
const addLoopbox = ({ shown }, devices, senders) => {
  if (Object.hasOwn(devices, 'loopbox'))
    throw new UserError(`${shown} has both "loopboxSenders" and a device "loopbox"; it takes one`);
  devices.loopbox = { builtIn: 'loopbox', parameters: { senders }, creationOptions: {} };
};

/**
 * @template T
 * @param {Reading} reading
 * @param {Record<string, unknown> | undefined} record
 * @param {string} path
 * @param {(part: unknown, path: string) => T} read
 * @returns {Record<string, T>}
 */
const readEach = ({ shown }, record, path, read) =>
  // A vat may be called `__proto__`, which an assignment would lose.
  Object.fromEntries(
    Object.entries(record ?? {}).map(([name, part]) => {
      if (name === '') throw new UserError(`${shown}: ${path} has an empty name; give it one`);
      return [name, read(part, `${path}.${name}`)];
    }),
  );

/** Characters of a path that an error shows. */
const longestPath = 1000;

/** @param {string} path */
const showShort = path => {
  const shown = showPath(path);
  return shown.length <= longestPath ? shown : `${shown.slice(0, longestPath)}…`;
};

/** A name is part of store keys, whose length is bounded, and of lines that people read. */
const maxNameBytes = 200;

/**
 * @param {Reading} reading
 * @param {Record<string, unknown>} given
 */
const insistNames = ({ shown }, given) => {
  for (const section of ['vats', 'bundles', 'devices']) {
    for (const name of Object.keys(given[section] ?? {})) {
      const bytes = Buffer.byteLength(name);
      if (bytes > maxNameBytes) {
        const begin = `${quote(name.slice(0, 20)).slice(0, -1)}…"`;
        throw new UserError(
          `${shown}: ${section} has the name ${begin} of ${bytes} bytes; a name has at most ${maxNameBytes}`,
        );
      }
      if (!name.isWellFormed())
        throw new UserError(
          `${shown}: ${section} has the name ${quote(name)} with a lone surrogate`,
        );
    }
  }
};

/** @param {Reading} reading @param {Config} config */
const checkNames = ({ shown }, { bootstrap, vats, bundles, devices, benchmarkDriver }) => {
  if (bootstrap !== '' && !Object.hasOwn(vats, bootstrap)) {
    const names = Object.keys(vats);
    const hint = didYouMean(bootstrap, names) || `; the vats are ${names.map(quote).join(', ')}`;
    throw new UserError(`${shown}: bootstrap names no vat: ${quoteShort(bootstrap)}${hint}`);
  }
  const parts = [
    ...Object.entries(vats).map(([name, part]) => ({ path: `vats.${name}`, part })),
    ...Object.entries(devices).map(([name, part]) => ({ path: `devices.${name}`, part })),
    ...(benchmarkDriver ? [{ path: 'benchmarkDriver', part: benchmarkDriver }] : []),
  ];
  for (const { path, part } of parts) {
    const { bundleName } = part;
    if (bundleName === undefined || Object.hasOwn(bundles, bundleName)) continue;
    const names = Object.keys(bundles);
    const hint =
      didYouMean(bundleName, names) ||
      (names.length === 0
        ? '; "bundles" is empty'
        : `; the bundles are ${names.map(quote).join(', ')}`);
    throw new UserError(
      `${shown}: ${path}.bundleName names no bundle: ${quoteShort(bundleName)}${hint}`,
    );
  }
};

/**
 * @param {string} file  absolute path of the config
 * @returns {{ config: Config, notices: string[] }}
 * @throws {UserError} for each mistake, one at a time
 */
export const readConfig = file => {
  /** @type {Reading} */
  const reading = { shown: showPath(file), folder: dirname(file), notices: [] };
  const { shown, notices } = reading;
  const config = readConfigObject(parseJson(readTextFile(file, shown), shown), reading);
  return { config, notices };
};

/**
 * @param {unknown} written  the content of a config file
 * @param {Reading & { needsBootstrap?: boolean }} reading  `needsBootstrap`: whether the config must name vats and a
 *   bootstrap vat; default true
 * @returns {Config}  with an empty `bootstrap` if no vat is named
 * @throws {UserError} for each mistake, one at a time
 */
export const readConfigObject = (written, { needsBootstrap = true, ...reading }) => {
  const { shown, folder } = reading;
  const given = readFields(reading, '', written, configFields);
  insistNames(reading, given);
  if (needsBootstrap && Object.keys(given.vats ?? {}).length === 0) {
    throw new UserError(`${shown} has no "vats"; a simulation needs one at least`);
  }
  if (needsBootstrap && given.bootstrap === undefined) {
    const names = Object.keys(given.vats).map(quote).join(', ');
    throw new UserError(
      `${shown} has no "bootstrap"; it names the vat that starts, one of ${names}`,
    );
  }
  const vats = readEach(reading, given.vats, 'vats', (part, path) =>
    readPart(reading, path, part, vatFields, vatOptionFields),
  );
  const bundles = readEach(reading, given.bundles, 'bundles', (part, path) =>
    readCode(
      reading,
      path,
      readFields(reading, path, part, bundleFields),
      Object.keys(bundleFields).filter(field => field in codeFields),
    ),
  );
  const devices = readEach(reading, given.devices, 'devices', (part, path) =>
    readDevice(reading, path, part),
  );
  if (given.loopboxSenders !== undefined) addLoopbox(reading, devices, given.loopboxSenders);
  const driver = given.benchmarkDriver;
  /** @type {Config} */
  const config = {
    bootstrap: given.bootstrap ?? '',
    vats,
    bundles,
    devices,
    pinBootstrapRoot: given.pinBootstrapRoot ?? false,
    ...(given.relaxDurabilityRules && { relaxDurabilityRules: true }),
    ...(given.lenient !== undefined && { lenient: given.lenient }),
    ...((given.connections?.length > 0 || given.reactors) && {
      wiring: readWiring(reading, given.connections ?? [], given.reactors ?? {}),
    }),
    ...(driver && {
      benchmarkDriver: readPart(reading, 'benchmarkDriver', driver, vatFields, vatOptionFields),
    }),
    ...(given.workers !== undefined && { workers: given.workers }),
    ...(given.defaultReapInterval && { defaultReapInterval: given.defaultReapInterval }),
    ...(given.defaultReapGCKrefs && { defaultReapGCKrefs: given.defaultReapGCKrefs }),
    ...(given.sourceRoots && { sourceRoots: readRoots(reading, given.sourceRoots) }),
    ...(given.bundleCachePath && { bundleCachePath: resolve(folder, given.bundleCachePath) }),
  };
  checkNames(reading, config);
  return config;
};
