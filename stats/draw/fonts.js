// The one font of all pictures comes with the package, so that they look the same on every machine, one without
// fonts included: Inter (SIL Open Font License, fonts/LICENSE.txt), cut down to Latin, Greek, Cyrillic and signs.

import { fileURLToPath } from 'node:url';
import * as vega from 'vega';
// @ts-expect-error pdfkit comes without types
import PDFDocument from 'pdfkit';

/** @param {string} name */
const fontFile = name => fileURLToPath(new URL(`../fonts/${name}`, import.meta.url));

export const regularFont = fontFile('Inter-Regular.ttf');
export const boldFont = fontFile('Inter-SemiBold.ttf');

/** A fixed date: the same chart gives the same bytes. */
export const pdfInfo = Object.freeze({
  Producer: 'swingset-runner',
  CreationDate: new Date(Date.UTC(2000, 0, 1)),
});

const ruler = new PDFDocument({ autoFirstPage: false, info: { ...pdfInfo } });
/** @type {Map<string, number>} */
const widths = new Map();

/**
 * @param {string} text
 * @param {boolean} bold
 * @returns {number}  for a font of size 1
 */
const measure = (text, bold) => {
  const key = (bold ? 'b' : 'r') + text;
  let width = widths.get(key);
  if (width === undefined) {
    width = ruler.font(bold ? boldFont : regularFont, 100).widthOfString(text) / 100;
    if (widths.size > 10_000) widths.clear();
    widths.set(key, /** @type {number} */ (width));
  }
  return /** @type {number} */ (width);
};

/**
 * Let Vega lay out text by this font's own widths. Without a canvas it would guess them by counting letters.
 */
export const useFontMetrics = () => {
  const { textMetrics } = /** @type {any} */ (vega);
  textMetrics.width = (/** @type {any} */ item, /** @type {unknown} */ text) => {
    const size = item.fontSize ?? 11;
    const bold = item.fontWeight === 'bold' || Number(item.fontWeight) >= 600;
    const width =
      text === null || text === undefined ? 0 : measure(String(text).trim(), bold) * size;
    return item.limit > 0 ? Math.min(item.limit, width) : width;
  };
};
