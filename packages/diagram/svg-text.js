// Formats attributes and text of SVG.

import { escapeHtml } from '#model';

/** @param {number} value */
export const round = value => Math.round(value * 10) / 10;

/** @param {string} value */
export const escapeText = value =>
  // Characters that XML does not allow, even escaped.
  // eslint-disable-next-line no-control-regex
  escapeHtml(value).replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');

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
