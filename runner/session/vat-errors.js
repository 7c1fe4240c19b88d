// Collects errors of vats until the end of their block, and prints them in order.

import { UserError } from '#model';

/** @import { Screen } from './screen.js' */

/** @param {unknown} error @returns {string | undefined} */
const findVatThatDidNotStart = error => {
  const cause = error instanceof UserError ? /** @type {any} */ (error.cause) : undefined;
  return cause?.name === 'VatStartError' ? cause.vatName : undefined;
};

/** @param {Screen} screen */
export const makeVatErrors = screen => {
  /** @type {{ text: string, line: string }[]} */
  let errors = [];
  return Object.freeze({
    /** @param {string} text  with all positions @param {string} line in short */
    add(text, line) {
      errors.push({ text, line });
    },

    /** Print the collected errors. */
    tell() {
      if (errors.length === 0) return;
      for (const { text } of errors) screen.tell(text);
      errors = [];
    },

    /**
     * Turn a failed start into one line with the position in the source, taken from the vat's own
     * error.
     *
     * @param {unknown} error
     * @returns {unknown} the error to throw in its place
     */
    explainStart(error) {
      const vatName = findVatThatDidNotStart(error);
      const start = `vat ${vatName}: `;
      const told = errors.findLast(({ line }) => line.startsWith(start));
      if (vatName === undefined || told === undefined) return error;
      // The full error is also printed if it has more positions than one line can hold.
      errors = errors.filter(each => each !== told || each.text.includes('\n'));
      const [what] = told.line.slice(start.length).split('\n');
      const plain = what.replace(/^UserError: (vat "[^"]*" does not start: )?/, '');
      return new UserError(`vat ${vatName} did not start: ${plain}`, { exitCode: 1, cause: error });
    },
  });
};

/** @typedef {ReturnType<typeof makeVatErrors>} VatErrors */
