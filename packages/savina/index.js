// Runs the programs of demos/savina by the method of Lingua Franca's benchmark runner, beside
// published figures.

export { measureSavina } from './measure.js';
export { programs } from './programs.js';
export { peers, publishedRows } from './published.js';
export { formatSavina, summarize } from './tables.js';

/** @typedef {import('./measure.js').SavinaResult} SavinaResult */
/** @typedef {import('./measure.js').SavinaRow} SavinaRow */
/** @typedef {import('./measure.js').Mode} Mode */
