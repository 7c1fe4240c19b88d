// The worker threads of a host. They outlive its sessions, since starting a thread would delay the recovery from a
// failed leader or host. So one thread starts before there is a vat for it, and the next session reuses the threads of
// the last. What a thread at work still reports belongs to an ended session: it is dropped, up to the answer to a request
// that comes behind all others. A thread that waits for the leader, or is not done soon, is ended.

import { availableParallelism } from 'node:os';
import { WorkerThread } from '#host/workers/worker-thread.js';
import { Bell, readReport } from '#transport';

/** @import { ProvideReport, Report } from '#transport' */
/** @import { WorkerStart } from '#host/workers/worker.js' */

/** The longest wait for the bell. */
const napMs = 500;

/**
 * How long a thread spins before it sleeps, at most: longer than a short crank takes, and less long than a round trip to
 * the leader, so that threads spin only while the host runs ahead (ahead-kernel.js).
 */
const spinNs = availableParallelism() > 1 ? 200_000 : 0;

/** How long a thread may work for an ended session: less long than a new thread takes to start. */
const mostSettleMs = 200;

/**
 * @typedef {object} Thread
 * @property {WorkerThread} worker
 * @property {Set<string>} vats  ids of its vats
 * @property {Set<string>} bundles  sent to it
 * @property {number} making  vats that are being made
 * @property {number} underWay  deliveries without a result, and one more while it runs ahead
 * @property {{ done: Promise<void>, end: () => void } | undefined} settling  while it may report something of an ended
 *   session
 */

/**
 * The callbacks of a session.
 *
 * @typedef {object} ThreadUser
 * @property {(message: { vatId: string, problem?: string, isUsers?: boolean }) => void} onMade
 * @property {ProvideReport} provideReport
 * @property {(thread: Thread, report: Report) => void} onReport
 * @property {(thread: Thread, reason: string) => void} onEnd  a thread has ended and was removed
 * @property {() => void} flush  called when reports have been read
 */

export class HostThreads {
  #count;

  #cacheDir;

  #bellMemory = Bell.makeMemory();

  #bell = new Bell(this.#bellMemory, spinNs);

  /** @type {Thread[]} */
  #threads = [];

  /** @type {ThreadUser | undefined} */
  #user;

  /** @type {WorkerStart['profile'] | undefined} */
  #profile;

  #isClosed = false;

  /** The number of reports that were read. */
  reports = 0;

  /** @param {{ count: number, cacheDir?: string | undefined }} options  `count`: the most threads */
  constructor({ count, cacheDir }) {
    this.#count = count;
    this.#cacheDir = cacheDir;
    void this.#watch();
  }

  /** Read the threads' reports, whenever one of them rings the bell. */
  async #watch() {
    const bell = this.#bell;
    while (!this.#isClosed) {
      const { count } = bell;
      this.#readAll();
      this.#user?.flush();
      if (bell.count === count) await bell.awaitTurning(count, napMs);
      else await new Promise(resolve => setImmediate(resolve));
    }
  }

  #readAll() {
    for (const thread of this.#threads) this.#readReports(thread);
  }

  /**
   * Read the threads' reports, and wait for one if there is none. The event loop stands still meanwhile.
   *
   * @param {number} timeoutMs
   */
  awaitReports(timeoutMs) {
    const bell = this.#bell;
    const { count } = bell;
    const { reports } = this;
    this.#readAll();
    if (this.reports > reports) return;
    bell.awaitBeside(count, timeoutMs);
    this.#readAll();
  }

  /**
   * The vats whose reports may not all have come: their threads keep some for the next batch. All others have come.
   *
   * @returns {string[]} ids
   */
  keeping() {
    const keeping = this.#threads.filter(({ worker }) => worker.kept > 0);
    this.#readAll();
    return keeping.flatMap(({ vats }) => [...vats]);
  }

  /** @type {ProvideReport} */
  #provideReport = vatId => this.#user?.provideReport(vatId);

  /** @param {Thread} thread */
  #readReports(thread) {
    const { worker } = thread;
    if (!worker.isUp) return;
    try {
      const provide = this.#provideReport;
      for (
        let report = worker.receive(provide);
        report !== undefined;
        report = worker.receive(provide)
      ) {
        if (report.kind !== 'batch') this.#takeReport(thread, report);
        else
          for (const frame of report.frames) this.#takeReport(thread, readReport(frame, provide));
      }
    } catch (error) {
      // Malformed messages: the thread cannot be used any more.
      if (!(error instanceof RangeError)) throw error;
      void worker.kill();
    }
  }

  /** @param {Thread} thread @param {Report} report */
  #takeReport(thread, report) {
    this.reports += 1;
    if (thread.settling !== undefined) {
      // Nobody can answer a question.
      if (report.kind === 'question') void this.#endThreads(each => each === thread);
      else if (report.kind === 'hasMethod') thread.settling.end();
      return;
    }
    if (report.kind === 'result') thread.underWay -= 1;
    this.#user?.onReport(thread, report);
  }

  /** @returns {Thread} */
  #start() {
    const [profile, cacheDir] = [/** @type {any} */ (this.#profile), this.#cacheDir];
    /** @type {Thread} */
    const thread = {
      ...{ worker: /** @type {any} */ (undefined), vats: new Set() },
      ...{ bundles: new Set(), making: 0, underWay: 0, settling: undefined },
    };
    thread.worker = new WorkerThread({
      ...{ kernelBell: this.#bellMemory, spinNs, profile, cacheDir, delays: undefined },
      onMessage: message => this.#user?.onMade(message),
      onEnd: reason => {
        thread.settling?.end();
        if (!this.#threads.includes(thread)) return;
        this.#threads = this.#threads.filter(each => each !== thread);
        this.#user?.onEnd(thread, reason);
      },
    });
    this.#threads.push(thread);
    return thread;
  }

  /**
   * Begin a session, after the one before has been left.
   *
   * @param {WorkerStart['profile']} profile  of the kernel
   * @param {ThreadUser} user
   */
  use(profile, user) {
    if (profile !== this.#profile) this.#endThreads(() => true);
    this.#profile = profile;
    this.#user = user;
    if (this.#threads.length === 0) this.#start();
  }

  /** Settles when no thread works for an ended session; undefined if none does. @returns {Promise<unknown> | undefined} */
  settled() {
    const settling = this.#threads.flatMap(each => each.settling?.done ?? []);
    return settling.length === 0 ? undefined : Promise.all(settling);
  }

  /** The thread with the fewest vats; starts a new one if none is idle and the bound allows it. @returns {Thread} */
  choose() {
    const idle = this.#threads.find(({ vats }) => vats.size === 0);
    if (idle !== undefined) return idle;
    if (this.#threads.length < this.#count) return this.#start();
    return this.#threads.reduce((least, each) => (each.vats.size < least.vats.size ? each : least));
  }

  /** End the session and discard its vats. */
  leave() {
    this.#user = undefined;
    void this.#endThreads(({ making, worker }) => making > 0 || !worker.isUp);
    for (const thread of this.#threads) {
      const { worker, vats, underWay } = thread;
      if (underWay > 0) worker.send({ kind: 'stayBehind' });
      for (const vatId of vats) worker.send({ kind: 'close', vatId });
      vats.clear();
      if (underWay > 0) this.#settle(thread);
    }
  }

  /** Wait until a thread has answered everything that it was sent. @param {Thread} thread */
  #settle(thread) {
    thread.underWay = 0;
    // No other request of a host is answered so.
    thread.worker.send({ kind: 'hasMethod', vatId: '', method: '' });
    if (thread.settling !== undefined) return;
    const timer = setTimeout(() => void this.#endThreads(each => each === thread), mostSettleMs);
    let resolve = () => {};
    /** @type {Promise<void>} */
    const done = new Promise(settle => {
      resolve = settle;
    });
    const end = () => {
      clearTimeout(timer);
      thread.settling = undefined;
      resolve();
    };
    thread.settling = { done, end };
  }

  /** @param {(thread: Thread) => boolean} isToEnd @returns {Promise<unknown>} */
  #endThreads(isToEnd) {
    const ending = this.#threads.filter(isToEnd);
    this.#threads = this.#threads.filter(each => !ending.includes(each));
    for (const { settling } of ending) settling?.end();
    return Promise.all(ending.map(({ worker }) => worker.end()));
  }

  /** @returns {Promise<void>} settles when all threads have ended */
  async close() {
    this.#isClosed = true;
    this.#user = undefined;
    await this.#endThreads(() => true);
  }
}
