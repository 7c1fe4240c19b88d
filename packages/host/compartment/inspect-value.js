// A value as a vat's console shows it. Node's own `inspect` changes between versions and breaks long lines by
// width; what a vat prints is compared between runs and machines, so this one is fixed: one line a value, the
// notation of Node's `inspect` for plain values, and nothing that a run does not determine (no stacks, no state
// of promises).

/** As deep, and as many items, as Node shows by default. */
const maxDepth = 2;
const maxItems = 100;
const maxStringLength = 10_000;

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

/**
 * Quoted as Node does it: single quotes, or the kind of quote that needs no escape.
 *
 * @param {string} text
 */
export const quoteString = text => {
  const cut = text.length > maxStringLength ? text.slice(0, maxStringLength) : text;
  const escaped = escapeControl(cut.replaceAll('\\', '\\\\'));
  const more =
    cut === text
      ? ''
      : `... ${text.length - cut.length} more character${cut.length + 1 === text.length ? '' : 's'}`;
  if (!escaped.includes("'")) return `'${escaped}'${more}`;
  if (!escaped.includes('"')) return `"${escaped}"${more}`;
  if (!escaped.includes('`') && !escaped.includes('${')) return `\`${escaped}\`${more}`;
  return `'${escaped.replaceAll("'", "\\'")}'${more}`;
};

/** @param {string | symbol} key */
const formatKey = key => {
  if (typeof key === 'symbol') return `[${String(key)}]`;
  return identifier.test(key) ? key : quoteString(key);
};

/** @param {number} number */
export const formatNumber = number => (Object.is(number, -0) ? '-0' : String(number));

/** @param {Function} value */
const formatFunction = value => {
  const descriptor = Object.getOwnPropertyDescriptor(value, 'name');
  const name = typeof descriptor?.value === 'string' ? descriptor.value : '';
  const isClass = Function.prototype.toString.call(value).startsWith('class');
  if (isClass) return `[class ${name || '(anonymous)'}]`;
  return name ? `[Function: ${name}]` : '[Function (anonymous)]';
};

/**
 * Name and message of an error, and what it was caused by: no stack, which holds the places of this machine.
 *
 * @param {Error} error
 */
export const formatError = error => {
  const { name, message } = error;
  const title = typeof name === 'string' && name !== '' ? name : 'Error';
  const text = typeof message === 'string' ? message : '';
  return text === '' ? title : `${title}: ${text}`;
};

/** @param {number} left */
const formatRest = left => `... ${left} more item${left === 1 ? '' : 's'}`;

/**
 * What stands before the braces: nothing for a plain object, else the class and the tag.
 *
 * @param {object} value
 * @param {string} plain  the class that goes without saying
 */
const formatPrefix = (value, plain) => {
  const prototype = Object.getPrototypeOf(value);
  const tag = /** @type {Record<symbol, unknown>} */ (value)[Symbol.toStringTag];
  let className = '';
  if (prototype === null) {
    className = `[${plain}: null prototype]`;
  } else {
    // The nearest constructor, as it was declared; an own `constructor` of the value is only data.
    for (let at = prototype; at !== null && className === ''; at = Object.getPrototypeOf(at)) {
      // An accessor after lockdown, so its descriptor has no value.
      const made = Object.hasOwn(at, 'constructor') ? at.constructor : undefined;
      if (typeof made === 'function' && typeof made.name === 'string') className = made.name;
    }
  }
  const shownTag =
    typeof tag === 'string' && tag !== '' && tag !== className ? `[${escapeControl(tag)}]` : '';
  if (className === plain && shownTag === '') return '';
  return `${className || plain} ${shownTag === '' ? '' : `${shownTag} `}`;
};

/** @param {string} prefix @param {string[]} parts @param {string} open @param {string} close */
const enclose = (prefix, parts, open, close) =>
  parts.length === 0 ? `${prefix}${open}${close}` : `${prefix}${open} ${parts.join(', ')} ${close}`;

/** @typedef {(value: unknown) => string} Show */

/** @param {object} value @param {Show} show @param {(key: string | symbol) => boolean} [skip] */
const showProperties = (value, show, skip = () => false) => {
  /** @type {string[]} */
  const parts = [];
  for (const key of Reflect.ownKeys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    if (!descriptor?.enumerable || skip(key)) continue;
    let text;
    if (descriptor.get) text = descriptor.set ? '[Getter/Setter]' : '[Getter]';
    else if (descriptor.set) text = '[Setter]';
    else text = show(descriptor.value);
    parts.push(`${formatKey(key)}: ${text}`);
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
  // Holes are counted, never walked: an array may be four billion items long and hold nothing.
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
    parts.push(show(value[index]));
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
  const name = /** @type {any} */ (view)[Symbol.toStringTag] ?? 'DataView';
  if (view instanceof DataView) return `DataView { byteLength: ${view.byteLength} }`;
  const numbers = /** @type {ArrayLike<number | bigint>} */ (/** @type {unknown} */ (view));
  const parts = [];
  for (let i = 0; i < Math.min(numbers.length, maxItems); i += 1) {
    const item = numbers[i];
    parts.push(typeof item === 'bigint' ? `${item}n` : formatNumber(item));
  }
  if (numbers.length > maxItems) parts.push(formatRest(numbers.length - maxItems));
  return enclose(`${name}(${numbers.length}) `, parts, '[', ']');
};

/** What has nothing in it is shown at any depth. @param {object} value */
const isEmpty = value => {
  if (Array.isArray(value) && value.length > 0) return false;
  if ((value instanceof Map || value instanceof Set) && value.size > 0) return false;
  return !Reflect.ownKeys(value).some(
    key => Object.getOwnPropertyDescriptor(value, key)?.enumerable,
  );
};

/**
 * @param {object} value
 * @param {number} depth  so many levels more
 * @param {object[]} within  the objects that `value` is shown inside of
 * @returns {string}
 */
const showObject = (value, depth, within) => {
  if (within.includes(value)) return '[Circular]';
  /** @type {Show} */
  const show = inner => showAny(inner, depth - 1, [...within, value]);
  if (value instanceof Error)
    return within.length === 0 ? formatError(value) : `[${formatError(value)}]`;
  if (value instanceof RegExp) return RegExp.prototype.toString.call(value);
  if (value instanceof Date) {
    const time = Date.prototype.getTime.call(value);
    return Number.isNaN(time) ? 'Invalid Date' : Date.prototype.toISOString.call(value);
  }
  // Whether a promise is settled cannot be asked, and would tell more than the vat's own code can know.
  if (value instanceof Promise) return 'Promise {}';
  if (value instanceof WeakMap) return 'WeakMap { <items unknown> }';
  if (value instanceof WeakSet) return 'WeakSet { <items unknown> }';
  if (ArrayBuffer.isView(value)) return showView(value);
  if (value instanceof ArrayBuffer) return `ArrayBuffer { byteLength: ${value.byteLength} }`;
  if (depth < 0 && !isEmpty(value)) {
    if (Array.isArray(value)) return '[Array]';
    return `[${formatPrefix(value, 'Object').trim() || 'Object'}]`;
  }
  if (Array.isArray(value)) return showArray(value, show);
  if (value instanceof Map) return showCollection('Map', value.size, showEntries(value, show));
  if (value instanceof Set) return showCollection('Set', value.size, showMembers(value, show));
  return enclose(formatPrefix(value, 'Object'), showProperties(value, show), '{', '}');
};

/**
 * @param {unknown} value
 * @param {number} depth  so many levels more
 * @param {object[]} within
 * @returns {string}
 */
const showAny = (value, depth, within) => {
  switch (typeof value) {
    case 'string':
      return quoteString(value);
    case 'number':
      return formatNumber(value);
    case 'bigint':
      return `${value}n`;
    case 'function':
      return formatFunction(value);
    case 'object':
      return value === null ? 'null' : showObject(value, depth, within);
    default:
      return String(value);
  }
};

/**
 * One line for any value. A value that cannot be looked at (a proxy that throws) says so.
 *
 * @param {unknown} value
 * @param {number} [depth]  of what stands in it, so many levels are shown
 * @returns {string}
 */
export const inspectValue = (value, depth = maxDepth) => {
  try {
    return showAny(value, depth, []);
  } catch {
    return '[not printable]';
  }
};
