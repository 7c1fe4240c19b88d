// Text within HTML and SVG.

/** @type {Record<string, string>} */
const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** @param {string} text */
export const escapeHtml = text => text.replace(/[&<>"]/g, sign => signs[sign]);
