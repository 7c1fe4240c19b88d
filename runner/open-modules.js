// Loads the modules of the command line: from the pack (packages/packed) if it matches the sources,
// otherwise through Node.

import { openPack, provideCodeFolder } from '#packed';
import { keepCompiledCode } from './compiled-code.js';
import { usesSources } from './uses-sources.js';

/**
 * @typedef {object} CliModules
 * @property {() => Promise<typeof import('./cli.js')>} loadCli
 * @property {() => Promise<typeof import('./tell-failure.js')>} loadTellFailure
 */

/** @param {string | undefined} codeFolder */
const openCommand = codeFolder => {
  const pack = openPack('command', codeFolder);
  if (pack === undefined) return undefined;
  const { modules, code } = pack;
  process.once('exit', () => {
    const flags = /** @type {typeof import('#host/engine/process-flags.js') | undefined} */ (
      modules.find('packages/host/engine/process-flags.js')
    );
    const save = () => code.save();
    // Each module's code is kept under the flags under which it was compiled.
    flags?.takeFlagsBack(save);
    save();
  });
  return modules;
};

/** @param {readonly string[]} args  of the command line @returns {CliModules} */
export const openModules = args => {
  const codeFolder = provideCodeFolder();
  if (codeFolder !== undefined) keepCompiledCode(codeFolder);
  const modules = usesSources(args) ? undefined : openCommand(codeFolder);
  if (modules === undefined) {
    return {
      loadCli: () => import('./cli.js'),
      loadTellFailure: () => import('./tell-failure.js'),
    };
  }
  return {
    loadCli: /** @type {CliModules['loadCli']} */ (() => modules.load('runner/cli.js')),
    loadTellFailure: /** @type {CliModules['loadTellFailure']} */ (
      () => modules.load('runner/tell-failure.js')
    ),
  };
};
