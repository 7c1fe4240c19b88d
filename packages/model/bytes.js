// Bytes written and read in sequence: the notation of the activity hash and of transcripts.
// A number is a varint (seven bits a byte, lowest first, the top bit says "more follows"), a text is its length
// in bytes and then UTF-8. The same text always gives the same bytes, on every engine.

import { writeAscii } from './ascii.js';
import { quote } from './errors.js';

const encoder = new TextEncoder();
/** Keeps a leading U+FEFF, which a decoder would otherwise drop as a byte order mark. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Largest varint that is written with 32-bit operations. */
const small = 0x7fffffff;

/** Bytes of the largest safe integer. */
const longestVarint = 8;

/**
 * @param {DataView} view  with room for it
 * @param {number} start
 * @param {number} value
 * @returns {number} where it ends
 */
const writeVarint = (view, start, value) => {
  let at = start;
  let rest = value;
  while (rest > small) {
    view.setUint8(at, (rest % 128) | 0x80);
    at += 1;
    rest = Math.floor(rest / 128);
  }
  while (rest > 0x7f) {
    view.setUint8(at, (rest & 0x7f) | 0x80);
    at += 1;
    rest >>>= 7;
  }
  view.setUint8(at, rest);
  return at + 1;
};

const noBytes = new Uint8Array();

/** Characters up to which a loop is faster than the encoder. */
const shortText = 24;

/** Characters from which a text gets an array of its own. */
const longText = 4096;

/** Bytes from which a view and one call are faster than a loop. */
const longCopy = 160;

export class ByteWriter {
  /**
   * A view of `bytes` for writing. In a locked-down realm V8 checks the frozen prototypes at every indexed store to a
   * typed array; a DataView's method is far faster (docs/v8-in-a-locked-down-realm.md).
   */
  #view;

  /** The last view returned, cached. */
  #shown = noBytes;

  #shownLength = 0;

  /** The length of `bytes`, as a field, which is faster to read than the array's length. */
  #capacity;

  /** @param {number} [capacity]  bytes; the buffer doubles when it is full */
  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
    this.#capacity = capacity;
    this.#view = new DataView(this.bytes.buffer);
    this.length = 0;
  }

  /** @param {number} count  bytes that must fit behind the present end */
  reserve(count) {
    if (this.length + count > this.#capacity) this.#grow(this.length + count);
  }

  /** @param {number} needed  bytes */
  #grow(needed) {
    const larger = new Uint8Array(Math.max(needed, this.#capacity * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
    this.#capacity = larger.length;
    this.#view = new DataView(larger.buffer);
    this.#shown = noBytes;
    this.#shownLength = 0;
  }

  /** @param {number} value  0 to 255 */
  byte(value) {
    this.reserve(1);
    this.#view.setUint8(this.length, value);
    this.length += 1;
  }

  /** @param {number} value  a safe integer from 0 */
  varint(value) {
    this.reserve(longestVarint);
    const at = this.length;
    if (value <= 0x7f) {
      this.#view.setUint8(at, value);
      this.length = at + 1;
    } else {
      this.length = writeVarint(this.#view, at, value);
    }
  }

  /**
   * Writes numbers one after the other, without their count.
   *
   * @param {ArrayLike<number>} values  safe integers from 0
   */
  varints(values) {
    this.reserve(longestVarint * values.length);
    const view = this.#view;
    let at = this.length;
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i];
      if (value <= 0x7f) {
        view.setUint8(at, value);
        at += 1;
      } else {
        at = writeVarint(view, at, value);
      }
    }
    this.length = at;
  }

  /**
   * Writes seven bytes in one call.
   *
   * @param {number} a  0 to 255, as `b` and `c`
   * @param {number} b
   * @param {number} c
   * @param {number} low  the next four bytes, the first of them lowest
   */
  seven(a, b, c, low) {
    this.reserve(7);
    const view = this.#view;
    const at = this.length;
    view.setUint8(at, a);
    view.setUint8(at + 1, b);
    view.setUint8(at + 2, c);
    view.setInt32(at + 3, low, true);
    this.length = at + 7;
  }

  /**
   * Writes seven bytes and four more in one call.
   *
   * @param {number} a  0 to 255, as `b` and `c`
   * @param {number} b
   * @param {number} c
   * @param {number} low  the next four bytes, the first of them lowest
   * @param {number} high  and the last four
   */
  eleven(a, b, c, low, high) {
    this.reserve(11);
    this.seven(a, b, c, low);
    this.#view.setInt32(this.length, high, true);
    this.length += 4;
  }

  /**
   * Repeats the last bytes.
   *
   * @param {number} size  how many of them
   * @param {number} times
   */
  repeat(size, times) {
    this.reserve(size * times);
    const { bytes } = this;
    const start = this.length - size;
    const end = this.length + size * times;
    // Each copy doubles what is there.
    for (let at = this.length; at < end;) {
      const some = Math.min(at - start, end - at);
      bytes.copyWithin(at, start, start + some);
      at += some;
    }
    this.length = end;
  }

  /** @param {string} value  lone surrogates are written as U+FFFD, as UTF-8 wants */
  text(value) {
    const size = value.length;
    if (size <= shortText && this.#shortText(value)) return;
    if (size > longText) {
      const encoded = encoder.encode(value);
      this.varint(encoded.length);
      this.raw(encoded);
      return;
    }
    // Into a scratch buffer: a view of the target would take twice the time of the rest.
    const { written } = encoder.encodeInto(value, scratch.bytes);
    this.varint(written);
    this.copy(scratch, 0, written);
  }

  /**
   * Fast path for names and references, which are a few ASCII characters.
   *
   * @param {string} value
   * @returns {boolean} whether it applied; if not, nothing has been written
   */
  #shortText(value) {
    const size = value.length;
    this.reserve(size + 1);
    const start = this.length + 1;
    if (!writeAscii(this.#view, start, value)) return false;
    this.#view.setUint8(start - 1, size);
    this.length = start + size;
    return true;
  }

  /** @param {Uint8Array} value  copied as it is, without a length */
  raw(value) {
    this.reserve(value.length);
    this.bytes.set(value, this.length);
    this.length += value.length;
  }

  /**
   * Copies bytes of another writer.
   *
   * @param {ByteWriter} source
   * @param {number} start
   * @param {number} end
   */
  copy(source, start, end) {
    const size = end - start;
    if (size > longCopy) {
      this.raw(source.bytes.subarray(start, end));
      return;
    }
    this.reserve(size);
    const from = source.#view;
    const to = this.#view;
    let at = this.length;
    let i = start;
    for (; i + 16 <= end; i += 16, at += 16) {
      to.setInt32(at, from.getInt32(i));
      to.setInt32(at + 4, from.getInt32(i + 4));
      to.setInt32(at + 8, from.getInt32(i + 8));
      to.setInt32(at + 12, from.getInt32(i + 12));
    }
    for (; i + 4 <= end; i += 4, at += 4) to.setInt32(at, from.getInt32(i));
    for (; i < end; i += 1, at += 1) to.setUint8(at, from.getUint8(i));
    this.length = at;
  }

  /** The bytes written so far, valid until the next write. */
  view() {
    const { length } = this;
    // The next record is often as long as the last, and making a view is slow (docs/v8-in-a-locked-down-realm.md).
    if (this.#shownLength !== length) {
      this.#shown = this.bytes.subarray(0, length);
      this.#shownLength = length;
    }
    return this.#shown;
  }
}

/** The buffer in which texts are encoded before they are copied. */
const scratch = new ByteWriter(3 * longText);

/** Bytes of a text that is cached, at most. */
const knownText = 96;

/** Texts in the cache; a power of two. */
const knownTexts = 512;

/** ASCII texts read recently, by `slotOf`. */
const texts = Array.from({ length: knownTexts }, () => '');

/**
 * The slot of a text in that cache.
 *
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {number} count  from 1
 */
const slotOf = (bytes, from, count) => {
  const middle = bytes[from + (count >> 1)] * 5 + bytes[from + (count >> 2)] * 3;
  const end = bytes[from + count - 1] * 7 + (count > 1 ? bytes[from + count - 2] * 17 : 0);
  return (count * 31 + middle + end) & (knownTexts - 1);
};

/**
 * @param {string} text
 * @param {Uint8Array} bytes  with at least as many bytes from `from` on
 * @param {number} from
 */
const isText = (text, bytes, from) => {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) !== bytes[from + i]) return false;
  return true;
};

export class ByteReader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  get done() {
    return this.at >= this.bytes.length;
  }

  byte() {
    if (this.at >= this.bytes.length)
      throw RangeError(`record ends at byte ${quote(this.at)}, in a value`);
    const value = this.bytes[this.at];
    this.at += 1;
    return value;
  }

  varint() {
    let value = 0;
    let scale = 1;
    for (;;) {
      const next = this.byte();
      value += (next & 0x7f) * scale;
      if (next < 0x80) break;
      scale *= 128;
    }
    if (!Number.isSafeInteger(value))
      throw RangeError(`number before byte ${quote(this.at)} is over 2^53-1`);
    return value;
  }

  /**
   * References, names and most bodies repeat: finding one in the cache is faster than the decoder.
   *
   * @throws {TypeError} the bytes are no UTF-8
   */
  text() {
    const count = this.varint();
    if (count === 0) return '';
    const { bytes, at } = this;
    if (count > knownText || at + count > bytes.length) return decoder.decode(this.raw(count));
    const slot = slotOf(bytes, at, count);
    const known = texts[slot];
    if (known.length === count && isText(known, bytes, at)) {
      this.at = at + count;
      return known;
    }
    const text = decoder.decode(this.raw(count));
    // With as many characters as bytes, each is ASCII.
    if (text.length === count) texts[slot] = text;
    return text;
  }

  /** @param {number} count */
  raw(count) {
    if (this.at + count > this.bytes.length) {
      throw RangeError(
        `record ends at byte ${quote(this.bytes.length)}, ${quote(this.at + count)} wanted`,
      );
    }
    const value = this.bytes.subarray(this.at, this.at + count);
    this.at += count;
    return value;
  }
}

/**
 * Signed differences as varints: 0, -1, 1, -2 … become 0, 1, 2, 3 ….
 *
 * @param {number} value
 */
export const toZigzag = value => (value < 0 ? -2 * value - 1 : 2 * value);
