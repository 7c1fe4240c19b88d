// The one font of all pictures comes with the package, so that they look the same on every machine, one without
// fonts included: Inter (SIL Open Font License, fonts/LICENSE.txt), cut down to Latin, Greek, Cyrillic and signs.

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMeasured, makeRuler } from './font-widths.js';

/** @param {string} name */
const fontFile = name => fileURLToPath(new URL(`../fonts/${name}`, import.meta.url));

export const regularFont = fontFile('Inter-Regular.ttf');
export const boldFont = fontFile('Inter-SemiBold.ttf');

const rulers = [makeRuler(regularFont), makeRuler(boldFont)];

/** @type {any} */
let otherRuler;

/** Of characters that our rulers do not know. @param {string} text @param {boolean} bold */
const measureOther = (text, bold) => {
  if (otherRuler === undefined) {
    const PDFDocument = createRequire(import.meta.url)('pdfkit');
    otherRuler = new PDFDocument({ autoFirstPage: false });
  }
  return otherRuler.font(bold ? boldFont : regularFont, 100).widthOfString(text) / 100;
};

/** @type {Map<string, number>} */
const widths = new Map();

/**
 * @param {string} text
 * @param {boolean} bold
 * @returns {number}  for a font of size 1
 */
const measure = (text, bold) => {
  if (isMeasured(text)) return rulers[Number(bold)](text);
  const key = (bold ? 'b' : 'r') + text;
  let width = widths.get(key);
  if (width === undefined) {
    width = Number(measureOther(text, bold));
    if (widths.size > 10_000) widths.clear();
    widths.set(key, width);
  }
  return width;
};

/**
 * Let Vega lay out text by this font's own widths. Without a canvas it would guess them by counting letters.
 *
 * @param {typeof import('vega')} vega
 */
export const useFontMetrics = vega => {
  const { textMetrics } = /** @type {any} */ (vega);
  textMetrics.width = (/** @type {any} */ item, /** @type {unknown} */ text) => {
    const size = item.fontSize ?? 11;
    const bold = item.fontWeight === 'bold' || Number(item.fontWeight) >= 600;
    const width =
      text === null || text === undefined ? 0 : measure(String(text).trim(), bold) * size;
    return item.limit > 0 ? Math.min(item.limit, width) : width;
  };
};
