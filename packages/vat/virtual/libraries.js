// The libraries of virtual data, loaded only when a vat uses it: they take a tenth of a second.

import { lendHandledPromise, returnHandledPromise } from '../marshal/stand-in.js';

const load = async () => {
  // Both may be loaded here first, and read the global while they load.
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

/** @type {Promise<VirtualLibraries> | undefined} */
let loading;

/** @type {VirtualLibraries | undefined} */
let loaded;

/** @returns {Promise<VirtualLibraries>} */
export const loadVirtualLibraries = async () => {
  loading ??= load();
  loaded = await loading;
  return loaded;
};

/** The libraries, if a vat has asked for them. */
export const findVirtualLibraries = () => loaded;
