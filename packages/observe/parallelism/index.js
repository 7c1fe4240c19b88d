// Computes from its slog how much a run could gain from threads.

export { readParallelism } from './read-parallelism.js';

/** @typedef {import('./parallelism.js').Parallelism} Parallelism */
/** @typedef {import('./parallelism.js').Distribution} Distribution */
