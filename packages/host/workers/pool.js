// The worker threads of a simulation and their vats. The kernel's thread sends deliveries and waits for the next
// result; while it waits, it answers vats' questions. A thread that ends is replaced: its vats are made anew and
// restored from their transcripts, and deliveries under way are sent again. So the end of a thread costs only time.

import { performance } from 'node:perf_hooks';
import { Bell } from '#transport';
import { roundMethod } from '../vats/find-method.js';
import { CrankLimits } from './crank-limits.js';
import { makeDeliveries, sendCall } from './deliveries.js';
import { makeFrameReader } from './frames.js';
import { makeMoves } from './moves.js';
import { makeKernelBell } from './kernel-bell.js';
import { openWorker } from './open-worker.js';
import { makeRecovery } from './recovery.js';
import { makeVatMaker } from './vat-maker.js';
import { makeRemoteVat, waitForLook } from './remote-vat.js';
import { ThreadEnded } from './thread-ended.js';
import { workerFigures } from './worker-figures.js';

/** @import { Kernel, Transport } from '#kernel' */
/** @import { VatLimits } from '#model' */
/** @import { BundleShelf } from '../vats/bundle-shelf.js' */
/** @import { EngineFlags } from '../engine/engine-flags.js' */
/** @import { VatWatch } from '../vats/vat-watch.js' */
/** @import { EarlyThreads } from './early-threads.js' */
/** @import { LoadMeter } from './load-meter.js' */
/** @import { Move, Moves } from './moves.js' */
/** @import { CrankNote } from './note-reactions.js' */
/** @import { RemoteVat } from './remote-vat.js' */
/** @import { Worker } from './open-worker.js' */
/** @import { VatOnWorker } from './worker.js' */

/**
 * @typedef {object} Thread
 * @property {number} number  from 1
 * @property {Worker} worker
 * @property {number | undefined} heapBytes  of a process with one vat: its memory limit
 * @property {Map<string, RemoteVat>} vats  by id
 * @property {Set<string>} bundles  that were sent to it
 * @property {Error | undefined} failure  why it cannot be replaced
 * @property {number} restarts  since its last result
 * @property {number} busyNs
 * @property {number} cranks
 * @property {number} batches
 * @property {number} upMs  when it first was ready
 * @property {boolean} isInBatch  whether something was sent to it since the kernel's last wait
 */

/** @typedef {Omit<VatOnWorker, 'number'>} VatDescription */

/** @param {readonly Thread[]} threads @param {string} vatName */
const findRounds = (threads, vatName) => {
  for (const { vats } of threads)
    for (const { name, hasRounds, isClosed } of vats.values())
      if (name === vatName && !isClosed) return hasRounds ?? undefined;
  return undefined;
};

/**
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {BundleShelf} parts.shelf
 * @param {VatWatch} parts.watch
 * @param {number} parts.count  of threads
 * @param {string | undefined} parts.cacheDir
 * @param {LoadMeter} parts.meter
 * @param {EngineFlags} parts.engineFlags
 * @param {boolean} [parts.hasLimits]  whether its vats have limits
 * @param {EarlyThreads} [parts.early]  threads that were started already
 * @param {(vatId: string, threadNumber: number, note: CrankNote) => void} [parts.noteCrank]  called with what was noted of
 *   vats that are watched or timed
 * @param {number} [parts.delays]  for tests: seed of random waits in the threads
 */
export const makeWorkerPool = parts => {
  const { kernel, shelf, watch, count, cacheDir, meter, engineFlags, hasLimits, delays } = parts;
  const { early } = parts;
  const { memory: kernelBell, spinNs } = early?.bell ?? makeKernelBell(count);
  const bell = new Bell(kernelBell, spinNs);
  /** @type {Thread[]} */
  const threads = [];
  const vatMaker = makeVatMaker(shelf);
  let isClosed = false;
  let nextNumber = 1;
  let nextThread = 1;
  /** Processes that are being ended. @type {Set<Promise<void>>} */
  const ending = new Set();

  const { readAll, takeSpent } = makeFrameReader({
    ...{ threads, limits: hasLimits ? new CrankLimits() : undefined },
    holdBack: (vat, call) => recovery.holdBack(vat, call),
    noteReplayed(thread, report) {
      moves.noteReplayed(thread, report);
      recovery.noteReplayed(thread, report);
    },
  });
  const { finish, transportOf } = makeDeliveries({
    ...{ kernel, watch, meter, bell, threads, readAll },
    endThread: thread => endThread(thread),
    restore: vat => recovery.restore(vat),
    rewind: vat => recovery.rewind(vat),
    mayOvertake: vat => recovery.mayOvertake(vat),
    noteCrank: (vat, note) => parts.noteCrank?.(vat.vatId, vat.thread.number, note),
  });

  /** @param {Thread} thread @param {EarlyThreads} [ready]  it may be one of these */
  const makeWorker = (thread, ready) => {
    const { heapBytes, number } = thread;
    const options = {
      ...{ profile: /** @type {any} */ (kernel.profile.name), cacheDir },
      delays: delays && delays + number,
      /** @type {import('./open-worker.js').WorkerOptions['onMessage']} */
      onMessage: message => vatMaker.settle(thread, message),
      /** @type {import('./open-worker.js').WorkerOptions['onEnd']} */
      onEnd: (reason, limit) => {
        // The process of a vat that has ended is not replaced.
        if (isClosed || thread.worker !== worker || !threads.includes(thread)) return;
        if (limit === undefined) recovery.replace(thread, reason);
        else recovery.endBeyond(thread, limit);
      },
    };
    const taken = heapBytes === undefined ? ready?.take(options) : undefined;
    /** @type {Worker} */
    const worker = taken ?? openWorker({ ...options, heapBytes, kernelBell, spinNs, engineFlags });
    return worker;
  };

  /** @param {number} [heapBytes]  for a process with one vat */
  const addThread = heapBytes => {
    const thread = /** @type {Thread} */ ({
      ...{ number: nextThread, heapBytes, vats: new Map(), bundles: new Set() },
      ...{ failure: undefined, restarts: 0, busyNs: 0, cranks: 0 },
      ...{ batches: 0, isInBatch: false, upMs: performance.now() },
    });
    nextThread += 1;
    thread.worker = makeWorker(thread, early);
    const noteReady = () => {
      thread.upMs = performance.now();
    };
    thread.worker.ready.then(noteReady, () => {});
    threads.push(thread);
    return thread;
  };

  /** @param {number} number  of threads */
  const openUpTo = number => {
    while (threads.length < number) addThread();
  };

  /** End the process of a vat that has ended. @param {Thread} thread */
  const endThread = thread => {
    threads.splice(threads.indexOf(thread), 1);
    const ended = thread.worker.end().then(() => void ending.delete(ended));
    ending.add(ended);
  };

  /** @param {string} vatId @param {VatDescription} description @param {Thread} thread */
  const addVat = (vatId, description, thread) => {
    nextNumber += 1;
    return makeRemoteVat(vatId, { ...description, number: nextNumber - 1 }, thread);
  };

  /**
   * Make a vat that moves to a thread. If it was there before and the thread is being restored, its old copy is there until
   * that is done: frames name a vat by its id, so there can be only one.
   *
   * @param {RemoteVat} vat
   * @throws {ThreadEnded} if the thread ends meanwhile
   */
  const makeMoving = async vat => {
    const { thread, vatId } = vat;
    const { worker } = thread;
    const isGone = () => isClosed || thread.worker !== worker || thread.failure !== undefined;
    while (thread.vats.has(vatId) && !isGone()) await waitForLook(vat);
    if (isGone()) throw new ThreadEnded(`thread ${thread.number} has ended`);
    await vatMaker.make(vat);
  };

  /** @type {Moves} */
  const moves = makeMoves({
    makeVat: makeMoving,
    readAll,
    awaitBell: (act, timeoutMs) => {
      const { count: rung } = bell;
      if (!act()) bell.await(rung, timeoutMs);
    },
  });

  const recovery = makeRecovery({
    ...{ kernel, moves, readAll, makeWorker, sendCall, finish },
    ...{ makeVat: vatMaker.make, rejectMaking: vatMaker.reject },
  });

  /**
   * Choose a new process, a new thread if there may be more, or the thread with the fewest vats.
   *
   * @param {number} [heapBytes]
   */
  const chooseThread = heapBytes => {
    const shared = threads.filter(each => each.heapBytes === undefined);
    if (heapBytes !== undefined || shared.length < count) return addThread(heapBytes);
    return shared.reduce((least, each) => (each.vats.size < least.vats.size ? each : least));
  };

  return Object.freeze({
    /**
     * Tell whether each thread has more vats than the kernel's thread, which runs vats as well.
     *
     * @param {number} local  number of vats on the kernel's thread
     */
    isFuller: local => threads.length === count && threads.every(({ vats }) => vats.size > local),

    /**
     * Make a vat on one of the threads.
     *
     * @param {string} vatId
     * @param {VatDescription} description
     * @param {VatLimits} [limits]
     * @returns {Promise<Transport>}
     */
    async attach(vatId, description, { crankMs, heap } = {}) {
      const thread = chooseThread(heap);
      const vat = addVat(vatId, description, thread);
      if (crankMs !== undefined) vat.crankMs = crankMs;
      thread.vats.set(vatId, vat);
      try {
        await vatMaker.make(vat);
      } catch (error) {
        if (error instanceof ThreadEnded || vat.beyond !== undefined) {
          // The new thread makes the vat, or the vat's start is refused. If there is no new thread, the vat's first crank
          // ends the run: here the error would be one of the vat's start.
          while (!vat.isReady && thread.failure === undefined && !isClosed) await waitForLook(vat);
          if (!isClosed) return transportOf(vat);
        }
        thread.vats.delete(vatId);
        throw error;
      }
      vat.isReady = true;
      return transportOf(vat);
    },

    /** The maximal number of threads. */
    count,

    /** Whether any vat runs on a thread. */
    get hasVats() {
      return threads.some(({ vats }) => vats.size > 0);
    },

    /** Whether threads spin for a while before they sleep. */
    spins: () => bell.spins,

    /** @param {string} vatId  @returns {number} the number of its thread; 0 if it is on none */
    threadOf: vatId => threads.find(({ vats }) => vats.get(vatId)?.isClosed === false)?.number ?? 0,

    /** Start threads to which vats may move. @param {number} number */
    openThreads: openUpTo,

    /**
     * Begin to make a vat on a thread and to replay its transcript there, while it runs elsewhere.
     *
     * @param {string} vatId
     * @param {VatDescription} description
     * @param {number} number  of the thread
     * @returns {Move}
     */
    beginMove(vatId, description, number) {
      openUpTo(number);
      return moves.begin(addVat(vatId, description, threads[number - 1]));
    },

    /** Vats on their way to a thread. */
    moves,

    /** Read the frames that threads have sent, and send frames that found no room. */
    poll: readAll,

    /**
     * End a move whose whole transcript is replayed: the vat now runs here.
     *
     * @param {Move} move
     * @returns {Transport}
     */
    endMove(move) {
      const { vat } = moves.end(move);
      vat.thread.vats.set(vat.vatId, vat);
      vat.taken = move.cranks;
      vat.isReady = true;
      return transportOf(vat);
    },

    /**
     * Tell whether the root object of a vat has the method of rounds; undefined if the vat is not on a thread, or has
     * no such object.
     *
     * @param {string} vatName
     * @param {string} method  undefined for methods other than that of rounds
     */
    rootHasMethod(vatName, method) {
      return method === roundMethod ? findRounds(threads, vatName) : undefined;
    },

    takeSpent,

    /** The work of each thread. */
    figures: () => workerFigures(threads, performance.now()),

    /** Nanoseconds for which the kernel's thread waited for these threads. */
    waitedNs: () => Math.round(bell.waitedMs * 1_000_000),

    /** For tests: end a thread, as if it ended by itself. @param {number} number */
    kill: number => threads[number - 1]?.worker.kill(),

    async close() {
      isClosed = true;
      for (const { worker } of threads) await worker.end();
      await Promise.all(ending);
    },
  });
};

/** @typedef {ReturnType<typeof makeWorkerPool>} WorkerPool */
