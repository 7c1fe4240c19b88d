// `match` and `replace` of regular expressions, step by step as the language has them, for expressions that a vat can
// have changed. Before Node 26 the engines read other properties of these (`global` and `unicode`, where it is `flags`
// now), and their `replace` looks for the flag `u` alone when it goes on behind an empty match: with `v` it stopped in
// the midst of a character, and never ended. Source of the rules: ECMAScript 2025, 22.2.6.8, 22.2.6.11, 22.1.3.19.1.

const { apply } = Reflect;
const { getPrototypeOf, hasOwn } = Object;
const { prototype } = RegExp;
const { exec: engineExec } = prototype;
const { [Symbol.match]: engineMatch, [Symbol.replace]: engineReplace } = prototype;
const { get: hasUnicodeSets } = /** @type {{ get: () => boolean }} */ (
  Object.getOwnPropertyDescriptor(prototype, 'unicodeSets')
);

/** @param {unknown} value @returns {value is Record<PropertyKey, any>} */
export const isObject = value =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/**
 * Whether an expression has the flag `v`, asked without running code of a vat.
 *
 * @param {unknown} value
 * @returns {boolean | undefined} undefined for what is no expression
 */
const findSets = value => {
  try {
    return apply(hasUnicodeSets, value, []);
  } catch {
    return undefined;
  }
};

/** The properties from which `flags` is made, and itself: all that engines read before they search. */
const flagNames = [
  ...['flags', 'hasIndices', 'global', 'ignoreCase', 'multiline', 'dotAll', 'unicode'],
  ...['unicodeSets', 'sticky'],
];

/**
 * Whether an expression reads its flags from the properties that all share.
 *
 * @param {object} expression  no proxy
 */
const hasOwnFlags = expression => {
  if (getPrototypeOf(expression) !== prototype) return true;
  for (let i = 0; i < flagNames.length; i += 1) if (hasOwn(expression, flagNames[i])) return true;
  return false;
};

/** @param {any} value */
const toInteger = value => Math.trunc(+value) || 0;

/** @param {any} value */
const toLength = value => Math.min(Math.max(toInteger(value), 0), Number.MAX_SAFE_INTEGER);

/** @param {any} expression @param {string} text @returns {any} the match, or null */
const findNext = (expression, text) => {
  const { exec } = expression;
  if (typeof exec !== 'function') return apply(engineExec, expression, [text]);
  const found = apply(exec, expression, [text]);
  if (found !== null && !isObject(found))
    throw TypeError('RegExp exec method returned something other than an Object or null');
  return found;
};

/**
 * @param {any} expression  with the flag `g`
 * @param {string} text
 * @param {string} flags
 * @param {(found: any, matched: string) => void} take  called for each match
 */
const findAll = (expression, text, flags, take) => {
  const isWide = flags.includes('u') || flags.includes('v');
  expression.lastIndex = 0;
  for (;;) {
    const found = findNext(expression, text);
    if (found === null) return;
    const matched = `${found[0]}`;
    take(found, matched);
    if (matched === '') {
      const at = toLength(expression.lastIndex);
      const isPair = isWide && /** @type {number} */ (text.codePointAt(at)) > 0xffff;
      expression.lastIndex = at + (isPair ? 2 : 1);
    }
  }
};

/** @param {any} expression @param {string} text @returns {unknown} */
export const matchBySteps = (expression, text) => {
  const flags = `${expression.flags}`;
  if (!flags.includes('g')) return findNext(expression, text);
  /** @type {string[]} */
  const all = [];
  findAll(expression, text, flags, (_, matched) => all.push(matched));
  return all.length === 0 ? null : all;
};

/** A match as `replace` reads it. @typedef {{ matched: string, position: number, captures: (string | undefined)[], groups: any }} Match */

/** @param {any} found @param {string} text @returns {Match} */
const readMatch = (found, text) => {
  const count = Math.max(toLength(found.length) - 1, 0);
  const matched = `${found[0]}`;
  const position = Math.max(Math.min(toInteger(found.index), text.length), 0);
  const captures = [];
  for (let i = 1; i <= count; i += 1) {
    const capture = found[i];
    captures.push(capture === undefined ? undefined : `${capture}`);
  }
  return { matched, position, captures, groups: found.groups };
};

/** Parts of a template that stand for something: `$$`, `$&`, `` $` ``, `$'`, `$1`, `$12`. */
const reference = /\$(?:[$&`']|\d\d?)/y;

/** These, and `$<name>`, if the match has named groups. */
const referenceOrName = /\$(?:[$&`']|\d\d?|<[^>]*>)/y;

/**
 * @param {string} part  of a template
 * @param {string} text
 * @param {Match} match
 * @returns {string} what it stands for
 */
const expandPart = (part, text, { matched, position, captures, groups }) => {
  const sign = part[1];
  if (sign === '$') return '$';
  if (sign === '&') return matched;
  if (sign === '`') return text.slice(0, position);
  if (sign === "'") return text.slice(Math.min(position + matched.length, text.length));
  if (sign === '<') {
    const capture = groups[part.slice(2, -1)];
    return capture === undefined ? '' : `${capture}`;
  }
  const digits = part.slice(1);
  const isLong = digits.length === 2 && Number(digits) > captures.length;
  const number = isLong ? Number(digits[0]) : Number(digits);
  const rest = isLong ? digits[1] : '';
  if (number < 1 || number > captures.length) return part;
  return `${captures[number - 1] ?? ''}${rest}`;
};

/** @param {string} template @param {string} text @param {Match} match */
const expandTemplate = (template, text, match) => {
  const pattern = match.groups === undefined ? reference : referenceOrName;
  let expanded = '';
  let next = 0;
  for (;;) {
    const at = template.indexOf('$', next);
    if (at === -1) return expanded + template.slice(next);
    pattern.lastIndex = at;
    const part = apply(engineExec, pattern, [template])?.[0];
    expanded += template.slice(next, at);
    expanded += part === undefined ? '$' : expandPart(part, text, match);
    next = at + (part?.length ?? 1);
  }
};

/** @param {unknown} value */
const toObject = value => {
  if (value === null) throw TypeError('Cannot convert undefined or null to object');
  return Object(value);
};

/** @param {any} expression @param {string} text @param {string | Function} replacement @returns {string} */
export const replaceBySteps = (expression, text, replacement) => {
  const flags = `${expression.flags}`;
  /** @type {any[]} */
  const all = [];
  if (flags.includes('g')) findAll(expression, text, flags, found => all.push(found));
  else all.push(findNext(expression, text));

  let replaced = '';
  let next = 0;
  for (const found of all) {
    if (found === null) break;
    const match = readMatch(found, text);
    const { matched, position, captures, groups } = match;
    /** @type {string} */
    let by;
    if (typeof replacement === 'function') {
      const named = groups === undefined ? [] : [groups];
      by = `${apply(replacement, undefined, [matched, ...captures, position, text, ...named])}`;
    } else {
      // As the language has it, null throws, and other values become objects.
      const named = groups === undefined ? undefined : toObject(groups);
      by = expandTemplate(replacement, text, { ...match, groups: named });
    }
    if (position >= next) {
      replaced += text.slice(next, position) + by;
      next = position + matched.length;
    }
  }
  return next >= text.length ? replaced : replaced + text.slice(next);
};

/**
 * The method `Symbol.match`.
 *
 * @param {any} receiver
 * @param {unknown} given
 * @returns {unknown}
 */
export const matchOn = (receiver, given) => {
  if (!isObject(receiver)) return apply(engineMatch, receiver, [given]);
  // This may run code of a vat that changes the expression, so it comes first, as in the language.
  const text = `${given}`;
  return findSets(receiver) === undefined || hasOwnFlags(receiver)
    ? matchBySteps(receiver, text)
    : apply(engineMatch, receiver, [text]);
};

/**
 * The method `Symbol.replace`.
 *
 * @param {any} receiver
 * @param {unknown} given
 * @param {unknown} replacement
 * @returns {string}
 */
export const replaceOn = (receiver, given, replacement) => {
  if (!isObject(receiver)) return apply(engineReplace, receiver, [given, replacement]);
  const text = `${given}`;
  const by = typeof replacement === 'function' ? replacement : `${replacement}`;
  return findSets(receiver) !== false || hasOwnFlags(receiver)
    ? replaceBySteps(receiver, text, by)
    : apply(engineReplace, receiver, [text, by]);
};
