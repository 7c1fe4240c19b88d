// Vats on threads of their own: how many, which, and what they are sent.

export { LoadMeter, meterTransport } from './load-meter.js';
export { makePlacer } from './placer.js';
export { makeWorkerPool } from './pool.js';

/** @typedef {import('./worker-figures.js').WorkerFigures} WorkerFigures */
/** @typedef {import('./pool.js').WorkerPool} WorkerPool */
/** @typedef {import('./placer.js').PlacementFigures} PlacementFigures */
