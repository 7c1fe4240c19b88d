// The bounds on how deep data may be nested that passes between vats, and on how many arguments a message may have.
// Reading, writing and translating are recursive, a call puts its arguments on the stack, and the end of the stack differs
// between machines and threads, and between the tiers of the engine's compiler in one run. So these bounds are far above
// the end of the stack: whether a message can be read, and its method called, is the same everywhere.

const { getOwnPropertyDescriptor, getPrototypeOf, prototype: objectPrototype } = Object;
const { ownKeys } = Reflect;
const { isArray } = Array;

/** Levels of a body, at most: three quarters of the usual stack suffice for any body of that depth. */
export const maxDepth = 1024;

/**
 * Arguments of a message, at most: a quarter of the main thread's stack, so that a method may pass them on to two others.
 * A worker thread's stack holds four times as many.
 */
const mostArguments = 32_768;

const problem = `the data is nested deeper than ${maxDepth} levels`;

const [quote, backslash, openList, closeList, openRecord, closeRecord] = [...'"\\[]{}'].map(
  character => character.charCodeAt(0),
);

/** Characters of a string that are looked at one by one, which is quicker for short ones. */
const shortLength = 64;

/**
 * @param {string} text  JSON
 * @param {number} start  of a string, at its quote
 * @returns {number} the place of the quote that ends it, or a place behind the end of the text
 */
const findClosingQuote = (text, start) => {
  let at = start + 1;
  for (;;) {
    for (const end = Math.min(at + shortLength, text.length); at < end;) {
      const code = text.charCodeAt(at);
      if (code === quote) return at;
      at += code === backslash ? 2 : 1;
    }
    const found = text.indexOf('"', at);
    if (found === -1) return text.length;
    // Backslashes escape each other in pairs; an odd one escapes the quote.
    let first = found;
    while (first > at && text.charCodeAt(first - 1) === backslash) first -= 1;
    if ((found - first) % 2 === 0) return found;
    at = found + 1;
  }
};

/**
 * @param {string} text  JSON; for other text the answer is arbitrary
 * @returns {boolean}
 */
export const isTooDeep = text => {
  // Each level has two brackets.
  if (text.length <= 2 * maxDepth) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = findClosingQuote(text, at);
    else if (code === openList || code === openRecord) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (code === closeList || code === closeRecord) {
      depth -= 1;
    }
  }
  return false;
};

/**
 * @param {string} text  JSON
 * @returns {string} the text
 * @throws {RangeError} it is too deep
 */
export const insistShallow = text => {
  if (isTooDeep(text)) throw RangeError(problem);
  return text;
};

/**
 * @param {readonly unknown[]} args  of a message that is written or read
 * @throws {RangeError} there are too many
 */
export const insistFewArguments = args => {
  if (args.length > mostArguments)
    throw RangeError(
      `the message has ${args.length} arguments; at most ${mostArguments} are allowed, a list can hold more`,
    );
};

/** @param {number} level  of data that is written, from 1 */
export const insistLevel = level => {
  if (level > maxDepth) throw RangeError(problem);
};

/**
 * Checks the depth of data to be written, before other code descends into it.
 *
 * @param {unknown} value  hardened; cycles and accessors are refused elsewhere
 * @throws {RangeError} it is too deep
 */
export const insistShallowData = value => {
  goDown(value, 1, new Set(), new Map());
};

/**
 * @param {unknown} value
 * @param {number} level
 * @param {Set<object>} ancestors
 * @param {Map<object, number>} seen  the level of each object: one that is met again deeper is examined again
 */
const goDown = (value, level, ancestors, seen) => {
  if (typeof value !== 'object' || value === null || ancestors.has(value)) return;
  if (!isArray(value) && getPrototypeOf(value) !== objectPrototype) return;
  if ((seen.get(value) ?? 0) >= level) return;
  insistLevel(level);
  seen.set(value, level);
  ancestors.add(value);
  for (const key of ownKeys(value))
    goDown(getOwnPropertyDescriptor(value, key)?.value, level + 1, ancestors, seen);
  ancestors.delete(value);
};
