// Vats on threads of their own: how many, which, and what they are sent.

export { makeWorkerPool } from './pool.js';

/** @typedef {import('./pool.js').WorkerFigures} WorkerFigures */
/** @typedef {import('./pool.js').WorkerPool} WorkerPool */
