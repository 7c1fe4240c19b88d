// Writes JSON piece by piece into a reused buffer: no strings are concatenated, and no garbage is left. Almost every
// string here is short and ASCII, for which a loop is faster than a call to the encoder.

import { writeAscii } from '#model';

const encoder = new TextEncoder();

const spaceCode = 0x20;
const quoteCode = 0x22;
const backslashCode = 0x5c;

/** Digits of the largest safe integer. */
const mostDigits = 16;

/** Most bytes of UTF-8 for one UTF-16 unit. */
const widest = 3;

export class JsonBytes {
  /**
   * A view of `bytes` for writing: in a locked-down realm, a DataView's method is far quicker than an indexed store to
   * a typed array (docs/v8-in-a-locked-down-realm.md).
   */
  #view;

  /** @param {number} capacity  bytes; the buffer grows when it is full */
  constructor(capacity) {
    this.bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.bytes.buffer);
    this.length = 0;
  }

  /** @param {number} count  bytes that must fit after the present end */
  #reserve(count) {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  /** Write ASCII without quotes or escapes. @param {string} text */
  ascii(text) {
    const size = text.length;
    this.#reserve(size);
    writeAscii(this.#view, this.length, text);
    this.length += size;
  }

  /** Write one character of ASCII. @param {number} code */
  code(code) {
    this.#reserve(1);
    this.#view.setUint8(this.length, code);
    this.length += 1;
  }

  /**
   * Write two words with a space between them as a string, without escapes.
   *
   * @param {string} first  ASCII
   * @param {string} second  ASCII
   */
  pair(first, second) {
    this.#reserve(first.length + second.length + 3);
    const view = this.#view;
    let at = this.length;
    view.setUint8(at, quoteCode);
    writeAscii(view, at + 1, first);
    at += first.length + 1;
    view.setUint8(at, spaceCode);
    writeAscii(view, at + 1, second);
    at += second.length + 1;
    view.setUint8(at, quoteCode);
    this.length = at + 1;
  }

  /** Write any string without quotes or escapes. @param {string} text */
  #utf8(text) {
    this.#reserve(text.length * widest);
    this.length += encoder.encodeInto(text, this.bytes.subarray(this.length)).written;
  }

  /** @param {unknown} value  that JSON can represent */
  json(value) {
    this.#utf8(JSON.stringify(value));
  }

  /** Write a string in quotation marks, with JSON's escapes. @param {string} text */
  string(text) {
    const size = text.length;
    this.#reserve(2 * size + 2);
    const view = this.#view;
    let at = this.length;
    view.setUint8(at, quoteCode);
    at += 1;
    for (let i = 0; i < size; i += 1) {
      const code = text.charCodeAt(i);
      if (code < 0x20 || code > 0x7e) {
        this.json(text);
        return;
      }
      if (code === quoteCode || code === backslashCode) {
        view.setUint8(at, backslashCode);
        at += 1;
      }
      view.setUint8(at, code);
      at += 1;
    }
    view.setUint8(at, quoteCode);
    this.length = at + 1;
  }

  /** @param {number} value  a safe integer */
  integer(value) {
    if (value < 0) {
      this.ascii('-');
      this.integer(-value);
      return;
    }
    this.#reserve(mostDigits);
    let digits = 1;
    for (let power = 10; power <= value; power *= 10) digits += 1;
    const view = this.#view;
    let at = this.length + digits;
    this.length = at;
    let rest = value;
    do {
      const more = Math.floor(rest / 10);
      at -= 1;
      view.setUint8(at, 0x30 + (rest - 10 * more));
      rest = more;
    } while (rest > 0);
  }

  /** The bytes written since the last `clear`; valid until the next write. */
  view() {
    return this.bytes.subarray(0, this.length);
  }

  clear() {
    this.length = 0;
  }
}
