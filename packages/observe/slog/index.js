// Writes a run as lines of JSON, one a crank, and reads them: cranks, their causes, the first difference.

export { makeSlog } from './slog.js';
export { slogVersion } from './slog-lines.js';
export { CauseTracker } from './causes.js';
export { compareSlogs } from './compare-slogs.js';
export { krefOf, methodOf, readCranks } from './read-cranks.js';

/** @typedef {import('./slog.js').Slog} Slog */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./compare-slogs.js').SlogDifference} SlogDifference */
/** @typedef {import('./read-cranks.js').SlogCrank} SlogCrank */
