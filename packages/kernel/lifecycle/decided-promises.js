// The promises that a vat is to settle, which are rejected when it ends or is upgraded.

import { compareTexts, isPromiseKref } from '#model';

/** @import { Pair } from '../tables/clist.js' */
/** @import { KernelState } from '../tables/state.js' */

/**
 * @param {KernelState} state
 * @param {string} vatId
 * @returns {Readonly<Pair>[]} in the order of their vrefs as texts, in which they are rejected: `p+10`, `p+9`, `p-60`
 */
export const listDecidedPromises = ({ vats, promises }, vatId) =>
  vats
    .clist(vatId)
    .pairs()
    .filter(({ kref }) => isPromiseKref(kref) && promises.find(kref)?.decider === vatId)
    .sort((left, right) => compareTexts(left.vref, right.vref));
