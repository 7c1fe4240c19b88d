// Resolves the imports of test files of a checkout of agoric-sdk: modules of SwingSet and its store that a host program uses
// are this package's, all others are the checkout's. Vats and devices in their folders are bundled as they are, so nothing
// here changes what they import.

import { pathToFileURL } from 'node:url';

const here = (/** @type {string} */ path) => new URL(path, import.meta.url).href;
const entry = here('../../packages/swingset/index.js');
const store = here('../../packages/swingset/swing-store.js');
const nothing = 'data:text/javascript,';

/** Packages. @type {Readonly<Record<string, string>>} */
const packages = {
  '@agoric/swingset-vat': entry,
  '@agoric/swing-store': store,
  // It ends the process when the tests are done; older test runners lack what it needs for that.
  '@agoric/internal/src/ava-force-exit.mjs': nothing,
};

/** Files of packages/SwingSet/src, whose exports the entry has by the same names. */
const files = [
  ...['index', 'controller/controller', 'controller/initializeSwingset'],
  ...['controller/upgradeSwingset', 'controller/swingset-config-node'],
];

/** Files of packages/swing-store/src, whose exports our store has by the same names. */
const storeFiles = ['index', 'swingStore'];

/** @type {Map<string, string>} */
const aliases = new Map();

/** @param {{ sdk: string }} data */
export const initialize = ({ sdk }) => {
  const root = pathToFileURL(`${sdk}/packages/`).href;
  for (const file of files) aliases.set(`${root}SwingSet/src/${file}.js`, entry);
  for (const file of storeFiles) aliases.set(`${root}swing-store/src/${file}.js`, store);
};

/**
 * @param {string} specifier
 * @param {{ parentURL?: string }} context
 * @param {(specifier: string, context: object) => Promise<{ url: string }>} next
 */
export const resolve = async (specifier, context, next) => {
  const { parentURL = '' } = context;
  // Imports by this package's own modules are left as they are.
  if (parentURL.startsWith(here('../../'))) return next(specifier, context);
  const own = Object.hasOwn(packages, specifier) ? packages[specifier] : undefined;
  if (own !== undefined) return { url: own, shortCircuit: true };
  const found = await next(specifier, context);
  const alias = aliases.get(found.url);
  return alias === undefined ? found : { ...found, url: alias, shortCircuit: true };
};
