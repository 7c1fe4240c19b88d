// A worker's channel to the kernel: it sends and receives frames, and blocks in both. A thread uses rings of shared
// memory, a process a socket.

import fs from 'node:fs';
import { Bell, maxFrameBytes, RingReader, RingWriter } from '#transport';

/**
 * @typedef {object} Channel
 * @property {(frame: Uint8Array) => void} send  the frame may be changed after the return
 * @property {() => Uint8Array} receive  the next frame, valid until the next call
 */

/** Time for which a thread sleeps before it checks again. */
const napMs = 1_000;

/**
 * @param {object} memory  of this thread
 * @param {SharedArrayBuffer} memory.toWorker
 * @param {SharedArrayBuffer} memory.fromWorker
 * @param {SharedArrayBuffer} memory.workerBell
 * @param {SharedArrayBuffer} memory.kernelBell
 * @param {number} memory.spinNs  time for which it spins before it sleeps
 * @returns {Channel}
 */
export const makeRingChannel = ({ toWorker, fromWorker, workerBell, kernelBell, spinNs }) => {
  const bell = new Bell(workerBell, spinNs);
  const kernelsBell = new Bell(kernelBell);
  const reader = new RingReader(toWorker, () => kernelsBell.ring());
  const writer = new RingWriter(fromWorker, kernelsBell);
  return Object.freeze({
    send(frame) {
      writer.write(frame);
      while (!writer.flush()) bell.await(bell.count, 1);
    },
    receive() {
      for (;;) {
        const { count } = bell;
        const frame = reader.read();
        if (frame !== undefined) return frame;
        bell.await(count, napMs);
      }
    },
  });
};

/** Bytes of a frame's length, lowest byte first. */
export const lengthBytes = 4;

/** Added to the length of a notice, which is JSON; a thread uses a message port for notices. */
export const noticeFlag = 2 ** 31;

/**
 * Make a channel over a socket that is read and written without the event loop.
 *
 * @param {number} descriptor  of a blocking socket
 * @param {() => never} onEnd  called when the other end is closed
 * @returns {Channel & { notify: (notice: unknown) => void }}
 */
export const makeSocketChannel = (descriptor, onEnd) => {
  const head = Buffer.alloc(lengthBytes);

  /** @param {Buffer} bytes */
  const fill = bytes => {
    for (let at = 0; at < bytes.length;) {
      const count = readSome(descriptor, bytes, at);
      if (count === 0) onEnd();
      at += count;
    }
  };

  /** @param {Uint8Array} bytes */
  const writeAll = bytes => {
    for (let at = 0; at < bytes.length;) at += writeSome(descriptor, bytes, at, onEnd);
  };

  /** @param {Uint8Array} bytes @param {number} flag */
  const sendBytes = (bytes, flag) => {
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32LE(bytes.length + flag);
    writeAll(length);
    writeAll(bytes);
  };

  return Object.freeze({
    send: frame => sendBytes(frame, 0),
    notify: notice => sendBytes(Buffer.from(JSON.stringify(notice)), noticeFlag),
    receive() {
      fill(head);
      const length = head.readUInt32LE();
      if (length > maxFrameBytes) throw RangeError(`a frame of ${length} bytes`);
      const frame = Buffer.alloc(length);
      fill(frame);
      return frame;
    },
  });
};

/** @param {unknown} error @param {readonly string[]} codes */
const isOneOf = (error, codes) =>
  codes.includes(/** @type {{ code?: string }} */ (error).code ?? '');

/** @param {number} descriptor @param {Buffer} bytes @param {number} at @returns {number} 0 at the end */
const readSome = (descriptor, bytes, at) => {
  try {
    return fs.readSync(descriptor, bytes, at, bytes.length - at, null);
  } catch (error) {
    if (isOneOf(error, ['EOF', 'ECONNRESET', 'EPIPE'])) return 0;
    throw error;
  }
};

/** @param {number} descriptor @param {Uint8Array} bytes @param {number} at @param {() => never} onEnd @returns {number} */
const writeSome = (descriptor, bytes, at, onEnd) => {
  try {
    return fs.writeSync(descriptor, bytes, at, bytes.length - at);
  } catch (error) {
    if (isOneOf(error, ['ECONNRESET', 'EPIPE'])) onEnd();
    throw error;
  }
};
