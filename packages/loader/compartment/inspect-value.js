// Formats a value for a vat's console. The output is compared between runs and machines, but Node's `inspect` changes
// between versions and breaks long lines. So this format is fixed: one line a value, the notation of Node's `inspect`
// for plain values, and nothing that a run does not determine (no stacks, no state of promises). It runs no code of the
// vat: neither getters nor traps of proxies.

import { types } from 'node:util';
import { findData, inheritsFrom, isErrorLike, readError } from '#model';

const { isProxy } = types;

/** The depth and the number of items are Node's defaults. */
const maxDepth = 2;
const maxItems = 100;
const maxStringLength = 10_000;

/** Bound on the characters of a value; the rest is left out. */
const maxTextLength = 100_000;

/** Bound on the prototypes that are searched for a constructor. */
const maxChain = 100;

/** The engine's getters, since a vat's object may have own properties of these names. */
const getterOf = (/** @type {object} */ prototype, /** @type {PropertyKey} */ key) =>
  /** @type {() => any} */ (Object.getOwnPropertyDescriptor(prototype, key)?.get);
const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const getters = {
  mapSize: getterOf(Map.prototype, 'size'),
  setSize: getterOf(Set.prototype, 'size'),
  bufferLength: getterOf(ArrayBuffer.prototype, 'byteLength'),
  viewLength: getterOf(DataView.prototype, 'byteLength'),
  arrayLength: getterOf(typedArrayPrototype, 'length'),
  arrayTag: getterOf(typedArrayPrototype, Symbol.toStringTag),
  source: getterOf(RegExp.prototype, 'source'),
};
const flagNames = [
  ...['hasIndices', 'global', 'ignoreCase', 'multiline'],
  ...['dotAll', 'unicode', 'unicodeSets', 'sticky'],
];
const flagGetters = flagNames.map(name => getterOf(RegExp.prototype, name));
const flagLetters = 'dgimsuvy';

const identifier = /^[A-Za-z_][A-Za-z_0-9]*$/;

/** @type {Record<string, string>} */
const escapes = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f', '\v': '\\v' };

/** @param {string} text */
const escapeControl = text =>
  // eslint-disable-next-line no-control-regex
  text.replace(/[\u0000-\u001f\u007f-\u009f]/g, character => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
    return escapes[character] ?? `\\x${code}`;
  });

/** @param {number} left  characters that are not shown */
const formatMore = left => (left === 0 ? '' : `... ${left} more character${left === 1 ? '' : 's'}`);

/**
 * Cut a string to the bounded length.
 *
 * @param {string} text
 */
export const cutText = text =>
  text.length <= maxTextLength
    ? text
    : text.slice(0, maxTextLength) + formatMore(text.length - maxTextLength);

/**
 * Quote a string as Node does: in single quotes, or in quotes that need no escape.
 *
 * @param {string} text
 */
const quoteString = text => {
  const cut = text.length > maxStringLength ? text.slice(0, maxStringLength) : text;
  const escaped = escapeControl(cut.replaceAll('\\', '\\\\'));
  const more = formatMore(text.length - cut.length);
  if (!escaped.includes("'")) return `'${escaped}'${more}`;
  if (!escaped.includes('"')) return `"${escaped}"${more}`;
  if (!escaped.includes('`') && !escaped.includes('${')) return `\`${escaped}\`${more}`;
  return `'${escaped.replaceAll("'", "\\'")}'${more}`;
};

/** @param {string} text  a name that a vat chose */
const cutString = text =>
  text.length <= maxStringLength
    ? text
    : text.slice(0, maxStringLength) + formatMore(text.length - maxStringLength);

/** @param {string | symbol} key */
const formatKey = key => {
  if (typeof key === 'symbol') return `[${escapeControl(cutString(String(key)))}]`;
  return key.length <= maxStringLength && identifier.test(key) ? key : quoteString(key);
};

/** @param {number} number */
export const formatNumber = number => (Object.is(number, -0) ? '-0' : String(number));

/** @param {Function} value */
const formatFunction = value => {
  const found = Object.getOwnPropertyDescriptor(value, 'name')?.value;
  const name = typeof found === 'string' ? escapeControl(cutString(found)) : '';
  const isClass = Function.prototype.toString.call(value).startsWith('class');
  if (isClass) return `[class ${name || '(anonymous)'}]`;
  return name ? `[Function: ${name}]` : '[Function (anonymous)]';
};

/**
 * @param {string} name  of an error
 * @param {string} message
 */
export const formatTitle = (name, message) => {
  const title = name === '' ? 'Error' : name;
  return message === '' ? title : `${title}: ${message}`;
};

/**
 * Name and message of an error: no stack, which holds the places of this machine.
 *
 * @param {unknown} error
 */
export const formatError = error => {
  const { name, message } = readError(error, isProxy);
  return cutText(formatTitle(name, message));
};

/** @param {number} left */
const formatRest = left => `... ${left} more item${left === 1 ? '' : 's'}`;

/**
 * The text before the braces: empty for a plain object, else the class and the tag.
 *
 * @param {object} value
 * @param {string} plain  the class that is not shown
 */
const formatPrefix = (value, plain) => {
  const prototype = Object.getPrototypeOf(value);
  const tag = findData(value, Symbol.toStringTag, isProxy);
  let className = '';
  if (prototype === null) {
    className = `[${plain}: null prototype]`;
  } else {
    // The nearest constructor on the chain of prototypes; an own `constructor` of the value is only data.
    for (
      let at = prototype, depth = 0;
      at !== null && !isProxy(at) && className === '' && depth < maxChain;
      at = Object.getPrototypeOf(at), depth += 1
    ) {
      const made = Object.hasOwn(at, 'constructor')
        ? findData(at, 'constructor', isProxy)
        : undefined;
      const name =
        typeof made === 'function' && !isProxy(made)
          ? Object.getOwnPropertyDescriptor(made, 'name')?.value
          : undefined;
      if (typeof name === 'string') className = escapeControl(cutString(name));
    }
  }
  const shownTag =
    typeof tag === 'string' && tag !== '' && tag !== className
      ? `[${escapeControl(cutString(tag))}]`
      : '';
  if (className === plain && shownTag === '') return '';
  return `${className || plain} ${shownTag === '' ? '' : `${shownTag} `}`;
};

/** @param {string} prefix @param {string[]} parts @param {string} open @param {string} close */
const enclose = (prefix, parts, open, close) =>
  parts.length === 0 ? `${prefix}${open}${close}` : `${prefix}${open} ${parts.join(', ')} ${close}`;

/** @typedef {(value: unknown) => string} Show */

/** @param {PropertyDescriptor} descriptor @param {Show} show */
const showProperty = (descriptor, show) => {
  if (descriptor.get) return descriptor.set ? '[Getter/Setter]' : '[Getter]';
  return descriptor.set ? '[Setter]' : show(descriptor.value);
};

/** @param {object} value @param {Show} show @param {(key: string | symbol) => boolean} [skip] */
const showProperties = (value, show, skip = () => false) => {
  /** @type {string[]} */
  const parts = [];
  const keys = Reflect.ownKeys(value);
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i];
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    if (!descriptor?.enumerable || skip(key)) continue;
    if (room <= 0) {
      parts.push(formatRest(keys.length - i));
      break;
    }
    const name = formatKey(key);
    room -= name.length;
    parts.push(`${name}: ${showProperty(descriptor, show)}`);
  }
  return parts;
};

/** @param {unknown[]} value @param {Show} show */
const showArray = (value, show) => {
  /** @type {string[]} */
  const parts = [];
  const { length } = value;
  let at = 0;
  let shown = 0;
  // Holes are counted, not visited: an empty array may have a length of four billion.
  const indexes = Object.keys(value).filter(
    key => /^(0|[1-9]\d*)$/.test(key) && Number(key) < length,
  );
  for (const key of indexes) {
    const index = Number(key);
    if (shown >= maxItems) break;
    if (index > at) {
      const holes = index - at;
      parts.push(`<${holes} empty item${holes === 1 ? '' : 's'}>`);
      shown += 1;
      if (shown >= maxItems) break;
    }
    const found = Object.getOwnPropertyDescriptor(value, key);
    if (found) parts.push(showProperty(found, show));
    shown += 1;
    at = index + 1;
  }
  if (shown < maxItems && at < length) {
    const holes = length - at;
    parts.push(`<${holes} empty item${holes === 1 ? '' : 's'}>`);
  } else if (at < length) {
    parts.push(formatRest(length - at));
  }
  const extra = showProperties(value, show, key => typeof key === 'string' && /^\d+$/.test(key));
  const prefix = formatPrefix(value, 'Array').replace(/ $/, `(${length}) `);
  return enclose(prefix, [...parts, ...extra], '[', ']');
};

/**
 * @param {string} name
 * @param {number} size
 * @param {Iterable<string>} items
 */
const showCollection = (name, size, items) => {
  const parts = [];
  for (const item of items) {
    if (parts.length >= maxItems) break;
    parts.push(item);
  }
  if (size > parts.length) parts.push(formatRest(size - parts.length));
  return enclose(`${name}(${size}) `, parts, '{', '}');
};

/** @param {Map<unknown, unknown>} map @param {Show} show */
function* showEntries(map, show) {
  for (const [key, item] of Map.prototype.entries.call(map)) yield `${show(key)} => ${show(item)}`;
}

/** @param {Set<unknown>} set @param {Show} show */
function* showMembers(set, show) {
  for (const item of Set.prototype.values.call(set)) yield show(item);
}

/** @param {ArrayBufferView} view */
const showView = view => {
  if (types.isDataView(view))
    return `DataView { byteLength: ${Reflect.apply(getters.viewLength, view, [])} }`;
  const name = Reflect.apply(getters.arrayTag, view, []);
  const length = Reflect.apply(getters.arrayLength, view, []);
  const numbers = /** @type {ArrayLike<number | bigint>} */ (/** @type {unknown} */ (view));
  const parts = [];
  for (let i = 0; i < Math.min(length, maxItems); i += 1) {
    const item = numbers[i];
    parts.push(typeof item === 'bigint' ? `${item}n` : formatNumber(item));
  }
  if (length > maxItems) parts.push(formatRest(length - maxItems));
  return enclose(`${name}(${length}) `, parts, '[', ']');
};

/** @param {RegExp} value */
const showPattern = value => {
  const flags = [...flagLetters].filter((_, i) => Reflect.apply(flagGetters[i], value, []));
  return cutString(`/${Reflect.apply(getters.source, value, [])}/${flags.join('')}`);
};

/** @param {object} value @returns {number | undefined}  of a map or set */
const sizeOf = value => {
  if (types.isMap(value)) return Reflect.apply(getters.mapSize, value, []);
  if (types.isSet(value)) return Reflect.apply(getters.setSize, value, []);
  return undefined;
};

/** Whether an object is empty; empty objects are shown at any depth. @param {object} value */
const isEmpty = value => {
  if (Array.isArray(value) && value.length > 0) return false;
  if ((sizeOf(value) ?? 0) > 0) return false;
  return !Reflect.ownKeys(value).some(
    key => Object.getOwnPropertyDescriptor(value, key)?.enumerable,
  );
};

/** Characters that are left for the current value. Formatting is synchronous, so there is one at a time. */
let room = 0;

/**
 * @param {object} value
 * @param {number} depth  so many levels more
 * @param {object[]} within  the objects that `value` is shown inside of
 * @returns {string}
 */
const showObject = (value, depth, within) => {
  if (isProxy(value)) return '[Proxy]';
  if (within.includes(value)) return '[Circular]';
  /** @type {Show} */
  const show = inner => showAny(inner, depth - 1, [...within, value]);
  if (isErrorLike(value, isProxy))
    return within.length === 0 ? formatError(value) : `[${formatError(value)}]`;
  if (types.isRegExp(value)) return showPattern(value);
  if (types.isDate(value)) {
    const time = Date.prototype.getTime.call(value);
    return Number.isNaN(time) ? 'Invalid Date' : Date.prototype.toISOString.call(value);
  }
  // The state of a promise is not accessible here, and the vat's own code cannot see it either.
  if (types.isPromise(value)) return 'Promise {}';
  if (inheritsFrom(value, WeakMap.prototype, isProxy)) return 'WeakMap { <items unknown> }';
  if (inheritsFrom(value, WeakSet.prototype, isProxy)) return 'WeakSet { <items unknown> }';
  if (ArrayBuffer.isView(value)) return showView(value);
  if (types.isArrayBuffer(value))
    return `ArrayBuffer { byteLength: ${Reflect.apply(getters.bufferLength, value, [])} }`;
  if (depth < 0 && !isEmpty(value)) {
    if (Array.isArray(value)) return '[Array]';
    return `[${formatPrefix(value, 'Object').trim() || 'Object'}]`;
  }
  if (Array.isArray(value)) return showArray(value, show);
  const size = sizeOf(value) ?? 0;
  if (types.isMap(value)) return showCollection('Map', size, showEntries(value, show));
  if (types.isSet(value)) return showCollection('Set', size, showMembers(value, show));
  return enclose(formatPrefix(value, 'Object'), showProperties(value, show), '{', '}');
};

/**
 * @param {unknown} value
 * @param {number} depth
 * @param {object[]} within
 */
const formatAny = (value, depth, within) => {
  switch (typeof value) {
    case 'string':
      return quoteString(value);
    case 'number':
      return formatNumber(value);
    case 'bigint':
      return `${cutString(String(value))}n`;
    case 'function':
      return isProxy(value) ? '[Proxy]' : formatFunction(value);
    case 'object':
      return value === null ? 'null' : showObject(value, depth, within);
    default:
      return escapeControl(cutString(String(value)));
  }
};

/**
 * @param {unknown} value
 * @param {number} depth  so many levels more
 * @param {object[]} within
 * @returns {string}
 */
const showAny = (value, depth, within) => {
  if (room <= 0) return '...';
  const before = room;
  const text = formatAny(value, depth, within);
  // The parts have reduced the room by their lengths already.
  room = Math.min(room, before - text.length);
  return text;
};

/**
 * Format any value on one line. A proxy gives `[Proxy]`, a value that cannot be read `[not printable]`.
 *
 * @param {unknown} value
 * @param {number} [depth]  levels of nested values that are shown
 * @returns {string}
 */
export const inspectValue = (value, depth = maxDepth) => {
  room = maxTextLength;
  try {
    return showAny(value, depth, []);
  } catch {
    return '[not printable]';
  }
};
