// Loads the config of a run from a folder or a config file, with the arguments for the bootstrap vat.

import { dirname, join, resolve } from 'node:path';
import { insistOptions, quote, UserError } from '#model';

import { isFile, isFolder } from './package-exports.js';
import { showPath } from './source-path.js';
import { findBaseDir, findConfigFile } from './find-base-dir.js';
import { makeIndirect } from './indirect.js';
import { readConfig } from './read-config.js';
import { findFileNotices, scanFolder } from './scan-folder.js';

/** @import { OptionRule } from '#model' */
/** @import { Config } from './read-config.js' */

/**
 * @typedef {object} LoadedParts
 * @property {string} baseDir  absolute; the folder of the output, and of the config unless `configFile` is elsewhere
 * @property {string} [configFile]  absolute, if there is one
 * @property {string[]} sourceRoots  absolute; files and folders that sources may import from, beside each vat's own
 *   directory
 * @property {string[]} notices  sentences that the runner shows to the person
 * @property {string} [firstRoot]  name of the vat whose root object gets the first number
 * @property {readonly string[]} [omitted]  vats of the system that this run leaves out
 * @property {string} [launches]  in an indirect run, the name of the original bootstrap vat
 * @property {readonly string[]} [launchedVats]  in an indirect run, the vats of the original config that may not fail
 */

/** @typedef {Config & LoadedParts} LoadedConfig */

/**
 * The name of the config in messages.
 *
 * @param {{ configFile?: string } | undefined} config
 */
export const nameConfig = config =>
  config?.configFile === undefined ? 'the config' : showPath(config.configFile);

/** @type {Readonly<Record<string, OptionRule>>} */
const optionRules = Object.freeze({
  baseDir: 'string',
  configFile: 'string',
  argv: 'array',
  demosDir: 'string',
  indirect: 'boolean',
});

/** @param {string} given  no file */
const explainConfigFile = given => {
  if (!isFolder(resolve(given))) return `there is no config file ${quote(given)}`;
  const usual = join(given, 'swingset.json');
  const remedy = isFile(resolve(usual)) ? `name ${quote(usual)}` : 'name the file in it';
  return `the config ${quote(given)} is a directory; ${remedy}`;
};

/**
 * @param {object} [options]
 * @param {string} [options.baseDir]  default: the config's folder, or the working directory
 * @param {string} [options.configFile]  default: `swingset.json` of the folder, if it has one
 * @param {string[]} [options.argv]  for the bootstrap vat, as its `vatParameters.argv`
 * @param {string} [options.demosDir]  a `baseDir` that does not exist is searched here
 * @param {boolean} [options.indirect=false]  let a launcher vat make the config's vats during the run
 * @returns {LoadedConfig}
 * @throws {TypeError} if an option is unknown or has the wrong type
 * @throws {UserError} if the config or folder is missing, unreadable or wrong; one line with file and place
 */
export const loadConfig = (options = {}) => {
  insistOptions('loadConfig()', options, optionRules);
  const { baseDir, configFile, argv, demosDir, indirect = false } = options;
  const isConfigItself = baseDir?.endsWith('.json') && !isFolder(resolve(baseDir));
  const given = configFile ?? (isConfigItself ? baseDir : undefined);
  const found = given === undefined ? undefined : findConfigFile(given, demosDir);
  const named = found?.file;
  if (found !== undefined && named === undefined) {
    throw new UserError(explainConfigFile(/** @type {string} */ (given)));
  }
  const folderName =
    isConfigItself || baseDir === undefined
      ? named === undefined
        ? '.'
        : dirname(named)
      : baseDir;
  const { folder, notices } = findBaseDir(folderName, demosDir);
  const usual = join(folder, 'swingset.json');
  const file = named === undefined ? (isFile(usual) ? usual : undefined) : resolve(named);
  const read =
    file === undefined
      ? { config: scanFolder(folder), notices: findFileNotices(folder) }
      : readConfig(file);
  const { config } = read;
  const { parameters } = config.vats[config.bootstrap];
  // Vats read `vatParameters.argv[0]` without a check, so `argv` is always a list.
  parameters.argv = argv ?? parameters.argv ?? [];
  const loaded = {
    ...config,
    baseDir: folder,
    ...(file !== undefined && { configFile: file }),
    sourceRoots: [file === undefined ? folder : dirname(file), ...(config.sourceRoots ?? [])],
    notices: [...(found?.notices ?? []), ...notices, ...read.notices],
  };
  return indirect ? makeIndirect(loaded) : loaded;
};
