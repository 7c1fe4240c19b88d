// Asks a run policy after each crank whether to go on.

import { UserError } from '#model';

/**
 * @typedef {object} RunPolicy
 * @property {() => boolean | Record<string, number>} [allowCleanup]  called before each crank: whether entries of ended
 *   vats may be deleted (`true` for the default number, `false`), or a budget for each kind (`{ default: 5, kv: 100 }`)
 * @property {(details: object) => boolean} vatCreated
 * @property {(details: object) => boolean} crankComplete
 * @property {(details: object) => boolean} crankFailed  never called, as in SwingSet 0.33.0: a vat's fault is told as the
 *   crank that it is
 * @property {() => boolean} emptyCrank
 * @property {(details: { cleanups: Record<string, number> }) => boolean} [didCleanup]  gets the numbers of deleted
 *   entries, by kind and in `total`
 */

/**
 * The kind of a crank for a policy: the start of a vat that the run made, another delivery, the clean-up after an ended
 * vat, or none of these. A delivery that failed counts like any other.
 *
 * @typedef {'create-vat' | 'crank' | 'cleanup' | 'none'} CrankKind
 */

/** @typedef {import('#kernel').Flight} Flight */

/** @param {Flight} flight @param {(vatId: string) => boolean} isStatic @returns {CrankKind} */
export const kindOf = ({ found, plan, vatId }, isStatic) => {
  if (found.step === 'cleanUp') return 'cleanup';
  if (plan === null) return found.step === 'wake' ? 'crank' : 'none';
  return found.step === 'start' && !isStatic(vatId) ? 'create-vat' : 'crank';
};

/** Every run of SwingSet calls these. */
const required = /** @type {const} */ (['crankComplete', 'emptyCrank']);

/**
 * @param {any} policy  of a host program
 * @returns {RunPolicy}
 * @throws {UserError} if a method is missing
 */
export const insistPolicy = policy => {
  for (const method of required) {
    if (typeof policy?.[method] !== 'function')
      throw new UserError(
        `run(policy): the policy has no method "${method}"; it needs ${required.map(name => `"${name}"`).join(' and ')}`,
      );
  }
  return policy;
};

/** Vats are not metered, so a crank has no computrons. */
const noDetails = Object.freeze({});

/**
 * @param {RunPolicy} policy
 * @param {CrankKind} kind
 * @param {() => Record<string, number>} lastCleanup  numbers of deleted entries, by kind
 * @returns {boolean} whether to go on
 */
export const askPolicy = (policy, kind, lastCleanup) => {
  switch (kind) {
    case 'create-vat':
      return policy.vatCreated(noDetails);
    case 'crank':
      return policy.crankComplete(noDetails);
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
