// The utilities of a reaction: reading time, and ending the program.

import { UserError } from '#model';

/** @import { ReactorNode } from './node.js' */

/**
 * @param {ReactorNode} node
 */
export const makeUtil = node => {
  const schedulerOf = () => {
    if (node.region === null) throw new UserError(`${node.path} asks for its time before it runs`);
    return node.region.scheduler;
  };
  return {
    /** Ends the program at the next microstep. Later calls change nothing. */
    requestStop: () => schedulerOf().requestStop(),
    /** The present tag: nanoseconds since the start, and the microstep. */
    getCurrentTag: () => {
      const { timeNs, microstep } = schedulerOf();
      return { timeNs, microstep };
    },
    getElapsedLogicalTime: () => schedulerOf().timeNs,
    /** The clock's time since the start, in nanoseconds. */
    getElapsedPhysicalTime: () => schedulerOf().clock.nowNs(),
    /** Absolute times in nanoseconds, as bigints, since they exceed a number's precision. */
    getStartTime: () => schedulerOf().startTime,
    getCurrentLogicalTime: () => schedulerOf().startTime + BigInt(schedulerOf().timeNs),
    getCurrentPhysicalTime: () => schedulerOf().startTime + BigInt(schedulerOf().clock.nowNs()),
    /**
     * Whether the deadline of the running reaction has passed meanwhile, for a long reaction that wants to stop in
     * time.
     */
    checkDeadline: () => {
      const running = node.region?.running;
      if (!running?.hasDeadline) {
        throw new UserError(
          `${running?.path ?? node.path} checks its deadline and has none; give the reaction one`,
        );
      }
      return schedulerOf().isPast(running.deadlineNs);
    },
    /** @param {string} [message] */
    requestErrorStop: message => {
      const scheduler = schedulerOf();
      scheduler.failure ??= new UserError(`${node.path}: ${message ?? 'stopped by an error'}`, {
        exitCode: 1,
      });
      scheduler.requestStop();
    },
    /** @param {string} [message] */
    reportError: message =>
      void schedulerOf().errors.push(`${node.path}: ${message ?? 'an error'}`),
  };
};
