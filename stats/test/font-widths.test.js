// Compares our text widths with the layout engine of the PDF library.

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import fc from 'fast-check';
import { boxMissing } from '../draw/fonts.js';
import { makeRuler } from '../draw/font-widths.js';

const PDFDocument = createRequire(import.meta.url)('pdfkit');
const oracle = new PDFDocument({ autoFirstPage: false });

const fonts = ['Inter-Regular.ttf', 'Inter-SemiBold.ttf'].map(name =>
  fileURLToPath(new URL(`../fonts/${name}`, import.meta.url)),
);

/** @param {string} font @param {string} text @returns {number} */
const widthBy = (font, text) => oracle.font(font, 100).widthOfString(text) / 100;

// For words without a letter the font lists its kerning twice, and the engine applies it twice,
// unlike pictures. So each text begins with a letter.
const near = 1e-9;

for (const font of fonts) {
  const ruler = makeRuler(font);
  const name = font.split('/').at(-1);

  test(`${name}: each pair of characters has the width of the layout engine`, t => {
    const different = [];
    for (let left = 0x20; left < 0x7f; left += 1) {
      for (let right = 0x20; right < 0x7f; right += 1) {
        const text = `A${String.fromCharCode(left)}A${String.fromCharCode(left, right)}A`;
        const words = text.split(' ');
        if (words.some(word => word !== '' && !/[A-Za-z]/.test(word))) continue;
        if (Math.abs(ruler(text) - widthBy(font, text)) > near) different.push(text);
      }
    }
    t.deepEqual(different, []);
  });

  test(`${name}: words have the width of the layout engine`, t => {
    const word = fc.stringMatching(/^[A-Za-z][!-~]{0,12}$/);
    const property = fc.property(fc.array(word, { maxLength: 5 }), words => {
      const text = words.join(' ');
      return Math.abs(ruler(text) - widthBy(font, text)) <= near;
    });
    t.false(fc.check(property).failed);
  });
}

test('other characters have their own width, without kerning', t => {
  for (const font of fonts) {
    const ruler = makeRuler(font);
    for (const sign of ['µ', 'é', '⁶', 'Ж', 'Ω', '→', '–', 'ß']) {
      t.true(Math.abs(ruler(sign) - widthBy(font, sign)) <= near, sign);
      t.true(Math.abs(ruler(`1 ${sign}s`) - ruler('1 s') - ruler(sign)) <= near, sign);
    }
  }
});

test('characters that the font lacks are boxes in pictures, and marks behind them nothing', t => {
  t.is(boxMissing('<text>µ ≤ é → Ж</text>\n'), '<text>µ ≤ é → Ж</text>\n');
  t.is(boxMissing('日本 שָׁ 🎉\ufe0f'), '□□ □ □');
  t.is(boxMissing('cafe\u0301'), 'café');
});
