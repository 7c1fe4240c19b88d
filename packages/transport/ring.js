// A pipe for frames of bytes between two threads, over shared memory: one writes, the other reads, and neither needs its event
// loop for it. A frame is its length in four bytes, lowest first, and its bytes; it may be longer than the ring, which then
// passes it in pieces.
//
// Positions count bytes modulo 2^32. Each side changes only its own position, behind the bytes that it is about, so that the
// other never sees a byte before it is there.

import { performance } from 'node:perf_hooks';
import { Fail } from '#model';

const { add, load, notify, store, wait } = Atomics;

/** Where they are in the head, in words. */
const writtenAt = 0;
const readAt = 1;
const headBytes = 8;

const lengthBytes = 4;

/** Longer frames are a bug, or not ours. */
export const maxFrameBytes = 2 ** 30;

/** @param {number} bytes  a power of two */
export const makeRingMemory = bytes => {
  (bytes & (bytes - 1)) === 0 || Fail`a ring of ${bytes} bytes; a power of two is wanted`;
  return new SharedArrayBuffer(headBytes + bytes);
};

/**
 * Where a thread sleeps until another one has something for it. It has two words in shared memory: how often it rang, and
 * whether anybody sleeps.
 */
export class Bell {
  #words;

  #spinNs;

  /** How long its thread has slept or spun, in milliseconds. */
  waitedMs = 0;

  /**
   * @param {SharedArrayBuffer} memory
   * @param {number} [spinNs]  how long to look again and again before sleeping; 0 where there are more threads than cores
   */
  constructor(memory, spinNs = 0) {
    this.#words = new Int32Array(memory);
    this.#spinNs = spinNs;
  }

  static makeMemory = () => new SharedArrayBuffer(8);

  /** Something is there, or has been taken away. */
  ring() {
    add(this.#words, 0, 1);
    if (load(this.#words, 1) !== 0) notify(this.#words, 0);
  }

  /** To be read before looking whether there is something. */
  get count() {
    return load(this.#words, 0);
  }

  /**
   * Sleep until it has rung since `count` was read.
   *
   * @param {number} count
   * @param {number} timeoutMs
   * @returns {boolean} false if it has not, and the time is over
   */
  await(count, timeoutMs) {
    const words = this.#words;
    if (load(words, 0) !== count) return true;
    const begun = performance.now();
    const spinEnd = begun + this.#spinNs / 1_000_000;
    if (this.#spinNs > 0)
      while (performance.now() < spinEnd) {
        for (let i = 0; i < 20; i += 1) {
          if (load(words, 0) !== count) {
            this.waitedMs += performance.now() - begun;
            return true;
          }
        }
      }
    store(words, 1, 1);
    const how = wait(words, 0, count, timeoutMs);
    store(words, 1, 0);
    this.waitedMs += performance.now() - begun;
    return how !== 'timed-out';
  }
}

/** What both sides have. */
class RingEnd {
  /** @param {SharedArrayBuffer} memory */
  constructor(memory) {
    this.head = new Int32Array(memory, 0, headBytes / 4);
    this.bytes = new Uint8Array(memory, headBytes);
    this.size = this.bytes.length;
  }
}

export class RingWriter {
  #end;

  #bell;

  /** What found no room yet, in order. @type {Uint8Array[]} */
  #left = [];

  #length = new Uint8Array(lengthBytes);

  #view = new DataView(this.#length.buffer);

  /**
   * @param {SharedArrayBuffer} memory
   * @param {Bell} bell  the reader's
   */
  constructor(memory, bell) {
    this.#end = new RingEnd(memory);
    this.#bell = bell;
  }

  /**
   * It does not wait: what finds no room is kept, and written by `flush`.
   *
   * @param {Uint8Array} frame  it may be used again when this returns
   */
  write(frame) {
    frame.length <= maxFrameBytes || Fail`a frame of ${frame.length} bytes`;
    this.#view.setUint32(0, frame.length, true);
    this.#add(this.#length);
    this.#add(frame);
    this.#bell.ring();
  }

  /** @returns {boolean} whether all is written */
  flush() {
    if (this.#left.length === 0) return true;
    const left = this.#left;
    let done = 0;
    for (; done < left.length; done += 1) {
      const written = this.#put(left[done]);
      if (written < left[done].length) {
        left[done] = left[done].subarray(written);
        break;
      }
    }
    this.#left = left.slice(done);
    this.#bell.ring();
    return this.#left.length === 0;
  }

  /** @param {Uint8Array} bytes */
  #add(bytes) {
    const written = this.#left.length === 0 ? this.#put(bytes) : 0;
    if (written < bytes.length) this.#left.push(bytes.slice(written));
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {number} how many found room
   */
  #put(bytes) {
    const { head, bytes: ring, size } = this.#end;
    let from = 0;
    while (from < bytes.length) {
      const written = load(head, writtenAt);
      const free = size - ((written - load(head, readAt)) >>> 0);
      if (free === 0) break;
      const at = (written >>> 0) % size;
      const count = Math.min(free, bytes.length - from, size - at);
      ring.set(bytes.subarray(from, from + count), at);
      store(head, writtenAt, (written + count) | 0);
      from += count;
    }
    return from;
  }
}

export class RingReader {
  #end;

  #onRoom;

  /** What is there of the frame that comes: its length first. */
  #length = new Uint8Array(lengthBytes);

  #view = new DataView(this.#length.buffer);

  #part = this.#length;

  #filled = 0;

  #isBody = false;

  /**
   * @param {SharedArrayBuffer} memory
   * @param {() => void} onRoom  called when something was taken out of a ring that was full
   */
  constructor(memory, onRoom) {
    this.#end = new RingEnd(memory);
    this.#onRoom = onRoom;
  }

  /**
   * The next frame; undefined if it is not there, or not whole.
   *
   * @returns {Uint8Array | undefined}
   * @throws {RangeError} what is there is no frame
   */
  read() {
    for (;;) {
      while (this.#filled < this.#part.length) if (!this.#fill()) return undefined;
      if (this.#isBody) {
        const frame = this.#part;
        this.#begin(false, this.#length);
        return frame;
      }
      const length = this.#view.getUint32(0, true);
      if (length > maxFrameBytes) throw RangeError(`a frame of ${length} bytes`);
      this.#begin(true, new Uint8Array(length));
    }
  }

  /**
   * @param {boolean} isBody
   * @param {Uint8Array<ArrayBuffer>} part
   */
  #begin(isBody, part) {
    this.#isBody = isBody;
    this.#part = part;
    this.#filled = 0;
  }

  /** Take what is there. @returns {boolean} false if nothing is */
  #fill() {
    const { head, bytes, size } = this.#end;
    const read = load(head, readAt);
    const there = (load(head, writtenAt) - read) >>> 0;
    if (there === 0) return false;
    const at = (read >>> 0) % size;
    const count = Math.min(there, this.#part.length - this.#filled, size - at);
    this.#part.set(bytes.subarray(at, at + count), this.#filled);
    this.#filled += count;
    store(head, readAt, (read + count) | 0);
    if (there === size) this.#onRoom();
    return true;
  }
}
