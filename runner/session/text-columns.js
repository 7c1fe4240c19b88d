// Columns of the text tables that commands print, and numbers with separators.

const thousands = /\B(?=(\d{3})+(?!\d))/g;

/** @param {string} digits  a whole number @returns {string} `12,345` */
export const groupDigits = digits => digits.replace(thousands, ',');

/** A column of text. @param {string} head */
export const left = head => ({ head, isText: true });

/** A column of numbers. @param {string} head */
export const right = head => ({ head });
