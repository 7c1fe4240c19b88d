// The kernel's side of a worker thread: the rings to and from it, and its state.

import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ByteWriter } from '#model';
import { Bell, makeRingMemory, readReport, RingReader, RingWriter, writeRequest } from '#transport';
import { makeBoard, slots } from './board.js';
import { ThreadEnded } from './thread-ended.js';

/** @import { ProvideReport, Report, Request } from '#transport' */
/** @import { WorkerStart } from './worker.js' */

/** Bytes of a ring. Longer frames go in pieces. */
const ringBytes = 1 << 20;

/** Milliseconds for which the end of a thread is waited for; a busy machine takes some hundred. */
const stuckMs = 5_000;

const mainFile = new URL('./thread-main.js', import.meta.url);

/**
 * @typedef {object} ThreadOptions
 * @property {SharedArrayBuffer} kernelBell
 * @property {number} spinNs
 * @property {WorkerStart['profile']} profile
 * @property {string | undefined} cacheDir
 * @property {number | undefined} delays  for tests
 * @property {(message: { kind: string, vatId: string, problem?: string, isUsers?: boolean }) => void} onMessage
 * @property {(reason: string) => void} onEnd  called when it has ended or was ended
 */

export class WorkerThread {
  #worker;

  #writer;

  #reader;

  #bytes = new ByteWriter();

  #board;

  #isEnding = false;

  /** Whether frames may be sent. */
  isUp = true;

  /** The thread's frames are readable at once. */
  needsEventLoop = false;

  /** Settles when vats can be sent. @type {Promise<void>} */
  ready;

  /** @param {ThreadOptions} options */
  constructor({ kernelBell, spinNs, profile, cacheDir, delays, onMessage, onEnd }) {
    const [toWorker, fromWorker] = [makeRingMemory(ringBytes), makeRingMemory(ringBytes)];
    const workerBell = Bell.makeMemory();
    const board = makeBoard();
    /** @type {WorkerStart & Parameters<typeof import('./channel.js').makeRingChannel>[0]} */
    const workerData = {
      ...{ toWorker, fromWorker, workerBell, kernelBell, board, spinNs, profile },
      ...(cacheDir !== undefined && { cacheDir }),
      ...(delays !== undefined && { delays }),
    };
    this.#board = new Int32Array(board);
    const bell = new Bell(workerBell);
    this.#writer = new RingWriter(toWorker, bell);
    this.#reader = new RingReader(fromWorker, () => bell.ring());
    this.#worker = new Worker(mainFile, { workerData });
    let reason = 'it ended';
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', message => {
        if (message.kind === 'ready') resolve();
        else onMessage(message);
      });
      this.#worker.on('error', error => {
        reason = error.message;
      });
      this.#worker.on('exit', () => {
        this.isUp = false;
        reject(new ThreadEnded(`a worker thread ended before it was ready: ${reason}`));
        onEnd(reason);
      });
    });
    this.#worker.unref();
    // Callers get the rejection; without a caller it must not be unhandled.
    this.ready.catch(() => {});
  }

  /** Do not keep the process alive. */
  unref() {
    // A caller waits for its end.
    if (this.#isEnding) return;
    this.#worker.unref();
  }

  /** Keep the process alive. */
  ref() {
    this.#worker.ref();
  }

  /** End it as if it ended by itself. */
  kill() {
    return this.#terminate();
  }

  #terminate() {
    this.#isEnding = true;
    this.#worker.ref();
    return this.#worker.terminate();
  }

  /** @param {Request} request */
  send(request) {
    writeRequest(this.#bytes, request);
    this.#writer.write(this.#bytes.view());
  }

  /** Send what had no room in the ring yet. @returns {boolean} whether all is sent */
  flush() {
    return this.#writer.flush();
  }

  /** Bytes that had no room in the ring yet. */
  get unsentBytes() {
    return this.#writer.leftBytes;
  }

  /**
   * Take the next report, if there is one.
   *
   * @param {ProvideReport} [provide]
   * @returns {Report | undefined}
   * @throws {RangeError} if the frame is malformed
   */
  receive(provide) {
    this.flush();
    const frame = this.#reader.read();
    return frame === undefined ? undefined : readReport(frame, provide);
  }

  /** Let the event loop run for some time. @param {number} ms @returns {Promise<void>} */
  awaitReport(ms) {
    return new Promise(resolve => void setTimeout(resolve, ms));
  }

  /** The number of the vat at work, or at work when the thread ended; 0 for none. */
  get atWork() {
    return Atomics.load(this.#board, slots.vat);
  }

  /** The number of the running or last crank, counted over all vats of the thread. */
  get crankAtWork() {
    return Atomics.load(this.#board, slots.crank);
  }

  /** The number of reports that it keeps for the next batch. */
  get kept() {
    return Atomics.load(this.#board, slots.kept);
  }

  /**
   * Ends it, and gives it up if it does not end: a function of the engine can go on for ever, and nothing ends a thread
   * within one.
   *
   * @returns {Promise<void>}
   */
  async end() {
    this.isUp = false;
    const hasEnded = this.#terminate().then(() => true);
    const isStuck = sleep(stuckMs, false, { ref: false });
    if (await Promise.race([hasEnded, isStuck])) return;
    this.#worker.unref();
    process.emitWarning(
      'a vat keeps its thread within a function of the engine, which cannot be ended; process.exit() waits for it, process.kill(process.pid, "SIGKILL") does not',
    );
  }
}
