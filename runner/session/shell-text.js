// Quotes text for POSIX shells.

/** Three digits, so that no digit behind them counts as one of them. @param {string} character */
const escapeOctal = character => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;

/** Control characters, of which UTF-8 makes one byte. */
const control = /[^ -~\u0080-\uffff]/;

/**
 * @param {string} text
 * @returns {string} in single quotes, and control characters as escapes, so that the text stays on its line
 */
export const quoteAlways = text =>
  control.test(text)
    ? `$'${text.replace(/[^ -~\u0080-\uffff]|['\\]/g, escapeOctal)}'`
    : `'${text.replaceAll("'", "'\\''")}'`;

/** @param {string} text @returns {string} in single quotes if the shell would read it otherwise */
export const quoteForShell = text => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoteAlways(text));
