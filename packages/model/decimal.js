// Formats numbers that seldom repeat, such as those in identifiers. V8 caches the text of each number that it formats,
// until another one replaces it: by then scavenges have copied the text twice.

const units = Array.from({ length: 1000 }, (_, i) => String(i));
const tails = units.map(text => text.padStart(3, '0'));

/**
 * `String(value)`.
 *
 * @param {number} value  a safe integer
 * @returns {string}
 */
export const decimal = value => {
  if (value >= 1000) return decimal(Math.floor(value / 1000)) + tails[value % 1000];
  return value >= 0 ? units[value] : String(value);
};
