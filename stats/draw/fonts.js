// The font of all pictures comes with the package, so that they look the same on every machine,
// even without fonts: Inter (SIL Open Font License, fonts/LICENSE.txt), reduced to Latin, Greek,
// Cyrillic and signs.

import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeGlyphTest, makeRuler } from './font-widths.js';

/** @param {string} name */
const fontFile = name => fileURLToPath(new URL(`../fonts/${name}`, import.meta.url));

export const regularFont = fontFile('Inter-Regular.ttf');
export const boldFont = fontFile('Inter-SemiBold.ttf');

/** @param {string} file @param {number} weight */
const fontFace = (file, weight) =>
  `@font-face { font-family: Inter; font-weight: ${weight}; src: url(data:font/ttf;base64,${fs.readFileSync(file).toString('base64')}) format('truetype'); }`;

/** The rules of CSS that put the font into a page. */
export const writeFontStyle = () => `${fontFace(regularFont, 400)}\n${fontFace(boldFont, 600)}`;

const rulers = [makeRuler(regularFont), makeRuler(boldFont)];

const hasGlyph = makeGlyphTest(regularFont);

/**
 * Show characters that the font lacks as boxes, for formats without other fonts: the drawing
 * library leaves them out. SVG and pages keep them, since viewers have more fonts.
 *
 * @param {string} svg
 */
export const boxMissing = svg =>
  svg
    .normalize('NFC')
    .replace(/[^\n\t\u0020-\u007e]/gu, character =>
      hasGlyph(character) ? character : /[\p{M}\p{Cf}]/u.test(character) ? '' : '□',
    );

/**
 * Let Vega lay out text by this font's widths. Without a canvas Vega would estimate them by
 * counting letters.
 *
 * @param {any} vega
 */
export const useFontMetrics = vega => {
  const { textMetrics } = vega;
  textMetrics.width = (/** @type {any} */ item, /** @type {unknown} */ text) => {
    const size = item.fontSize ?? 11;
    const bold = item.fontWeight === 'bold' || Number(item.fontWeight) >= 600;
    const width =
      text === null || text === undefined ? 0 : rulers[Number(bold)](String(text).trim()) * size;
    return item.limit > 0 ? Math.min(item.limit, width) : width;
  };
};
