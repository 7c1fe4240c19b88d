// Reasons why a program may do something else on reactor-c than here: docs/reactor-c.md has them, too. A reason counts from
// the time at which its cause first happened in the run here: an earlier difference has another reason.

/** @import { ClassShape, Shape, WireShape } from './shape.js' */

/** @typedef {Map<string, number>} Happened  by reason: nanoseconds until it first happened */

export const reasons = Object.freeze({
  ownReset: 'a mode is reset within itself',
  update: 'policy "update"',
  noSpacing: 'a spacing of 0',
  late: 'an event with a spacing after the timeout',
  together: 'events of one time that come back with their mode',
  end: 'a program that may end before its timeout',
  always: 'a connection of a mode between parts of no mode',
  modal: 'a mode with modal reactors is entered by history',
});

/**
 * Whether a connection of a mode is between parts of no mode, and no other mode has one to the same port.
 *
 * @param {ClassShape} type
 * @param {WireShape} wire
 */
export const isAlways = ({ children, wires }, { mode, to, port, sources, after, isPhysical }) => {
  if (mode === null || after !== null || isPhysical) return false;
  const isOutside = (/** @type {number} */ child) => children[child]?.mode !== mode;
  return (
    isOutside(to) &&
    sources.every(({ child }) => isOutside(child)) &&
    wires.filter(other => other.to === to && other.port === port).length === 1
  );
};

/** @param {ClassShape[]} classes @param {number} of @returns {boolean} */
export const hasModes = (classes, of) =>
  classes[of].modes > 0 || classes[of].children.some(child => hasModes(classes, child.of));

/**
 * @param {Shape} shape
 * @param {Happened} happened  in the run here
 * @param {number} fromNs  time of the first difference
 * @param {number} endNs  time of the last reaction there
 * @returns {string[]} reasons that the difference may have
 */
export const reasonsFor = (shape, happened, fromNs, endNs) => {
  const found = [...happened].filter(([, timeNs]) => timeNs <= fromNs).map(([reason]) => reason);
  if (shape.stops && fromNs >= endNs) found.push(reasons.end);
  return found;
};
