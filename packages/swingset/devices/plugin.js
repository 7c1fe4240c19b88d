// The host's part of plugins: modules of the host that objects in vats use by CapTP.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { UserError } from '#model';

/** CapTP is not a dependency of this package, since few programs have plugins. */
const importInstalled = () => {
  const { resolve } = createRequire(join(process.cwd(), 'program.js'));
  try {
    return import(pathToFileURL(resolve('@endo/captp')).href);
  } catch (cause) {
    throw new UserError('plugins speak CapTP; install "@endo/captp"', { cause });
  }
};

/**
 * Make the host's part of a plugin device: a vat uses modules of the host by CapTP.
 *
 * @param {string} pluginDir
 * @param {(module: string) => any} importPlugin
 * @param {(thunk: () => void) => void} queueThunkForKernel  calls it between cranks, and runs the kernel afterwards
 * @param {() => Promise<any>} [importCapTP]  default: imports `@endo/captp` as installed for the working directory
 * @returns `srcPath`, `endowments`, and `reset()`
 * @throws {UserError} when a vat uses a plugin, if `@endo/captp` is not installed
 */
export const buildPlugin = (
  pluginDir,
  importPlugin,
  queueThunkForKernel,
  importCapTP = importInstalled,
) => {
  /** @type {(() => void) | undefined} */
  let resetter;
  return {
    srcPath: fileURLToPath(new URL('sources/device-plugin.js', import.meta.url)),
    endowments: {
      import: importPlugin,
      importCapTP,
      queueThunkForKernel,
      registerResetter(/** @type {any} */ callback) {
        resetter = callback;
      },
      getPluginDir: () => pluginDir,
    },
    /** Tell vats, once, that connections of an earlier process are gone. */
    reset() {
      const tell = resetter;
      resetter = undefined;
      tell?.();
    },
  };
};
