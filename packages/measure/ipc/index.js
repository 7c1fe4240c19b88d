// Measures a message and a system call, beside L4Re's published figures: `#measure/ipc`. It is not part of `#measure`,
// which every run loads.

export { measureIpc } from './measure-ipc.js';
export { measureParallel } from './measure-parallel.js';
export { publishedRows } from './published.js';
export { formatIpc, formatParallel, tableRows } from './tables.js';
export { chooseTableColumns, unitOf } from './units.js';

/** @typedef {import('./measure-ipc.js').IpcResult} IpcResult */
/** @typedef {import('./measure-parallel.js').ParallelResult} ParallelResult */
