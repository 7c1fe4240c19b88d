// Pure algorithms of ordering. Imports only `#model`.

export * from './delays.js';
export * from './event-queue.js';
export * from './precedence.js';
export * from './ready-queue.js';
export * from './tag-heap.js';
export { findStages } from './stages.js';
