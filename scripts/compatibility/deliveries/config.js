// The config of a random program, with sources for either kernel.

/** @import { Program } from './program.js' */

/** The sides of a program with comms; the actor that is first is on the left. */
export const sides = ['left', 'right'];

/**
 * The code of a part, by name: `actor`; `device`; of a program with comms `comms`, `vattp` and `loopbox`, and `leftcomms` and the
 * like where the sides differ.
 *
 * @typedef {Record<string, object>} Sources
 */

/** @param {Sources} sources @param {object} creationOptions  of both comms vats */
const connectedBy = (sources, creationOptions) =>
  Object.fromEntries(
    sides.flatMap(side => [
      [`${side}comms`, { ...(sources[`${side}comms`] ?? sources.comms), creationOptions }],
      [`${side}vattp`, sources[`${side}vattp`] ?? sources.vattp],
    ]),
  );

/**
 * @param {Program} program
 * @param {Sources} sources
 */
export const configOf = ({ seed, vats, hasDevice, hasComms }, sources) => ({
  bootstrap: 'bootstrap',
  defaultReapInterval: 'never',
  // Otherwise a vat is asked after a number of drops and retirements.
  defaultReapGCKrefs: 'never',
  vats: {
    ...Object.fromEntries(
      Object.entries(vats).map(([name, parameters]) => [name, { ...sources.actor, parameters }]),
    ),
    // In one program of three the comms vats hold messages to promises that they have still to settle.
    ...(hasComms && connectedBy(sources, { enableSetup: true, enablePipelining: seed % 3 > 0 })),
  },
  bundles: { actor: sources.actor },
  ...((hasDevice || hasComms) && {
    devices: {
      ...(hasDevice && { echo: sources.device }),
      ...(hasComms && { loopbox: { ...sources.loopbox, parameters: { senders: sides } } }),
    },
  }),
});
