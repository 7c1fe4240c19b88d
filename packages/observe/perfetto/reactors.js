// Traces a program of reactors.

import { makeReactionNames } from './names.js';
import { makeTimelines } from './timelines.js';

/** @import { Observer } from '#reactor' */
/** @import { TraceWriter } from './writer.js' */

/**
 * Make an observer that writes a trace of all reactions, for the option `observer` of a program.
 *
 * @param {((text: string) => void) | TraceWriter} write  called with pieces of the file, in order; `writeToFile(path)` makes one;
 *   or a writer of another format, such as `makePacketWriter(writeToFile(path))`
 * @returns {Observer}
 */
export const traceTo = write => {
  const timelines = makeTimelines(write);
  const nameOf = makeReactionNames();
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
