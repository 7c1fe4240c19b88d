// A pipe for frames of bytes between two threads, over shared memory: one writes and the other reads, and neither needs
// its event loop for it. A frame is its length in four bytes, lowest first, and its bytes. It may be longer than the
// ring, which then passes it in pieces.
//
// Positions count bytes modulo 2^32. Each side changes only its own position, after the bytes themselves, so that the
// other side never sees a byte before it is there.

import { performance } from 'node:perf_hooks';
import { Fail } from '#model';
import { makeLoadWatch } from './load-watch.js';

const { add, compareExchange, load, notify, store, wait } = Atomics;

/** Lockdown may take it away, and the types do not have it yet. @type {(words: Int32Array, at: number, value: number, timeoutMs: number) => { async: boolean, value: unknown }} */
const waitAsync = /** @type {any} */ (Atomics).waitAsync;

/** Index of each position in the head, in words. */
const writtenAt = 0;
const readAt = 1;
const headBytes = 8;

const lengthBytes = 4;

/** Bytes of a reader's buffer. It grows for longer frames, and shrinks again. */
const bufferBytes = 1 << 16;

/**
 * A thread that spins and gets no time for this long has no core of its own. It then sleeps at once for a while, so
 * that others can use the core.
 */
const lostMs = 0.25;
const yieldMs = 20;

/** Bytes of a frame, at most; a longer one is a bug, or no frame. */
export const maxFrameBytes = 2 ** 30;

/** @param {number} bytes  a power of two */
export const makeRingMemory = bytes => {
  (bytes & (bytes - 1)) === 0 || Fail`a ring of ${bytes} bytes; a power of two is wanted`;
  return new SharedArrayBuffer(headBytes + bytes);
};

/** The mark of a count: never 0, and in the order of counts, which are modulo 2^32. @param {number} count */
const markOf = count => (count << 1) | 1;

/**
 * The place where a thread sleeps until another has something for it. It has two words in shared memory: how often it
 * rang, and the mark of a sleeping thread that has not been woken yet, which says how many rings it had heard before.
 * Ringing costs next to nothing unless there is such a mark.
 */
export class Bell {
  #words;

  #mostSpinMs;

  /** How long it spins before it sleeps, in milliseconds: less after long waits, more after short ones. */
  #spinMs;

  #isBusy;

  /** The time until which it does not spin, after it has lost its core. */
  #yieldsUntilMs = 0;

  /** Milliseconds that its thread has slept or spun. */
  waitedMs = 0;

  /**
   * @param {SharedArrayBuffer} memory
   * @param {number} [spinNs]  how long to spin before sleeping, at most; 0 where there are more threads than cores
   * @param {(nowMs: number) => boolean} [isBusy]  whether the machine has other things to do; then it does not spin
   */
  constructor(memory, spinNs = 0, isBusy = makeLoadWatch()) {
    this.#words = new Int32Array(memory);
    this.#mostSpinMs = spinNs / 1_000_000;
    this.#spinMs = this.#mostSpinMs;
    this.#isBusy = isBusy;
  }

  static makeMemory = () => new SharedArrayBuffer(8);

  /** Rings: something has arrived, or has been taken. */
  ring() {
    const words = this.#words;
    const count = add(words, 0, 1) + 1;
    const mark = load(words, 1);
    // Only the first ring that the thread has not heard wakes it, since waking takes long. A ring that it heard before
    // it fell asleep must leave the mark to the next ring.
    if (mark === 0 || (((count << 1) - mark) | 0) <= 0) return;
    if (compareExchange(words, 1, mark, 0) === mark) notify(words, 0);
  }

  /** Whether its thread spins for a while before it sleeps, as things are now. */
  get spins() {
    return this.#mostSpinMs > 0 && !this.#isBusy(performance.now());
  }

  /** The number of rings. Read it before checking whether something is there. */
  get count() {
    return load(this.#words, 0);
  }

  /**
   * Sleeps until it has rung since `count` was read.
   *
   * @param {number} count
   * @param {number} timeoutMs
   * @returns {boolean} false if it has not rung in that time
   */
  await(count, timeoutMs) {
    const words = this.#words;
    if (load(words, 0) !== count) return true;
    const begun = performance.now();
    let how = 'ok';
    if (!this.#spin(count, begun)) {
      store(words, 1, markOf(count));
      how = wait(words, 0, count, timeoutMs);
      store(words, 1, 0);
    }
    this.#learn(begun);
    return how !== 'timed-out';
  }

  /** Spin longer after a short wait, and less long after a long one. @param {number} begun  in milliseconds */
  #learn(begun) {
    const waitedMs = performance.now() - begun;
    this.waitedMs += waitedMs;
    const most = this.#mostSpinMs;
    this.#spinMs =
      waitedMs < most ? Math.min(this.#spinMs * 2, most) : Math.max(this.#spinMs / 2, most / 64);
  }

  /**
   * Waits until it has rung since `count` was read, while the thread's event loop runs.
   *
   * @param {number} count
   * @param {number} timeoutMs
   */
  async awaitTurning(count, timeoutMs) {
    const words = this.#words;
    store(words, 1, markOf(count));
    const waiting = waitAsync(words, 0, count, timeoutMs);
    if (waiting.async) await waiting.value;
    store(words, 1, 0);
  }

  /**
   * Sleeps until it has rung since `count` was read, in a thread whose event loop may wait for the bell at the same
   * time (`awaitTurning`): the mark stays, since that wait may need it.
   *
   * @param {number} count
   * @param {number} timeoutMs
   */
  awaitBeside(count, timeoutMs) {
    const words = this.#words;
    if (load(words, 0) !== count) return;
    const begun = performance.now();
    if (!this.#spin(count, begun)) {
      // An older mark also wakes.
      compareExchange(words, 1, 0, markOf(count));
      wait(words, 0, count, timeoutMs);
    }
    this.#learn(begun);
  }

  /**
   * Spins for a while.
   *
   * @param {number} count
   * @param {number} begun  in milliseconds
   * @returns {boolean} whether it has rung
   */
  #spin(count, begun) {
    const words = this.#words;
    if (this.#mostSpinMs === 0 || begun < this.#yieldsUntilMs || this.#isBusy(begun)) return false;
    const end = begun + this.#spinMs;
    for (let now = begun; now < end;) {
      for (let i = 0; i < 50; i += 1) if (load(words, 0) !== count) return true;
      const before = now;
      now = performance.now();
      if (now - before > lostMs) {
        this.#yieldsUntilMs = now + yieldMs;
        return false;
      }
    }
    return false;
  }
}

/** The memory that both sides share. */
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

  /** Frames that had no room yet, in order. @type {Uint8Array[]} */
  #left = [];

  #length = new Uint8Array(lengthBytes);

  #view = new DataView(this.#length.buffer);

  /** A view of the ring's bytes. */
  #ringView;

  /**
   * @param {SharedArrayBuffer} memory
   * @param {Bell} bell  the reader's
   */
  constructor(memory, bell) {
    this.#end = new RingEnd(memory);
    this.#ringView = new DataView(memory, headBytes);
    this.#bell = bell;
  }

  /**
   * Writes a frame without waiting: the part without room is kept, and written by `flush`.
   *
   * @param {Uint8Array} frame  the caller may reuse it when this returns
   */
  write(frame) {
    frame.length <= maxFrameBytes || Fail`a frame of ${frame.length} bytes`;
    if (this.#putWhole(frame)) return;
    this.#view.setUint32(0, frame.length, true);
    this.#add(this.#length);
    this.#add(frame);
    this.#bell.ring();
  }

  /**
   * Fast path: most frames fit before the end of the ring.
   *
   * @param {Uint8Array} frame
   * @returns {boolean} false if it does not fit; then nothing is written
   */
  #putWhole(frame) {
    if (this.#left.length > 0) return false;
    const { head, bytes: ring, size } = this.#end;
    const whole = lengthBytes + frame.length;
    const written = load(head, writtenAt);
    const at = (written >>> 0) % size;
    const free = size - ((written - load(head, readAt)) >>> 0);
    if (whole > free || at + whole > size) return false;
    this.#ringView.setUint32(at, frame.length, true);
    ring.set(frame, at + lengthBytes);
    store(head, writtenAt, (written + whole) | 0);
    this.#bell.ring();
    return true;
  }

  /** Bytes that are not written yet. */
  get leftBytes() {
    return this.#left.reduce((sum, { length }) => sum + length, 0);
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
   * @returns {number} the number of bytes written
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

  /** The bytes taken from the ring, from `#from` to `#to`: frames, the last of which may be incomplete. */
  #buffer = new Uint8Array(bufferBytes);

  #view = new DataView(this.#buffer.buffer);

  #from = 0;

  #to = 0;

  /**
   * @param {SharedArrayBuffer} memory
   * @param {() => void} onRoom  called when something was taken from a ring that was full
   */
  constructor(memory, onRoom) {
    this.#end = new RingEnd(memory);
    this.#onRoom = onRoom;
  }

  /**
   * The next frame; undefined if there is none, or if it is incomplete.
   *
   * @returns {Uint8Array | undefined} valid until `read` is called again
   * @throws {RangeError} the bytes are no frame
   */
  read() {
    for (;;) {
      let wanted = lengthBytes;
      if (this.#to - this.#from >= lengthBytes) {
        const length = this.#view.getUint32(this.#from, true);
        if (length > maxFrameBytes) throw RangeError(`a frame of ${length} bytes`);
        wanted += length;
        if (this.#to - this.#from >= wanted) {
          const start = this.#from + lengthBytes;
          this.#from += wanted;
          return this.#buffer.subarray(start, this.#from);
        }
      }
      if (!this.#fill(wanted)) return undefined;
    }
  }

  /**
   * Takes the available bytes from the ring.
   *
   * @param {number} wanted  bytes from `#from` on
   * @returns {boolean} false if there are none
   */
  #fill(wanted) {
    const { head, bytes, size } = this.#end;
    const read = load(head, readAt);
    const there = (load(head, writtenAt) - read) >>> 0;
    if (there === 0) return false;
    this.#makeRoom(wanted);
    const at = (read >>> 0) % size;
    const count = Math.min(there, this.#buffer.length - this.#to, size - at);
    this.#buffer.set(bytes.subarray(at, at + count), this.#to);
    this.#to += count;
    store(head, readAt, (read + count) | 0);
    if (there === size) this.#onRoom();
    return true;
  }

  /**
   * Frees the room of frames that have been read. A long frame's buffer grows as its bytes arrive, whatever its length
   * claims.
   *
   * @param {number} wanted  bytes from `#from` on
   */
  #makeRoom(wanted) {
    const left = this.#to - this.#from;
    const length = this.#buffer.length;
    if (left === 0 && length > bufferBytes && wanted <= bufferBytes) {
      this.#move(bufferBytes);
    } else if (left === length) {
      this.#move(Math.min(length * 2, Math.max(wanted, bufferBytes)));
    } else if (this.#from > 0 && (left === 0 || this.#from + wanted > length)) {
      this.#buffer.copyWithin(0, this.#from, this.#to);
      this.#from = 0;
      this.#to = left;
    }
  }

  /** @param {number} size  of the new buffer, in bytes */
  #move(size) {
    const buffer = new Uint8Array(size);
    buffer.set(this.#buffer.subarray(this.#from, this.#to));
    this.#to -= this.#from;
    this.#from = 0;
    this.#buffer = buffer;
    this.#view = new DataView(buffer.buffer);
  }
}
