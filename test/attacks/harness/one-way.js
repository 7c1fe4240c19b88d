// How thoroughly the suite runs.

/** In one way only, in memory where an attack can be: CI does so on versions of Node beside the oldest. */
export const runsOneWay = process.env.SWINGSET_RUNNER_ATTACKS === 'once';
