// The worker threads of a host. They outlive its sessions: a thread takes some 400 ms to start, which nobody should wait for when a
// leader or a host has failed. So one thread starts before there is a vat for it, and threads that a session leaves idle are
// used by the next. A thread at work is ended instead, since what it still says belongs to a session that is over.

import { WorkerThread } from '#host/workers/worker-thread.js';
import { Bell } from '#transport';

/** @import { ProvideReport, Report } from '#transport' */
/** @import { WorkerStart } from '#host/workers/worker.js' */

/** How long it sleeps without being rung for. */
const napMs = 500;

/**
 * @typedef {object} Thread
 * @property {WorkerThread} worker
 * @property {Set<string>} vats  ids of those on it
 * @property {Set<string>} bundles  that it was sent
 * @property {number} underWay  deliveries without a result, and vats that are being made
 */

/**
 * A session, as its threads see it.
 *
 * @typedef {object} ThreadUser
 * @property {(message: { vatId: string, problem?: string, isUsers?: boolean }) => void} onMade
 * @property {ProvideReport} provideReport
 * @property {(thread: Thread, report: Report) => void} onReport
 * @property {(thread: Thread, reason: string) => void} onEnd  a thread has ended, and is none of these any more
 * @property {() => void} flush  reports have been read
 */

export class HostThreads {
  #count;

  #cacheDir;

  #bellMemory = Bell.makeMemory();

  /** @type {Thread[]} */
  #threads = [];

  /** @type {ThreadUser | undefined} */
  #user;

  /** @type {WorkerStart['profile'] | undefined} */
  #profile;

  #isClosed = false;

  /** @param {{ count: number, cacheDir?: string | undefined }} options  `count`: so many threads at most */
  constructor({ count, cacheDir }) {
    this.#count = count;
    this.#cacheDir = cacheDir;
    void this.#watch();
  }

  /** Read what the threads say, whenever one of them rings. */
  async #watch() {
    const bell = new Bell(this.#bellMemory);
    while (!this.#isClosed) {
      const { count } = bell;
      for (const thread of this.#threads) this.#readReports(thread);
      this.#user?.flush();
      if (bell.count === count) await bell.awaitTurning(count, napMs);
      else await new Promise(resolve => setImmediate(resolve));
    }
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
        if (report.kind === 'result') thread.underWay -= 1;
        this.#user?.onReport(thread, report);
      }
    } catch (error) {
      // Its messages cannot be understood: it is as good as dead.
      if (!(error instanceof RangeError)) throw error;
      void worker.kill();
    }
  }

  /** @returns {Thread} */
  #start() {
    const [profile, cacheDir] = [/** @type {any} */ (this.#profile), this.#cacheDir];
    /** @type {Thread} */
    const thread = {
      ...{ worker: /** @type {any} */ (undefined), vats: new Set() },
      ...{ bundles: new Set(), underWay: 0 },
    };
    thread.worker = new WorkerThread({
      ...{ kernelBell: this.#bellMemory, spinNs: 0, profile, cacheDir, delays: undefined },
      onMessage: message => this.#user?.onMade(message),
      onEnd: reason => {
        if (!this.#threads.includes(thread)) return;
        this.#threads = this.#threads.filter(each => each !== thread);
        this.#user?.onEnd(thread, reason);
      },
    });
    this.#threads.push(thread);
    return thread;
  }

  /**
   * A session begins, and the one before has been left.
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

  /** The thread with the fewest vats, of as many as there may be. @returns {Thread} */
  choose() {
    const idle = this.#threads.find(({ vats }) => vats.size === 0);
    if (idle !== undefined) return idle;
    if (this.#threads.length < this.#count) return this.#start();
    return this.#threads.reduce((least, each) => (each.vats.size < least.vats.size ? each : least));
  }

  /** A session ends: its vats are dropped. */
  leave() {
    this.#user = undefined;
    this.#endThreads(({ underWay, worker }) => underWay > 0 || !worker.isUp);
    for (const { worker, vats } of this.#threads) {
      for (const vatId of vats) worker.send({ kind: 'close', vatId });
      vats.clear();
    }
  }

  /** @param {(thread: Thread) => boolean} isToEnd @returns {Promise<unknown>} */
  #endThreads(isToEnd) {
    const ending = this.#threads.filter(isToEnd);
    this.#threads = this.#threads.filter(each => !ending.includes(each));
    return Promise.all(ending.map(({ worker }) => worker.end()));
  }

  /** @returns {Promise<void>} settles when all threads have ended */
  async close() {
    this.#isClosed = true;
    this.#user = undefined;
    await this.#endThreads(() => true);
  }
}
