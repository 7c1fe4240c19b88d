// Text that vats, configs and files have a part in, on its way to a terminal. A control character in it would move the
// cursor, a line break would begin a line that seems to be somebody else's, a mark of direction would turn what is read; so
// each is shown by its number. Files of JSON need none of this, for they are read by programs.

/** A longer line is cut. */
const maxLine = 2_000;

/** Lines shown of one message. */
const maxLines = 200;

/** C0 and C1 but tab, marks and overrides of direction, what some take for line breaks, half a character. */
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
  // Not within a character.
  const end = /[\ud800-\udbff]/.test(text[max - 1]) ? max - 1 : max;
  const left = text.length - end;
  return `${text.slice(0, end)}… ${left} more character${left === 1 ? '' : 's'}`;
};

/**
 * A text as part of a line.
 *
 * @param {string} text
 * @param {number} [max]  characters of it that are shown
 * @returns {string}
 */
export const showInLine = (text, max = maxLine) => cut(text, max).replace(unsafe, showNumber);

/**
 * A text of our own making, with parts of others' in it that cannot begin a line: its line breaks stay, and all of it is
 * shown.
 *
 * @param {string} text
 * @returns {string}
 */
export const showText = text =>
  text.replace(unsafe, character => (character === '\n' ? character : showNumber(character)));

/** @param {number} left */
const moreLines = left => `… ${left} more line${left === 1 ? '' : 's'}`;

/**
 * A text of several lines, which stay lines.
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
