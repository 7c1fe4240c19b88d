// Writes a run crank by crank, as lines of JSON.

export { makeSlog } from './slog.js';
export { slogVersion } from './slog-lines.js';

/** @typedef {import('./slog.js').Slog} Slog */
