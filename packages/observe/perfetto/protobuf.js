// The part of protobuf's wire format that a trace needs: https://protobuf.dev/programming-guides/encoding.

const encoder = new TextEncoder();

/** A message under construction. */
export class Message {
  #bytes = new Uint8Array(256);

  #length = 0;

  /** @param {number} count  bytes that must fit after the present end */
  #reserve(count) {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#length + count));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }

  /** @param {number} value  a whole number from 0, below 2 ** 53 */
  #varint(value) {
    this.#reserve(8);
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#length] = (rest % 128) + 128;
      this.#length += 1;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  /** uint64, int64 and enums. @param {number} field @param {number} value  from 0 */
  uint(field, value) {
    this.#varint(field * 8);
    this.#varint(value);
    return this;
  }

  /** @param {number} field @param {number} value  from 0 */
  fixed64(field, value) {
    this.#varint(field * 8 + 1);
    this.#reserve(8);
    const view = new DataView(this.#bytes.buffer, this.#length, 8);
    view.setUint32(0, value % 2 ** 32, true);
    view.setUint32(4, Math.floor(value / 2 ** 32), true);
    this.#length += 8;
    return this;
  }

  /** @param {number} field @param {number} value */
  double(field, value) {
    this.#varint(field * 8 + 1);
    this.#reserve(8);
    new DataView(this.#bytes.buffer, this.#length, 8).setFloat64(0, value, true);
    this.#length += 8;
    return this;
  }

  /** @param {number} field @param {Uint8Array} bytes */
  bytes(field, bytes) {
    this.#varint(field * 8 + 2);
    this.#varint(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** @param {number} field @param {string} text */
  text(field, text) {
    return this.bytes(field, encoder.encode(text));
  }

  /** @param {number} field @param {Message} message */
  message(field, message) {
    return this.bytes(field, message.finish());
  }

  /** The bytes written so far; valid until more is written. */
  finish() {
    return this.#bytes.subarray(0, this.#length);
  }
}
