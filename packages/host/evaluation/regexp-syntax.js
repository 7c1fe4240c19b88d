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
 * What Node 20 does not know in a pattern, if there is something. Other mistakes are left to the engine.
 *
 * @param {string} pattern
 * @param {string} flags
 * @returns {string | undefined}
 */
export const findNewerSyntax = (pattern, flags) => {
  if (!pattern.includes('(?')) return undefined;
  const nests = flags.includes('v');
  /** @type {Set<string>} */
  const names = new Set();
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '[') depth = nests || depth === 0 ? depth + 1 : depth;
    else if (character === ']') depth = Math.max(0, depth - 1);
    else if (character === '(' && depth === 0 && pattern[at + 1] === '?') {
      const rest = pattern.slice(at + 2);
      if (!knownGroup.test(rest)) return 'a group with modifiers';
      if (rest[0] !== '<' || /^<[=!]/.test(rest)) continue;
      const name = cook(rest.slice(1, rest.indexOf('>')));
      if (names.has(name)) return `two groups of the name "${name}"`;
      names.add(name);
    }
  }
  return undefined;
};

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
