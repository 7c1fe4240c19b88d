// Records runs block by block and shows them: the stats file, the report, the graphs.

export * from './charts/index.js';
export * from './columns.js';
export * from './growth.js';
export * from './memory.js';
export * from './read.js';
export * from './recorder.js';
export * from './render.js';
export * from './report.js';
export { quantileSorted } from '#model';
export * from './summary.js';
