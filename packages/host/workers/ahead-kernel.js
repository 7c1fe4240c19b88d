// Runs cranks on a host before the leader asks for them. The host has all vats that take part, and a copy of the
// kernel's tables, so its own kernel finds the next delivery without a round trip. The leader runs the same cranks with
// the results that the host sends, and compares each delivery with its own: a host that foresaw another one loses its
// vats. So nothing of the run depends on this kernel but its time.
//
// It ends at the first thing that only the leader can do: a device call, a vat that is elsewhere, an input of another
// kind. Vats stay where they are then, and the leader sends deliveries again.

import { performance } from 'node:perf_hooks';
import { makeKernel, repeatMessage } from '#kernel';
import { digestOf, readAheadState } from './ahead-state.js';

/** @import { Transport } from '#kernel' */
/** @import { Delivery, When } from '#model' */
/** @import { ReportAhead } from '#transport' */

/** Bound on the cranks by which it is ahead of the leader. */
const mostAhead = 512;

/**
 * Bound on the bytes of reports since the leader last said how far it is. It holds those of cranks that it has not
 * reached, and says so every 64 cranks: so it holds 64 MB at most, and one more report.
 */
const mostAheadBytes = 8 * 1024 * 1024;

/** Cranks after which the results are sent, if there are more to run. */
const batchCranks = 16;

/** Time after which the event loop gets a turn, in a thread that needs it. */
const sliceMs = 10;

/** An input of the run, between two cranks. @typedef {{ crank: number, input: string, vat: string, data: string }} AheadInput */

/** Nobody reads this kernel's hash. */
const noHash = new Uint8Array(32);

/** The place of a vat, which carries out deliveries. @typedef {Pick<Transport, 'begin' | 'finish' | 'overlaps'>} AheadPlace */

// eslint-disable-next-line house/max-class-lines -- one kernel, its inputs and its end
export class AheadKernel {
  #options;

  #kernel;

  /** Inputs whose turn has not come. @type {AheadInput[]} */
  #inputs = [];

  /** The number of cranks that the leader has applied, as far as is known. */
  #taken;

  /** Bytes of reports since then. */
  #spent = 0;

  #isRunning = false;

  #isOver = false;

  /**
   * @param {object} options
   * @param {string} options.profile
   * @param {Uint8Array} options.state
   * @param {Iterable<string>} options.vatIds  vats of this host
   * @param {(vatId: string) => AheadPlace | undefined} options.placeOf  of a vat; undefined if it is here no more
   * @param {(report: ReportAhead) => void} options.post
   * @param {() => void} options.flush  sends what was posted
   * @param {number} [options.lookahead]  how many items may be begun early; 0 by default
   * @param {boolean} [options.hasLoop]  whether the thread's event loop has other work
   * @throws {Error} if it is no state of this profile
   */
  constructor(options) {
    this.#options = options;
    const makeTransport = () => this.#elsewhere();
    this.#kernel = makeKernel(options.profile, {
      ...{ store: readAheadState(options.state), sha256: () => noHash, makeTransport },
      ...{ onVatFault: () => {}, lookahead: options.lookahead ?? 0 },
    });
    this.#kernel.load();
    for (const vatId of options.vatIds) {
      const place = options.placeOf(vatId);
      if (place !== undefined) this.#kernel.attachVat(vatId, this.#transportOf(vatId, place));
    }
    this.#taken = this.#kernel.cranks.all;
  }

  /** The transport of a vat that is not here: this kernel ends in its first delivery. @returns {Transport} */
  #elsewhere() {
    return {
      overlaps: false,
      begin: () => this.end('a vat is not here'),
      finish: () => new Promise(() => {}),
      close: () => {},
    };
  }

  /** @param {string} vatId @param {AheadPlace} place @returns {Transport} */
  #transportOf(vatId, place) {
    return {
      overlaps: place.overlaps ?? true,
      begin: (delivery, answer, { timeNs, microstep, stage }) => {
        if (this.#isOver) return;
        if (this.#options.placeOf(vatId) !== place) {
          this.end('a vat has left');
          return;
        }
        const when = { timeNs, microstep, stage };
        const asked = this.askedFor(delivery);
        const digest = digestOf({ vatId, when, asked, delivery });
        this.#options.post({ kind: 'begun', vatId, digest });
        place.begin(delivery, answer, when);
      },
      finish: () => (this.#isOver ? new Promise(() => {}) : place.finish()),
      close: () => {},
    };
  }

  /** Vats that share the collection of a delivery. @param {Delivery} delivery */
  askedFor([kind]) {
    return kind === 'bringOutYourDead' ? this.#kernel.askedNext() : [];
  }

  /** Whether it has ended. */
  get isOver() {
    return this.#isOver;
  }

  /** @param {AheadInput} input */
  input(input) {
    this.#inputs.push(input);
    this.taken(input.crank);
  }

  /** @param {number} cranks  that the leader has applied */
  taken(cranks) {
    this.#taken = Math.max(this.#taken, cranks);
    this.#spent = 0;
    this.run();
  }

  /** Count a report. @param {number} bytes */
  spend(bytes) {
    this.#spent += bytes;
    if (this.#spent > mostAheadBytes) this.end('its reports are large');
  }

  /** Settles when it has run as far as it can; undefined if it has already. @type {Promise<void> | undefined} */
  resting;

  /** @type {() => void} */
  #rest = () => {};

  /** Run all cranks that can be run now. */
  run() {
    if (this.#isRunning || this.#isOver) return;
    this.#isRunning = true;
    let isWaiting = false;
    try {
      isWaiting = this.#runSlice();
    } catch (error) {
      // Its tables may be half written. The leader's are not.
      this.end(/** @type {Error} */ (error).message);
    } finally {
      this.#isRunning = isWaiting;
      this.#options.flush();
      this.#noteRest();
    }
  }

  #noteRest() {
    if (this.#isRunning && !this.#isOver) {
      this.resting ??= new Promise(resolve => {
        this.#rest = resolve;
      });
      return;
    }
    this.resting = undefined;
    this.#rest();
  }

  /** Go on when a wait is over. */
  #goOn() {
    this.#isRunning = false;
    this.run();
  }

  /** @returns {boolean} whether it goes on by itself */
  #runSlice() {
    const kernel = this.#kernel;
    const endMs = performance.now() + sliceMs;
    for (;;) {
      const due = this.#applyInputs();
      const room = Math.min(due, this.#taken + mostAhead) - kernel.cranks.all;
      if (room <= 0 || this.#isOver) break;
      const { cranks, waiting } = kernel.pump(Math.min(room, batchCranks));
      if (this.#isOver) break;
      if (waiting !== null) {
        waiting.then(
          () => this.#goOn(),
          error => this.end(error.message),
        );
        return true;
      }
      this.#options.flush();
      if (cranks < Math.min(room, batchCranks)) {
        if (due < Infinity) this.end('an input came later than foreseen');
        break;
      }
      if (!this.#options.hasLoop || performance.now() < endMs) continue;
      setImmediate(() => this.#goOn());
      return true;
    }
    if (!this.#isOver) void kernel.commit();
    return false;
  }

  /**
   * Apply the inputs whose turn has come.
   *
   * @returns {number} the crank behind which the next one comes; Infinity if none is known
   */
  #applyInputs() {
    const kernel = this.#kernel;
    for (;;) {
      const [next] = this.#inputs;
      if (next === undefined) return Infinity;
      const { all } = kernel.cranks;
      if (next.crank > all) return next.crank;
      if (next.crank < all) {
        this.end('an input came earlier than foreseen');
        return Infinity;
      }
      this.#inputs.shift();
      this.#apply(next);
    }
  }

  /** @param {AheadInput} input */
  #apply({ input, vat, data }) {
    const kernel = this.#kernel;
    if (input === 'hold') kernel.hold(data);
    else if (input === 'release') kernel.release(data);
    else repeatMessage(kernel, vat, data);
  }

  /** Run nothing ahead any more, and tell the leader. @param {string} reason */
  end(reason) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.post({ kind: 'behind', reason });
    this.#options.flush();
    this.#noteRest();
  }

  /** Run nothing ahead any more; the session is over. */
  discard() {
    this.#isOver = true;
  }
}
