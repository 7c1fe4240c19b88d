// Loads Vega and Vega-Lite from the single files that their packages ship for browsers; their
// modules for Node are 280 files and take longer to load.

import { loadLibrary } from '#vendored';

export const vega = await loadLibrary('vega');

/** @type {{ compile: (spec: any, options: { logger: any }) => { spec: any } }} */
export const { compile } = await loadLibrary('vega-lite');
