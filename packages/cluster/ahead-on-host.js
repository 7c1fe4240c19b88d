// A host that runs cranks ahead of the leader (packages/host/workers/ahead-kernel.js): on the thread of its vats if they are
// all on one, otherwise on the host's own thread.

import { workerLookahead } from '#host/simulation/open-threads.js';
import { AheadKernel } from '#host/workers/ahead-kernel.js';
import { AheadPlaces } from './ahead-places.js';

/** @import { Answer } from '#model' */
/** @import { Question, Report, Request, ResultFrame } from '#transport' */
/** @import { ToHost, ToLeader } from './host-messages.js' */
/** @import { Thread } from './host-threads.js' */

export class AheadOnHost {
  #options;

  /** The thread that is ahead, unless it is this one. @type {Thread | undefined} */
  #thread;

  /** @type {AheadKernel | undefined} */
  #kernel;

  /** @type {AheadPlaces | undefined} */
  #places;

  /**
   * @param {object} options
   * @param {string} options.profile  of the kernel
   * @param {ReadonlyMap<string, { thread: Thread }>} options.vats  of the session
   * @param {(message: ToLeader) => void} options.post
   * @param {() => void} options.flush
   * @param {(request: Extract<Request, { kind: 'deliver' }>) => boolean} options.deliver  gives a delivery to a vat's thread
   * @param {(vatId: string) => void} options.begun  called when a vat's thread has begun a delivery by itself
   * @param {(timeoutMs: number) => void} options.awaitReports  blocks until threads have reported something
   */
  constructor(options) {
    this.#options = options;
  }

  /**
   * @param {ToHost} message
   * @returns {boolean} whether it is about going ahead
   */
  take(message) {
    switch (message.kind) {
      case 'goAhead':
        this.#begin(message.state);
        return true;
      case 'input':
      case 'taken':
      case 'stayBehind':
        if (this.#thread !== undefined) this.#thread.worker.send(message);
        else if (message.kind === 'input') this.#kernel?.input(message);
        else if (message.kind === 'taken') this.#kernel?.taken(message.cranks);
        else this.#kernel?.end('the leader asks for it');
        return true;
      default:
        return false;
    }
  }

  /** @param {Uint8Array} state  of the leader's kernel */
  #begin(state) {
    this.discard();
    const { vats, profile, post, flush, deliver, awaitReports } = this.#options;
    const vatIds = [...vats.keys()];
    const threads = new Set([...vats.values()].map(({ thread }) => thread));
    if (threads.size === 1) {
      [this.#thread] = threads;
      // The thread may be at work until it says that it is behind.
      this.#thread.underWay += 1;
      this.#thread.worker.send({ kind: 'goAhead', state, vatIds });
      return;
    }
    const places = new AheadPlaces({
      ...{ findKernel: () => this.#kernel, deliver, flush, awaitReports },
    });
    this.#places = places;
    /** @type {Map<string, object>} */
    const there = new Map(vats);
    try {
      this.#kernel = new AheadKernel({
        ...{ profile, state, vatIds, post, flush, lookahead: workerLookahead, hasLoop: true },
        placeOf: vatId =>
          vats.get(vatId) === there.get(vatId) ? places.placeOf(vatId) : undefined,
      });
    } catch (error) {
      post({ kind: 'behind', reason: /** @type {Error} */ (error).message });
      flush();
      return;
    }
    this.#kernel.run();
  }

  /**
   * @param {Report} report  of a thread
   * @returns {boolean} whether nothing is left to do with it
   */
  takeReport(report) {
    const { post, begun } = this.#options;
    switch (report.kind) {
      case 'begun':
        begun(report.vatId);
        post(report);
        return true;
      case 'told':
        post(report);
        return true;
      case 'behind':
        if (this.#thread !== undefined) this.#thread.underWay -= 1;
        this.#thread = undefined;
        post(report);
        return true;
      default:
        return false;
    }
  }

  /** @param {ResultFrame} result  which was posted to the leader */
  takeResult(result) {
    this.#places?.take(result);
  }

  /**
   * The answer to a question that is not about the vat's store. In a delivery ahead of the leader, a vat finds out by
   * itself what is dead; after any other question this host stays behind.
   *
   * @param {string} vatId
   * @param {Question} question
   * @returns {Answer | undefined} undefined if the leader must answer
   */
  answer(vatId, [kind]) {
    if (this.#kernel === undefined || this.#kernel.isOver || !this.#places?.isAtWork(vatId))
      return undefined;
    if (kind === 'bringOutYourDead') return { kind: 'value', value: undefined };
    this.#kernel.end(`a vat asks for ${kind}`);
    return undefined;
  }

  /** Count what this host says. A thread that is ahead counts by itself. @param {number} bytes */
  spend(bytes) {
    this.#kernel?.spend(bytes);
  }

  /** Whether it runs cranks by itself. */
  get isAhead() {
    return this.#thread !== undefined || this.#kernel?.isOver === false;
  }

  /** @param {Thread} thread  that has ended */
  loseThread(thread) {
    const reason = 'a thread has ended';
    this.#kernel?.end(reason);
    if (this.#thread !== thread) return;
    const { post, flush } = this.#options;
    this.#thread = undefined;
    post({ kind: 'behind', reason });
    flush();
  }

  /** The session is over. */
  discard() {
    this.#kernel?.discard();
    this.#kernel = undefined;
    this.#places = undefined;
    this.#thread = undefined;
  }
}
