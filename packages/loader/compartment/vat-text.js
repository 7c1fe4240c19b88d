// `TextEncoder` and `TextDecoder` for vats. Node's own throw errors of Node's internal classes, which are not frozen
// and which all vats and the host share; the encodings they know depend on the build of Node. These classes call Node
// only with bytes and strings of their own, such that it cannot throw, and share nothing between vats.

import { Buffer, isUtf8 } from 'node:buffer';
import { types } from 'node:util';

import { provideBufferGlobals } from './vat-buffers.js';
import { viewBytes } from './view-bytes.js';

const HostEncoder = globalThis.TextEncoder;

const hostEncoder = new HostEncoder();

/** A decoded part of a stream: its `text`, and the `rest` that needs the following bytes. */
/** @typedef {{ text: string, rest: Uint8Array, isValid: boolean }} Decoded */

/**
 * Decodes bytes that begin at the boundary of a character.
 *
 * @callback Decode
 * @param {Buffer} bytes
 * @param {boolean} isLast  whether the stream ends here, so that an incomplete character is an error
 * @returns {Decoded}
 */

const nothing = new Uint8Array(0);

/** The range of the second byte after first bytes that restrict it. @type {Record<number, [number, number]>} */
const secondBytes = {
  0xe0: [0xa0, 0xbf],
  0xed: [0x80, 0x9f],
  0xf0: [0x90, 0xbf],
  0xf4: [0x80, 0x8f],
};

/**
 * @param {number} first  byte of a character in UTF-8
 *
 * @returns {number} bytes of the character, 0 if this byte cannot begin one
 */
const lengthOf = first => {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
};

/** The number of bytes at the end that are the beginning of a character. @param {Uint8Array} bytes */
const countIncomplete = bytes => {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const start = bytes.length - count;
    const first = bytes[start];
    if ((first & 0xc0) !== 0x80) {
      if (lengthOf(first) <= count) return 0;
      const [low, high] = secondBytes[first] ?? [0x80, 0xbf];
      const second = bytes[start + 1];
      return count === 1 || (second >= low && second <= high) ? count : 0;
    }
  }
  return 0;
};

/** @type {Decode} */
const decodeUtf8 = (bytes, isLast) => {
  const whole = bytes.length - (isLast ? 0 : countIncomplete(bytes));
  const head = bytes.subarray(0, whole);
  return { text: head.toString('utf8'), rest: bytes.subarray(whole), isValid: isUtf8(head) };
};

/** @param {string} text */
const endsWithLead = text => {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
};

/** @param {Buffer} bytes @param {boolean} isLast @returns {Decoded} */
const decodeUtf16le = (bytes, isLast) => {
  let whole = bytes.length - (bytes.length % 2);
  let text = bytes.subarray(0, whole).toString('utf16le');
  if (endsWithLead(text)) {
    whole -= 2;
    text = text.slice(0, -1);
  }
  const rest = bytes.subarray(whole);
  const isCut = isLast && rest.length > 0;
  const { isWellFormed, toWellFormed } = /** @type {any} */ (String.prototype);
  return {
    text: Reflect.apply(toWellFormed, text, []) + (isCut ? '\ufffd' : ''),
    rest: isLast ? nothing : rest,
    isValid: !isCut && Reflect.apply(isWellFormed, text, []),
  };
};

/** @type {Decode} */
const decodeUtf16be = (bytes, isLast) => {
  const odd = bytes.length % 2;
  const even = Buffer.from(bytes.subarray(0, bytes.length - odd)).swap16();
  const { text, rest, isValid } = decodeUtf16le(
    odd ? Buffer.concat([even, bytes.subarray(-1)]) : even,
    isLast,
  );
  // Return the remaining bytes in their original order.
  const back = bytes.subarray(bytes.length - rest.length);
  return { text, rest: back, isValid };
};

/** The characters of bytes 0x80 to 0x9f; a byte without one maps to its own code. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** @type {Decode} */
const decodeWindows1252 = bytes => ({
  text: bytes
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, character => windows1252[character.charCodeAt(0) - 0x80]),
  rest: nothing,
  isValid: true,
});

/** Name, decoder and labels (https://encoding.spec.whatwg.org/#names-and-labels). @type {[string, Decode, string][]} */
const encodings = [
  ['utf-8', decodeUtf8, 'unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8'],
  [
    'utf-16le',
    decodeUtf16le,
    'csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le',
  ],
  ['utf-16be', decodeUtf16be, 'unicodefffe utf-16be'],
  [
    'windows-1252',
    decodeWindows1252,
    'ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252',
  ],
];

const byLabel = new Map(
  encodings.flatMap(([name, decode, labels]) =>
    labels.split(' ').map(label => /** @type {const} */ ([label, { name, decode }])),
  ),
);

const knownNames = encodings.map(([name]) => name).join(', ');

/** @param {string} label */
const findEncoding = label => {
  const encoding = byLabel.get(label.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '').toLowerCase());
  if (encoding === undefined)
    throw RangeError(`TextDecoder does not know this encoding; it knows ${knownNames}`);
  return encoding;
};

/** An options bag: nothing, or an object. @param {any} options @returns {Record<string, unknown>} */
const readOptions = options => {
  if (options === undefined || options === null) return {};
  if (typeof options === 'object' || typeof options === 'function') return options;
  throw TypeError('the options of TextDecoder must be an object');
};

const VatTextDecoder = class TextDecoder {
  /** @type {{ name: string, decode: Decode }} */
  #encoding;

  #fatal;

  #ignoreBOM;

  /** Bytes that the last call did not decode. @type {Uint8Array} */
  #rest = nothing;

  /** Whether a character was decoded before. */
  #isWithin = false;

  /** @param {unknown} [label] @param {unknown} [options] */
  constructor(label = 'utf-8', options = undefined) {
    this.#encoding = findEncoding(`${label}`);
    const bag = readOptions(options);
    this.#fatal = !!bag.fatal;
    this.#ignoreBOM = !!bag.ignoreBOM;
  }

  get encoding() {
    return this.#encoding.name;
  }

  get fatal() {
    return this.#fatal;
  }

  get ignoreBOM() {
    return this.#ignoreBOM;
  }

  /** @param {unknown} [input] @param {unknown} [options] */
  decode(input = undefined, options = undefined) {
    const { name, decode } = this.#encoding;
    const isLast = !readOptions(options).stream;
    const view = input === undefined ? nothing : viewBytes(input);
    if (view === undefined)
      throw TypeError('TextDecoder decodes an ArrayBuffer, a typed array or a DataView');
    // Copy the bytes: Node reads properties of its argument, which a vat could define.
    const bytes = Buffer.allocUnsafeSlow(this.#rest.length + view.length);
    bytes.set(this.#rest);
    bytes.set(view, this.#rest.length);
    const { text, rest, isValid } = decode(bytes, isLast);
    const isFirst = !this.#isWithin;
    const isRefused = this.#fatal && !isValid;
    this.#rest = isLast || isRefused ? nothing : rest;
    this.#isWithin = !isLast && !isRefused && (this.#isWithin || text.length > 0);
    if (isRefused) throw TypeError(`the bytes are not ${name}`);
    const hasMark = isFirst && !this.#ignoreBOM && text.startsWith('\ufeff');
    return hasMark && name !== 'windows-1252' ? text.slice(1) : text;
  }

  get [Symbol.toStringTag]() {
    return 'TextDecoder';
  }
};

const VatTextEncoder = class TextEncoder {
  // Reading this field makes each method throw for a foreign receiver.
  #isEncoder = true;

  get encoding() {
    return this.#isEncoder && 'utf-8';
  }

  /** @param {unknown} [input] */
  encode(input = '') {
    const text = this.#isEncoder && `${input}`;
    const size = Buffer.byteLength(/** @type {string} */ (text), 'utf8');
    const bytes = new (provideBufferGlobals().Uint8Array)(size);
    hostEncoder.encodeInto(/** @type {string} */ (text), bytes);
    return bytes;
  }

  /** @param {unknown} source @param {unknown} destination */
  encodeInto(source, destination) {
    const text = this.#isEncoder && `${source}`;
    if (!types.isUint8Array(destination)) throw TypeError('TextEncoder writes into a Uint8Array');
    const view = /** @type {Uint8Array} */ (viewBytes(destination));
    const { read, written } = hostEncoder.encodeInto(/** @type {string} */ (text), view);
    return { read, written };
  }

  get [Symbol.toStringTag]() {
    return 'TextEncoder';
  }
};

/**
 * Globals of a vat; hardened with its `globalThis`.
 *
 * @type {Record<'TextEncoder' | 'TextDecoder', new (...args: any[]) => object>}
 */
export const textGlobals = { TextEncoder: VatTextEncoder, TextDecoder: VatTextDecoder };
