// Vega and Vega-Lite, as the single files that their packages ship for browsers. Their modules for Node are 280 files, which
// take four times as long to load; the code is the same.

import { loadLibrary } from '#vendored';

export const vega = await loadLibrary('vega');

/** @type {{ compile: (spec: any, options: { logger: any }) => { spec: any } }} */
export const { compile } = await loadLibrary('vega-lite');
