// Tells whether vats can read a value that a vat gave the kernel, and that becomes a part of a message of the kernel's
// own: if they cannot, the receiver would not get the message. The rules are those of the vat's decoder (`vat/marshal`), but
// for two: errors have a name, a message and an id only, as vats write them, and no object is repeated by its number
// (`ibid`), since the numbers count from the start of the message.

const { hasOwn, keys, values } = Object;
const { isArray } = Array;

/** Levels of a part: a vat reads 1,024 levels of a message, and the part stands some levels below its top. */
const maxDepth = 1_000;

/** A bigint of more digits may be more than the engine can hold. */
const mostDigits = 1_000_000;

/**
 * @typedef {object} Notation
 * @property {(text: string, slots: readonly string[]) => boolean} text  whether a string can be read
 * @property {(record: Record<string, unknown>, slots: readonly string[]) => readonly unknown[] | undefined} parts  what is to
 *   be read in a record; `undefined` if it cannot be read
 */

/** The language's own symbols that pass, by name; a registered one whose name begins with `@@` has a second `@@` before. */
const symbols = [
  'asyncIterator',
  'hasInstance',
  'isConcatSpreadable',
  'iterator',
  'match',
  'matchAll',
  'replace',
  'search',
  'species',
  'split',
  'toPrimitive',
  'toStringTag',
  'unscopables',
];

const constants = ['#undefined', '#NaN', '#Infinity', '#-Infinity'];

/**
 * Tells whether a string of smallcaps means something else than itself: it begins with a character from `!` to `-`. A `!`
 * before it makes it a string again.
 *
 * @param {string} text
 */
export const isSpecial = text => /^[!--]/.test(text);

/** Digits of a bigint, which are read as JavaScript reads them. @param {unknown} text */
const areDigits = text => {
  if (typeof text !== 'string' || text.length > mostDigits) return false;
  try {
    BigInt(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * @param {string} text
 * @param {readonly string[]} slots  krefs
 */
const isReadableText = (text, slots) => {
  if (!isSpecial(text)) return true;
  switch (text[0]) {
    case '!':
      return true;
    case '$':
    case '&': {
      // JavaScript reads the index.
      const kref = slots[Number(text.slice(1).split('.', 1)[0])];
      return kref !== undefined && kref.startsWith('kp') === (text[0] === '&');
    }
    case '+':
    case '-':
      return areDigits(text);
    case '%':
      return !/^%@@(?!@@)/.test(text) || symbols.includes(text.slice(3));
    default:
      return constants.includes(text);
  }
};

/** A string that stands for a string. @param {unknown} value */
const isPlain = value => typeof value === 'string' && (value[0] === '!' || !isSpecial(value));

/**
 * @param {Record<string, unknown>} record
 * @param {readonly string[]} names
 */
const hasOnly = (record, names) => keys(record).every(name => names.includes(name));

/** @type {Notation} */
const smallcaps = {
  text: isReadableText,
  parts: record => {
    if (hasOwn(record, '#tag')) {
      const isTagged =
        hasOnly(record, ['#tag', 'payload']) &&
        hasOwn(record, 'payload') &&
        isPlain(record['#tag']);
      return isTagged ? [record.payload] : undefined;
    }
    if (hasOwn(record, '#error')) {
      const { '#error': message, name, errorId = '' } = record;
      const isError =
        hasOnly(record, ['#error', 'name', 'errorId']) && [message, name, errorId].every(isPlain);
      return isError ? [] : undefined;
    }
    return keys(record).every(isPlain) ? values(record) : undefined;
  },
};

/** @type {Notation} */
const qclass = {
  text: () => true,
  parts: (record, slots) => {
    if (!hasOwn(record, '@qclass')) return values(record);
    const { '@qclass': kind, index, digits, name, message } = record;
    switch (kind) {
      case 'undefined':
      case 'NaN':
      case 'Infinity':
      case '-Infinity':
        return [];
      case 'bigint':
        return areDigits(digits) ? [] : undefined;
      case 'error':
        return typeof name === 'string' && typeof message === 'string' ? [] : undefined;
      case 'slot':
        return Number.isSafeInteger(index) && slots[/** @type {number} */ (index)] !== undefined
          ? []
          : undefined;
      default:
        return undefined;
    }
  },
};

/**
 * @param {Notation} notation
 * @param {unknown} value  as `JSON.parse` makes it
 * @param {readonly string[]} slots  krefs
 * @param {number} depth
 * @returns {boolean}
 */
const isReadableIn = (notation, value, slots, depth) => {
  if (typeof value === 'string') return notation.text(value, slots);
  if (typeof value !== 'object' || value === null) return true;
  if (depth > maxDepth) return false;
  const parts = isArray(value)
    ? value
    : notation.parts(/** @type {Record<string, unknown>} */ (value), slots);
  return parts !== undefined && parts.every(part => isReadableIn(notation, part, slots, depth + 1));
};

/**
 * @param {'smallcaps' | 'qclass'} name  of the notation
 * @param {unknown} value  as `JSON.parse` makes it
 * @param {readonly string[]} slots  krefs
 * @returns {boolean}
 */
export const isReadable = (name, value, slots) =>
  isReadableIn(name === 'smallcaps' ? smallcaps : qclass, value, slots, 1);
