// Errors of vats wait for the end of their block, where they are shown in order.

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
    /** @param {string} text  in full @param {string} line  in short */
    add(text, line) {
      errors.push({ text, line });
    },

    /** Shows those that wait. */
    tell() {
      if (errors.length === 0) return;
      for (const { text } of errors) screen.tell(text);
      errors = [];
    },

    /**
     * A vat that did not start, in one line with the place, which the vat's own error knows.
     *
     * @param {unknown} error
     * @returns {unknown} the error to throw in its place
     */
    explainStart(error) {
      const vatName = findVatThatDidNotStart(error);
      const start = `vat ${vatName}: `;
      const told = errors.findLast(({ line }) => line.startsWith(start));
      if (vatName === undefined || told === undefined) return error;
      // Shown twice only if it has more places than one line can hold.
      errors = errors.filter(each => each !== told || each.text.includes('\n'));
      const [what] = told.line.slice(start.length).split('\n');
      const plain = what.replace(/^UserError: (vat "[^"]*" does not start: )?/, '');
      return new UserError(`vat ${vatName} did not start: ${plain}`, { exitCode: 1, cause: error });
    },
  });
};

/** @typedef {ReturnType<typeof makeVatErrors>} VatErrors */
