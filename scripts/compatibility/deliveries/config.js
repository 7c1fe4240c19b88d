// The config of a random program, with sources for either kernel.

/** @import { Program } from './program.js' */

/**
 * @param {Program} program
 * @param {object} actor  where its code is
 * @param {object} device  likewise
 */
export const configOf = ({ vats, hasDevice }, actor, device) => ({
  bootstrap: 'bootstrap',
  defaultReapInterval: 'never',
  vats: Object.fromEntries(
    Object.entries(vats).map(([name, parameters]) => [name, { ...actor, parameters }]),
  ),
  bundles: { actor },
  ...(hasDevice && { devices: { echo: device } }),
});
