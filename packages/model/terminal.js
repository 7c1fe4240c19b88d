// Makes text with parts from vats, configs and files safe for a terminal. A control character would move the cursor, a
// line break would begin a line that seems to come from another program, a mark of direction would reverse the text; so
// each is shown by its number. JSON files need none of this, since programs read them.

/** Characters of a line, at most. */
const maxLine = 2_000;

/** Lines of a message, at most. */
const maxLines = 200;

/** C0 and C1 except tab, marks and overrides of direction, other line breaks, lone surrogates. */
const unsafe =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/** The escapes that JSON uses too, so that JSON on a terminal stays JSON. @type {Record<string, string>} */
const short = { '\n': '\\n', '\r': '\\r' };

/** @param {string} character */
const showNumber = character => {
  const digits = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return short[character] ?? `\\u${digits}`;
};

/**
 * @param {string} text
 * @param {number} max
 */
const cut = (text, max) => {
  if (text.length <= max) return text;
  // Do not cut a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text[max - 1]) ? max - 1 : max;
  const left = text.length - end;
  return `${text.slice(0, end)}… ${left} more character${left === 1 ? '' : 's'}`;
};

/**
 * Shows a text as part of a line.
 *
 * @param {string} text
 * @param {number} [max]  characters shown, at most
 * @returns {string}
 */
export const showInLine = (text, max = maxLine) => cut(text, max).replace(unsafe, showNumber);

/**
 * Shows a text of our own, with parts of others' in it that cannot begin a line: its line breaks stay, and it is not
 * cut.
 *
 * @param {string} text
 * @returns {string}
 */
export const showText = text =>
  text.replace(unsafe, character => (character === '\n' ? character : showNumber(character)));

/** @param {number} left */
const moreLines = left => `… ${left} more line${left === 1 ? '' : 's'}`;

/**
 * Shows a text of several lines as lines.
 *
 * @param {string} text
 * @param {{ prefix?: string, most?: number }} [options]  `prefix` stands before each line; `most` lines are shown
 * @returns {string}
 */
export const showLines = (text, { prefix = '', most = maxLines } = {}) => {
  const lines = text.split('\n');
  const shown = lines.slice(0, most).map(line => prefix + showInLine(line.replace(/\r$/, '')));
  if (lines.length > most) shown.push(prefix + moreLines(lines.length - most));
  return shown.join('\n');
};
