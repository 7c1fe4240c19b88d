// The names that createVat() takes. They may become part of a command line.

const longestName = 199;

/** The form of a name that is not too long. */
const form = /^[A-Za-z0-9._-]+$/;

/** @param {string} name */
export const isVatNameTooLong = name => name.length > longestName;

/** @param {unknown} name @returns {name is string} */
export const isVatName = name =>
  typeof name === 'string' && !isVatNameTooLong(name) && form.test(name);

/** Completes "must be …". */
export const vatNameExpected = `at most ${longestName} letters, digits, ".", "_" and "-"`;

/** The name that is nearest to another, which may have any characters. @param {string} name */
export const toVatName = name => name.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, longestName);
