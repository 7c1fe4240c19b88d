// How thoroughly the suite runs.

const asked = process.env.SWINGSET_RUNNER_ATTACKS ?? 'all';
if (!['all', 'once', 'once-even', 'once-odd'].includes(asked))
  throw TypeError(`SWINGSET_RUNNER_ATTACKS is all, once, once-even or once-odd, not "${asked}"`);

/** In one way only, in memory where an attack can be: CI does so on versions of Node beside the oldest. */
export const runsOneWay = asked !== 'all';

/**
 * Whether an attack that runs in memory is tried in processes of its own, too: of two versions of Node between two others each
 * does that with half.
 *
 * @param {number} index  by name
 */
export const startsProcesses = index =>
  !asked.startsWith('once-') || (index % 2 === 0) === (asked === 'once-even');
