// The vats of one session on a host. Requests of the leader go to the threads, and their reports to the leader. Reads
// of a vat's own store are answered here, from a copy (store-copy.js); a vat that has run before is
// restored from its transcript without questions to the leader.

import { availableParallelism } from 'node:os';
import { cutTranscript } from '#host/workers/cut-transcript.js';
import { ByteReader, ReactorReport, readTranscriptEntry } from '#model';
import { AheadOnHost } from './ahead-on-host.js';
import { hasNoEffect } from './next-deliveries.js';
import { StoreCopy } from './store-copy.js';

/** @import { Report, Request } from '#transport' */
/** @import { WorkerThread } from '#host/workers/worker-thread.js' */
/** @import { HostThreads, Thread } from './host-threads.js' */
/** @import { ToHost, ToLeader } from './host-messages.js' */

/**
 * Bytes of a transcript that are replayed at a time, some 100 cranks: between the pieces the thread's other vats run.
 */
const pieceBytes = 16 * 1024;

/**
 * How long results wait for those of other deliveries under way. Each packet costs the host, the server and the leader
 * about as much processor time as a short crank.
 */
const mostWaitMs = 1;

/**
 * @typedef {object} PlacedVat
 * @property {Thread} thread
 * @property {number} number
 * @property {StoreCopy} copy
 * @property {Extract<Request, { kind: 'deliver' }>[]} next  deliveries that it begins by itself (next-deliveries.js)
 * @property {ReactorReport | undefined} report  of its reactors, reused for each result; undefined for a vat without
 *   reactors
 */

/** @typedef {Extract<Report, { kind: 'replayed' }>} Replayed */

// eslint-disable-next-line house/max-class-lines -- one vat on another machine, from attaching to replay; the states of its link are private
export class Place {
  #options;

  #threads;

  /** @type {Map<string, PlacedVat>} */
  #vats = new Map();

  /** Vats that are being made. @type {Map<string, (problem?: { problem: string, isUsers: boolean }) => void>} */
  #making = new Map();

  /** Vats that are being restored from their transcripts. @type {Map<string, (report: Replayed) => void>} */
  #replaying = new Map();

  /** Vats that wait until a thread can be chosen for them. @type {Set<string>} */
  #choosing = new Set();

  /** The threads with a question to the leader, by vat. @type {Map<string, WorkerThread>} */
  #asking = new Map();

  /** When the waiting results are sent at the latest. @type {NodeJS.Timeout | undefined} */
  #sending;

  /** Whether a vat waits for the leader's answer. */
  #isAsking = false;

  /** Vats with an unanswered delivery, and those that are being made. @type {Set<string>} */
  #atWork = new Set();

  /** @type {Map<string, Extract<Request, { kind: 'bundle' }>>} */
  #bundles;

  #isClosed = false;

  #ahead;

  /**
   * @param {object} options
   * @param {Parameters<HostThreads['use']>[0]} options.profile  of the kernel
   * @param {HostThreads} options.threads
   * @param {Map<string, Extract<Request, { kind: 'bundle' }>>} options.bundles  kept from one place to the next
   * @param {(message: ToLeader) => number} options.post  returns its bytes
   * @param {() => void} options.flush
   * @param {() => number} options.countReceived  the number of batches of the leader that have come
   */
  constructor(options) {
    this.#options = options;
    this.#bundles = options.bundles;
    this.#threads = options.threads;
    this.#ahead = new AheadOnHost({
      ...{ profile: options.profile, post: options.post, flush: options.flush },
      ...{ vats: this.#vats, deliver: request => this.#deliver(request) },
      ...{
        begun: vatId => this.#noteBegun(vatId),
        awaitReports: ms => this.#threads.awaitReports(ms),
      },
    });
    this.#threads.use(options.profile, {
      onMade: ({ vatId, problem, isUsers = false }) => {
        const tell = this.#making.get(vatId);
        this.#making.delete(vatId);
        tell?.(problem === undefined ? undefined : { problem, isUsers });
      },
      provideReport: vatId => {
        const vat = this.#vats.get(vatId);
        return vat === undefined ? new ReactorReport() : vat.report;
      },
      onReport: (thread, report) => this.#takeReport(thread, report),
      onEnd: (thread, reason) => this.#loseThread(thread, reason),
      flush: () => this.#flushSoon(),
    });
  }

  /** Send what was posted, unless more is about to come. */
  #flushSoon() {
    if (this.#atWork.size === 0 || this.#isAsking || this.#ahead.isAhead) this.#flush();
    else this.#sending ??= setTimeout(() => this.#flush(), mostWaitMs);
  }

  #flush() {
    clearTimeout(this.#sending);
    this.#sending = undefined;
    this.#isAsking = false;
    this.#options.flush();
  }

  /** @param {Thread} thread @param {string} reason */
  #loseThread(thread, reason) {
    const { worker, vats } = thread;
    const vatIds = [...vats];
    const working = vatIds.find(vatId => this.#vats.get(vatId)?.number === worker.atWork) ?? '';
    for (const vatId of vatIds) {
      this.#vats.delete(vatId);
      this.#making.delete(vatId);
      this.#replaying.delete(vatId);
      this.#asking.delete(vatId);
      this.#atWork.delete(vatId);
    }
    this.#options.post({ kind: 'ended', reason, atWork: working, vatIds });
    this.#ahead.loseThread(thread);
    this.#options.flush();
  }

  /** Post what a thread says. @param {ToLeader} message */
  #post(message) {
    this.#ahead.spend(this.#options.post(message));
  }

  /** @param {Thread} thread @param {Report} report */
  #takeReport({ worker }, report) {
    // Not used here: each result says whether the root has the method.
    if (report.kind === 'hasMethod' || this.#ahead.takeReport(report)) return;
    if (report.kind !== 'replayed' && report.kind !== 'question' && report.kind !== 'result')
      throw RangeError(`a report ${report.kind} from a thread`);
    const { vatId } = report;
    if (report.kind === 'replayed') {
      const tell = this.#replaying.get(vatId);
      this.#replaying.delete(vatId);
      tell?.(report);
      return;
    }
    const vat = this.#vats.get(vatId);
    if (report.kind === 'question') {
      const { question, earlier } = report;
      if (earlier.length > 0) vat?.copy.applyEarlier(earlier);
      const answer = vat?.copy.answer(question) ?? this.#ahead.answer(vatId, question);
      if (answer === undefined) {
        this.#asking.set(vatId, worker);
        this.#isAsking = true;
        this.#post({ kind: 'report', report });
        return;
      }
      this.#post({ kind: 'told', vatId, question, answer });
      worker.send({ kind: 'answer', answer });
      return;
    }
    this.#atWork.delete(vatId);
    vat?.copy.endCrank(report.fault === null ? report.syscalls : undefined);
    this.#post({ kind: 'report', report });
    this.#ahead.takeResult(report);
    if (vat === undefined || vat.next.length === 0) return;
    const next = hasNoEffect(report) ? vat.next.shift() : undefined;
    if (next === undefined) vat.next = [];
    else this.#deliver(next);
  }

  /** @param {Extract<Request, { kind: 'deliver' }>} request @returns {boolean} false if the vat is not here */
  #deliver(request) {
    const vat = this.#vats.get(request.vatId);
    if (vat === undefined) return false;
    vat.thread.worker.send(request);
    this.#noteBegun(request.vatId);
    return true;
  }

  /** @param {string} vatId */
  #forgetNext(vatId) {
    const vat = this.#vats.get(vatId);
    if (vat !== undefined) vat.next = [];
  }

  /** @param {string} vatId */
  #noteBegun(vatId) {
    const vat = this.#vats.get(vatId);
    if (vat === undefined) return;
    vat.thread.underWay += 1;
    this.#atWork.add(vatId);
  }

  /**
   * Handle a message of the leader.
   *
   * @param {ToHost} message
   * @throws {RangeError} if it is not for a host
   */
  take(message) {
    if (message.kind === 'restore') {
      void this.#restore(message);
      return;
    }
    if (message.kind === 'catchUp') {
      void this.#catchUp(message);
      return;
    }
    if (message.kind === 'answer') {
      const { vatId, answer } = message;
      const worker = this.#asking.get(vatId);
      this.#asking.delete(vatId);
      worker?.send({ kind: 'answer', answer });
      return;
    }
    if (this.#ahead.take(message)) return;
    if (message.kind === 'next') {
      this.#vats.get(message.request.vatId)?.next.push(message.request);
      return;
    }
    if (message.kind !== 'request') throw RangeError(`a message ${message.kind} for a place`);
    const { request } = message;
    switch (request.kind) {
      case 'bundle':
        this.#bundles.set(request.id, request);
        break;
      case 'deliver':
        // If the vat is not here, its thread has ended, and the leader does not know yet.
        if (this.#deliver(request)) this.#forgetNext(request.vatId);
        break;
      default: {
        if (!('vatId' in request)) throw RangeError(`a request ${request.kind} for no vat`);
        const isClosing = request.kind === 'close';
        if (isClosing && this.#choosing.delete(request.vatId)) this.#atWork.delete(request.vatId);
        const vat = this.#vats.get(request.vatId);
        if (vat === undefined) return;
        vat.thread.worker.send(request);
        if (isClosing) {
          this.#vats.delete(request.vatId);
          vat.thread.vats.delete(request.vatId);
        }
      }
    }
  }

  /** @param {Extract<ToHost, { kind: 'restore' }>} message */
  async #restore({ vatId, description, stored, transcript }) {
    const { post, flush } = this.#options;
    this.#atWork.add(vatId);
    const settled = this.#threads.settled();
    if (settled !== undefined) {
      this.#choosing.add(vatId);
      await settled;
      // The vat was closed meanwhile.
      if (!this.#choosing.delete(vatId) || this.#isClosed) return;
    }
    const thread = this.#threads.choose();
    thread.making += 1;
    try {
      const { source, number, hasReactors } = JSON.parse(description);
      /** @type {PlacedVat} */
      const vat = {
        ...{ thread, number, copy: new StoreCopy(stored), next: [] },
        report: hasReactors ? new ReactorReport() : undefined,
      };
      this.#vats.set(vatId, vat);
      thread.vats.add(vatId);
      await thread.worker.ready;
      const bundle = this.#bundles.get(source);
      if (bundle === undefined) throw Error(`bundle ${source} was not sent`);
      if (!thread.bundles.has(source)) thread.worker.send(bundle);
      thread.bundles.add(source);
      const problem = await new Promise(resolve => {
        this.#making.set(vatId, resolve);
        thread.worker.send({ kind: 'make', vatId, description });
      });
      if (problem !== undefined) {
        this.#vats.delete(vatId);
        thread.vats.delete(vatId);
        post({ kind: 'made', vatId, ...problem, hasRounds: null });
        return;
      }
      await this.#replayAndTell(vatId, vat, transcript);
    } catch (error) {
      if (this.#isClosed) return;
      const problem = String(/** @type {Error} */ (error).message);
      post({ kind: 'made', vatId, problem, isUsers: false, hasRounds: null });
    } finally {
      thread.making -= 1;
      this.#atWork.delete(vatId);
      flush();
    }
  }

  /**
   * Replay a further part of the transcript of a vat that has not yet run here.
   *
   * @param {Extract<ToHost, { kind: 'catchUp' }>} message
   */
  async #catchUp({ vatId, transcript }) {
    const vat = this.#vats.get(vatId);
    // Its thread has ended, and the leader does not know it yet.
    if (vat === undefined) return;
    vat.thread.making += 1;
    this.#atWork.add(vatId);
    await this.#replayAndTell(vatId, vat, transcript);
    vat.thread.making -= 1;
    this.#atWork.delete(vatId);
    this.#options.flush();
  }

  /** @param {string} vatId @param {PlacedVat} vat @param {Uint8Array} transcript */
  async #replayAndTell(vatId, vat, transcript) {
    const { post } = this.#options;
    const { problem: difference, hasRounds } = await this.#replay(vatId, vat, transcript);
    if (difference === null) post({ kind: 'made', vatId, problem: '', isUsers: false, hasRounds });
    else post({ kind: 'diverged', vatId, difference });
  }

  /**
   * Restore a vat, one piece of its transcript at a time; its thread takes the answers from the transcript.
   *
   * @param {string} vatId
   * @param {PlacedVat} vat
   * @param {Uint8Array} transcript
   * @returns {Promise<Pick<Replayed, 'problem' | 'hasRounds'>>} `problem`: the first difference, null if there is none
   */
  async #replay(vatId, vat, transcript) {
    const { thread, copy } = vat;
    /** @type {Pick<Replayed, 'problem' | 'hasRounds'>} */
    let reached = { problem: null, hasRounds: null };
    for (const entries of cutTranscript(transcript, pieceBytes)) {
      // The vat was closed meanwhile.
      if (this.#vats.get(vatId) !== vat) break;
      /** @type {Promise<Replayed>} */
      const replaying = new Promise(resolve => void this.#replaying.set(vatId, resolve));
      thread.worker.send({ kind: 'replay', vatId, entries });
      for (const reader = new ByteReader(entries); !reader.done;) {
        const entry = readTranscriptEntry(reader);
        if (entry.kind === 'deliver') copy.apply(entry.syscalls);
      }
      reached = await replaying;
      if (reached.problem !== null) break;
    }
    return reached;
  }

  /**
   * Report the vats at work, and how much of what the leader has said is known here, so that the leader detects what was
   * lost. A host without vats reports, too: what its first vat is made of may have been lost.
   */
  tellWork() {
    const { post, flush, countReceived } = this.#options;
    // A thread that runs ahead keeps what it would say of a vat at work until the crank is over.
    const keeping = this.#threads.keeping();
    const vatIds = [...new Set([...this.#atWork, ...keeping])];
    const asking = [...this.#asking.keys()];
    post({ kind: 'working', received: countReceived(), vatIds, asking });
    flush();
  }

  /** The number of vats. */
  get size() {
    return this.#vats.size;
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#sending);
    this.#ahead.discard();
    this.#threads.leave();
    this.#vats.clear();
  }
}

/** The default number of threads: one core is left for the leader or other processes. */
export const usualThreads = () => Math.max(1, availableParallelism() - 1);
