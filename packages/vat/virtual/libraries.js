// Loads the libraries of virtual data, and our modules over them, only when a vat uses it, since loading is slow.

import { lendHandledPromise, returnHandledPromise } from '../marshal/stand-in.js';

/** @import { makeVirtualData } from './virtual-data.js' */

const load = async () => {
  // Both libraries may be loaded here first, and read the global while they load.
  lendHandledPromise();
  try {
    const [patterns, exo, { compareRank, makeDecodePassable, makeEncodePassable }] =
      await Promise.all([
        import('@endo/patterns'),
        import('@endo/exo/tools.js'),
        import('@endo/marshal'),
      ]);
    return Object.freeze({ patterns, exo, compareRank, makeDecodePassable, makeEncodePassable });
  } finally {
    returnHandledPromise();
  }
};

/** @typedef {Awaited<ReturnType<typeof load>>} VirtualLibraries */

/**
 * The libraries that must be loaded before a vat with virtual data starts.
 *
 * @typedef {object} VirtualTools
 * @property {VirtualLibraries} libraries
 * @property {typeof makeVirtualData} makeVirtualData
 */

/** @returns {Promise<VirtualTools>} */
const loadTools = async () => {
  const libraries = await load();
  const { makeVirtualData } = await import('./virtual-data.js');
  return Object.freeze({ libraries, makeVirtualData });
};

/** @type {Promise<VirtualTools> | undefined} */
let loading;

/** @type {VirtualTools | undefined} */
let loaded;

/** @returns {Promise<VirtualTools>} */
export const loadVirtualTools = async () => {
  loading ??= loadTools();
  loaded = await loading;
  return loaded;
};

/** The tools, if a vat has asked for them. */
export const findVirtualTools = () => loaded;
