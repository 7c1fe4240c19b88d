// Recovers from the end of a worker thread: a new one takes its place, its vats are made there and brought back by their
// transcripts, and deliveries that were under way are sent again.

import { UserError } from '#model';
import { DivergedError } from '../replay.js';
import { cutTranscript } from './cut-transcript.js';
import { mostEnds, refuseCall, waitForLook } from './remote-vat.js';

/** @import { CrankResult, Kernel, Limit } from '#kernel' */
/** @import { Report } from '#transport' */
/** @import { Moves } from './moves.js' */
/** @import { Thread } from './pool.js' */
/** @import { Call, RemoteVat } from './remote-vat.js' */

/** A thread that is replaced so often, and gives no result in between, ends the run. */
const mostRestarts = 10;

/** A thread is sent a transcript in pieces of at most so many bytes. */
const mostPieceBytes = 2 ** 26;

/** @typedef {Extract<Report, { kind: 'replayed' }>} Replayed */

/** Whether the delivery of a vat went beyond its limit. @param {RemoteVat} vat */
const isBeyondLimit = ({ call }) => call?.limit !== undefined && call.result === undefined;

/** A thread has ended on which something was under way. */
export class ThreadEnded extends Error {}

/**
 * @param {object} pool
 * @param {Kernel} pool.kernel
 * @param {Moves} pool.moves
 * @param {() => void} pool.readAll  takes what threads have sent
 * @param {(thread: Thread) => Thread['worker']} pool.makeWorker
 * @param {(vat: RemoteVat) => Promise<void>} pool.makeVat
 * @param {(vat: RemoteVat, call: Call) => void} pool.sendCall
 * @param {(vat: RemoteVat, call: Call) => CrankResult | Promise<CrankResult>} pool.finish
 * @param {(thread: Thread, vatId: string, error: Error) => void} pool.dropMaking  a vat that was being made will not be
 */
export const makeRecovery = ({
  kernel,
  moves,
  readAll,
  makeWorker,
  makeVat,
  sendCall,
  finish,
  dropMaking,
}) => {
  /** The outcome of the pieces that were sent last. @type {WeakMap<RemoteVat, Replayed>} */
  const replayed = new WeakMap();

  /**
   * A thread has ended: another one takes its place.
   *
   * @param {Thread} thread
   * @param {string} reason
   */
  const replace = (thread, reason) => {
    const { atWork } = thread.worker;
    const error = new ThreadEnded(reason);
    for (const { vatId } of moves.cancelThread(thread)) dropMaking(thread, vatId, error);
    for (const vat of thread.vats.values()) {
      dropMaking(thread, vat.vatId, error);
      const { call, description } = vat;
      if (call !== undefined && vat.isReady) {
        if (call.result === undefined && description.number === atWork) call.ends += 1;
        call.result = undefined;
        call.held = undefined;
      }
      vat.isReady = false;
      vat.replaying = undefined;
    }
    if (![...thread.vats.values()].some(isBeyondLimit)) thread.restarts += 1;
    if (thread.restarts > mostRestarts) {
      const what = `worker thread ${thread.number} ends again and again: ${reason}`;
      thread.failure = new UserError(what, { exitCode: 1 });
      return;
    }
    thread.bundles.clear();
    const worker = makeWorker(thread);
    thread.worker = worker;
    bringBackAll(thread).catch(error => {
      // If this one has ended as well, the next has its turn.
      if (thread.worker === worker && !(error instanceof ThreadEnded)) thread.failure = error;
    });
  };

  /**
   * The vat of a process went beyond a limit: it ends in the crank that is under way, or the next. The process is not replaced:
   * the vat would do the same again.
   *
   * @param {Thread} thread
   * @param {Limit} limit
   */
  const endBeyond = (thread, limit) => {
    for (const vat of thread.vats.values()) {
      vat.beyond = limit;
      vat.isReady = true;
      dropMaking(thread, vat.vatId, new ThreadEnded(limit));
      for (const call of [vat.replaying, vat.call])
        if (call !== undefined && call.result === undefined) refuseCall(call, vat.vatId, limit);
    }
  };

  /** @param {Thread} thread */
  const bringBackAll = async thread => {
    const { worker } = thread;
    for (const vat of [...thread.vats.values()]) {
      // It ends.
      if (isBeyondLimit(vat)) continue;
      await makeVat(vat);
      await bringBack(vat);
      if (thread.worker !== worker) return;
    }
    sendAgain(thread);
  };

  /**
   * All vats of a new thread are where they were: what was under way is sent in the order in which it was begun, for a vat may
   * wait in a device call until everything before it is applied.
   *
   * @param {Thread} thread
   */
  const sendAgain = ({ vats }) => {
    /** @type {{ vat: RemoteVat, call: Call }[]} */
    const begun = [];
    for (const vat of vats.values()) {
      vat.isReady = true;
      const { call } = vat;
      if (call !== undefined) begun.push({ vat, call });
    }
    begun.sort((left, right) => left.call.order - right.call.order);
    for (const { vat, call } of begun) {
      if (call.ends >= mostEnds) refuseCall(call, vat.vatId);
      else sendCall(vat, call);
    }
  };

  /** @param {RemoteVat} vat  that has just been made */
  const bringBack = async vat => {
    const { last, taken, vatId } = vat;
    const stream = kernel.transcriptBytes(vatId);
    vat.taken = 0;
    for (const entries of cutTranscript(stream, mostPieceBytes)) await replayPiece(vat, entries);
    // The kernel has taken a result that is not in the transcript yet.
    if (vat.taken < taken && last !== undefined) {
      const again = { ...last, result: undefined };
      vat.replaying = again;
      sendCall(vat, again);
      await finish(vat, again);
    }
  };

  /**
   * Have a vat carry out a piece of its transcript.
   *
   * @param {RemoteVat} vat
   * @param {Uint8Array} entries  whole ones
   * @returns {Promise<void>}
   * @throws {ThreadEnded}
   * @throws {DivergedError} the vat does something else than it did
   */
  const replayPiece = async (vat, entries) => {
    const { thread, vatId, name } = vat;
    const { worker } = thread;
    replayed.delete(vat);
    worker.send({ kind: 'replay', vatId, entries });
    for (;;) {
      readAll();
      const report = replayed.get(vat);
      if (report !== undefined) {
        if (report.problem !== null) throw new DivergedError(name, report.problem);
        vat.taken = report.cranks;
        thread.restarts = 0;
        return;
      }
      if (thread.worker !== worker || vat.beyond !== undefined) throw new ThreadEnded();
      await waitForLook(vat);
    }
  };

  return Object.freeze({
    replace,
    endBeyond,

    /** A vat has carried out a piece of its transcript. @param {Thread} thread @param {Replayed} report */
    noteReplayed({ vats }, report) {
      const vat = vats.get(report.vatId);
      if (vat === undefined) return;
      vat.hasRounds = report.hasRounds ?? vat.hasRounds;
      replayed.set(vat, report);
    },
  });
};
