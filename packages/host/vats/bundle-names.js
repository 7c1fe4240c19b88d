// The names that a config gives to bundles, in the host's values of a state.

/** @import { Kernel } from '#kernel' */

const prefix = 'host.bundleName.';

/** @param {string} name */
export const bundleNameKey = name => /** @type {const} */ (`${prefix}${name}`);

/**
 * @param {Pick<Kernel, 'state'>} kernel
 * @returns {[name: string, id: string][]}
 */
export const listNamedBundles = ({ state }) =>
  [...state.hostValues.all()]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, id]) => [key.slice(prefix.length), id]);
