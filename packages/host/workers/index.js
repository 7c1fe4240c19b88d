// Vats on worker threads: the threads, the placement of vats, and their deliveries.

export { makePlacer } from './placer.js';
export { makeWorkerPool } from './pool.js';

/** @typedef {import('./worker-figures.js').WorkerFigures} WorkerFigures */
/** @typedef {import('./pool.js').WorkerPool} WorkerPool */
/** @typedef {import('./placer.js').PlacementFigures} PlacementFigures */
