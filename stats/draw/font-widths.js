// Measures the width of text in the package's fonts: advance widths, and kerning of printable
// ASCII, read from the font's own tables (OpenType: cmap, hmtx, GPOS). A layout engine takes longer
// to load than all charts of a run take to draw. Other characters (µ, accents, Greek, Cyrillic) are
// not kerned.

import { readFileSync } from 'node:fs';

/** The range of kerned characters. */
const firstCode = 0x20;
const lastCode = 0x7e;

/** Lookup types of GPOS. */
const pairType = 2;
const extensionType = 9;

/** The bit of the advance in a value record's format: each bit means a field of two bytes, and the third is the advance. */
const advanceBit = 4;

/** @param {number} bits */
const countBits = bits => {
  let count = 0;
  for (let rest = bits; rest !== 0; rest >>= 1) count += rest & 1;
  return count;
};

/** @param {DataView} font @returns {(tag: string) => number} the offset of a table */
const findTables = font => {
  /** @type {Map<string, number>} */
  const starts = new Map();
  for (let i = 0; i < font.getUint16(4); i += 1) {
    const at = 12 + 16 * i;
    const tag = String.fromCharCode(...[0, 1, 2, 3].map(byte => font.getUint8(at + byte)));
    starts.set(tag, font.getUint32(at + 8));
  }
  return tag => {
    const start = starts.get(tag);
    if (start === undefined) throw Error(`the font has no table ${tag}`);
    return start;
  };
};

/**
 * Find the glyph of a character in the cmap table of 16-bit characters (format 4).
 *
 * @param {DataView} font
 * @param {number} cmap
 * @returns {(code: number) => number}
 */
const findGlyphs = (font, cmap) => {
  const tables = Array.from({ length: font.getUint16(cmap + 2) }, (_, i) =>
    font.getUint32(cmap + 8 + 8 * i),
  );
  const offset = tables.find(each => font.getUint16(cmap + each) === 4);
  if (offset === undefined) throw Error('the font maps no characters of 16 bits');
  const table = cmap + offset;
  const width = font.getUint16(table + 6);
  const ends = table + 14;
  const [starts, deltas, ranges] = [1, 2, 3].map(part => ends + part * width + 2);
  return code => {
    let at = 0;
    while (font.getUint16(ends + at) < code) at += 2;
    const start = font.getUint16(starts + at);
    if (start > code) return 0;
    const delta = font.getUint16(deltas + at);
    const range = font.getUint16(ranges + at);
    if (range === 0) return (code + delta) & 0xffff;
    const glyph = font.getUint16(ranges + at + range + 2 * (code - start));
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  };
};

/**
 * Look up a glyph in a coverage or class table: a list of ranges, each `first, last, value` (format
 * 2), or a plain list (format 1).
 *
 * @param {DataView} font
 * @param {number} table
 * @param {number} glyph
 * @param {boolean} isClass  a class table: its plain list has its own first glyph, and contains
 *   classes
 * @returns {number | undefined}
 */
const lookUp = (font, table, glyph, isClass) => {
  const isPlain = font.getUint16(table) === 1;
  if (isPlain && isClass) {
    const index = glyph - font.getUint16(table + 2);
    return index >= 0 && index < font.getUint16(table + 4)
      ? font.getUint16(table + 6 + 2 * index)
      : undefined;
  }
  const count = font.getUint16(table + 2);
  for (let i = 0; i < count; i += 1) {
    const at = table + 4 + (isPlain ? 2 : 6) * i;
    const first = font.getUint16(at);
    if (isPlain && first === glyph) return i;
    if (!isPlain && first <= glyph && glyph <= font.getUint16(at + 2))
      return font.getUint16(at + 4) + (isClass ? 0 : glyph - first);
  }
  return undefined;
};

/**
 * The change of the first glyph's advance by a subtable of pairs; undefined if it lacks the pair.
 *
 * @param {DataView} font
 * @param {number} table
 * @param {number} left
 * @param {number} right
 */
const kernIn = (font, table, left, right) => {
  const covered = lookUp(font, table + font.getUint16(table + 2), left, false);
  if (covered === undefined) return undefined;
  const [format, secondFormat] = [font.getUint16(table + 4), font.getUint16(table + 6)];
  if ((format & ~advanceBit) !== 0 || secondFormat !== 0)
    throw Error('the font moves glyphs by more than their advance');
  const bytes = 2 * countBits(format);
  const valueAt = (/** @type {number} */ at) => (bytes === 0 ? 0 : font.getInt16(at));
  if (font.getUint16(table) === 1) {
    const set = table + font.getUint16(table + 10 + 2 * covered);
    for (let i = 0; i < font.getUint16(set); i += 1) {
      const at = set + 2 + (2 + bytes) * i;
      if (font.getUint16(at) === right) return valueAt(at + 2);
    }
    return undefined;
  }
  const first = lookUp(font, table + font.getUint16(table + 8), left, true) ?? 0;
  const second = lookUp(font, table + font.getUint16(table + 10), right, true) ?? 0;
  return valueAt(table + 16 + bytes * (first * font.getUint16(table + 14) + second));
};

/**
 * The subtables of pairs, one list for each kerning lookup.
 *
 * @param {DataView} font
 * @param {number} gpos
 * @returns {number[][]}
 */
const findKerning = (font, gpos) => {
  const features = gpos + font.getUint16(gpos + 6);
  /** @type {Set<number>} */
  const wanted = new Set();
  for (let i = 0; i < font.getUint16(features); i += 1) {
    const feature = features + font.getUint16(features + 2 + 6 * i + 4);
    for (let k = 0; k < font.getUint16(feature + 2); k += 1)
      wanted.add(font.getUint16(feature + 4 + 2 * k));
  }
  const lookups = gpos + font.getUint16(gpos + 8);
  return [...wanted].map(index => {
    const lookup = lookups + font.getUint16(lookups + 2 + 2 * index);
    return Array.from({ length: font.getUint16(lookup + 4) }, (_, i) => {
      const table = lookup + font.getUint16(lookup + 6 + 2 * i);
      const type = font.getUint16(lookup);
      if (type === pairType) return table;
      if (type === extensionType && font.getUint16(table + 2) === pairType)
        return table + font.getUint32(table + 4);
      throw Error(`the font has a lookup of type ${type}, which is no kerning`);
    });
  });
};

/** @param {string} file  a TrueType font */
const readFont = file => {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  const font = new DataView(buffer, byteOffset, byteLength);
  return { font, startOf: findTables(font) };
};

/**
 * @param {string} file  a TrueType font
 * @returns {(character: string) => boolean}  whether the font has a glyph for it
 */
export const makeGlyphTest = file => {
  const { font, startOf } = readFont(file);
  const glyphOf = findGlyphs(font, startOf('cmap'));
  return character => character.length === 1 && glyphOf(character.charCodeAt(0)) !== 0;
};

/**
 * @param {string} file  a TrueType font
 * @returns {(text: string) => number}  the width of a text for a font of size 1; a missing
 *   character has the width of the font's replacement glyph
 * @throws {Error} if the font has unsupported tables
 */
export const makeRuler = file => {
  const { font, startOf } = readFont(file);
  const unitsPerEm = font.getUint16(startOf('head') + 18);
  const glyphOf = findGlyphs(font, startOf('cmap'));
  const kerning = findKerning(font, startOf('GPOS'));
  const metrics = startOf('hmtx');
  const lastMetric = font.getUint16(startOf('hhea') + 34) - 1;
  const size = lastCode - firstCode + 1;
  const glyphs = Array.from({ length: size }, (_, i) => glyphOf(firstCode + i));
  const advanceOf = (/** @type {number} */ glyph) =>
    font.getUint16(metrics + 4 * Math.min(glyph, lastMetric));
  const advances = glyphs.map(advanceOf);
  const isKerned = (/** @type {number} */ code) => code >= 0 && code < size;
  /** Kerning by pair of characters, filled on demand. @type {(number | undefined)[]} */
  const kerns = Array.from({ length: size * size });

  /** @param {number} left @param {number} right  characters */
  const kernOf = (left, right) => {
    const pair = left * size + right;
    kerns[pair] ??= kerning.reduce((sum, tables) => {
      for (const table of tables) {
        const kern = kernIn(font, table, glyphs[left], glyphs[right]);
        if (kern !== undefined) return sum + kern;
      }
      return sum;
    }, 0);
    return kerns[pair] ?? 0;
  };

  return text => {
    let width = 0;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i) - firstCode;
      if (!isKerned(code)) {
        width += advanceOf(glyphOf(code + firstCode));
        continue;
      }
      width += advances[code];
      const next = text.charCodeAt(i + 1) - firstCode;
      // Pairs that begin with a space are not kerned, since words are set one by one.
      if (text[i] !== ' ' && isKerned(next)) width += kernOf(code, next);
    }
    return width / unitsPerEm;
  };
};
