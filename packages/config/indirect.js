// Turns a config into an indirect one (`--indirect` of SwingSet's runner): a launcher vat (vat-launcher.js) makes the
// config's vats during the run and stands for the bootstrap vat.

import { fileURLToPath } from 'node:url';
import { quote, UserError } from '#model';

/** @import { LoadedConfig } from './load-config.js' */
/** @import { CodeSource, VatOptions } from './read-config.js' */

/**
 * The parameters of the launcher.
 *
 * @typedef {object} Launch
 * @property {string} bootstrap  the vat that gets the message `bootstrap`
 * @property {{ name: string, bundleName: string, parameters: Record<string, any>, isCritical: boolean,
 *   options: Record<string, unknown> }[]} vats  in the order in which they are made
 */

const launcherName = 'launcher';

const launcherFile = fileURLToPath(new URL('vat-launcher.js', import.meta.url));

/** Options that createVat() does not take. */
const forConfigOnly = /** @type {const} */ (['reapGCKrefs', 'enableDisavow']);

/**
 * The options of a vat that is made in the run. Reading the config gave a notice for those that have no effect.
 *
 * @param {string} vatName
 * @param {VatOptions} given
 * @throws {UserError} createVat() does not take one of them
 */
const toLaunchOptions = (vatName, given) => {
  const refused = forConfigOnly.find(option => given[option] !== undefined);
  if (refused !== undefined)
    throw new UserError(
      `vats.${vatName}.creationOptions has ${quote(refused)}, which --indirect cannot hand on, since createVat() does not take it; leave one of the two out`,
    );
  const {
    critical: _critical,
    mayFail: _mayFail,
    nodeOptions: _nodeOptions,
    metered: _metered,
    enableInternalMetering: _metering,
    neverReap,
    reapInterval = neverReap === true ? 'never' : undefined,
    ...options
  } = given;
  // createVat() takes numbers only.
  return {
    ...options,
    ...(reapInterval !== undefined && {
      reapInterval: reapInterval === 'never' ? 0 : reapInterval,
    }),
  };
};

/**
 * A name for a vat's bundle that no other bundle of the config has.
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
 * @throws {UserError} if the config has connections, or options of reactors or of vats that no vat made in the run has
 * @returns {LoadedConfig & { launches: string, launchedVats: string[] }}  `launches` is the name of the original bootstrap vat
 */
export const makeIndirect = config => {
  if (config.wiring !== undefined) {
    throw new UserError(
      '"connections" and "reactors" of a config need vats that exist when the run starts, and --indirect makes them later; leave --indirect out',
    );
  }
  const bundles = { ...config.bundles };
  /** @type {Launch} */
  const launch = { bootstrap: config.bootstrap, vats: [] };
  /** @type {string[]} */
  const launchedVats = [];
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
    if (creationOptions.mayFail !== true) launchedVats.push(name);
    launch.vats.push({
      name,
      bundleName,
      parameters,
      isCritical: creationOptions.critical === true,
      options: toLaunchOptions(name, creationOptions),
    });
  }
  return {
    ...config,
    bootstrap: launcherName,
    launches: config.bootstrap,
    launchedVats,
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
