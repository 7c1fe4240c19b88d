// Bounds regular expressions, so that the stack does not decide about one while most of it is left. The engine's compiler
// goes one call deeper for each part of a sequence and each level of groups. At the end of the stack it refuses the
// expression, which a worker thread would take, and before Node 26 it may end the process: near that end no bound prevents it.

/**
 * Parts in a row, at most: groups, quantifiers, assertions and references back, through all levels of one alternative. With
 * the flags `u` and `v` four characters or classes are a part. This many take two thirds of the main thread's stack.
 */
const mostParts = 2_000;

/**
 * Groups within groups, at most. Before Node 26 the engine ends the process if the stack ends while it compiles one: this
 * many take some 20 kB, so only code near the end of its stack does that.
 */
const mostGroupLevels = 40;

/** No shorter expression has too much of either. */
const mostHarmless = 2 * mostGroupLevels;

/** A part has so many units, a character one or none. */
const unitsOfPart = 4;

/** The engine writes the body of a quantifier several times, but those of quantifiers within each other no more often. */
const mostCopies = 6;

/** With `u` and `v`, where all of these are escapes or mistakes. */
const escapeSequence =
  /\\(?:u\{[\da-f]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]{0,80}\}|k<[^>]{0,200}>|\d+|[^])/iy;
/** Without them `\\p{(}` and `[\\k<]` are characters, and groups may follow; characters have no units then. */
const plainEscape = /\\[^]/y;
const assertingEscape = /^\\[bB1-9k]/;
const groupStart = /\((?:\?(?:[:=!]|<[=!]|<[^>]{0,200}>)?)?/y;
const countedQuantifier = /\{\d+(?:,\d*)?\}\??/y;

/** @param {RegExp} sticky @param {string} text @param {number} at */
const matchAt = (sticky, text, at) => {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0];
};

/** Sizes of what has been read of a group. */
class Group {
  /** Units of the present alternative as it is written. */
  written = 0;

  /** Units of it with the copies that the engine makes. */
  copied = 0;

  /** The most of the alternatives before. */
  mostWritten = 0;

  mostCopied = 0;

  /** Units of the last item, which a quantifier repeats. */
  lastWritten = 0;

  lastCopied = 0;

  /** @param {number} written @param {number} [copied] */
  add(written, copied = written) {
    this.written += written;
    this.copied += copied;
    this.lastWritten = written;
    this.lastCopied = copied;
  }

  endAlternative() {
    this.mostWritten = Math.max(this.mostWritten, this.written);
    this.mostCopied = Math.max(this.mostCopied, this.copied);
    this.written = 0;
    this.copied = 0;
    this.lastWritten = 0;
    this.lastCopied = 0;
  }

  /** @param {number} times  how often the engine writes what the quantifier repeats */
  repeatLast(times) {
    const copied = Math.min(this.lastWritten * mostCopies, this.lastCopied * times);
    this.copied += copied - this.lastCopied;
    this.add(unitsOfPart);
  }
}

/**
 * Measures a pattern.
 *
 * @param {string} pattern
 * @param {string} flags
 * @returns {{ parts: number, levels: number }}
 */
const measure = (pattern, flags) => {
  const nests = flags.includes('v');
  const isUnicode = nests || flags.includes('u');
  const unitsOfCharacter = isUnicode ? 1 : 0;
  const escape = isUnicode ? escapeSequence : plainEscape;
  /** @type {Group[]} */
  const outer = [];
  let group = new Group();
  let inClasses = 0;
  let levels = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') {
      const found = matchAt(escape, pattern, at) ?? character;
      at += found.length - 1;
      if (inClasses === 0) group.add(assertingEscape.test(found) ? unitsOfPart : unitsOfCharacter);
    } else if (character === '[') {
      // A class with strings is compiled as a group is.
      if (inClasses === 0) group.add(nests ? unitsOfPart : unitsOfCharacter);
      inClasses = nests || inClasses === 0 ? inClasses + 1 : inClasses;
    } else if (character === ']') {
      inClasses = Math.max(0, inClasses - 1);
    } else if (inClasses > 0) {
      continue;
    } else if (character === '(') {
      at += (matchAt(groupStart, pattern, at) ?? character).length - 1;
      outer.push(group);
      group = new Group();
      levels = Math.max(levels, outer.length);
    } else if (character === ')') {
      group.endAlternative();
      const { mostWritten, mostCopied } = group;
      group = outer.pop() ?? group;
      group.add(mostWritten + unitsOfPart, mostCopied + unitsOfPart);
    } else if (character === '|') {
      group.endAlternative();
    } else if (character === '{') {
      const found = matchAt(countedQuantifier, pattern, at) ?? character;
      at += found.length - 1;
      group.repeatLast(4);
    } else if ('?*+'.includes(character)) {
      if (pattern[at + 1] === '?') at += 1;
      group.repeatLast(character === '+' ? 2 : 1);
    } else {
      group.add('^$'.includes(character) ? unitsOfPart : unitsOfCharacter);
    }
  }
  group.endAlternative();
  return { parts: Math.ceil(group.mostCopied / unitsOfPart), levels };
};

/** Whether a pattern must be measured. @param {string} pattern */
export const mayBeLarge = pattern => pattern.length > mostHarmless;

/**
 * Tells why the engine might need too much of the stack for an expression.
 *
 * @param {string} pattern
 * @param {string} flags
 * @returns {string | undefined} it has …
 */
export const findSizeProblem = (pattern, flags) => {
  if (!mayBeLarge(pattern)) return undefined;
  const { parts, levels } = measure(pattern, flags);
  if (parts > mostParts) return `${parts} parts in a row; ${mostParts} are the most`;
  return levels > mostGroupLevels
    ? `groups nested ${levels} deep; ${mostGroupLevels} levels are the most`
    : undefined;
};

/**
 * Finds the end of a literal. None goes on after a line's end.
 *
 * @param {string} text
 * @param {number} from  behind its slash
 * @param {number} limit
 * @returns {number} that of its second slash, or `limit` if there is none
 */
const literalEnd = (text, from, limit) => {
  let isInClass = false;
  for (let at = from; at < limit; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '/' && !isInClass) return at;
  }
  return limit;
};

const flagsBehind = /[a-z]*/y;

/**
 * Whether a text may have a literal that is refused. Each slash may begin one.
 *
 * @param {string} text
 */
export const mayHaveLargeRegExp = text => {
  // More is read only if classes without ends hide slashes: such a text is parsed.
  let unread = 4 * text.length;
  let lineEnd = -1;
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
    if (at > lineEnd) {
      lineEnd = text.indexOf('\n', at);
      if (lineEnd < 0) lineEnd = text.length;
    }
    if (lineEnd - at <= mostHarmless) {
      at = lineEnd;
      continue;
    }
    const end = literalEnd(text, at + 1, lineEnd);
    unread -= end - at;
    if (unread < 0) return true;
    if (end === lineEnd) continue;
    const flags = matchAt(flagsBehind, text, end + 1) ?? '';
    if (findSizeProblem(text.slice(at + 1, end), flags) !== undefined) return true;
  }
  return false;
};
