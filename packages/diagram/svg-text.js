// Formats attributes and text of SVG.

import { escapeHtml, showText } from '#model';

/** @param {number} value */
export const round = value => Math.round(value * 10) / 10;

/**
 * Escape a text, which a vat may have chosen: it shows in one direction, and is well-formed XML.
 *
 * @param {string} value
 */
export const escapeText = value =>
  // XML does not allow these characters, even escaped.
  escapeHtml(showText(value)).replaceAll(/[\ufffe\uffff]/g, '\ufffd');

/** @param {Record<string, string | number>} values */
export const attributes = values =>
  Object.entries(values)
    .map(
      ([name, value]) =>
        ` ${name}="${typeof value === 'number' ? round(value) : escapeText(value)}"`,
    )
    .join('');

/**
 * @param {string} content
 * @param {Record<string, string | number>} values
 */
export const text = (content, values) => `<text${attributes(values)}>${escapeText(content)}</text>`;
