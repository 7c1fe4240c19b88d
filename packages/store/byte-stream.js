// Append-only bytes, kept outside the JavaScript heap in a few large buffers. A byte never moves once it is written, so
// views stay valid until the stream is cleared.

import { Buffer } from 'node:buffer';

/** Bytes of the first buffer; each further one is twice as large, up to `largest`. */
const smallest = 1024;
const largest = 1024 * 1024;

export class ByteStream {
  /** @type {Buffer[]} all full except the last */
  #buffers = [];

  /** Bytes used of the last buffer. */
  #used = 0;

  #length = 0;

  get length() {
    return this.#length;
  }

  /** @param {Uint8Array} bytes  copied */
  append(bytes) {
    const buffers = this.#buffers;
    const { length } = bytes;
    let done = 0;
    while (done < length) {
      let last = buffers[buffers.length - 1];
      if (last === undefined || this.#used === last.length) {
        const size = last === undefined ? smallest : Math.min(last.length * 2, largest);
        last = Buffer.allocUnsafeSlow(size);
        buffers.push(last);
        this.#used = 0;
      }
      const count = Math.min(length - done, last.length - this.#used);
      last.set(count === length ? bytes : bytes.subarray(done, done + count), this.#used);
      this.#used += count;
      done += count;
    }
    this.#length += length;
  }

  /** Empties the stream and keeps the largest buffer for reuse. */
  clear() {
    const last = this.#buffers[this.#buffers.length - 1];
    this.#buffers = last === undefined ? [] : [last];
    this.#used = 0;
    this.#length = 0;
  }

  /**
   * Views of the bytes from `start` on, in order.
   *
   * @param {number} [start]
   */
  *chunks(start = 0) {
    const buffers = this.#buffers;
    let before = 0;
    for (let i = 0; i < buffers.length; i += 1) {
      const buffer = buffers[i];
      const end = i === buffers.length - 1 ? this.#used : buffer.length;
      const from = Math.max(start - before, 0);
      if (from < end) yield buffer.subarray(from, end);
      before += end;
    }
  }
}
