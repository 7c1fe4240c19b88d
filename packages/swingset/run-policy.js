// How far a run goes: a policy is told of each crank and says whether another may come.

import { UserError } from '#model';

/**
 * @typedef {object} RunPolicy
 * @property {() => boolean | Record<string, number>} [allowCleanup]  asked before each crank whether what ended vats left may be
 *   deleted: true for as usual, false, or how many entries of each kind (`{ default: 5, kv: 100 }`)
 * @property {(details: object) => boolean} vatCreated
 * @property {(details: object) => boolean} crankComplete
 * @property {(details: object) => boolean} crankFailed
 * @property {() => boolean} emptyCrank
 * @property {(details: { cleanups: Record<string, number> }) => boolean} [didCleanup]  told of the entries that were deleted, by
 *   kind and in `total`
 */

/**
 * The kind of a crank, as a policy is told: the start of a vat that the run made, one that a vat did or failed in, the
 * clean-up behind an ended vat, or none of these.
 *
 * @typedef {'create-vat' | 'crank' | 'crank-failed' | 'cleanup' | 'none'} CrankKind
 */

/** @typedef {import('#kernel').Flight} Flight */

/** @param {Flight} flight @param {(vatId: string) => boolean} isStatic @returns {CrankKind} */
export const kindOf = ({ found, plan, outcome, vatId }, isStatic) => {
  if (found.step === 'cleanUp') return 'cleanup';
  if (plan === null) return found.step === 'wake' ? 'crank' : 'none';
  if (outcome === 'dropped' || outcome === 'exitWithFailure') return 'crank-failed';
  return found.step === 'start' && !isStatic(vatId) ? 'create-vat' : 'crank';
};

const required = /** @type {const} */ ([
  'vatCreated',
  'crankComplete',
  'crankFailed',
  'emptyCrank',
]);

/**
 * @param {any} policy  of a host program
 * @returns {RunPolicy}
 * @throws {UserError} a method is missing
 */
export const insistPolicy = policy => {
  for (const method of required) {
    if (typeof policy?.[method] !== 'function')
      throw new UserError(
        `run(policy): the policy has no method "${method}"; it needs ${required.map(name => `"${name}"`).join(', ')}`,
      );
  }
  return policy;
};

/** Vats are not metered, so a crank has no computrons. */
const noDetails = Object.freeze({});

/**
 * @param {RunPolicy} policy
 * @param {CrankKind} kind
 * @param {() => Record<string, number>} lastCleanup  what was deleted, by kinds
 * @returns {boolean} whether to go on
 */
export const askPolicy = (policy, kind, lastCleanup) => {
  switch (kind) {
    case 'create-vat':
      return policy.vatCreated(noDetails);
    case 'crank':
      return policy.crankComplete(noDetails);
    case 'crank-failed':
      return policy.crankFailed(noDetails);
    case 'cleanup':
      return policy.didCleanup?.({ cleanups: withTotal(lastCleanup()) }) ?? true;
    default:
      return policy.emptyCrank();
  }
};

/** @param {Record<string, number>} work */
const withTotal = work => ({
  total: Object.values(work).reduce((sum, count) => sum + count, 0),
  ...work,
});
