// How much of what an ended vat left one step deletes. The host may set a budget for each kind of entry, or forbid
// deletion for a while: then the entries stay, and no step is queued. It is an input of the run, since steps are
// cranks.

import { compareIds, quote, UserError } from '#model';
import { readRow } from '../tables/row-fields.js';

/** @import { Profile } from '../profiles/profile.js' */
/** @import { KernelState } from '../tables/state.js' */

/** Kinds of what an ended vat leaves, in the order in which it is deleted. */
export const leftovers = Object.freeze(
  /** @type {const} */ (['exports', 'imports', 'promises', 'kv', 'snapshots', 'transcripts']),
);

/** @typedef {(typeof leftovers)[number]} Leftover */

/**
 * Entries of each kind that one step deletes at most; `default` is for kinds that are not named. A step deletes at
 * least one.
 *
 * @typedef {{ default: number } & Partial<Record<Leftover, number>>} CleanupBudget
 */

const key = 'host.cleanupBudget';

/** Whether a value may be the budget of one kind: Infinity too, which JSON cannot say. @param {unknown} value */
const isBound = value => typeof value === 'number' && value >= 0 && !Number.isNaN(value);

/**
 * @param {unknown} allowed  true: as usual; false: nothing; or a budget
 * @returns {CleanupBudget | boolean}
 * @throws {UserError} it is none of these
 */
export const insistCleanupBudget = allowed => {
  if (typeof allowed === 'boolean') return allowed;
  const what = 'the cleanup budget';
  if (typeof allowed !== 'object' || allowed === null)
    throw new UserError(
      `${what} must be true, false, or an object with a number "default", got ${allowed === null ? 'null' : typeof allowed}`,
    );
  /** @type {CleanupBudget} */
  const budget = { default: NaN };
  for (const [name, value] of Object.entries(allowed)) {
    if (name !== 'default' && !leftovers.includes(/** @type {Leftover} */ (name)))
      throw new UserError(
        `${what} has no kind ${quote(name)}; it has "default", ${leftovers.map(quote).join(', ')}`,
      );
    if (!isBound(value))
      throw new UserError(
        `${what} has ${quote(name)}: ${String(value)}; a number from 0 is wanted`,
      );
    budget[/** @type {'default'} */ (name)] = Math.min(value, Number.MAX_SAFE_INTEGER);
  }
  if (Number.isNaN(budget.default)) throw new UserError(`${what} has no number "default"`);
  return budget;
};

/**
 * Checks the budget that the store holds.
 *
 * @param {KernelState} state
 * @throws {Error} it is none
 */
export const insistStoredBudget = state =>
  void readRow(key, () => insistCleanupBudget(cleanupBudgetOf(state)));

/** @param {KernelState} state @returns {CleanupBudget | boolean} true: as usual */
export const cleanupBudgetOf = state => JSON.parse(state.hostValues.get(key) ?? 'true');

/**
 * @param {Profile} profile
 * @throws {UserError} what its ended vats left is not deleted in cranks
 */
export const insistCleansUp = ({ cleansUpInCranks }) => {
  if (!cleansUpInCranks)
    throw new UserError(
      'a run of the profile 2020-09 has no cranks that clean up, and no budget for them',
    );
};

/**
 * Sets the budget. Called between cranks, after the input was recorded.
 *
 * @param {KernelState} state
 * @param {CleanupBudget | boolean} budget
 */
export const setCleanupBudget = (state, budget) => {
  const { vats, queue } = state;
  state.hostValues.set(key, budget === true ? undefined : JSON.stringify(budget));
  const queued = [...queue.inOrder()].filter(({ kind }) => kind === 'cleanUp');
  if (budget === false) queue.cancel(queued);
  const known = new Set(queued.map(({ vatId }) => vatId));
  if (budget !== false)
    for (const vatId of [...vats.ending.keys()].sort(compareIds))
      if (!known.has(vatId)) queue.addControl('cleanUp', vatId);
};
