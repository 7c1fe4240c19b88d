// Loads the modules of the command line: from the pack (packed/) if it matches the sources,
// otherwise through Node.

import { provideCodeFolder } from './code-folder.js';
import { keepCompiledCode } from './compiled-code.js';
import { openPack } from './packed/index.js';

/**
 * @typedef {object} CliModules
 * @property {() => Promise<typeof import('./cli.js')>} loadCli
 * @property {() => Promise<typeof import('./tell-failure.js')>} loadTellFailure
 */

/** @param {readonly string[]} args  of the command line @returns {CliModules} */
export const openModules = args => {
  const codeFolder = provideCodeFolder();
  if (codeFolder !== undefined) keepCompiledCode(codeFolder);
  const pack = openPack(args, codeFolder);
  if (pack === undefined) {
    return {
      loadCli: () => import('./cli.js'),
      loadTellFailure: () => import('./tell-failure.js'),
    };
  }
  return {
    loadCli: /** @type {CliModules['loadCli']} */ (() => pack.load('runner/cli.js')),
    loadTellFailure: /** @type {CliModules['loadTellFailure']} */ (
      () => pack.load('runner/tell-failure.js')
    ),
  };
};
