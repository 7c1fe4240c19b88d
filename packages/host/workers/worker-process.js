// The kernel's side of a process for one vat with a memory limit. It has the interface of a thread (worker-thread.js),
// but its frames arrive only in the event loop.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ByteWriter } from '#model';
import { maxFrameBytes, readReport, writeRequest } from '#transport';
import { lengthBytes, noticeFlag } from './channel.js';
import { frameDescriptor, heapIsFull, lifeDescriptor } from './process-signs.js';
import { ThreadEnded } from './thread-ended.js';

/** @import { Limit } from '#kernel' */
/** @import { Report, Request } from '#transport' */
/** @import { ProcessStart } from './run-process.js' */

/** Without this flag a collection returns before the bytes of dead array buffers are freed, and they count as used. */
const engineFlags = ['--no-concurrent-array-buffer-sweeping'];

/** Approximate bytes of our own code in the heap, which are not the vat's. */
const ownHeapBytes = 40 * 2 ** 20;

const mebibyte = 2 ** 20;

/** Bytes kept of the end of standard error, where the engine's last message is found. */
const keptErrors = 1 << 16;

/**
 * Bound on reports not yet taken. A process sends a question, a result or the outcome of a replay, and waits for what comes
 * next.
 */
const mostReports = 16;

const mainFile = fileURLToPath(new URL('./process-main.js', import.meta.url));

/** Variables with flags and files for Node are the host program's, not the vat's. */
const environment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')));

/**
 * Read a notice: the process is ready, or a vat was made or could not be.
 *
 * @param {Buffer} frame
 * @returns {{ kind: string, vatId: string, problem?: string, isUsers?: boolean }}
 * @throws {SyntaxError | TypeError | RangeError} it is neither
 */
const readNotice = frame => {
  const notice = JSON.parse(frame.toString());
  const { kind, vatId, problem = '', isUsers = false } = notice;
  const isOutcome =
    kind === 'made' &&
    [vatId, problem].every(text => typeof text === 'string') &&
    typeof isUsers === 'boolean';
  if (kind !== 'ready' && !isOutcome) throw RangeError('a notice of no kind');
  return notice;
};

/**
 * @typedef {object} ProcessOptions
 * @property {ProcessStart} start
 * @property {(message: { kind: string, vatId: string, problem?: string, isUsers?: boolean }) => void} onMessage
 * @property {(reason: string, limit?: Limit) => void} onEnd  called when it has ended or was ended; `limit` is set if it
 *   exceeded that limit
 */

export class WorkerProcess {
  #child;

  #bytes = new ByteWriter();

  /** Reports not yet taken. @type {Report[]} */
  #reports = [];

  /** The beginning of a frame. @type {Buffer[]} */
  #pieces = [];

  #pieceBytes = 0;

  #number = 0;

  #delivered = 0;

  #isAtWork = false;

  #errors = '';

  #onMessage;

  /** @type {() => void} */
  #resolveReady = () => {};

  /** Called when something has arrived. @type {() => void} */
  #wake = () => {};

  /** Whether frames may be sent. */
  isUp = true;

  /** Frames arrive only in the kernel's event loop. */
  needsEventLoop = true;

  /** Settles when vats can be sent. @type {Promise<void>} */
  ready;

  /** @param {ProcessOptions} options */
  constructor({ start, onMessage, onEnd }) {
    const heapMb = Math.ceil((start.heapBytes + ownHeapBytes) / mebibyte);
    const stdio = ['ignore', 'ignore', 'pipe'];
    stdio[frameDescriptor] = 'pipe';
    stdio[lifeDescriptor] = 'pipe';
    this.#onMessage = onMessage;
    const child = spawn(
      process.execPath,
      [...engineFlags, `--max-old-space-size=${heapMb}`, mainFile, JSON.stringify(start)],
      { stdio: /** @type {any} */ (stdio), env: environment(), windowsHide: true },
    );
    this.#child = child;
    let problem = '';
    child.on('error', error => void (problem = error.message));
    child.stderr?.on('data', bytes => {
      this.#errors = (this.#errors + bytes).slice(-keptErrors);
    });
    for (const stream of this.#streams) stream.on('error', () => {});
    this.#stream(lifeDescriptor)?.resume();
    this.#stream(frameDescriptor)?.on('data', bytes => this.#take(bytes));
    this.ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      // Emitted after the end of its streams, so all its frames are read.
      child.on('close', (code, signal) => {
        this.isUp = false;
        this.#wake();
        const isFull = this.#errors.includes(heapIsFull);
        const reason = problem || (isFull ? 'its memory is full' : `it ended (${signal ?? code})`);
        reject(new ThreadEnded(`a vat's process ended before it was ready: ${reason}`));
        onEnd(reason, isFull ? 'heap' : undefined);
      });
    });
    this.unref();
    // Callers get the rejection; without a caller it must not be unhandled.
    this.ready.catch(() => {});
  }

  /** @param {number} descriptor */
  #stream(descriptor) {
    return /** @type {import('node:net').Socket | null | undefined} */ (
      this.#child.stdio[descriptor]
    );
  }

  get #streams() {
    return /** @type {import('node:net').Socket[]} */ (
      [2, frameDescriptor, lifeDescriptor].map(each => this.#stream(each)).filter(Boolean)
    );
  }

  /** Read arrived bytes: frames, whole or in pieces. @param {Buffer} bytes */
  #take(bytes) {
    this.#pieces.push(bytes);
    this.#pieceBytes += bytes.length;
    while (this.isUp && this.#pieceBytes >= lengthBytes) {
      const word = this.#peekWord();
      const isNotice = word >= noticeFlag;
      const end = lengthBytes + (isNotice ? word - noticeFlag : word);
      if (end > maxFrameBytes) return void this.end();
      if (this.#pieceBytes < end) return;
      const all = Buffer.concat(this.#pieces);
      this.#pieces = all.length > end ? [all.subarray(end)] : [];
      this.#pieceBytes = all.length - end;
      try {
        this.#note(all.subarray(lengthBytes, end), isNotice);
      } catch {
        // Its messages cannot be read, so it is ended.
        return void this.end();
      }
    }
  }

  #peekWord() {
    if (this.#pieces[0].length < lengthBytes) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0].readUInt32LE();
  }

  /** @param {Buffer} frame @param {boolean} isNotice @throws {unknown} it is no message of a process */
  #note(frame, isNotice) {
    if (isNotice) {
      const notice = readNotice(frame);
      if (notice.kind === 'ready') this.#resolveReady();
      else this.#onMessage(notice);
      return;
    }
    if (this.#reports.length >= mostReports) throw RangeError('more reports than it was asked for');
    const report = readReport(frame);
    if (report.kind === 'result') this.#isAtWork = false;
    this.#reports.push(report);
    this.#wake();
  }

  /** Do not keep the host program's process alive. */
  unref() {
    this.#child.unref();
    for (const stream of this.#streams) stream.unref();
  }

  /** Keep the host program's process alive. */
  ref() {
    this.#child.ref();
    for (const stream of this.#streams) stream.ref();
  }

  /** @param {Request} request */
  send(request) {
    if (request.kind === 'make') this.#number = JSON.parse(request.description).number;
    if (request.kind === 'deliver') {
      this.#delivered += 1;
      this.#isAtWork = true;
    }
    writeRequest(this.#bytes, request);
    const view = this.#bytes.view();
    const frame = Buffer.alloc(lengthBytes + view.length);
    frame.writeUInt32LE(view.length);
    frame.set(view, lengthBytes);
    this.#stream(frameDescriptor)?.write(frame);
  }

  /** All is sent: the stream keeps what had no room. */
  flush = () => true;

  unsentBytes = 0;

  /** Take the next report, if there is one. @returns {Report | undefined} */
  receive() {
    return this.#reports.shift();
  }

  /**
   * Wait until it has sent something or has ended, at most `mostMs`.
   *
   * @param {number} mostMs
   * @returns {Promise<void>}
   */
  awaitReport(mostMs) {
    // Nobody reads the reports of a process that is being ended, and its end arrives in the event loop.
    if (this.isUp && this.#reports.length > 0) return Promise.resolve();
    return new Promise(resolve => {
      const timer = setTimeout(resolve, mostMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The number of the vat if it is at work, or was when the process ended; otherwise 0. */
  get atWork() {
    return this.#isAtWork ? this.#number : 0;
  }

  /** The number of the running or last crank. */
  get crankAtWork() {
    return this.#delivered;
  }

  /** End it as if it ended by itself. @returns {Promise<void>} */
  kill() {
    this.ref();
    return new Promise(resolve => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) resolve();
      this.#child.once('close', () => resolve());
      this.#child.once('error', () => resolve());
      this.#child.kill('SIGKILL');
    });
  }

  /** @returns {Promise<void>} */
  end() {
    this.isUp = false;
    return this.kill();
  }
}
