// A thread, or a process, in which vats run. It is given frames by the kernel's thread, carries out what they say one after the other, and
// answers in the same way; in between it sleeps. Nothing here decides anything: which vat runs when, and what becomes of what
// it says, is the kernel's business.

import { performance } from 'node:perf_hooks';
import { profiles } from '#kernel';
import { ByteReader, ByteWriter, readTranscriptEntry, tellThrown, UserError } from '#model';
import { readRequest, writeReport } from '#transport';
import { types } from 'node:util';
import { makeCollector } from '../collection.js';
import { hasMethod, roundMethod } from '../find-method.js';
import { makeLocalTransport } from '../local-transport.js';
import { inMacrotask } from '../macrotask.js';
import { DivergedError, replayVat } from '../replay.js';
import { probeSettle } from '../settle.js';
import { watchVats } from '../vat-watch.js';
import { makeSupervisor, prepareVat } from '../vats.js';

/** @import { Transport } from '#kernel' */
/** @import { Answer, Syscall } from '#model' */
/** @import { Question, Request } from '#transport' */
/** @import { Channel } from './channel.js' */
/** @import { PreparedVat } from '../vats.js' */

/**
 * @typedef {object} WorkerStart
 * @property {SharedArrayBuffer} board  for the kernel's thread to see: the number of the vat at work, and of its crank
 * @property {keyof typeof profiles} profile
 * @property {string} [cacheDir]
 * @property {number} [delays]  for tests: the seed of random waits behind deliveries
 */

/**
 * The kernel's description of a vat that is to be made.
 *
 * @typedef {{ name: string, number: number, source: string, isStatic: boolean, hasReactors: boolean, enableSetup: boolean, enableDisavow: boolean, relaxDurabilityRules: boolean, lenient: boolean }} VatOnWorker
 */

/** The longest of the waits that tests ask for. */
const longestDelayMs = 3;

/**
 * Waits of random lengths.
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
 * @param {(cranks: number) => void} onDone  called when an entry has been carried out
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
 * @param {{ postMessage: (message: unknown) => void }} port  for what is not in a hurry: that it is ready, that a vat has been made
 */
// eslint-disable-next-line max-lines-per-function -- the handlers of one thread, each some lines long, which share its vats and its ring
export const runWorker = async (start, channel, port) => {
  const settle = await probeSettle();
  const { profile, cacheDir } = start;
  const bytes = new ByteWriter();
  const board = new Int32Array(start.board);
  const delay = start.delays === undefined ? () => {} : makeDelay(start.delays);

  /** @type {Request[]} that came while an answer was waited for */
  const waiting = [];
  /** The lines that vats printed, and the errors that left them, in the running crank. @type {unknown[]} */
  let shown = [];
  /** `replayed`: cranks of its transcript. @type {Map<string, { name: string, transport: Transport, number: number, root: unknown, replayed: number, hasRounds: boolean | null }>} */
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
    channel.send(bytes.view());
  };

  /** The next frame; the thread sleeps until it is there. @returns {Request} */
  const receive = () => readRequest(channel.receive());

  /**
   * @param {string} vatId
   * @param {Question} question
   * @param {readonly Syscall[]} earlier
   * @returns {Answer}
   */
  const ask = (vatId, question, earlier) => {
    const told = question[0] === 'callNow' ? [...earlier] : [];
    send({ kind: 'question', vatId, question, earlier: told });
    for (;;) {
      const request = receive();
      if (request.kind === 'answer') return request.answer;
      waiting.push(request);
    }
  };

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
  const make = async (vatId, { name, number, source, isStatic, hasReactors: _, ...rules }) => {
    const own = collector.ofVat(vatId);
    const code = await prepare(source);
    const vat = {
      name,
      transport: /** @type {any} */ (undefined),
      number,
      replayed: 0,
      root: /** @type {unknown} */ (undefined),
      hasRounds: null,
    };
    const supervisor = makeSupervisor({
      ...{ vatId, name, profile: profiles[profile], prepared: code, isStatic },
      ...{ ...rules, collector: own, observer: watch.hooks },
      sourceUrls: JSON.parse(bundles.get(source)?.urls ?? '{}'),
      onRoot: root => {
        vat.root = root;
      },
    });
    vat.transport = makeLocalTransport({
      ...{ vatName: name, supervisor, settle, running: watch.running, onClose: own.forget },
      onError: error => watch.hooks.onVatError(name, error),
    });
    vats.set(vatId, vat);
  };

  /** @param {Extract<Request, { kind: 'make' }>} request */
  const makeAndTell = async ({ vatId, description }) => {
    try {
      await make(vatId, JSON.parse(description));
      port.postMessage({ kind: 'made', vatId });
    } catch (error) {
      const problem = tellThrown(error, types.isProxy);
      port.postMessage({ kind: 'made', vatId, problem, isUsers: UserError.is(error) });
    }
  };

  /** @param {{ root: unknown, hasRounds: boolean | null }} vat */
  const findRounds = vat => {
    if (vat.hasRounds === null && vat.root !== undefined)
      vat.hasRounds = hasMethod(vat.root, roundMethod);
    return vat.hasRounds;
  };

  /**
   * @param {Extract<Request, { kind: 'deliver' }>} request
   * @returns {void | Promise<void>}
   */
  const deliver = ({ vatId, when, asked: together, delivery }) => {
    const vat = vats.get(vatId);
    if (vat === undefined) throw Error(`there is no vat ${vatId} on this thread`);
    const begun = performance.now();
    asked = together;
    shown = [];
    Atomics.store(board, 1, board[1] + 1);
    Atomics.store(board, 0, vat.number);
    vat.transport.begin(delivery, (question, earlier) => ask(vatId, question, earlier), when);
    /** @param {import('#kernel').CrankResult} result */
    const tell = ({ fault, isRefusal = false, syscalls, answers, reactors = null }) => {
      Atomics.store(board, 0, 0);
      delay();
      const { count, ns } = collector.takeSpent();
      send({
        ...{ kind: 'result', vatId, fault, isRefusal, syscalls, answers },
        shown: shown.length === 0 ? '' : JSON.stringify(shown),
        busyNs: Math.round((performance.now() - begun) * 1_000_000),
        ...{ collections: count, collectionNs: ns, hasRounds: findRounds(vat), reactors },
      });
    };
    const result = vat.transport.finish();
    if (result instanceof Promise) return result.then(tell);
    tell(result);
  };

  /**
   * Bring a vat forth by a piece of its transcript.
   *
   * @param {Extract<Request, { kind: 'replay' }>} request
   */
  const replay = async ({ vatId, entries }) => {
    const vat = vats.get(vatId);
    if (vat === undefined) throw Error(`there is no vat ${vatId} on this thread`);
    let problem = null;
    // No other vat takes part in its collections of then.
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
   * @returns {void | Promise<void>} a promise where the event loop has to turn
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
      default:
        throw Error('an answer without a question');
    }
  };

  /** @returns {void | Promise<void>} as long as nothing needs the event loop, it does not return */
  const work = () => {
    for (;;) {
      const doing = carryOut(waiting.shift() ?? receive());
      if (doing !== undefined) return doing;
    }
  };

  port.postMessage({ kind: 'ready' });
  // In a macrotask, where a vat's jobs can be drained.
  for (;;) await inMacrotask(work);
};
