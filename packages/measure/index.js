// Timing loops, the spread of their figures, the noise of the machine, and its description.

export { describeCommit } from './commit.js';
export { describeMachine, formatMachine } from './machine.js';
export { measure, measureInTurns } from './measure.js';
export { describeNoise, watchNoise } from './noise.js';
export { completeRows, formatRows } from './rows.js';
export { spreadOf } from './spread.js';

/** @typedef {import('./machine.js').Machine} Machine */
/** @typedef {import('./noise.js').Noise} Noise */
/** @typedef {import('./rows.js').Figure} Figure */
/** @typedef {import('./rows.js').Row} Row */
/** @typedef {import('./spread.js').Spread} Spread */
