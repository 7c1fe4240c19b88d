// Wrong arguments of the programs of this folder: one line, and exit code 2.

import process from 'node:process';

/** @param {string} text @returns {never} */
export const fail = text => {
  console.error(text);
  process.exit(2);
};

/**
 * @param {string} name  of a flag
 * @param {string} text  its value
 * @returns {number} a whole number from 1; with anything else the program ends
 */
export const readCount = (name, text) => {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0
    ? count
    : fail(`--${name} must be a whole number from 1, got ${text}`);
};
