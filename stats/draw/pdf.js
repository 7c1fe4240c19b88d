// Converts a picture to PDF. Loaded only when a PDF is written.

import fs from 'node:fs';
import { loadLibrary } from '#vendored';
import { boldFont, boxMissing, regularFont } from './fonts.js';

/** A fixed date: the same chart gives the same bytes. */
const pdfInfo = Object.freeze({
  Producer: 'swingset-runner',
  CreationDate: new Date(Date.UTC(2000, 0, 1)),
});

/**
 * @param {string} svg
 * @returns {Promise<Uint8Array>}
 */
export const svgToPdfBytes = async svg => {
  const PDFDocument = await loadLibrary('pdfkit');
  const svgToPdf = await loadLibrary('svg-to-pdfkit');
  const size = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg);
  if (!size) throw Error('the drawn chart has no size');
  const [width, height] = size.slice(1).map(Number);
  const document = new PDFDocument({ size: [width, height], margin: 0, info: { ...pdfInfo } });
  document.registerFont('regular', fs.readFileSync(regularFont));
  document.registerFont('bold', fs.readFileSync(boldFont));
  /** @type {Uint8Array[]} */
  const chunks = [];
  return new Promise((resolve, reject) => {
    document.on('data', (/** @type {Uint8Array} */ chunk) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
    // Vega writes a solid stroke as dashes with gaps of 0, which pdfkit refuses.
    svgToPdf(document, boxMissing(svg).replaceAll(' stroke-dasharray="1,0"', ''), 0, 0, {
      assumePt: true,
      width,
      height,
      fontCallback: (/** @type {string} */ _family, /** @type {boolean} */ bold) =>
        bold ? 'bold' : 'regular',
    });
    document.end();
  });
};
