// Compares a resumed state with its directory's present sources and config. The run uses the state's, so a person who
// has edited a source must learn that the edit has no effect.

import { quote } from '#model';
import { bundleCode } from '../vats/vats.js';
import { compareConfigs, recordedArguments } from './compare-configs.js';

/** @import { Kernel } from '#kernel' */
/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { CodeSource } from '#config/read-config.js' */

/** @param {LoadedConfig} config @param {string} name */
const findVat = (config, name) =>
  Object.hasOwn(config.vats, name) && config.vats[name].builtIn === undefined
    ? config.vats[name]
    : undefined;

/**
 * @param {string} subject  of errors: `vat "bank"`
 * @param {CodeSource} code
 * @param {string} known  id of the state's bundle
 * @param {LoadedConfig} config
 * @param {string | undefined} cacheDir
 * @returns {Promise<string | undefined>} the difference, if any
 */
const compareSource = async (subject, code, known, config, cacheDir) => {
  try {
    const { bundle } = await bundleCode(subject, code, config, cacheDir);
    return bundle.id === known ? undefined : `${subject} has another source`;
  } catch (error) {
    const [line] = /** @type {Error} */ (error).message.split('\n');
    return `${subject} has another source, which cannot be read: ${line}`;
  }
};

/**
 * @param {Kernel} kernel  of the state
 * @param {LoadedConfig} config  the directory's present one
 * @param {object} options
 * @param {string} [options.cacheDir]
 * @param {string[] | undefined} options.argv  arguments of the bootstrap vat, if any were given
 * @returns {Promise<string[]>} differences, a line each
 */
export const compareResumed = async (kernel, config, { cacheDir, argv }) => {
  /** @type {string[]} */
  const differences = [];
  for (const { name, isStatic, isBuiltIn, source } of kernel.vats()) {
    const code = isStatic && !isBuiltIn ? findVat(config, name) : undefined;
    if (code === undefined) continue;
    const difference = await compareSource(`vat ${quote(name)}`, code, source, config, cacheDir);
    if (difference !== undefined) differences.push(difference);
  }
  differences.push(...compareConfigs(kernel, config, 'state'));
  const known = recordedArguments(kernel) ?? [];
  if (argv !== undefined && JSON.stringify(argv) !== JSON.stringify(known))
    differences.push(
      `the arguments are ${JSON.stringify(argv)}, and were ${JSON.stringify(known)}`,
    );
  return differences;
};
