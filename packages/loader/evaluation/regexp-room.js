// Keeps regular expressions away from the end of the stack. The engine compiles one as late as it can, when a text is
// searched, and older engines (those of Node 20 and 22) end the process if the stack ends meanwhile. So whatever may
// search first makes sure of room for the largest that a vat may have (regexp-size.js), and throws the engine's
// RangeError otherwise.
//
// All engines get these methods, so that their text is the same. Lockdown keeps the engine from its quick ways through
// `replace`, `split` and `match` in any case, so they cost little.

import { openStackRoom } from '#native/stack-room.js';
import { matchOn, replaceOn } from './regexp-steps.js';

const { apply } = Reflect;
const { prototype } = RegExp;
const { exec, test, [Symbol.search]: search } = prototype;
const iteratorPrototype = Object.getPrototypeOf(''.matchAll(/./g));
const { next } = iteratorPrototype;

/** Arguments that take as much of the stack as `openStackRoom` asks for. */
const many = new Array(4096).fill(0);

/**
 * Without the addon: throws if the arguments of a call do not fit, which takes microseconds. The engine's own function
 * that does nothing is called, since the engine would leave out the call of another.
 */
const tryCall = () => {
  apply(Function.prototype, undefined, many);
  return undefined;
};

/** @type {() => true | undefined} */
let isLow = tryCall;

/** Makes the engine throw its own error. @returns {number} never */
const overflow = () => overflow() + 1;

/**
 * Make sure that the stack has room for a regular expression.
 *
 * @throws {RangeError}  made by the engine
 */
export const insistRoom = () => {
  if (isLow() === true) overflow();
};

const methods = {
  /** @this {any} @param {string} string */
  exec(string) {
    insistRoom();
    return apply(exec, this, [string]);
  },
  /** @this {any} @param {string} string */
  test(string) {
    insistRoom();
    return apply(test, this, [string]);
  },
  /** @this {any} @param {string} string */
  [Symbol.match](string) {
    insistRoom();
    return matchOn(this, string);
  },
  /** @this {any} @param {string} string @param {any} replacement */
  [Symbol.replace](string, replacement) {
    insistRoom();
    return replaceOn(this, string, replacement);
  },
  /** @this {any} @param {string} string */
  [Symbol.search](string) {
    insistRoom();
    return apply(search, this, [string]);
  },
};

const methodsOfIterator = {
  /** @this {any} */
  next() {
    insistRoom();
    return apply(next, this, []);
  },
};

/**
 * The methods that search, by the object that has them. `Symbol.split` is another's (checked-regexp.js).
 *
 * @type {[holder: object, methods: Record<PropertyKey, any>][]}
 */
export const searchMethods = [
  [prototype, methods],
  [iteratorPrototype, methodsOfIterator],
];

/** Find the end of this thread's stack. Until then each search takes microseconds. */
export const findStackEnd = () => {
  isLow = openStackRoom() ?? tryCall;
};
