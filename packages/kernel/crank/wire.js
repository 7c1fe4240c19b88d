// Bodies that the kernel writes itself: errors, the arguments of bootstrap, and reports to vatAdmin. It passes on all
// others unread. There are two notations: smallcaps, and the `@qclass` form of 2020.

import { endOfString } from '#model';
import { isReadable, isSpecial } from './readable.js';

/** @import { CapData } from '#model' */

/**
 * @typedef {object} Wire
 * @property {'smallcaps' | 'qclass'} name
 * @property {string} start  the prefix of every body
 * @property {(index: number, iface?: string) => string} slot
 * @property {(text: string) => string} string
 * @property {string} undefined
 * @property {(name: string, message: string) => string} error
 * @property {(methargs: CapData) => string} methodName  the method of a message, as the kernel's errors show it
 */

/** @param {string} text */
const escape = text => (isSpecial(text) ? `!${text}` : text);

/** @type {Wire} */
export const smallcaps = Object.freeze({
  name: 'smallcaps',
  start: '#',
  slot: (index, iface) => (iface === undefined ? `"$${index}"` : `"$${index}.Alleged: ${iface}"`),
  string: (/** @type {string} */ text) => JSON.stringify(escape(text)),
  undefined: '"#undefined"',
  error: (/** @type {string} */ name, /** @type {string} */ message) =>
    JSON.stringify({ '#error': escape(message), name }),
  methodName: (/** @type {CapData} */ methargs) => methodNameOf(methargs),
});

/** @type {Wire} */
export const qclass = Object.freeze({
  name: 'qclass',
  start: '',
  // References made by the kernel of 2020 have no interface.
  slot: index => `{"@qclass":"slot","index":${index}}`,
  string: (/** @type {string} */ text) => JSON.stringify(text),
  undefined: '{"@qclass":"undefined"}',
  error: (/** @type {string} */ name, /** @type {string} */ message) =>
    JSON.stringify({ '@qclass': 'error', name, message }),
  // In 2020 the name was a field of the message, and errors showed it unchanged.
  methodName: (/** @type {CapData} */ methargs) => readMethodName(methargs) ?? unknownMethod,
});

/**
 * The capdata of an error.
 *
 * @param {Wire} wire
 * @param {string} message
 * @returns {CapData}
 */
export const errorData = (wire, message) => ({
  body: wire.start + wire.error('Error', message),
  slots: [],
});

/**
 * The capdata of a string.
 *
 * @param {Wire} wire
 * @param {string} text
 * @returns {CapData}
 */
export const stringData = (wire, text) => ({ body: wire.start + wire.string(text), slots: [] });

/** Stands for a value of a vat that is none. */
const unreadable = 'a value that cannot be read';

/**
 * A vat's value as a part of a body of the kernel's. The body of a raw vat may be any text, which would change the rest of
 * the message or keep its receiver from reading it; a string, a number and the like are also taken from the notation of
 * 2020, as vats take them.
 *
 * @param {Wire} wire
 * @param {CapData} data  of a vat
 * @returns {{ text: string, slots: readonly string[] }} in the wire's notation, without its start
 */
export const partOf = (wire, { body, slots }) => {
  const isOwn = body.startsWith(wire.start);
  const text = isOwn ? body.slice(wire.start.length) : body;
  try {
    const value = JSON.parse(text);
    if (isOwn) {
      if (isReadable(wire.name, value, slots)) return { text, slots };
    } else if (typeof value === 'string') {
      return { text: wire.string(value), slots: [] };
    } else if (Object(value) !== value) {
      return { text, slots: [] };
    }
  } catch {
    // It is no JSON.
  }
  return { text: wire.string(unreadable), slots: [] };
};

/**
 * The capdata of a method's name and its arguments.
 *
 * @param {Wire} wire
 * @param {string} method
 * @param {string[]} args  each in the wire's notation, without its start
 * @param {readonly string[]} slots
 * @returns {CapData}
 */
export const methodCall = (wire, method, args, slots) => ({
  body: `${wire.start}[${wire.string(method)},[${args.join(',')}]]`,
  slots: [...slots],
});

/**
 * A record of references: `{"alice": slot 0, "bob": slot 1}`.
 *
 * @param {Wire} wire
 * @param {string[]} names
 * @param {number} firstSlot  index of the first name's slot
 * @param {string} iface  of each
 */
export const slotRecord = (wire, names, firstSlot, iface) =>
  `{${names.map((name, i) => `${wire.string(name)}:${wire.slot(firstSlot + i, iface)}`).join(',')}}`;

/**
 * A method's name in smallcaps, as SwingSet shows it.
 *
 * @param {string} text
 */
const legibleName = text => {
  if (text === '#undefined') return '<funcall>';
  if (text.startsWith('%')) return `[${text.slice(1)}]`;
  if (text.startsWith('!')) return text.slice(1);
  return /^[#$&+-]/.test(text) ? '<unintelligible method>' : text;
};

/** Shown when a body has no readable method name. */
const unknownMethod = '(unknown)';

/**
 * The text at the place of the method's name.
 *
 * @param {CapData} methargs
 * @returns {string | undefined}  none
 */
const readMethodName = ({ body }) => {
  const start = body.startsWith('#') ? 2 : 1;
  if (body[start - 1] !== '[' || body[start] !== '"') return undefined;
  const end = endOfString(body, start);
  try {
    return end < 0 ? undefined : JSON.parse(body.slice(start, end + 1));
  } catch {
    return undefined;
  }
};

/**
 * The name of a message's method, for people. Vats choose the notation of bodies, so a body without a readable name
 * gives "(unknown)".
 *
 * @param {CapData} methargs
 * @returns {string}
 */
export const methodNameOf = methargs => {
  const text = readMethodName(methargs);
  if (text === undefined) return unknownMethod;
  return methargs.body.startsWith('#') ? legibleName(text) : text;
};
