// Strings as JSON, and the escape of smallcaps: a string that begins with one of ! " # $ % & ' ( ) * + , - is written
// with a "!" before it, since these characters introduce everything that JSON has no notation for.

/** Character codes of "!" and "-", the ends of the range of special first characters. */
const firstSpecial = 0x21;
const lastSpecial = 0x2d;

/** Longer strings are quoted by the engine, which is faster for them. */
const shortLength = 40;

/** Quoted property names kept, at most; there are few, and they repeat. */
const keptNames = 4096;

/**
 * The engine's own copy of a string, by which it looks up a property, and finds the string in a map, by its address. A
 * string that was cut out of a message or concatenated is hashed and compared by slow calls at each use, and may keep
 * the message in memory.
 *
 * @param {string} text
 */
export const intern = text => Object.keys({ [text]: true })[0];

/** @param {string} text */
export const startsSpecial = text => {
  // An empty string has the code NaN, which is in no range.
  const code = text.charCodeAt(0);
  return code >= firstSpecial && code <= lastSpecial;
};

/**
 * Long strings quoted before, with their quotes: a contract's source is sent to each vat that runs it, and quoting it takes a
 * millisecond. It begins anew when it is full.
 *
 * @type {Map<string, string>}
 */
const quotedBefore = new Map();
const mostKept = 8;

/** Lengths of the strings in it: they bound its size, and others take no time for it. */
const longLength = 20_000;
const longestKept = 500_000;

/** @param {string} text */
const quoteLong = text => {
  if (text.length < longLength || text.length > longestKept) return JSON.stringify(text);
  let quoted = quotedBefore.get(text);
  if (quoted === undefined) {
    quoted = JSON.stringify(text);
    if (quotedBefore.size >= mostKept) quotedBefore.clear();
    quotedBefore.set(text, quoted);
  }
  return quoted;
};

/**
 * Exactly `JSON.stringify(text)`.
 *
 * @param {string} text
 */
export const quoteText = text => {
  const { length } = text;
  if (length > shortLength) return quoteLong(text);
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i);
    // Control characters, the quote, the backslash and lone surrogates have escapes.
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) {
      return JSON.stringify(text);
    }
  }
  return `"${text}"`;
};

/**
 * A string value in smallcaps.
 *
 * @param {string} text
 */
export const encodeText = text => quoteText(startsSpecial(text) ? `!${text}` : text);

/** @param {(name: string) => string} quote */
const makeNameQuoter = quote => {
  /** @type {Map<string, string>} */
  const kept = new Map();
  /** @param {string} name */
  const quoteName = name => {
    let quoted = kept.get(name);
    if (quoted === undefined) {
      quoted = quote(name);
      // Names made at run time must not fill the heap; clearing costs next to nothing.
      if (kept.size >= keptNames) kept.clear();
      kept.set(name, quoted);
    }
    return quoted;
  };
  return quoteName;
};

/** A property name in smallcaps, with its colon. */
export const encodeName = makeNameQuoter(name => `${encodeText(name)}:`);

/** A property name as JSON has it, with its colon. */
export const quoteName = makeNameQuoter(name => `${quoteText(name)}:`);

/**
 * Whether a name is an array index, which ordinary objects list before all others, by number.
 *
 * @param {string} name
 */
export const isIndexName = name => {
  const code = name.charCodeAt(0);
  if (!(code >= 0x30 && code <= 0x39)) return false;
  const index = Number(name) >>> 0;
  return index !== 0xffffffff && String(index) === name;
};
