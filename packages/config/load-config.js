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
 * @property {string} baseDir  absolute; where output goes and the config lies, unless the person separated them
 * @property {string} [configFile]  absolute, if there is one
 * @property {string[]} sourceRoots  absolute; what sources may import from, beside each vat's own directory
 * @property {string[]} notices  what the person should know, a sentence each
 * @property {string} [firstRoot]  name of the vat whose root object gets the first number
 * @property {readonly string[]} [omitted]  vats of the system that the run does not have
 * @property {string} [launches]  name of the vat that a launcher stands for, in an indirect run
 */

/** @typedef {Config & LoadedParts} LoadedConfig */

/**
 * The config as messages name it.
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

/**
 * @param {object} [options]
 * @param {string} [options.baseDir]  default: the config's folder, or the working directory
 * @param {string} [options.configFile]  default: `swingset.json` of the folder, if it has one
 * @param {string[]} [options.argv]  for the bootstrap vat, as its `vatParameters.argv`
 * @param {string} [options.demosDir]  where a `baseDir` that does not exist is looked for
 * @param {boolean} [options.indirect=false]  make the vats while the run is on, by a launcher that stands for the bootstrap
 *   vat
 * @returns {LoadedConfig}
 * @throws {TypeError} an option has a name or a type that it cannot have
 * @throws {UserError} one clear line
 */
export const loadConfig = (options = {}) => {
  insistOptions('loadConfig()', options, optionRules);
  const { baseDir, configFile, argv, demosDir, indirect = false } = options;
  const isConfigItself = baseDir?.endsWith('.json') && !isFolder(resolve(baseDir));
  const given = configFile ?? (isConfigItself ? baseDir : undefined);
  const found = given === undefined ? undefined : findConfigFile(given, demosDir);
  const named = found?.file;
  if (found !== undefined && named === undefined) {
    throw new UserError(`there is no config file ${quote(given)}`);
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
  // Vats look at `vatParameters.argv[0]` without asking whether there are arguments.
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
