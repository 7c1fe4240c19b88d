// Levels after a change at run time. A change notes the reactions whose predecessors changed. Their levels, and those of all
// that depends on them, are assigned when the order of reactions matters: when several are ready. So changes one after
// the other share one numbering. A cycle is found at once, by a search from both ends, so that the change is refused.

import { assignLevels, predecessors, successors, visitWriters } from './graph.js';

/** @import { AnyPort } from './port.js' */
/** @import { Reaction } from './reaction.js' */
/** @import { Region } from './region.js' */

/** So many reactions are visited from each end in search of a cycle, before levels are assigned at once. */
const mostSteps = 64;

/**
 * Notes reactions with other predecessors than before, since channels are connected.
 *
 * @param {[AnyPort, number][]} ends  the channels
 * @param {Set<Reaction>} changed
 * @param {Region} region
 * @throws {UserError} for a cycle, with the ports and reactions on it
 */
export const noteConnected = (ends, changed, region) => {
  if (mayMeet(ends, changed)) assignLevels(changed, region);
  else noteCut(changed, region);
};

/**
 * Notes reactions that have lost predecessors: that makes no cycle.
 *
 * @param {Set<Reaction>} changed
 * @param {Region} region
 * @throws {UserError} for a cycle that is there already
 */
export const noteCut = (changed, region) => {
  if (region.scheduler.levelsAtOnce || region.tangled !== null) {
    assignLevels(changed, region);
    return;
  }
  if (changed.size === 0) return;
  region.unsettled ??= new Set();
  for (const reaction of changed) region.unsettled.add(reaction);
};

/**
 * Assigns the levels of all noted reactions.
 *
 * @param {Region} region
 */
export const settleLevels = region => {
  if (region.unsettled !== null) assignLevels([], region);
};

/**
 * Whether what follows a connection may come before it, too: false if all that writes to its ends or comes before that, or
 * all that follows their readers, was visited without meeting the other.
 *
 * @param {[AnyPort, number][]} ends
 * @param {Iterable<Reaction>} readers
 */
const mayMeet = (ends, readers) => {
  const ahead = new Set(readers);
  /** @type {Set<Reaction>} */
  const behind = new Set();
  let meet = false;
  /** @param {Reaction} before */
  const visitBefore = before => {
    meet ||= ahead.has(before);
    behind.add(before);
  };
  /** @param {Reaction} after */
  const visitAfter = after => {
    meet ||= behind.has(after);
    ahead.add(after);
  };
  for (const [port, index] of ends) visitWriters(port, index, visitBefore);
  const forward = ahead.values();
  const backward = behind.values();
  for (let steps = 0; steps < mostSteps && !meet; steps += 1) {
    const earlier = backward.next();
    if (earlier.done) return false;
    predecessors(earlier.value, visitBefore);
    if (meet) return true;
    const later = forward.next();
    if (later.done) return false;
    successors(later.value, visitAfter);
  }
  return true;
};
