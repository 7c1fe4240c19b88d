// Many runs, each in a process of its own, kept in one folder with tables, graphs and a page.

export { openFolder } from './folder.js';
export { demoJobs, snapshotBlockSize, snapshotJobs } from './jobs.js';
export { loadPublished } from './published.js';
export { runMatrix } from './run-matrix.js';
export { formatTextTable } from './tables.js';

/** @typedef {import('./jobs.js').Job} Job */
/** @typedef {import('./folder.js').Folder} Folder */
/** @typedef {import('./result.js').Result} Result */
