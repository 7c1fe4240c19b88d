// Refuses syntax that Node 20 lacks in regular expressions made from strings, on every engine and with Node 20's error,
// as for literals, and expressions of so many parts or levels that the stack may end while they are compiled. It replaces
// the constructor, the methods that call the engine's constructor themselves, and those that search (regexp-room.js).
//
// Reading a caller's values may run code, so each is read once and in the order of the language: the engine gets
// stand-ins, which read the caller's values when the engine reads them, and throw where it would parse.

import { types } from 'node:util';
import { findStackEnd, insistRoom, searchMethods } from './regexp-room.js';
import { findNewerGroup } from './regexp-syntax.js';
import { findSizeProblem, mayBeLarge } from './regexp-size.js';
import { isObject } from './regexp-steps.js';

const EngineRegExp = RegExp;
const { construct, apply } = Reflect;
const { isRegExp } = types;
const { match, matchAll, search } = String.prototype;
const { [Symbol.matchAll]: matchAllWith, [Symbol.split]: splitWith } = RegExp.prototype;

const told = 'Invalid regular expression: /';

/** @param {unknown} given */
const toPatternText = given => (given === undefined ? '' : `${given}`);

/** Whether a pattern must be checked. @param {string} pattern */
const isSuspect = pattern => pattern.includes('(?') || mayBeLarge(pattern);

/**
 * @param {string} pattern
 * @param {string} flags
 * @throws {SyntaxError}  made by the engine, with Node 20's text; or it has too many parts
 */
const checkPattern = (pattern, flags) => {
  const excess = findSizeProblem(pattern, flags);
  const newer = findNewerGroup(pattern, flags);
  if (newer === undefined && excess === undefined) return;
  try {
    // The engine reports wrong flags first.
    construct(EngineRegExp, ['', flags]);
  } catch {
    return;
  }
  if (excess !== undefined) throw SyntaxError(`a regular expression has ${excess}`);
  if (newer === undefined) return;
  // The text before the group may have another mistake, which is reported first. Whether it is one can depend on the
  // groups after it, so they stay, behind a group that no engine knows.
  const unknown = `${pattern.slice(0, newer.start)}(?~${pattern.slice(newer.start)}`;
  try {
    construct(EngineRegExp, [unknown, flags]);
  } catch (error) {
    const { message } = /** @type {SyntaxError} */ (error);
    const rest = message.slice(told.length + unknown.length);
    const value = `${told}${pattern}${rest.replace(/Invalid group$/, () => newer.reason)}`;
    Object.defineProperty(/** @type {object} */ (error), 'message', { value });
    throw error;
  }
};

/**
 * Whether the arguments may go to the engine's constructor without a check.
 *
 * @param {unknown} pattern
 * @param {unknown} flags
 */
const isHarmless = (pattern, flags) => {
  if (typeof pattern === 'string') {
    if (!isSuspect(pattern)) return true;
    return (
      (flags === undefined || typeof flags === 'string') &&
      findNewerGroup(pattern, flags ?? '') === undefined &&
      findSizeProblem(pattern, flags ?? '') === undefined
    );
  }
  // An expression was checked when it was made, and other flags do not change its groups.
  return !isObject(pattern) || isRegExp(pattern);
};

/**
 * @param {unknown} pattern
 * @param {unknown} flags
 * @param {Function} [newTarget]
 */
const constructChecked = (pattern, flags, newTarget) => {
  let source = pattern;
  let givenFlags = flags;
  if (isObject(pattern) && pattern[Symbol.match]) {
    const mayBeSame = newTarget === undefined && flags === undefined;
    if (mayBeSame && pattern.constructor === EngineRegExp.prototype.constructor) return pattern;
    source = pattern.source;
    if (flags === undefined) givenFlags = pattern.flags;
  }
  let text = '';
  const patternStand = {
    __proto__: null,
    [Symbol.toPrimitive]() {
      text = toPatternText(source);
      return text;
    },
  };
  const flagsStand = {
    __proto__: null,
    [Symbol.toPrimitive]() {
      const flagsText = toPatternText(givenFlags);
      checkPattern(text, flagsText);
      return flagsText;
    },
  };
  return construct(EngineRegExp, [patternStand, flagsStand], newTarget ?? EngineRegExp);
};

/** Whether `RegExp(expression)` reads only inherited, shared properties. @param {object} expression */
const isPlain = expression =>
  Object.getPrototypeOf(expression) === EngineRegExp.prototype &&
  !Object.hasOwn(expression, 'constructor') &&
  !Object.hasOwn(expression, Symbol.match);

/** @param {any} constructor @param {number} length */
const likeEngine = (constructor, length) =>
  Object.defineProperties(constructor, {
    name: { value: 'RegExp' },
    length: { value: length },
    prototype: { value: EngineRegExp.prototype, writable: false },
    [Symbol.species]: /** @type {PropertyDescriptor} */ (
      Object.getOwnPropertyDescriptor(EngineRegExp, Symbol.species)
    ),
  });

/** @param {unknown} pattern @param {unknown} flags */
function CheckedRegExp(pattern, flags) {
  if (!isHarmless(pattern, flags)) return constructChecked(pattern, flags, new.target);
  if (new.target !== undefined) return construct(EngineRegExp, [pattern, flags], new.target);
  // SES has replaced the engine's constructor, which would compare with itself, so compare here.
  if (flags === undefined && isRegExp(pattern) && isPlain(pattern)) return pattern;
  return apply(EngineRegExp, undefined, [pattern, flags]);
}

/** The host's constructor, which SES does not see. @param {unknown[]} args */
function HostRegExp(...args) {
  return new.target === undefined
    ? apply(EngineRegExp, undefined, args)
    : construct(EngineRegExp, args, new.target);
}

/**
 * Make the stand-in that a string method gets instead of an object. It reads the object's properties on demand.
 *
 * @param {Record<PropertyKey, any>} pattern
 * @param {string} flags  the method's flags for its new expression
 * @param {PropertyDescriptorMap} properties
 */
const standForPattern = (pattern, flags, properties) =>
  Object.create(null, {
    ...properties,
    [Symbol.toPrimitive]: {
      value: () => {
        const text = toPatternText(pattern);
        checkPattern(text, flags);
        return text;
      },
    },
  });

/** @param {Record<PropertyKey, any>} pattern @param {unknown} method  of it */
const bindMethod = (pattern, method) =>
  typeof method === 'function'
    ? (/** @type {unknown} */ text) => apply(method, pattern, [text])
    : method;

/** @param {(pattern: any) => any} engineMethod @param {symbol} key @param {any} text @param {any} pattern */
const callWithPattern = (engineMethod, key, text, pattern) => {
  if (typeof pattern === 'string' && isSuspect(pattern))
    return apply(engineMethod, text, [
      standForPattern(Object(pattern), '', { [key]: { value: undefined } }),
    ]);
  if (!isObject(pattern) || text === undefined || text === null)
    return apply(engineMethod, text, [pattern]);
  const method = pattern[key];
  if (typeof method === 'function') return apply(method, pattern, [text]);
  return apply(engineMethod, text, [standForPattern(pattern, '', { [key]: { value: method } })]);
};

/**
 * Make the stand-in that a method of regular expressions gets instead of a receiver that is not one. The method makes
 * an expression from it, by the class that the object names or by the engine's.
 *
 * @param {Record<PropertyKey, any>} like
 */
const standForExpression = like => {
  /** @param {any} species */
  const makeBy = species => {
    const constructor = species ?? EngineRegExp.prototype.constructor;
    if (typeof constructor !== 'function') return constructor;
    // The proxy is a constructor if and only if its target is, and reads none of its properties.
    return new Proxy(constructor, {
      construct: (_, [, flags]) => construct(constructor, [like, flags]),
    });
  };
  return {
    __proto__: null,
    get constructor() {
      /** @type {unknown} */
      const constructor = like.constructor;
      if (!isObject(constructor))
        return constructor === undefined ? { [Symbol.species]: makeBy(undefined) } : constructor;
      return {
        get [Symbol.species]() {
          return makeBy(constructor[Symbol.species]);
        },
      };
    },
    get flags() {
      return like.flags;
    },
    get lastIndex() {
      return like.lastIndex;
    },
  };
};

/** @param {any} value */
const standUnlessExpression = value =>
  isObject(value) && !isRegExp(value) ? standForExpression(value) : value;

const methodsOfTexts = {
  /** @this {any} @param {any} regexp */
  match(regexp) {
    return callWithPattern(match, Symbol.match, this, regexp);
  },
  /** @this {any} @param {any} regexp */
  matchAll(regexp) {
    const isToCheck = typeof regexp === 'string' && isSuspect(regexp);
    // If `lastIndex` is the only own property, the engine reads shared properties only and runs no code of a vat.
    const isBare =
      isRegExp(regexp) &&
      Object.getPrototypeOf(regexp) === EngineRegExp.prototype &&
      Reflect.ownKeys(regexp).length === 1;
    if (isBare || (!isToCheck && !isObject(regexp))) return apply(matchAll, this, [regexp]);
    const pattern = Object(regexp);
    const stand = standForPattern(pattern, 'g', {
      [Symbol.match]: {
        get: () => {
          const found = pattern[Symbol.match];
          return found === undefined && isRegExp(pattern) ? true : found;
        },
      },
      [Symbol.matchAll]: { get: () => bindMethod(pattern, pattern[Symbol.matchAll]) },
      flags: { get: () => pattern.flags },
    });
    return apply(matchAll, this, [stand]);
  },
  /** @this {any} @param {any} regexp */
  search(regexp) {
    return callWithPattern(search, Symbol.search, this, regexp);
  },
};

const methodsOfExpressions = {
  /** @this {any} @param {any} string */
  [Symbol.matchAll](string) {
    return apply(matchAllWith, standUnlessExpression(this), [string]);
  },
  /** @this {any} @param {any} string @param {any} limit */
  [Symbol.split](string, limit) {
    insistRoom();
    return apply(splitWith, standUnlessExpression(this), [string, limit]);
  },
};

/** @param {object} holder @param {Record<PropertyKey, any>} values */
const replace = (holder, values) => {
  // Only the value changes: attributes and order stay.
  for (const key of Reflect.ownKeys(values))
    Object.defineProperty(holder, key, { value: values[key] });
};

/**
 * Replace the constructor and the methods. To be called before SES is loaded, since SES keeps those it finds.
 *
 * @returns {() => void}  to be called after lockdown: gives the host program a constructor that refuses nothing
 */
export const checkRegExps = () => {
  likeEngine(CheckedRegExp, EngineRegExp.length);
  likeEngine(HostRegExp, EngineRegExp.length);
  replace(globalThis, { RegExp: CheckedRegExp });
  replace(EngineRegExp.prototype, { constructor: CheckedRegExp, ...methodsOfExpressions });
  replace(String.prototype, methodsOfTexts);
  for (const [holder, methods] of searchMethods) replace(holder, methods);
  findStackEnd();
  return () => {
    replace(globalThis, { RegExp: harden(HostRegExp) });
  };
};
