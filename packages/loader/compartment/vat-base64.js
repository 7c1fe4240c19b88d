// `atob` and `btoa` for vats, as web browsers have them. Node's own throw errors of Node's internal classes, which are not
// frozen.

/** Characters of a text, at most: its base64 is still a string that the engine can make. */
const mostCharacters = 2 ** 28;

/** @param {string} text @param {string} what */
const insistLength = (text, what) => {
  if (text.length <= mostCharacters) return;
  throw RangeError(`${what} takes at most ${mostCharacters} characters, got ${text.length}`);
};

const { atob, btoa } = {
  /** @param {unknown} data  in base64; white space and padding may be left out or in */
  atob(data) {
    const text = `${data}`;
    insistLength(text, 'atob');
    const dense = text.replaceAll(/[\t\n\f\r ]/g, '');
    const digits = dense.length % 4 === 0 ? dense.replace(/={1,2}$/, '') : dense;
    if (digits.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(digits))
      throw Error('the text is not correctly encoded in base64');
    return Buffer.from(digits, 'base64').toString('latin1');
  },

  /** @param {unknown} data  one byte a character */
  btoa(data) {
    const text = `${data}`;
    insistLength(text, 'btoa');
    const at = text.search(/[^\0-\xff]/);
    if (at >= 0)
      throw Error(
        `btoa takes characters up to U+00FF, got one of ${text.charCodeAt(at)} at index ${at}`,
      );
    return Buffer.from(text, 'latin1').toString('base64');
  },
};

/** Globals of a vat; hardened with its `globalThis`. */
export const base64Globals = { atob, btoa };
