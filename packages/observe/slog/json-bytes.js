// JSON as bytes, written one piece after the other into a buffer that is used again and again: no text is put
// together, and nothing is left for the collector of garbage. Almost every text here is short and ASCII, where a loop
// beats a call to the encoder.

import { writeAscii } from '#model';

const encoder = new TextEncoder();

const quoteCode = 0x22;
const backslashCode = 0x5c;

/** Digits of the largest safe integer. */
const mostDigits = 16;

/** Bytes of UTF-8 that a unit of a string makes at most. */
const widest = 3;

export class JsonBytes {
  /**
   * A view of `bytes` for writing: once a realm is locked down, a DataView's method is far quicker than an indexed store to
   * a typed array (docs/v8-in-a-locked-down-realm.md).
   */
  #view;

  /** @param {number} capacity  bytes; the buffer grows when it is full */
  constructor(capacity) {
    this.bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.bytes.buffer);
    this.length = 0;
  }

  /** @param {number} count  bytes that must fit behind the present end */
  #reserve(count) {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  /** @param {string} text  of ASCII, as it is */
  ascii(text) {
    const size = text.length;
    this.#reserve(size);
    writeAscii(this.#view, this.length, text);
    this.length += size;
  }

  /** @param {string} text  any */
  #utf8(text) {
    this.#reserve(text.length * widest);
    this.length += encoder.encodeInto(text, this.bytes.subarray(this.length)).written;
  }

  /** @param {unknown} value  that JSON can tell */
  json(value) {
    this.#utf8(JSON.stringify(value));
  }

  /** @param {string} text  as JSON has it, between quotation marks */
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
