// Measures a commit.

import { withTemporaryFolder } from '../process.js';
import { measureCommits } from './commit-cost.js';

/** @import { Suite } from '../suite.js' */

/** @type {Suite} */
export default {
  about:
    'a commit, by kind of store and durability, and the ways of writing it that were not taken',
  run: ({ small }) =>
    withTemporaryFolder('store', dir => measureCommits({ dir, blocks: small ? 1_000 : 10_000 })),
};
