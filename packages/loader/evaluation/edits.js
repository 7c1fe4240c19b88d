// Edits of a text that keep its lines.

/**
 * At one offset, closing texts come first, then opening ones, then replacements.
 *
 * @typedef {object} Edit
 * @property {number} start
 * @property {number} end
 * @property {string} text
 * @property {number} rank
 */

/** The line breaks of a removed part, which are kept so that lines stay. @param {string} part */
const lineBreaksOf = part => part.replace(/[^\n\r\u2028\u2029]/g, '');

/** @param {string} text */
export const makeEdits = text => {
  /** @type {Edit[]} */
  const edits = [];
  return {
    /** Insert a text that belongs to what is before it. @param {number} at @param {string} what */
    close(at, what) {
      edits.push({ start: at, end: at, text: what, rank: 0 });
    },
    /** Insert a text that belongs to what is behind it. @param {number} at @param {string} what */
    open(at, what) {
      edits.push({ start: at, end: at, text: what, rank: 1 });
    },
    /** @param {number} start @param {number} end @param {string} what */
    replace(start, end, what) {
      if (start < end)
        edits.push({ start, end, text: what + lineBreaksOf(text.slice(start, end)), rank: 2 });
    },
    /** @returns {string} the edited text */
    apply() {
      // Sorting is stable, so edits of one offset and kind stay in the order in which they were made: parents first.
      edits.sort((one, other) => one.start - other.start || one.rank - other.rank);
      let done = '';
      let at = 0;
      for (const { start, end, text: put } of edits) {
        done += text.slice(at, start) + put;
        at = end;
      }
      return done + text.slice(at);
    },
  };
};
