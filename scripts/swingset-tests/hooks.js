// Resolves the imports of SwingSet's own tests: modules that a host program uses are this package's, all others are
// SwingSet's. Vats and devices in their folders are bundled as they are, so nothing here changes what they import.

import { pathToFileURL } from 'node:url';

const here = (/** @type {string} */ path) => new URL(path, import.meta.url).href;
const entry = here('../../packages/swingset/index.js');
const store = here('../../packages/swingset/swing-store.js');
const nothing = 'data:text/javascript,';

/** Packages. @type {Readonly<Record<string, string>>} */
const packages = {
  '@agoric/swingset-vat': entry,
  '@agoric/swing-store': store,
  ses: nothing,
  // It ends the process when the tests are done; older test runners lack what it needs for that.
  '@agoric/internal/src/ava-force-exit.mjs': nothing,
};

/** Files of packages/SwingSet, whose exports the entry has by the same names. */
const files = [
  ...['index', 'controller/controller', 'controller/initializeSwingset'],
  ...['controller/upgradeSwingset', 'controller/swingset-config-node'],
];

/** Modules that lock the realm down are not loaded: it is locked down already. */
const isLockdown = (/** @type {string} */ specifier) =>
  /^(?:@endo\/(?:init|lockdown)(?:\/|$)|ses\/|@agoric\/install-ses)/.test(specifier);

/** @type {Map<string, string>} */
const aliases = new Map();
let root = '';

/** @param {{ sdk: string }} data */
export const initialize = ({ sdk }) => {
  root = pathToFileURL(`${sdk}/packages/SwingSet/`).href;
  for (const file of files) aliases.set(`${root}src/${file}.js`, entry);
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
  if (isLockdown(specifier)) return { url: nothing, shortCircuit: true };
  const found = await next(specifier, context);
  if (
    parentURL.includes('/ava/') &&
    found.url.startsWith(`${root}test/`) &&
    /\.test\.[jt]s$/.test(found.url)
  )
    return { ...found, url: `${found.url}?entry` };
  const alias = aliases.get(found.url);
  return alias === undefined ? found : { ...found, url: alias, shortCircuit: true };
};

/**
 * The test runner is loaded into an open realm, and the test file into one that is locked down.
 *
 * @param {string} url
 * @param {object} context
 * @param {(url: string, context: object) => Promise<object>} next
 */
export const load = async (url, context, next) => {
  if (!url.endsWith('?entry')) return next(url, context);
  const file = url.slice(0, -'?entry'.length);
  const source = `
    import 'ava';
    import { ensureLockdown } from ${JSON.stringify(here('../../packages/host/index.js'))};
    await ensureLockdown();
    const { HandledPromise } = await import(${JSON.stringify(here('../../packages/vat/index.js'))});
    Object.assign(globalThis, { HandledPromise });
    await import(${JSON.stringify(`${file}?test`)});
  `;
  return { format: 'module', source, shortCircuit: true };
};
