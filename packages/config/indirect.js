// A config whose vats are made while the run is on, by one vat that stands for the bootstrap vat (vat-launcher.js):
// what SwingSet's runner calls `--indirect`.

import { fileURLToPath } from 'node:url';
import { UserError } from '#model';

/** @import { LoadedConfig } from './load-config.js' */
/** @import { CodeSource, VatOptions } from './read-config.js' */

/**
 * The parameters of the launcher.
 *
 * @typedef {object} Launch
 * @property {string} bootstrap  which of the vats is sent `bootstrap`
 * @property {{ name: string, bundleName: string, parameters: Record<string, any>, isCritical: boolean,
 *   options: Record<string, unknown> }[]} vats  in the order in which they are made
 */

const launcherName = 'launcher';

const launcherFile = fileURLToPath(new URL('vat-launcher.js', import.meta.url));

/**
 * The options of a vat that is made in the run. Those that have no effect here were told of when the config was read.
 *
 * @param {VatOptions} options
 */
const toLaunchOptions = ({
  critical: _critical,
  mayFail: _mayFail,
  nodeOptions: _nodeOptions,
  enableInternalMetering: _metering,
  ...options
}) => options;

/**
 * A name for the bundle of a vat that no bundle of the config has.
 *
 * @param {Record<string, CodeSource>} bundles
 * @param {string} vatName
 */
const freeName = (bundles, vatName) => {
  let name = `vat-${vatName}`;
  while (Object.hasOwn(bundles, name)) name = `vat-${name}`;
  return name;
};

/**
 * @param {LoadedConfig} config
 * @throws {UserError} its vats' reactors are joined
 * @returns {LoadedConfig & { launches: string }}  `launches` is the name of the original bootstrap vat
 */
export const makeIndirect = config => {
  if (config.wiring !== undefined) {
    throw new UserError(
      '"connections" and "reactors" of a config are for vats that are there when the run starts, and --indirect makes them later; leave --indirect out',
    );
  }
  const bundles = { ...config.bundles };
  /** @type {Launch} */
  const launch = { bootstrap: config.bootstrap, vats: [] };
  /** @type {LoadedConfig['vats']} */
  const vats = {};
  for (const [name, vat] of Object.entries(config.vats)) {
    const { parameters, creationOptions, ...code } = vat;
    // A vat that comes with the system has no bundle, and exists from the start.
    if (code.builtIn !== undefined) {
      vats[name] = vat;
      continue;
    }
    const bundleName = code.bundleName ?? freeName(bundles, name);
    if (code.bundleName === undefined) bundles[bundleName] = code;
    launch.vats.push({
      name,
      bundleName,
      parameters,
      isCritical: creationOptions.critical === true,
      options: toLaunchOptions(creationOptions),
    });
  }
  return {
    ...config,
    bootstrap: launcherName,
    launches: config.bootstrap,
    bundles,
    vats: {
      ...vats,
      [launcherName]: {
        sourceFile: launcherFile,
        parameters: { launch },
        creationOptions: {},
      },
    },
  };
};
