// Bytes that are only ever added to, kept outside the JavaScript heap in a few large buffers. A byte never moves
// once it is written, so what was read stays valid until the stream is cleared.

/** Bytes of the first buffer; each further one doubles, up to `largest`. */
const smallest = 1024;
const largest = 1024 * 1024;

export const makeByteStream = () => {
  /** @type {Buffer[]} all full but the last */
  let buffers = [];
  /** Bytes used of the last buffer. */
  let used = 0;
  let length = 0;

  return Object.freeze({
    get length() {
      return length;
    },
    /** @param {Uint8Array} bytes  copied */
    append(bytes) {
      let done = 0;
      while (done < bytes.length) {
        let last = buffers[buffers.length - 1];
        if (last === undefined || used === last.length) {
          const size = last === undefined ? smallest : Math.min(last.length * 2, largest);
          last = Buffer.allocUnsafeSlow(size);
          buffers.push(last);
          used = 0;
        }
        const count = Math.min(bytes.length - done, last.length - used);
        last.set(count === bytes.length ? bytes : bytes.subarray(done, done + count), used);
        used += count;
        done += count;
      }
      length += bytes.length;
    },
    /** Forget the bytes and keep the largest buffer for the next. */
    clear() {
      const last = buffers[buffers.length - 1];
      buffers = last === undefined ? [] : [last];
      used = 0;
      length = 0;
    },
    /**
     * Views of the bytes from `start` on, in order.
     *
     * @param {number} [start]
     */
    *chunks(start = 0) {
      let before = 0;
      for (let i = 0; i < buffers.length; i += 1) {
        const buffer = buffers[i];
        const end = i === buffers.length - 1 ? used : buffer.length;
        const from = Math.max(start - before, 0);
        if (from < end) yield buffer.subarray(from, end);
        before += end;
      }
    },
  });
};

/** @typedef {ReturnType<typeof makeByteStream>} ByteStream */
