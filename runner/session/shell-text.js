// Quotes text for POSIX shells.

/** @param {string} text @returns {string} in single quotes */
export const quoteAlways = text => `'${text.replaceAll("'", "'\\''")}'`;

/** @param {string} text @returns {string} in single quotes if the shell would read it otherwise */
export const quoteForShell = text => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoteAlways(text));
