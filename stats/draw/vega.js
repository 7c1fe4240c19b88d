// Loads Vega and Vega-Lite from the single files that their packages ship for browsers; their
// modules for Node are 280 files and take longer to load.

import { loadLibrary } from '#vendored';
import { useFontMetrics } from './fonts.js';

/**
 * @typedef {object} ChartLibraries
 * @property {any} vega  measures text by the charts' font
 * @property {(spec: any, options: { logger: any }) => { spec: any }} compile  Vega-Lite to Vega
 */

/** @returns {Promise<ChartLibraries>} */
const load = async () => {
  const vega = await loadLibrary('vega');
  const { compile } = await loadLibrary('vega-lite');
  useFontMetrics(vega);
  return { vega, compile };
};

/** @type {Promise<ChartLibraries> | undefined} */
let loading;

/** Not at the top of the module: a module that awaits there cannot be packed. */
export const loadVega = () => (loading ??= load());
