// Counts the cranks of a result: cranks that a vat's reactors ran by themselves, and at most one other.

/** @import { CrankResult } from '#kernel' */
/** @import { Delivery } from '#model' */

/**
 * Count the cranks of a result, as in the transcript.
 *
 * @param {{ delivery: Delivery }} call
 * @param {Pick<CrankResult, 'reactors'>} result
 */
export const countCranks = ({ delivery }, { reactors }) => {
  if (!reactors) return 1;
  return reactors.quiet.length + (reactors.isLoud || delivery[0] !== 'react' ? 1 : 0);
};
