// Runs cranks of a simulation and ends its blocks, for the host program and for calls.

import { pumpInTurn } from '../engine/crank-turns.js';
import { inMacrotask } from '../engine/macrotask.js';
import { withoutPromiseHooks } from '../engine/promise-hooks.js';
import { insistCount, insistNumber } from '../insist.js';
import { cranksBefore, cranksBetween, objectsBefore } from '../engine/rehearsal.js';

/** @import { Kernel } from '#kernel' */
/** @import { Drain } from '../engine/drain-jobs.js' */
/** @import { makeScout } from '../workers/scout.js' */

/**
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {Drain} parts.drain
 * @param {ReturnType<typeof makeScout> | undefined} parts.placer
 * @param {() => void} parts.insistOpen  throws if the simulation is closed
 * @param {(error: unknown) => unknown} parts.explain  turns a vat's failure to start into a UserError
 * @param {() => void} parts.giveHandedOut  gives the host, after a commit, the values that devices handed out
 * @param {() => void} parts.beginTime  starts the system's clock, unless it has been started
 * @param {() => void} [parts.rehearse]  called once, between cranks, when the run has many objects
 */
export const makeCranks = ({
  kernel,
  drain,
  placer,
  insistOpen,
  explain,
  giveHandedOut,
  beginTime,
  rehearse,
}) => {
  /** Cranks until the run is to rehearse, if it has enough objects then. */
  let left = rehearse === undefined ? Infinity : cranksBefore;
  const objects = kernel.counters.find('kernelObjects');

  const rehearseIfDue = () => {
    if (left > 0) return;
    const isDue = kernel.counters.numbers[objects] >= objectsBefore;
    left = isDue ? Infinity : cranksBetween;
    if (isDue) rehearse?.();
  };

  /**
   * @param {number} limit
   * @param {number} [untilNs]
   */
  const pumpInMacrotask = (limit, untilNs) => {
    rehearseIfDue();
    const pumped = pumpInTurn(kernel, drain, limit, untilNs, placer?.pauseAfter);
    left -= pumped.cranks;
    return pumped;
  };

  /** @param {number} limit @param {number} [untilNs] */
  const pumpOnce = (limit, untilNs) => {
    insistOpen();
    placer?.enter();
    if (!kernel.isStarting()) beginTime();
    try {
      return withoutPromiseHooks(drain, () => pumpInMacrotask(limit, untilNs));
    } catch (error) {
      throw explain(error);
    }
  };

  /**
   * Like `kernel.pump`: run cranks without a new macrotask. Vats may move between some of them, since a block of long
   * cranks lasts long.
   *
   * @param {number} limit
   * @param {number} [untilNs]
   * @throws {UserError} if a vat does not start
   */
  const pump = (limit, untilNs) => {
    let total = 0;
    for (;;) {
      const { cranks, waiting } = pumpOnce(limit - total, untilNs);
      total += cranks;
      const isPaused = placer !== undefined && waiting === null && cranks >= placer.pauseAfter;
      if (!isPaused || total >= limit || kernel.isQuiet) return { cranks: total, waiting };
      const placing = placer.atPause();
      if (placing) return { cranks: total, waiting: placing };
    }
  };

  /** @returns {void | Promise<void>} */
  const endBlock = () => {
    giveHandedOut();
    return placer?.atPause();
  };

  /**
   * End the block like `commit`.
   *
   * @returns {void | Promise<void>} a promise only if it must wait
   */
  const commitBlock = () => {
    insistOpen();
    const committing = kernel.commit();
    if (committing) return committing.then(endBlock);
    return endBlock();
  };

  return {
    pump,
    commitBlock,

    /**
     * Run at most `limit` cranks, without committing.
     *
     * @param {number} [limit]
     * @param {number} [untilNs]  items of a later logical time wait
     * @returns {Promise<number>} number of cranks run; less than the limit if nothing is left
     * @throws {UserError} if the limit or bound is no number, or too small
     */
    async runCranks(limit = Infinity, untilNs = Infinity) {
      insistCount('the limit of runCranks()', limit, 0);
      insistNumber('the bound of runCranks()', untilNs, 0);
      let total = 0;
      for (;;) {
        const { cranks, waiting } = await inMacrotask(() => pump(limit - total, untilNs));
        total += cranks;
        if (waiting === null) return total;
        await waiting;
      }
    },

    /** End the block: resolves when everything since the last commit is in the store. */
    async commit() {
      await commitBlock();
    },
  };
};
