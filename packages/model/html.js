// Text within HTML and SVG.

/** @type {Record<string, string>} */
const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Escape a text that stands between tags, or in an attribute within double quotes.
 *
 * @param {string} text
 */
export const escapeHtml = text => text.replace(/[&<>"]/g, sign => signs[sign]);
