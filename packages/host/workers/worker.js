// The loop of a thread or process with vats. It gets frames from the kernel's thread, carries them out one after the
// other, answers with frames, and sleeps in between. All decisions are the kernel's.

import { performance } from 'node:perf_hooks';
import { profiles } from '#kernel';
import { ByteReader, ByteWriter, readTranscriptEntry, tellThrown, UserError } from '#model';
import { readRequest, writeReport } from '#transport';
import { types } from 'node:util';
import { makeCollector } from '../engine/collection.js';
import { slots } from './board.js';
import { hasMethod, roundMethod } from '../vats/find-method.js';
import { makeLocalTransport } from '../vats/local-transport.js';
import { noteReactions, sharedNowNs } from './note-reactions.js';
import { inMacrotask } from '../engine/macrotask.js';
import { DivergedError, replayVat } from '../vats/replay.js';
import { probeDrain } from '../engine/drain-jobs.js';
import { watchVats } from '../vats/vat-watch.js';
import { makeSupervisor, prepareVat } from '../vats/vats.js';
import { makeThreadAhead } from './thread-ahead.js';

/** @import { CrankResult, Transport } from '#kernel' */
/** @import { Answer, Syscall } from '#model' */
/** @import { Question, Request } from '#transport' */
/** @import { Channel } from './channel.js' */
/** @import { Answerer } from './remote-vat.js' */
/** @import { PreparedVat } from '../vats/vats.js' */

/**
 * @typedef {object} WorkerStart
 * @property {SharedArrayBuffer} board  (board.js)
 * @property {keyof typeof profiles} profile
 * @property {string} [cacheDir]
 * @property {number} [delays]  for tests: seed of random waits after deliveries
 */

/**
 * The kernel's description of a vat to be made. `firstPromise`: the number of the first promise that it may allocate, if
 * it was upgraded; `isWatched`: its reactions are reported; `isTimed`: the times of its cranks are.
 *
 * @typedef {{ name: string, number: number, source: string, isStatic: boolean, incarnation: number, firstPromise?: number, hasReactors: boolean, isWatched?: boolean, isTimed?: boolean, enableSetup: boolean, enableDisavow: boolean, relaxDurabilityRules: boolean, lenient: boolean }} VatOnWorker
 */

/** Bound on the waits in tests. */
const longestDelayMs = 3;

/**
 * Make the function that waits for a random time.
 *
 * @param {number} seed
 */
const makeDelay = seed => {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    Atomics.wait(nothing, 0, 0, (state / 0x7fffffff) * longestDelayMs);
  };
};

/**
 * @param {Uint8Array} bytes  whole entries of a transcript
 * @param {(cranks: number) => void} onDone  called when an entry has been replayed
 */
function* readEntries(bytes, onDone) {
  const reader = new ByteReader(bytes);
  while (!reader.done) {
    const entry = readTranscriptEntry(reader);
    yield entry;
    onDone(entry.kind === 'quiet' ? entry.cranks : 1);
  }
}

/**
 * @param {WorkerStart} start
 * @param {Channel} channel  to the kernel
 * @param {{ postMessage: (message: unknown) => void }} port  for messages that are not urgent: the thread is ready, a
 *   vat was made
 * @param {() => void} keepCode  keeps what the engine has compiled anew; called when a vat was made, since the thread may be
 *   ended at any time
 */
// eslint-disable-next-line max-lines-per-function -- the handlers of one thread, each some lines long, which share its vats and its ring
export const runWorker = async (start, channel, port, keepCode) => {
  const drain = await probeDrain();
  const { profile, cacheDir } = start;
  const bytes = new ByteWriter();
  const board = new Int32Array(start.board);
  const delay = start.delays === undefined ? () => {} : makeDelay(start.delays);

  /** @type {Request[]} that arrived during the wait for an answer */
  const waiting = [];
  /** Console output of vats and errors that left them, in the running crank. @type {unknown[]} */
  let shown = [];
  /**
   * `replayed`: number of replayed cranks.
   *
   * @type {Map<string, { name: string, transport: Transport, number: number, root: unknown, replayed: number,
   *   hasRounds: boolean | null, isTimed: boolean | undefined }>}
   */
  const vats = new Map();
  /** @type {Map<string, { text: string, urls: string }>} */
  const bundles = new Map();
  /** @type {Map<string, Promise<PreparedVat>>} */
  const prepared = new Map();
  /** @type {readonly string[]} */
  let asked = [];

  const watch = watchVats(
    {
      onConsole: (_vatName, level, text) => void shown.push([level, text]),
      onTestLog: (_vatName, text) => void shown.push(['testLog', text]),
      onVatError: (_vatName, report) => void shown.push([report.toPlain()]),
    },
    false,
  );
  const collector = makeCollector(() => asked);

  /** @param {Parameters<typeof writeReport>[1]} report */
  const send = report => {
    writeReport(bytes, report);
    if (!ahead.keeps(bytes.view())) channel.send(bytes.view());
  };

  /** Wait for the next frame; the thread sleeps. @returns {Request} */
  const receive = () => readRequest(channel.receive());

  /**
   * @param {string} vatId
   * @param {Question} question
   * @param {readonly Syscall[]} earlier
   * @returns {Answer}
   */
  const ask = (vatId, question, earlier) => {
    const told = question[0] === 'callNow' ? [...earlier] : [];
    ahead.flush();
    send({ kind: 'question', vatId, question, earlier: told });
    for (;;) {
      const request = receive();
      if (request.kind === 'answer') return request.answer;
      waiting.push(request);
    }
  };

  const ahead = makeThreadAhead({
    ...{ profile, vats, send, ask, begin: (request, answer) => begin(request, answer) },
    sendFrame: frame => channel.send(frame),
    noteKept: count => Atomics.store(board, slots.kept, count),
  });

  /** @param {string} source */
  const prepare = source => {
    const known = prepared.get(source);
    if (known !== undefined) return known;
    const bundle = bundles.get(source);
    if (bundle === undefined) throw Error(`bundle ${source} was not sent`);
    const making = prepareVat(JSON.parse(bundle.text), JSON.parse(bundle.urls), cacheDir);
    prepared.set(source, making);
    return making;
  };

  /**
   * @param {string} vatId
   * @param {VatOnWorker} description
   */
  const make = async (vatId, description) => {
    const {
      name,
      number,
      source,
      isStatic,
      incarnation: _incarnation,
      hasReactors: _hasReactors,
      isWatched,
      isTimed,
      ...rules
    } = description;
    const own = collector.ofVat(vatId);
    const code = await prepare(source);
    const vat = {
      name,
      transport: /** @type {any} */ (undefined),
      number,
      replayed: 0,
      root: /** @type {unknown} */ (undefined),
      hasRounds: null,
      isTimed,
    };
    const supervisor = makeSupervisor({
      ...{ vatId, name, profile: profiles[profile], prepared: code, isStatic },
      ...{ ...rules, collector: own, observer: watch.hooks },
      ...(isWatched && { reactionObserver: noteReactions(note => void shown.push([note])) }),
      sourceUrls: JSON.parse(bundles.get(source)?.urls ?? '{}'),
      onRoot: root => {
        vat.root = root;
      },
    });
    vat.transport = makeLocalTransport({
      ...{ vatName: name, supervisor, drain, running: watch.running, onClose: own.forget },
      onError: error => watch.hooks.onVatError(name, error),
    });
    vats.set(vatId, vat);
  };

  /** @param {Extract<Request, { kind: 'make' }>} request */
  const makeAndTell = async ({ vatId, description }) => {
    try {
      await make(vatId, JSON.parse(description));
    } catch (error) {
      const problem = tellThrown(error, types.isProxy);
      port.postMessage({ kind: 'made', vatId, problem, isUsers: UserError.is(error) });
      return;
    }
    port.postMessage({ kind: 'made', vatId });
    keepCode();
  };

  /** @param {{ root: unknown, hasRounds: boolean | null }} vat */
  const findRounds = vat => {
    if (vat.hasRounds === null && vat.root !== undefined)
      vat.hasRounds = hasMethod(vat.root, roundMethod);
    return vat.hasRounds;
  };

  /**
   * Begin a delivery, and return the function that ends it.
   *
   * @param {Extract<Request, { kind: 'deliver' }>} request
   * @param {Answerer} [answer]  default: the kernel's thread answers
   * @returns {() => CrankResult | Promise<CrankResult>} its result, which was reported
   */
  const begin = (
    { vatId, when, asked: together, delivery },
    answer = (question, earlier) => ask(vatId, question, earlier),
  ) => {
    const vat = vats.get(vatId);
    if (vat === undefined) throw Error(`there is no vat ${vatId} on this thread`);
    const begun = performance.now();
    const startNs = vat.isTimed ? sharedNowNs() : 0;
    asked = together;
    shown = [];
    Atomics.store(board, slots.crank, board[slots.crank] + 1);
    Atomics.store(board, slots.vat, vat.number);
    vat.transport.begin(delivery, answer, when);
    /** @param {CrankResult} result */
    const tell = result => {
      const { fault, isRefusal = false, wantsAsking = false, syscalls, answers } = result;
      Atomics.store(board, slots.vat, 0);
      if (vat.isTimed) shown.push([['crank', startNs, sharedNowNs()]]);
      delay();
      const { count, ns } = collector.takeSpent();
      send({
        ...{ kind: 'result', vatId, fault, isRefusal, wantsAsking, syscalls, answers },
        shown: shown.length === 0 ? '' : JSON.stringify(shown),
        busyNs: Math.round((performance.now() - begun) * 1_000_000),
        ...{ collections: count, collectionNs: ns, hasRounds: findRounds(vat) },
        reactors: result.reactors ?? null,
      });
      return result;
    };
    return () => {
      const result = vat.transport.finish();
      return result instanceof Promise ? result.then(tell) : tell(result);
    };
  };

  /**
   * @param {Extract<Request, { kind: 'deliver' }>} request
   * @returns {void | Promise<void>}
   */
  const deliver = request => {
    const result = begin(request)();
    if (result instanceof Promise) return result.then(() => {});
  };

  /**
   * Replay a piece of a vat's transcript.
   *
   * @param {Extract<Request, { kind: 'replay' }>} request
   */
  const replay = async ({ vatId, entries }) => {
    const vat = vats.get(vatId);
    if (vat === undefined) throw Error(`there is no vat ${vatId} on this thread`);
    let problem = null;
    // In a replay, no other vat shares its collections.
    asked = [];
    const noteEntry = (/** @type {number} */ cranks) => {
      vat.replayed += cranks;
      shown = [];
    };
    try {
      await replayVat(vat.name, vat.transport, readEntries(entries, noteEntry));
    } catch (error) {
      problem =
        error instanceof DivergedError
          ? error.difference
          : `cannot be replayed: ${tellThrown(error, types.isProxy)}`;
    }
    const hasRounds = findRounds(vat);
    send({ kind: 'replayed', vatId, cranks: vat.replayed, problem, hasRounds });
  };

  /**
   * @param {Request} request
   * @returns {void | Promise<void>} a promise if the event loop is needed
   */
  const carryOut = request => {
    switch (request.kind) {
      case 'deliver':
        return deliver(request);
      case 'bundle':
        bundles.set(request.id, request);
        break;
      case 'make':
        return makeAndTell(request);
      case 'close':
        vats.get(request.vatId)?.transport.close();
        vats.delete(request.vatId);
        break;
      case 'replay':
        return replay(request);
      case 'hasMethod': {
        const { vatId, method } = request;
        send({ kind: 'hasMethod', isThere: hasMethod(vats.get(vatId)?.root, method) });
        break;
      }
      case 'answer':
        throw Error('an answer without a question');
      default:
        return ahead.take(request);
    }
  };

  /** @returns {void | Promise<void>} it returns only when the event loop is needed */
  const work = () => {
    for (;;) {
      const doing = carryOut(waiting.shift() ?? receive());
      if (doing !== undefined) return doing;
    }
  };

  port.postMessage({ kind: 'ready' });
  // In a macrotask, so that a vat's jobs can be drained.
  for (;;) await inMacrotask(work);
};
