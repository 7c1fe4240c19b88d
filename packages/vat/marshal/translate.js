// Translates bodies between smallcaps and the notation of 2020. Raw vats write and read bodies themselves, in the
// notation of their time, whatever the profile's is. Only the text changes: slots and their numbers stay, and no values
// are made. Data that the notation of 2020 lacks (tags, symbols) is written as @endo/marshal writes it in its older
// notation.

import { endOfString } from '#model';
import { insistShallow, isTooDeep } from './depth.js';
import { startsSpecial } from './text.js';

/** @import { CapData } from '#model' */

const { defineProperty, entries, fromEntries, hasOwn, keys } = Object;
const { isArray } = Array;

/** @typedef {'smallcaps' | 'qclass'} Notation */

/** @param {string} body @returns {Notation} */
export const notationOf = body => (body.startsWith('#') ? 'smallcaps' : 'qclass');

/**
 * Repeated objects are written out, up to this many times the length of the body, or up to a fixed length for short
 * bodies.
 */
const maxGrowth = 16;
const maxShortLength = 65_536;

/**
 * Sets an own property, whatever its name.
 *
 * @param {object} record
 * @param {string} name
 * @param {unknown} value
 */
const setOwn = (record, name, value) =>
  defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });

/** Numbers and the like that JSON lacks; smallcaps has `#` before them. */
const constants = ['undefined', 'NaN', 'Infinity', '-Infinity'];

/** @param {string} text  begins with a special character */
const specialToQclass = text => {
  const rest = text.slice(1);
  switch (text[0]) {
    case '!':
      return rest;
    case '$':
    case '&': {
      const dot = rest.indexOf('.');
      const index = Number(dot < 0 ? rest : rest.slice(0, dot));
      return dot < 0
        ? { '@qclass': 'slot', index }
        : { '@qclass': 'slot', iface: rest.slice(dot + 1), index };
    }
    case '+':
      return { '@qclass': 'bigint', digits: rest };
    case '-':
      return { '@qclass': 'bigint', digits: text };
    case '%':
      return { '@qclass': 'symbol', name: rest };
    default:
      if (text[0] === '#' && constants.includes(rest)) return { '@qclass': rest };
      throw TypeError(`${JSON.stringify(text)} is no smallcaps`);
  }
};

/** @param {string} name */
const unescapeName = name => {
  if (!startsSpecial(name)) return name;
  if (name[0] === '!') return name.slice(1);
  throw TypeError(`${JSON.stringify(name)} is no property name of smallcaps`);
};

/**
 * @param {any} tree
 * @returns {any}
 */
const toQclass = tree => {
  if (typeof tree === 'string') return startsSpecial(tree) ? specialToQclass(tree) : tree;
  if (typeof tree !== 'object' || tree === null) return tree;
  if (isArray(tree)) {
    // Loops, not callbacks, which use more stack in each level.
    const list = [];
    for (const part of tree) list.push(toQclass(part));
    return list;
  }
  if (hasOwn(tree, '#tag')) {
    return { '@qclass': 'tagged', tag: toQclass(tree['#tag']), payload: toQclass(tree.payload) };
  }
  if (hasOwn(tree, '#error')) {
    const { '#error': message, ...others } = tree;
    return { '@qclass': 'error', ...toQclass(others), message: toQclass(message) };
  }
  const record = {};
  for (const name of keys(tree)) setOwn(record, unescapeName(name), toQclass(tree[name]));
  if (!hasOwn(record, '@qclass')) return record;
  const { '@qclass': original, ...rest } = /** @type {Record<string, any>} */ (record);
  const isAlone = Object.keys(rest).length === 0;
  // The library omits an empty rest, and refuses one when it reads.
  return { '@qclass': 'hilbert', original, ...(!isAlone && { rest }) };
};

/** @param {string} text */
const escapeText = text => (startsSpecial(text) ? `!${text}` : text);

/**
 * @typedef {object} Reading
 * @property {readonly string[]} slots
 * @property {unknown[]} objects  the translation of each object of the body, in the order in which a reader meets them
 * @property {number[]} lengths  minimal length of each, written out
 * @property {Set<unknown>} unfinished
 * @property {number} length  minimal length of everything read, written out
 * @property {number} maxLength
 */

/**
 * @param {Reading} reading
 * @param {number} length  of the addition, written out
 */
const grow = (reading, length) => {
  reading.length += length;
  if (reading.length > reading.maxLength)
    throw RangeError('a body repeats its objects more often than its length allows');
};

/** Stands for an object that is being read. */
const makePlace = () => ({});

/**
 * @param {Record<string, any>} tree
 * @param {Reading} reading
 * @returns {any}
 */
const specialToSmallcaps = (tree, reading) => {
  const { '@qclass': qclass, ...fields } = tree;
  if (constants.includes(qclass)) return `#${qclass}`;
  switch (qclass) {
    case 'bigint':
      return fields.digits.startsWith('-') ? fields.digits : `+${fields.digits}`;
    case 'symbol':
      return `%${fields.name}`;
    case '@@asyncIterator':
      return '%@@asyncIterator';
    case 'slot': {
      const { iface, index } = fields;
      const slot = reading.slots[index];
      if (slot === undefined)
        throw RangeError(`a body refers to slot ${index}, which is not there`);
      const isPromise = slot.startsWith('p');
      const text =
        isPromise || iface === undefined
          ? `${isPromise ? '&' : '$'}${index}`
          : `$${index}.${iface}`;
      reading.objects.push(text);
      return text;
    }
    case 'error': {
      const { name, message, ...others } = fields;
      const error = {
        '#error': escapeText(message),
        ...fromEntries(entries(others).map(([key, value]) => [key, toSmallcaps(value, reading)])),
        name: escapeText(name),
      };
      reading.objects.push(error);
      return error;
    }
    case 'tagged': {
      const { tag, payload } = fields;
      return { '#tag': escapeText(tag), payload: toSmallcaps(payload, reading) };
    }
    case 'hilbert': {
      const original = toSmallcaps(fields.original, reading);
      return { '@qclass': original, ...toSmallcaps(fields.rest ?? {}, reading) };
    }
    case 'ibid': {
      const found = reading.objects[fields.index];
      if (found === undefined || reading.unfinished.has(found)) {
        throw TypeError(`a body repeats object ${fields.index}, which is not complete before it`);
      }
      grow(reading, reading.lengths[fields.index] ?? 0);
      return found;
    }
    default:
      throw TypeError(`${JSON.stringify(qclass)} is no "@qclass"`);
  }
};

/**
 * @param {any} tree
 * @param {Reading} reading
 * @returns {any}
 */
const toSmallcaps = (tree, reading) => {
  if (typeof tree === 'string') {
    grow(reading, tree.length);
    return escapeText(tree);
  }
  grow(reading, 1);
  if (typeof tree !== 'object' || tree === null) return tree;
  const before = reading.length;
  const first = reading.objects.length;
  const made = hasOwn(tree, '@qclass')
    ? specialToSmallcaps(tree, reading)
    : partsToSmallcaps(tree, reading);
  const { length } = reading.objects;
  // An array or a record is numbered before its parts, an error after them. A repeated one has a number already.
  if (length > first) {
    reading.lengths[first] ??= reading.length - before;
    reading.lengths[length - 1] ??= reading.length - before;
  }
  return made;
};

/**
 * @param {any} tree  an array or a record
 * @param {Reading} reading
 */
const partsToSmallcaps = (tree, reading) => {
  const { objects, unfinished } = reading;
  const place = makePlace();
  const number = objects.push(place) - 1;
  unfinished.add(place);
  /** @type {any} */
  const made = isArray(tree) ? [] : {};
  if (isArray(tree)) {
    for (const part of tree) made.push(toSmallcaps(part, reading));
  } else {
    for (const name of keys(tree)) {
      grow(reading, name.length);
      setOwn(made, escapeText(name), toSmallcaps(tree[name], reading));
    }
  }
  objects[number] = made;
  return made;
};

/**
 * @param {string} body  in the notation of 2020
 * @param {readonly string[]} slots
 */
const bodyToSmallcaps = (body, slots) => {
  const maxLength = Math.max(maxShortLength, maxGrowth * body.length);
  /** @type {Reading} */
  const reading = {
    ...{ slots, objects: [], lengths: [], unfinished: new Set() },
    ...{ length: 0, maxLength },
  };
  return `#${JSON.stringify(toSmallcaps(JSON.parse(insistShallow(body)), reading))}`;
};

/**
 * Capdata in a given notation, from either.
 *
 * @param {CapData} data
 * @param {Notation} notation
 * @returns {CapData}  unchanged if the body is in neither notation, too deep, or would become too long
 */
export const translate = (data, notation) => {
  const { body, slots } = data;
  if (notationOf(body) === notation) return data;
  try {
    const text =
      notation === 'qclass'
        ? JSON.stringify(toQclass(JSON.parse(insistShallow(body).slice(1))))
        : bodyToSmallcaps(body, slots);
    return { body: text, slots };
  } catch {
    return data;
  }
};

/**
 * Whether a body can be read in a notation.
 *
 * @param {string} body
 * @param {Notation} notation
 */
export const isBodyOf = (body, notation) => {
  if (notationOf(body) !== notation) return false;
  try {
    JSON.parse(notation === 'smallcaps' ? body.slice(1) : body);
    return true;
  } catch {
    return false;
  }
};

/**
 * Shifts the numbers of repeated objects: those of a message count the pair of method and arguments, those of the
 * arguments alone do not.
 *
 * @param {string} text  JSON in the notation of 2020
 * @param {number} by
 */
const shiftRepeated = (text, by) => {
  if (!text.includes('"ibid"') || isTooDeep(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), (_name, value) =>
      value?.['@qclass'] === 'ibid' ? { ...value, index: value.index + by } : value,
    );
  } catch {
    return text;
  }
};

/** Stands for the method when a function is called. */
const noMethod = '{"@qclass":"undefined"}';

/**
 * Splits a message as in 2020: a method, and arguments with a body of their own.
 *
 * @param {CapData} methargs  in the notation of 2020
 * @returns {{ method: string | undefined, args: CapData }}  undefined for a call of a function
 * @throws {TypeError} it is no message of 2020
 */
export const splitMessage = ({ body, slots }) => {
  const isFunction = body.startsWith(`[${noMethod},`);
  const end = isFunction ? noMethod.length : body.startsWith('["') ? endOfString(body, 1) : -1;
  if (end < 0 || body[end + 1] !== ',' || !body.endsWith(']'))
    throw TypeError('the body of a message must be ["method", [arguments]]');
  const method = isFunction ? undefined : JSON.parse(body.slice(1, end + 1));
  return { method, args: { body: shiftRepeated(body.slice(end + 2, -1), -1), slots } };
};

/**
 * The inverse of `splitMessage`.
 *
 * @param {string | undefined} method
 * @param {CapData} args  in the notation of 2020
 * @returns {CapData}
 */
export const joinMessage = (method, { body, slots }) => {
  const name = method === undefined ? noMethod : JSON.stringify(method);
  return { body: `[${name},${shiftRepeated(body, 1)}]`, slots };
};
