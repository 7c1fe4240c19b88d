// The worker threads of a simulation, and which vat runs on which. The kernel's thread hands out deliveries and waits for
// the results that it needs; while it waits, it answers what vats ask. A thread that ends is replaced: its vats are made
// anew and brought back from their transcripts, and what was under way is sent again. So that costs time, and nothing else.

import { availableParallelism, loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { reviveReport } from '#loader/compartment';
import { Fail, UserError } from '#model';
import { Bell } from '#transport';
import { roundMethod } from '../find-method.js';
import { tellTestLog } from '../vats.js';
import { makeMoves } from './moves.js';
import { makeRecovery, ThreadEnded } from './recovery.js';
import { answerQuestion, isTooEarly, makeCall, noAnswer, takeResult } from './remote-vat.js';
import { WorkerThread } from './worker-thread.js';

/** @import { CrankResult, Kernel, Transport } from '#kernel' */
/** @import { BundleShelf } from '../bundle-shelf.js' */
/** @import { VatWatch } from '../vat-watch.js' */
/** @import { Report } from '#transport' */
/** @import { LoadMeter } from './load-meter.js' */
/** @import { Move } from './moves.js' */
/** @import { Call, RemoteVat } from './remote-vat.js' */
/** @import { VatOnWorker } from './worker.js' */

/**
 * How long at most a thread looks again and again before it sleeps, where each has a core of its own. One that sleeps is woken
 * late, and often on the core of the thread that wakes it: then both share that core for some milliseconds.
 */
const spinNs = 1_000_000;

/** Where so many threads a core want to run, those of other processes included, none spins. */
const busyLoad = 2;

/** How long the kernel's thread waits before it lets its event loop turn: for signals, and for threads that have ended. */
const patienceMs = 20;

/** How often it looks then. */
const lookMs = 1;

/**
 * @typedef {object} Thread
 * @property {number} number  from 1
 * @property {WorkerThread} worker
 * @property {Map<string, RemoteVat>} vats  by id
 * @property {Set<string>} bundles  that it has been sent
 * @property {Error | undefined} failure  why it cannot be replaced
 * @property {number} restarts  since it gave a result
 * @property {number} busyNs
 * @property {number} cranks
 * @property {number} batches
 * @property {boolean} isInBatch  whether it was sent something since the kernel waited last
 */

/** @typedef {Omit<VatOnWorker, 'number'>} VatDescription */

/** A vat that moves is made on one thread while it may be made anew on another. @param {Thread} thread @param {string} vatId */
const makingKey = ({ number }, vatId) => `${number} ${vatId}`;

/**
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {BundleShelf} parts.shelf
 * @param {VatWatch} parts.watch
 * @param {number} parts.count  of threads
 * @param {string | undefined} parts.cacheDir
 * @param {LoadMeter} parts.meter
 * @param {number} [parts.delays]  for tests: a seed of random waits in the threads
 */
// eslint-disable-next-line max-lines-per-function -- threads, their rings and their vats are one private state; messages and limits are elsewhere
export const makeWorkerPool = ({ kernel, shelf, watch, count, cacheDir, meter, delays }) => {
  const begunMs = performance.now();
  const bellMemory = Bell.makeMemory();
  const cores = availableParallelism();
  const hasCores = count < cores;
  const mostSpinNs = hasCores && loadavg()[0] < cores * busyLoad ? spinNs : 0;
  const bell = new Bell(bellMemory, mostSpinNs);
  /** @type {Thread[]} */
  const threads = [];
  /** @type {Map<string, { resolve: (value?: undefined) => void, reject: (error: Error) => void }>} vats that are being made, by `makingKey` */
  const making = new Map();
  const spent = { count: 0, ns: 0 };
  let isClosed = false;
  let nextNumber = 1;
  /** Of the delivery that was begun last. */
  let nextOrder = 0;

  /** @param {Thread} thread */
  const makeWorker = thread => {
    const worker = new WorkerThread({
      kernelBell: bellMemory,
      spinNs: mostSpinNs,
      profile: /** @type {any} */ (kernel.profile.name),
      cacheDir,
      delays: delays && delays + thread.number,
      onMessage: ({ vatId, problem, isUsers }) => {
        const key = makingKey(thread, vatId);
        const waiter = making.get(key);
        making.delete(key);
        if (problem === undefined) waiter?.resolve();
        else waiter?.reject(isUsers ? new UserError(problem, { exitCode: 1 }) : Error(problem));
      },
      onEnd: reason => {
        if (!isClosed && thread.worker === worker) recovery.replace(thread, reason);
      },
    });
    return worker;
  };

  const addThread = () => {
    const thread = /** @type {Thread} */ ({
      ...{ number: threads.length + 1, vats: new Map(), bundles: new Set() },
      ...{ failure: undefined, restarts: 0, busyNs: 0, cranks: 0 },
      ...{ batches: 0, isInBatch: false },
    });
    thread.worker = makeWorker(thread);
    threads.push(thread);
    return thread;
  };

  /** @param {RemoteVat} vat @param {Call} call */
  const sendCall = ({ thread, vatId }, call) => {
    const { when, asked, delivery } = call;
    call.at = 0;
    if (!thread.isInBatch) {
      thread.isInBatch = true;
      thread.batches += 1;
    }
    thread.worker.send({ kind: 'deliver', vatId, when, asked, delivery });
  };

  /**
   * @param {WorkerThread} worker
   * @param {Call} call
   * @param {Extract<Report, { kind: 'question' }>} report
   */
  const answer = (worker, call, { question, earlier }) => {
    worker.send({ kind: 'answer', answer: answerQuestion(call, question, earlier) });
  };

  /**
   * The turn of a call has come: what its vat has asked too early is answered.
   *
   * @param {RemoteVat} vat
   * @param {Call} call
   */
  const makeDue = ({ thread }, call) => {
    call.isDue = true;
    const { held } = call;
    if (held === undefined) return;
    call.held = undefined;
    answer(thread.worker, call, held);
  };

  /**
   * Take what a thread has sent.
   *
   * @param {Thread} thread
   */
  const readFrames = thread => {
    const { worker } = thread;
    for (let report = worker.receive(); report !== undefined; report = worker.receive()) {
      // An answer to a question that is not asked here: each result says what is wanted.
      if (report.kind === 'hasMethod') continue;
      if (report.kind === 'replayed') {
        moves.noteReplayed(thread, report);
        continue;
      }
      const vat = thread.vats.get(report.vatId);
      const call = vat?.replaying ?? vat?.call;
      if (report.kind === 'question') {
        if (call === undefined) worker.send(noAnswer);
        else if (isTooEarly(call, report.question)) call.held = report;
        else answer(worker, call, report);
        continue;
      }
      thread.busyNs += report.busyNs;
      thread.cranks += 1;
      if (meter.isOn && call !== undefined) meter.note(report.vatId, call.when, report.busyNs);
      thread.restarts = 0;
      spent.count += report.collections;
      spent.ns += report.collectionNs;
      if (vat !== undefined) vat.hasRounds = report.hasRounds ?? vat.hasRounds;
      if (call !== undefined) call.result = report;
    }
  };

  const readAll = () => {
    for (let i = 0; i < threads.length; i += 1) {
      const { worker } = threads[i];
      if (!worker.isUp) continue;
      try {
        readFrames(threads[i]);
      } catch (error) {
        // What it sends is not to be understood: it is as good as dead.
        if (!(error instanceof RangeError)) throw error;
        void worker.end();
      }
    }
  };

  /** @param {RemoteVat} vat @param {string} shown */
  const show = ({ name }, shown) => {
    if (shown === '') return;
    for (const [first, text] of JSON.parse(shown)) {
      if (first === 'testLog') tellTestLog(watch.hooks, name, text);
      else if (typeof first === 'string')
        watch.hooks.onConsole(name, /** @type {any} */ (first), text);
      else watch.hooks.onVatError(name, reviveReport(first));
    }
  };

  /**
   * @param {RemoteVat} vat
   * @param {Call} call  with its result
   * @returns {CrankResult}
   */
  const finishCall = (vat, call) => {
    watch.running.vatName = undefined;
    const result = takeResult(call);
    vat.taken += 1;
    if (vat.replaying === call) {
      vat.replaying = undefined;
      return result;
    }
    vat.call = undefined;
    vat.last = call;
    show(vat, call.result?.shown ?? '');
    return result;
  };

  /** @param {RemoteVat} vat @param {Call} call */
  const isHere = (vat, call) =>
    call.result !== undefined && (vat.isReady || vat.replaying === call);

  /**
   * As `finish`, while the event loop turns.
   *
   * @param {RemoteVat} vat
   * @param {Call} call
   * @returns {Promise<CrankResult>}
   */
  const finishLater = async (vat, call) => {
    for (;;) {
      readAll();
      if (isHere(vat, call)) return finishCall(vat, call);
      if (vat.thread.failure !== undefined) throw vat.thread.failure;
      // Its thread has ended: it will be replayed on another one.
      if (vat.replaying !== call && vat.call !== call) throw new ThreadEnded();
      await new Promise(resolve => void setTimeout(resolve, lookMs));
    }
  };

  /**
   * The result of a delivery: at once, if it is not long in coming.
   *
   * @param {RemoteVat} vat
   * @param {Call} call
   * @returns {CrankResult | Promise<CrankResult>}
   */
  const finish = (vat, call) => {
    makeDue(vat, call);
    const { running } = watch;
    running.vatName = vat.name;
    running.delivery = call.delivery;
    running.cranks += 1;
    const untilMs = performance.now() + patienceMs;
    for (let i = 0; i < threads.length; i += 1) threads[i].isInBatch = false;
    for (;;) {
      const { count: rung } = bell;
      readAll();
      if (isHere(vat, call)) return finishCall(vat, call);
      const isLong = performance.now() > untilMs;
      if (isLong || !vat.thread.worker.isUp || (!vat.isReady && vat.replaying !== call))
        return finishLater(vat, call);
      bell.await(rung, patienceMs);
    }
  };

  /** @param {RemoteVat} vat @returns {Promise<void>} */
  const makeVat = async vat => {
    const { thread, vatId, description } = vat;
    const { worker } = thread;
    worker.ref();
    await worker.ready;
    const { source } = description;
    if (!thread.bundles.has(source)) {
      const { bundle, sourceUrls } = shelf.find(source) ?? Fail`bundle ${source} is not installed`;
      thread.bundles.add(source);
      const urls = JSON.stringify(sourceUrls);
      worker.send({ kind: 'bundle', id: source, text: JSON.stringify(bundle), urls });
    }
    const made = new Promise((resolve, reject) => {
      making.set(makingKey(thread, vatId), { resolve, reject });
    });
    worker.send({ kind: 'make', vatId, description: JSON.stringify(description) });
    await made;
    worker.unref();
  };

  /**
   * @param {RemoteVat} vat
   * @returns {Transport}
   */
  const transportOf = vat =>
    Object.freeze({
      overlaps: true,
      waitsForTurn: true,
      begin(delivery, answer, when) {
        const asked = delivery[0] === 'bringOutYourDead' ? kernel.askedNext() : [];
        const call = makeCall(delivery, answer, when, asked);
        nextOrder += 1;
        call.order = nextOrder;
        vat.call = call;
        // Otherwise it is sent when the vat has been brought back.
        if (vat.isReady) sendCall(vat, call);
      },
      isDone() {
        const call = vat.call ?? Fail`vat ${vat.vatId} has been given nothing`;
        makeDue(vat, call);
        readAll();
        return isHere(vat, call);
      },
      finish: () => finish(vat, vat.call ?? Fail`vat ${vat.vatId} has been given nothing`),
      close() {
        const { thread, vatId } = vat;
        if (vat.call?.held !== undefined && thread.worker.isUp) thread.worker.send(noAnswer);
        thread.vats.delete(vatId);
        if (vat.isReady && thread.worker.isUp) thread.worker.send({ kind: 'close', vatId });
        vat.isReady = false;
      },
    });

  /** @param {string} vatId @param {VatDescription} description @param {Thread} thread @returns {RemoteVat} */
  const makeRemoteVat = (vatId, description, thread) => {
    nextNumber += 1;
    return {
      ...{ vatId, name: description.name, thread, call: undefined, replaying: undefined },
      ...{ description: { ...description, number: nextNumber - 1 }, last: undefined, taken: 0 },
      ...{ isReady: false, hasRounds: null },
    };
  };

  const moves = makeMoves({
    makeVat,
    readAll,
    awaitBell: (act, timeoutMs) => {
      const { count: rung } = bell;
      if (!act()) bell.await(rung, timeoutMs);
    },
  });

  const recovery = makeRecovery({
    ...{ kernel, moves, makeWorker, makeVat, sendCall, finish },
    dropMaking: (thread, vatId, error) => {
      const key = makingKey(thread, vatId);
      making.get(key)?.reject(error);
      making.delete(key);
    },
  });

  /** The thread with the fewest vats, of as many as there may be. */
  const chooseThread = () => {
    if (threads.length < count) return addThread();
    return threads.reduce((least, each) => (each.vats.size < least.vats.size ? each : least));
  };

  return Object.freeze({
    /**
     * Whether each thread has more vats than the kernel's own, which works as well.
     *
     * @param {number} local  how many vats the kernel's thread has
     */
    isFuller: local => threads.length === count && threads.every(({ vats }) => vats.size > local),

    /**
     * A place for a vat on one of the threads.
     *
     * @param {string} vatId
     * @param {VatDescription} description
     * @returns {Promise<Transport>}
     */
    async attach(vatId, description) {
      const thread = chooseThread();
      const vat = makeRemoteVat(vatId, description, thread);
      thread.vats.set(vatId, vat);
      try {
        await makeVat(vat);
      } catch (error) {
        if (error instanceof ThreadEnded) {
          // The new thread makes it.
          while (!vat.isReady && thread.failure === undefined)
            await new Promise(resolve => void setTimeout(resolve, lookMs));
          if (thread.failure === undefined) return transportOf(vat);
        }
        thread.vats.delete(vatId);
        throw thread.failure ?? error;
      }
      vat.isReady = true;
      return transportOf(vat);
    },

    /** How many threads there may be. */
    count,

    /** Whether threads look for work for a while before they sleep: each has a core of its own. */
    spins: mostSpinNs > 0,

    /** @param {string} vatId  @returns {number} the number of its thread; 0 for a vat that is on none */
    threadOf: vatId => threads.find(({ vats }) => vats.has(vatId))?.number ?? 0,

    /**
     * Begin to make a vat on a thread and to bring it where it is by its transcript, while it runs elsewhere.
     *
     * @param {string} vatId
     * @param {VatDescription} description
     * @param {number} number  of the thread
     * @returns {Move}
     */
    beginMove(vatId, description, number) {
      while (threads.length < number) addThread();
      return moves.begin(makeRemoteVat(vatId, description, threads[number - 1]));
    },

    /** Vats on their way to a thread. */
    moves,

    /** Take what threads have sent, and send what found no room. */
    poll: readAll,

    /**
     * The vat is where it is by its whole transcript: from now on it runs here.
     *
     * @param {Move} move
     * @returns {Transport}
     */
    endMove(move) {
      const { vat } = moves.end(move);
      vat.thread.vats.set(vat.vatId, vat);
      vat.taken = move.entries;
      vat.isReady = true;
      return transportOf(vat);
    },

    /**
     * Whether the root object of a vat has the method of rounds; undefined if the vat is not on a thread, or has no such object.
     *
     * @param {string} vatName
     * @param {string} method  of others it is not known
     */
    rootHasMethod(vatName, method) {
      if (method !== roundMethod) return undefined;
      for (const { vats } of threads)
        for (const { name, hasRounds } of vats.values())
          if (name === vatName) return hasRounds ?? undefined;
      return undefined;
    },

    /** Collections of the threads since it was asked last, and how long they took. */
    takeSpent() {
      const taken = { ...spent };
      spent.count = 0;
      spent.ns = 0;
      return taken;
    },

    /** What each thread has done. @returns {WorkerFigures[]} */
    figures: () =>
      threads.map(({ number, vats, cranks, batches, busyNs }) => ({
        ...{ number, vats: vats.size, cranks, batches, busyNs },
        waitingNs: Math.max(0, Math.round((performance.now() - begunMs) * 1_000_000) - busyNs),
      })),

    /** For tests: a thread ends as if by itself. @param {number} number */
    kill: number => threads[number - 1].worker.kill(),

    async close() {
      isClosed = true;
      for (const { worker } of threads) await worker.end();
    },
  });
};

/**
 * What a thread has done: cranks, in how many batches they came, and for how long it was busy with them, and not.
 *
 * @typedef {{ number: number, vats: number, cranks: number, batches: number, busyNs: number, waitingNs: number }} WorkerFigures
 */

/** @typedef {ReturnType<typeof makeWorkerPool>} WorkerPool */
