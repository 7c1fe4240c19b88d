// Levels after a change at run time. A change notes the reactions whose predecessors changed. Their levels, and those of all
// that depends on them, are assigned when the order of reactions matters: when several are ready. So changes one after
// the other share one numbering. A cycle is found at once, by a search from both ends, so that the change is refused.

import { assignLevels, predecessors, successors } from './graph.js';

/** @import { Reaction } from './reaction.js' */
/** @import { Region } from './region.js' */

/** So many changed reactions are looked at one by one; with more of them, levels are assigned at once. */
const fewReactions = 8;

/** So many reactions are visited from each end in search of a cycle, before levels are assigned at once. */
const mostSteps = 64;

/**
 * Notes reactions with other predecessors than before.
 *
 * @param {Set<Reaction>} changed
 * @param {Region} region
 * @throws {UserError} for a cycle, with the ports and reactions on it
 */
export const noteChanged = (changed, region) => {
  if (
    region.scheduler.levelsAtOnce ||
    region.tangled !== null ||
    changed.size > fewReactions ||
    [...changed].some(mayFollowItself)
  ) {
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
 * Whether a reaction may depend on itself: false if all that comes before it, or all that follows it, was visited
 * without meeting the other.
 *
 * @param {Reaction} first
 */
const mayFollowItself = first => {
  const ahead = new Set([first]);
  const behind = new Set([first]);
  const forward = ahead.values();
  const backward = behind.values();
  let meet = false;
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const earlier = backward.next();
    if (earlier.done) return false;
    predecessors(earlier.value, before => {
      meet ||= ahead.has(before);
      behind.add(before);
    });
    const later = forward.next();
    if (later.done) return meet;
    successors(later.value, after => {
      meet ||= behind.has(after);
      ahead.add(after);
    });
    if (meet) return true;
  }
  return true;
};
