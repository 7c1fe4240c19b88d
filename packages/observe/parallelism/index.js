// What a run could gain from threads, from its slog.

export { readParallelism } from './read-parallelism.js';

/** @typedef {import('./parallelism.js').Parallelism} Parallelism */
/** @typedef {import('./parallelism.js').Distribution} Distribution */
