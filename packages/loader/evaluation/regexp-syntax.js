// Finds syntax of regular expressions that Node 20 lacks: modifiers (`(?i:…)`) and groups that share a name. It is
// refused on every engine, so that a program works everywhere or nowhere. Finds expressions with which the engine's
// compiler goes too deep.

/** The text behind `(?` in syntax that every engine has. */
const knownGroup = /^(?:[:=!]|<[=!]|<(?![=!]))/;

/**
 * Groups and quantifiers of an expression, at most. The engine compiles each within the one before, so the end of the
 * stack, which differs between threads, decides about much more: then the expression is refused. This many take a third
 * of the main thread's stack.
 */
const mostParts = 2_000;

/**
 * Groups within groups, at most. Before Node 26 the engine ends the process if the stack ends while it compiles an
 * expression; code that runs near the end of the stack reaches that with 81 levels of `(?:a|b…)*?`.
 */
const mostGroupLevels = 40;

/** An expression with too much of either is longer than this. */
const mostHarmless = 2 * mostGroupLevels;

/**
 * The number of groups and quantifiers in a pattern, and how deep its groups are nested.
 *
 * @param {string} pattern
 * @param {boolean} nests  whether classes nest, by the flag `v`
 */
const measure = (pattern, nests) => {
  let parts = 0;
  let inClasses = 0;
  let level = 0;
  let levels = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '[') inClasses = nests || inClasses === 0 ? inClasses + 1 : inClasses;
    else if (character === ']') inClasses = Math.max(0, inClasses - 1);
    else if (inClasses > 0) continue;
    else if (character === ')') level = Math.max(0, level - 1);
    else if ('(?*+{'.includes(character)) {
      parts += 1;
      // The question mark of `(?:` and of `+?` is no quantifier.
      if (character !== '{' && pattern[at + 1] === '?') at += 1;
      if (character !== '(') continue;
      level += 1;
      levels = Math.max(levels, level);
    }
  }
  return { parts, levels };
};

/**
 * Names the excess of a pattern with which the stack may end.
 *
 * @param {string} pattern
 * @param {string} flags
 * @returns {string | undefined}
 */
export const findRegExpProblem = (pattern, flags) => {
  if (!mayBeLarge(pattern)) return undefined;
  const { parts, levels } = measure(pattern, flags.includes('v'));
  if (parts > mostParts) return `${parts} groups and quantifiers; ${mostParts} are the most`;
  return levels > mostGroupLevels
    ? `groups nested ${levels} deep; ${mostGroupLevels} levels are the most`
    : undefined;
};

/** Whether a pattern must be measured. @param {string} pattern */
export const mayBeLarge = pattern => pattern.length > mostHarmless;

/** @param {string} text @param {number} from */
const lineEnd = (text, from) => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

/**
 * The end of a literal, if one begins there. No literal goes on after a line's end.
 *
 * @param {string} text
 * @param {number} from  behind its slash
 * @param {number} limit
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

/**
 * Whether a text may have a literal with too much for the stack. Each slash may begin one.
 *
 * @param {string} text
 */
export const mayHaveLargeRegExp = text => {
  // More is read only if classes without ends hide slashes: such a text is parsed.
  let unread = 4 * text.length;
  let end = -1;
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
    if (at > end) end = lineEnd(text, at);
    if (end - at <= mostHarmless) {
      at = end;
      continue;
    }
    const pattern = text.slice(at + 1, literalEnd(text, at + 1, end));
    unread -= pattern.length;
    // The flags are not read. Without `v` fewer characters are in classes, and with it no bracket is.
    if (unread < 0 || findRegExpProblem(pattern, '') !== undefined) return true;
  }
  return false;
};

/** A name before its `>`; no name has a bracket, so that none is looked for beyond the next group. */
const groupName = /[^>(]*(?=>)/y;

/** @param {string} pattern @param {number} at */
const nameAt = (pattern, at) => {
  groupName.lastIndex = at;
  return groupName.exec(pattern);
};

/** Decode the escapes in a name. @param {string} name */
const cook = name =>
  name.replace(/\\u(?:\{([\da-fA-F]+)\}|([\da-fA-F]{4}))/g, (_, long, short) =>
    Number.parseInt(long ?? short, 16) > 0x10ffff
      ? ''
      : String.fromCodePoint(Number.parseInt(long ?? short, 16)),
  );

/**
 * @typedef {object} NewerGroup
 * @property {number} start  offset in the pattern at which Node 20 fails
 * @property {string} problem  for the author of a source
 * @property {string} reason  in Node 20's words
 */

/**
 * Find the first group in a pattern that Node 20 does not know. The engine reports other mistakes.
 *
 * @param {string} pattern
 * @param {string} flags
 * @returns {NewerGroup | undefined}
 */
export const findNewerGroup = (pattern, flags) => {
  if (!pattern.includes('(?')) return undefined;
  const nests = flags.includes('v');
  /** @type {Set<string>} */
  const names = new Set();
  /** Names of the open groups; undefined for one without a name. @type {(string | undefined)[]} */
  const open = [];
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '[') depth = nests || depth === 0 ? depth + 1 : depth;
    else if (character === ']') depth = Math.max(0, depth - 1);
    else if (depth > 0) continue;
    else if (character === '(') {
      const isSpecial = pattern[at + 1] === '?';
      const behind = pattern.slice(at + 2, at + 4);
      if (isSpecial && !knownGroup.test(behind))
        return { start: at, problem: 'a group with modifiers', reason: 'Invalid group' };
      const isNamed = isSpecial && behind[0] === '<' && !/^<[=!]/.test(behind);
      const [name] = isNamed ? (nameAt(pattern, at + 3) ?? []) : [];
      if (isNamed && name === undefined) return undefined;
      open.push(name === undefined ? undefined : cook(name));
    } else if (character === ')') {
      // The engine registers a name at the end of its group.
      const name = open.pop();
      if (name !== undefined && names.has(name)) {
        const problem = `two groups of the name "${name}"`;
        return { start: at, problem, reason: 'Duplicate capture group name' };
      }
      if (name !== undefined) names.add(name);
    }
  }
  return undefined;
};

/** @param {string} pattern @param {string} flags */
export const findNewerSyntax = (pattern, flags) => findNewerGroup(pattern, flags)?.problem;

/**
 * Whether a source may have such an expression: `(?` before newer syntax, or a repeated group name.
 *
 * @param {string} text
 */
export const mayHaveNewerRegExp = text => {
  if (!text.includes('(?')) return false;
  if (/\(\?(?![:=!<])/.test(text)) return true;
  const names = [...text.matchAll(/\(\?<([^=!>][^>]*)/g)].map(([, name]) => cook(name));
  return new Set(names).size < names.length;
};
