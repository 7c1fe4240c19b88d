// Regular expressions as Node 20 knows them. What newer engines know beside that, modifiers (`(?i:…)`) and groups that share a
// name, is refused on all of them, so that a program does not work here and fail there.

/** Behind `(?` in the syntax that all have. */
const knownGroup = /^(?:[:=!]|<[=!]|<(?![=!]))/;

/** Escapes in names. @param {string} name */
const cook = name =>
  name.replace(/\\u(?:\{([\da-fA-F]+)\}|([\da-fA-F]{4}))/g, (_, long, short) =>
    Number.parseInt(long ?? short, 16) > 0x10ffff
      ? ''
      : String.fromCodePoint(Number.parseInt(long ?? short, 16)),
  );

/**
 * @typedef {object} NewerGroup
 * @property {number} start  where in the pattern Node 20 finds it
 * @property {string} problem  for the author of a source
 * @property {string} reason  as the engine of Node 20 says it
 */

/**
 * The first group that Node 20 does not know in a pattern, if there is one. Other mistakes are left to the engine.
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
  /** Names of the groups that are open, and of those without one. @type {(string | undefined)[]} */
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
      const end = isNamed ? pattern.indexOf('>', at) : -1;
      open.push(end < 0 ? undefined : cook(pattern.slice(at + 3, end)));
    } else if (character === ')') {
      // The engine notes a name where its group ends.
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
 * Whether a source may have such an expression: `(?` with something newer behind it, or a name of a group twice.
 *
 * @param {string} text
 */
export const mayHaveNewerRegExp = text => {
  if (!text.includes('(?')) return false;
  if (/\(\?(?![:=!<])/.test(text)) return true;
  const names = [...text.matchAll(/\(\?<([^=!>][^>]*)/g)].map(([, name]) => cook(name));
  return new Set(names).size < names.length;
};
