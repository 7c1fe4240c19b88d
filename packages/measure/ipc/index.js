// What a message and a system call take, beside what L4Re publishes.

export { measureIpc } from './measure-ipc.js';
export { measureParallel } from './measure-parallel.js';
export { publishedRows } from './published.js';
export { formatIpc, formatParallel, tablePaths } from './tables.js';
export { chooseTableColumns, unitOf } from './units.js';
