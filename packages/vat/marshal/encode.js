// Writing of smallcaps. One walk over hardened data makes the body's text. References are collected on the way, and the
// caller turns them into slots after the whole value was found passable. So a value that is refused allocates nothing,
// as with @endo/marshal, which examines the whole value before it allocates the first slot.
//
// The walk has two modes. The fast one handles plain arrays and records, primitives, promises and remotables; at the
// first other thing it gives up (`undefined`). The careful one runs after that, when the library has examined the value
// or thrown its own error; it handles everything that passes.

import { isErrorLike } from '#model';
import { insistFewArguments, insistShallowData } from './depth.js';
import { PASS_STYLE, getTag, nameForPassableSymbol, passStyleOf } from './pass-style.js';
import {
  findInterface,
  findKnownInterface,
  isHardenedReference,
  isMethod,
  isMethodsOnly,
  isPlainPromise,
} from './references.js';
import { encodeName, encodeText, isIndexName, quoteText } from './text.js';

const {
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getOwnPropertySymbols,
  getPrototypeOf,
  isFrozen,
  prototype: objectPrototype,
} = Object;
const { ownKeys } = Reflect;
const { isArray, prototype: arrayPrototype } = Array;
const { prototype: promisePrototype } = Promise;

/** The fast walk goes no deeper: cyclic data would never end. */
const deepest = 100;

/** Up to this many references a search through the list is faster than a map. */
const fewReferences = 8;

/**
 * One walk. `references` are in order of first appearance, which is the order of slots.
 *
 * @typedef {object} Walk
 * @property {object[] | undefined} references
 * @property {Map<object, number> | undefined} indexes  made when there are many references
 * @property {number} depth
 * @property {boolean} careful
 * @property {boolean} rehearsal  errors get no numbers yet
 * @property {Set<object> | undefined} ancestors  only in careful walks
 * @property {boolean} lenient
 * @property {(error: Error, rehearsal: boolean) => string} encodeError
 */

/**
 * @param {boolean} lenient
 * @param {(error: Error, rehearsal: boolean) => string} encodeError
 * @returns {Walk}
 */
const startWalk = (lenient, encodeError) => ({
  references: undefined,
  indexes: undefined,
  depth: 0,
  careful: false,
  rehearsal: false,
  ancestors: undefined,
  lenient,
  encodeError,
});

/**
 * @param {'$' | '&'} prefix  remotable or promise
 * @param {object} value
 * @param {string | undefined} iface  written at the first appearance of the reference
 * @param {Walk} walk
 */
const encodeReference = (prefix, value, iface, walk) => {
  let { references } = walk;
  if (references === undefined) {
    references = [value];
    walk.references = references;
    return iface === undefined ? `"${prefix}0"` : quoteText(`${prefix}0.${iface}`);
  }
  let index;
  if (references.length <= fewReferences) {
    index = references.indexOf(value);
  } else {
    walk.indexes ??= new Map(references.map((reference, i) => [reference, i]));
    index = walk.indexes.get(value) ?? -1;
  }
  if (index >= 0) return `"${prefix}${index}"`;
  index = references.push(value) - 1;
  walk.indexes?.set(value, index);
  return iface === undefined ? `"${prefix}${index}"` : quoteText(`${prefix}${index}.${iface}`);
};

/**
 * @param {any} value  an array with the usual prototype
 * @param {Walk} walk
 * @returns {string | undefined}
 */
const encodeArray = (value, walk) => {
  if (!isFrozen(value)) return encodeOther(value, walk);
  const { length } = value;
  // One key for each element and one for `length`: no holes, no other properties.
  if (ownKeys(value).length !== length + 1) return encodeOther(value, walk);
  let text = '[';
  for (let i = 0; i < length; i += 1) {
    const found = getOwnPropertyDescriptor(value, i);
    // Where the array is frozen, `writable` is false in data properties and absent in accessors.
    if (found === undefined || found.writable !== false || !found.enumerable) {
      return encodeOther(value, walk);
    }
    const part = encodeAny(found.value, walk);
    if (part === undefined) return undefined;
    text += i === 0 ? part : `,${part}`;
  }
  return `${text}]`;
};

/**
 * Sort by UTF-16 code units, in place.
 *
 * @param {string[]} names
 */
const sortNames = names => {
  for (let i = 1; i < names.length; i += 1) {
    if (names[i - 1] > names[i]) return names.sort();
  }
  return names;
};

/**
 * Joins the members of a record in the order of their text. @endo/marshal visits the names in sorted order, in which
 * slots and errors are numbered, and then puts them into an ordinary object, which has array indexes first, by number.
 *
 * @param {string[]} names  sorted
 * @param {string[]} members  their text, `"name":value`
 */
const joinMembers = (names, members) => {
  const indexes = names.flatMap((name, i) => (isIndexName(name) ? [i] : []));
  indexes.sort((left, right) => Number(names[left]) - Number(names[right]));
  const others = names.flatMap((name, i) => (isIndexName(name) ? [] : [i]));
  return `{${[...indexes, ...others].map(i => members[i]).join(',')}}`;
};

/**
 * @param {any} value  an object that inherits from Object.prototype and is no array
 * @param {Walk} walk
 * @returns {string | undefined}
 */
const encodeRecord = (value, walk) => {
  if (!isFrozen(value)) return encodeOther(value, walk);
  // Both calls together are faster than `ownKeys` (docs/v8-in-a-locked-down-realm.md).
  if (getOwnPropertySymbols(value).length > 0) return encodeOther(value, walk);
  const names = getOwnPropertyNames(value);
  // Objects list array indexes first, so the first name is enough.
  /** @type {string[] | undefined} */
  const members = names.length > 0 && isIndexName(names[0]) ? [] : undefined;
  let text = '';
  for (const name of sortNames(names)) {
    const found = getOwnPropertyDescriptor(value, name);
    if (found === undefined || found.writable !== false || !found.enumerable) {
      return encodeOther(value, walk);
    }
    const property = found.value;
    if (typeof property === 'function' && (name === 'then' || isMethod(property))) {
      return encodeOther(value, walk);
    }
    const part = encodeAny(property, walk);
    if (part === undefined) return undefined;
    const member = encodeName(name) + part;
    if (members) members.push(member);
    else text += text === '' ? member : `,${member}`;
  }
  return members ? joinMembers(names, members) : `{${text}}`;
};

/**
 * Whether a value has the shape of the library's tagged data, whatever its payload is.
 *
 * @param {any} value
 */
const isTaggedShape = value => {
  if (!isFrozen(value) || getPrototypeOf(value) !== objectPrototype) return false;
  const style = getOwnPropertyDescriptor(value, PASS_STYLE);
  const tag = getOwnPropertyDescriptor(value, Symbol.toStringTag);
  const payload = getOwnPropertyDescriptor(value, 'payload');
  return (
    ownKeys(value).length === 3 &&
    style?.value === 'tagged' &&
    !style.enumerable &&
    typeof tag?.value === 'string' &&
    !tag.enumerable &&
    payload?.writable === false &&
    payload.enumerable === true
  );
};

/**
 * @param {any} value
 * @param {Walk} walk
 * @returns {string | undefined}
 */
const encodeTagged = (value, walk) => {
  const payload = encodeAny(value.payload, walk);
  if (payload === undefined) return undefined;
  return `{"#tag":${encodeText(/** @type {string} */ (getTag(value)))},"payload":${payload}}`;
};

/**
 * Encodes a value that is neither primitive nor plain: the library determines its style, or throws.
 *
 * @param {any} value
 * @param {Walk} walk
 * @returns {string | undefined}
 */
const encodeOther = (value, walk) => {
  // These have no interface, as in 2020; the receiver names its presence after the slot.
  if (walk.lenient && isMethodsOnly(value)) return encodeReference('$', value, undefined, walk);
  const iface = findInterface(value);
  if (iface !== undefined) return encodeReference('$', value, iface, walk);
  if (!walk.careful) return undefined;
  if (walk.lenient && isTaggedShape(value)) return encodeTagged(value, walk);
  const style = passStyleOf(value);
  if (style === 'error') return walk.encodeError(value, walk.rehearsal);
  if (style === 'tagged') return encodeTagged(value, walk);
  if (style === 'promise') return encodeReference('&', value, undefined, walk);
  throw TypeError(`a value of pass style "${style}" has no smallcaps form`);
};

/**
 * @param {any} value
 * @param {Walk} walk
 * @returns {string | undefined}
 */
const encodeObject = (value, walk) => {
  const proto = getPrototypeOf(value);
  if (proto === promisePrototype && isPlainPromise(value)) {
    return encodeReference('&', value, undefined, walk);
  }
  const isPlainArray = proto === arrayPrototype && isArray(value);
  if (!isPlainArray && (proto !== objectPrototype || isArray(value))) {
    const iface = findKnownInterface(value);
    return iface === undefined
      ? encodeOther(value, walk)
      : encodeReference('$', value, iface, walk);
  }
  if (walk.careful) {
    walk.ancestors ??= new Set();
    // The error is the library's. Strict walks never get here with cyclic data.
    if (walk.ancestors.has(value)) throw Error('Pass-by-copy data cannot be cyclic (an object)');
    walk.ancestors.add(value);
  } else if (walk.depth > deepest) {
    return undefined;
  }
  walk.depth += 1;
  const text = isPlainArray ? encodeArray(value, walk) : encodeRecord(value, walk);
  walk.depth -= 1;
  walk.ancestors?.delete(value);
  return text;
};

/** @param {number} value */
const encodeNumber = value => {
  if (Number.isFinite(value)) return `${value}`;
  return Number.isNaN(value) ? '"#NaN"' : value > 0 ? '"#Infinity"' : '"#-Infinity"';
};

/**
 * @param {symbol} value
 * @param {Walk} walk
 */
const encodeSymbol = (value, walk) => {
  const name = nameForPassableSymbol(value);
  if (name !== undefined) return quoteText(`%${name}`);
  if (walk.careful) passStyleOf(/** @type {any} */ (value));
  return undefined;
};

/**
 * @param {unknown} value
 * @param {Walk} walk
 * @returns {string | undefined}  `undefined` only if a fast walk has given up
 */
const encodeAny = (value, walk) => {
  switch (typeof value) {
    case 'string':
      return encodeText(value);
    case 'number':
      return encodeNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'undefined':
      return '"#undefined"';
    case 'bigint':
      return value < 0n ? `"${value}"` : `"+${value}"`;
    case 'symbol':
      return encodeSymbol(value, walk);
    case 'function':
      return encodeOther(value, walk);
    default:
      return value === null ? 'null' : encodeObject(value, walk);
  }
};

/** @param {object} value  a remotable or a promise that passes */
const isHardenedThrough = value => isHardenedReference(value) || isPlainPromise(value);

/**
 * @typedef {object} Encoded
 * @property {string} text  JSON
 * @property {object[] | undefined} references
 */

/**
 * @param {boolean} lenient  whether hardened objects of methods pass as remotables
 * @param {(error: Error, rehearsal: boolean) => string} encodeError
 */
export const makeEncoder = (lenient, encodeError) => {
  /**
   * @param {any} value
   * @returns {Encoded}
   */
  const encodeCarefully = value => {
    // At the top any error passes, hardened or not, since its text matters more than its form.
    if (isErrorLike(value)) {
      return { text: encodeError(value, false), references: undefined };
    }
    insistShallowData(value);
    if (lenient) {
      // Errors are numbered and logged as they are written, so a rehearsal that may fail comes before the real walk.
      const rehearsal = startWalk(true, encodeError);
      rehearsal.careful = true;
      rehearsal.rehearsal = true;
      encodeAny(value, rehearsal);
    } else {
      // Throws the library's error for a value that does not pass.
      passStyleOf(value);
    }
    const walk = startWalk(lenient, encodeError);
    walk.careful = true;
    const text = encodeAny(value, walk);
    if (text === undefined) throw TypeError('the value changed while it was read');
    return { text, references: walk.references };
  };

  /**
   * @param {unknown} value  hardened
   * @returns {Encoded}
   * @throws {Error} for what does not pass
   */
  const encode = value => {
    if (typeof value === 'number') return { text: encodeNumber(value), references: undefined };
    const walk = startWalk(lenient, encodeError);
    const text = encodeAny(value, walk);
    return text === undefined ? encodeCarefully(value) : { text, references: walk.references };
  };

  /**
   * Encodes data that is deeply hardened, as most results of methods are.
   *
   * @param {unknown} value
   * @returns {Encoded | undefined} undefined if it may not be
   */
  const encodeHardened = value => {
    if (typeof value === 'object' && value !== null && !isFrozen(value)) return undefined;
    const walk = startWalk(lenient, encodeError);
    const text = encodeAny(value, walk);
    if (text === undefined) return undefined;
    const { references } = walk;
    // The walk saw that all data is frozen. Remotables and promises must be checked separately.
    if (references !== undefined && !references.every(isHardenedThrough)) return undefined;
    return { text, references };
  };

  /**
   * `encode(harden([method, args]))`.
   *
   * @param {unknown} method
   * @param {readonly unknown[]} args  each hardened; the array itself must be a plain one that no other code has seen,
   *   such as a rest parameter, and is not examined
   * @returns {Encoded}
   */
  const encodeMessage = (method, args) => {
    insistFewArguments(args);
    const walk = startWalk(lenient, encodeError);
    const methodText = encodeAny(method, walk);
    if (methodText === undefined) return encodeCarefully(harden([method, [...args]]));
    let text = '';
    for (let i = 0; i < args.length; i += 1) {
      const part = encodeAny(args[i], walk);
      if (part === undefined) return encodeCarefully(harden([method, [...args]]));
      text += i === 0 ? part : `,${part}`;
    }
    return { text: `[${methodText},[${text}]]`, references: walk.references };
  };

  return { encode, encodeHardened, encodeMessage };
};
