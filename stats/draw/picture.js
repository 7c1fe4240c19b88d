// From a Vega-Lite specification to the bytes of a picture. Needs Vega, which cannot be loaded after lockdown, so
// only the drawing process imports this. The same specification gives the same bytes.

import * as vega from 'vega';
import { compile } from 'vega-lite';
import { Resvg } from '@resvg/resvg-js';
// @ts-expect-error pdfkit comes without types
import PDFDocument from 'pdfkit';
// @ts-expect-error svg-to-pdfkit comes without types
import svgToPdf from 'svg-to-pdfkit';
import { boldFont, pdfInfo, regularFont, useFontMetrics } from './fonts.js';

/** @import { Spec } from '../charts/frame.js' */

/** Pixels of a PNG for one of the chart: sharp on today's screens. */
const pngScale = 2;

useFontMetrics();

/**
 * The Vega specification of a Vega-Lite one. What the compiler warns of is a fault of ours, so it is an error.
 *
 * @param {Spec} spec
 */
export const compileChart = spec => {
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

/**
 * @param {Spec} spec
 * @returns {Promise<string>}
 */
export const drawSvg = async spec => {
  // Identifiers of clip paths count on from chart to chart otherwise.
  vega.resetSVGDefIds();
  const view = new vega.View(vega.parse(compileChart(spec)), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return svg;
};

/** @param {string} svg */
export const svgToPng = svg =>
  new Resvg(svg, {
    fitTo: { mode: 'zoom', value: pngScale },
    font: {
      loadSystemFonts: false,
      fontFiles: [regularFont, boldFont],
      defaultFontFamily: 'Inter',
      sansSerifFamily: 'Inter',
    },
  })
    .render()
    .asPng();

/**
 * @param {string} svg
 * @returns {Promise<Buffer>}
 */
export const svgToPdfBytes = svg => {
  const size = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg);
  if (!size) throw Error('the drawn chart has no size');
  const [width, height] = size.slice(1).map(Number);
  const document = new PDFDocument({ size: [width, height], margin: 0, info: { ...pdfInfo } });
  document.registerFont('regular', regularFont);
  document.registerFont('bold', boldFont);
  /** @type {Buffer[]} */
  const chunks = [];
  return new Promise((resolve, reject) => {
    document.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
    // Vega writes a solid stroke as dashes with gaps of 0, which pdfkit refuses.
    svgToPdf(document, svg.replaceAll(' stroke-dasharray="1,0"', ''), 0, 0, {
      assumePt: true,
      width,
      height,
      fontCallback: (/** @type {string} */ _family, /** @type {boolean} */ bold) =>
        bold ? 'bold' : 'regular',
    });
    document.end();
  });
};
