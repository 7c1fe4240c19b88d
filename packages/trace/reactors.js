// The trace of a program of reactors.

import { makeTimelines } from './timelines.js';

/** @import { Observer, Reaction } from '#reactor' */

/**
 * An observer that writes a trace of all reactions, for the option `observer` of a program.
 *
 * @param {(text: string) => void} write  called with pieces of the file, in order; `writeToFile(path)` makes one
 * @returns {Observer}
 */
export const traceTo = write => {
  const timelines = makeTimelines(write);
  /** Finding a name takes longer than a reaction. @type {WeakMap<Reaction, { track: string, name: string }>} */
  const names = new WeakMap();

  /** @param {Reaction} reaction */
  const nameOf = reaction => {
    const known = names.get(reaction);
    if (known !== undefined) return known;
    const { node, path } = reaction;
    const { transient } = /** @type {any} */ (node.region);
    // A transient child is used again, elsewhere.
    const track = transient ? `transient ${node.reactor.constructor.name}` : node.path;
    const made = { track, name: path.slice(path.lastIndexOf('.') + 1) };
    names.set(reaction, made);
    return made;
  };

  return {
    tagBegan: (timeNs, microstep) => timelines.tag(timeNs, microstep),
    reacted: (reaction, startNs, endNs, isLate) => {
      const { track, name } = nameOf(reaction);
      const args = { level: reaction.depth, ...(isLate && { late: true }) };
      timelines.record({ track, name: isLate ? `${name}, late` : name, startNs, endNs, args });
    },
    ended: () => timelines.close(),
  };
};
