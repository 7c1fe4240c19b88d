// A result may stand for many cranks: those that a vat's reactors ran by themselves, and the one that is told by itself.

/** @import { CrankResult } from '#kernel' */
/** @import { Delivery } from '#model' */

/**
 * How many cranks of its transcript a result stands for.
 *
 * @param {{ delivery: Delivery }} call
 * @param {Pick<CrankResult, 'reactors'>} result
 */
export const countCranks = ({ delivery }, { reactors }) => {
  if (!reactors) return 1;
  return reactors.quiet.length + (reactors.isLoud || delivery[0] !== 'react' ? 1 : 0);
};
