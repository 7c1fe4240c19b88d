// Computes from a run's slog how much it could gain from threads.

export { readParallelism } from './read-parallelism.js';

/** @typedef {import('./parallelism.js').Parallelism} Parallelism */
/** @typedef {import('./parallelism.js').Distribution} Distribution */
