// Finds where a string of JSON ends. The engine's regular expressions use memory for each character and throw at some
// ten million of them, so a vat could end the run by the name of a method.

const backslash = '\\'.charCodeAt(0);

/**
 * @param {string} text
 * @param {number} start  of the opening quote
 * @returns {number} index of the closing quote; -1 if there is none
 */
export const endOfString = (text, start) => {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return -1;
};
