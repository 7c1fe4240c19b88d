// Finds syntax of regular expressions that Node 20 lacks: modifiers (`(?i:…)`) and groups that share a name. It is
// refused on every engine, so that a program works everywhere or nowhere.

/** The text behind `(?` in syntax that every engine has. */
const knownGroup = /^(?:[:=!]|<[=!]|<(?![=!]))/;

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
  // No name has a bracket: a string, a comment or a class with `(?<` does not hide the group behind it.
  const names = [...text.matchAll(/\(\?<([^=!>(][^>(]*)>/g)].map(([, name]) => cook(name));
  return new Set(names).size < names.length;
};
