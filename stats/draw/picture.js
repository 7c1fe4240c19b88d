// Turns a Vega-Lite specification into the bytes of a picture. It needs Vega, which cannot be
// loaded after lockdown, so only the drawing process imports this file. Equal specifications give
// equal bytes.

import { UserError } from '#model';
import { boldFont, boxMissing, regularFont } from './fonts.js';
import { divideColours, encodePng } from './png.js';
import { loadVega } from './vega.js';

/** @import { Spec } from '../charts/frame.js' */

/** Pixels of a PNG for one of the chart: sharp on today's screens. */
const pngScale = 2;

/**
 * Compile Vega-Lite to Vega. A warning of the compiler is a bug of ours, so it is an error.
 *
 * @param {Spec} spec
 * @returns {Promise<any>}
 */
export const compileChart = async spec => {
  const { compile } = await loadVega();
  /** @type {string[]} */
  const warnings = [];
  const logger = {
    level: () => logger,
    error: (/** @type {unknown[]} */ ...texts) => (warnings.push(texts.join(' ')), logger),
    warn: (/** @type {unknown[]} */ ...texts) => (warnings.push(texts.join(' ')), logger),
    info: () => logger,
    debug: () => logger,
  };
  const compiled = compile(/** @type {any} */ (spec), { logger: /** @type {any} */ (logger) }).spec;
  if (warnings.length > 0) throw Error(`the chart's specification is faulty: ${warnings[0]}`);
  return compiled;
};

/** The layout of the previous chart: Vega has one counter of identifiers for all charts. @type {Promise<unknown>} */
let before = Promise.resolve();

/**
 * @param {Spec} spec
 * @returns {Promise<string>}
 */
export const drawSvg = spec => {
  const drawn = before.then(() => layOut(spec));
  before = drawn.catch(() => {});
  return drawn;
};

/** @param {Spec} spec */
const layOut = async spec => {
  const { vega } = await loadVega();
  const compiled = await compileChart(spec);
  // Otherwise identifiers of clip paths would continue from chart to chart.
  vega.resetSVGDefIds();
  const view = new vega.View(vega.parse(compiled), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return svg;
};

/** @returns {Promise<typeof import('@resvg/resvg-js')>} */
export const loadPngLibrary = async () => {
  try {
    return await import('@resvg/resvg-js');
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new UserError(
      `a PNG is made by @resvg/resvg-js, which cannot be loaded here (${message.split('\n')[0]}); npm install @resvg/resvg-js, without --omit=optional, or name a file that ends in .svg, .pdf or .html`,
      { exitCode: 1 },
    );
  }
};

/**
 * On a thread of the library's, so that the next chart can be laid out meanwhile.
 *
 * @param {string} svg
 * @returns {Promise<Uint8Array>}
 */
export const svgToPng = async svg => {
  const { renderAsync } = await loadPngLibrary();
  const image = await renderAsync(boxMissing(svg), {
    fitTo: { mode: 'zoom', value: pngScale },
    font: {
      loadSystemFonts: false,
      fontFiles: [regularFont, boldFont],
      defaultFontFamily: 'Inter',
      sansSerifFamily: 'Inter',
    },
  });
  const { width, height, pixels } = image;
  return encodePng({ width, height, pixels: divideColours(pixels) });
};
