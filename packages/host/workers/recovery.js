// Recovers from the end of a worker thread: replaces it, makes its vats anew, restores them by their transcripts, and
// sends deliveries under way again.

import { Fail, UserError } from '#model';
import { DivergedError } from '../vats/replay.js';
import { cutTranscript } from './cut-transcript.js';
import { forgetVat, mostEnds, refuseCall, waitForLook } from './remote-vat.js';
import { makeResumedVats } from './resumed-vats.js';
import { ThreadEnded } from './thread-ended.js';

/** @import { CrankResult, Kernel, Limit } from '#kernel' */
/** @import { Report } from '#transport' */
/** @import { Moves } from './moves.js' */
/** @import { Thread } from './pool.js' */
/** @import { Call, RemoteVat } from './remote-vat.js' */

/** Number of replacements of a thread without a result in between after which the run ends. */
const mostRestarts = 10;

/** Number of deliveries held back after which no vat begins behind items that have not begun. */
const mostHeldBack = 4;

/** Bound on the bytes of one piece of a transcript. */
const mostPieceBytes = 2 ** 26;

/** @typedef {Extract<Report, { kind: 'replayed' }>} Replayed */

/** Tell whether a vat's delivery exceeded its limit. @param {RemoteVat} vat */
const isBeyondLimit = ({ call }) => call?.limit !== undefined && call.result === undefined;

/**
 * @param {object} pool
 * @param {Kernel} pool.kernel
 * @param {Moves} pool.moves
 * @param {() => void} pool.readAll  reads the frames that threads have sent
 * @param {(thread: Thread) => Thread['worker']} pool.makeWorker
 * @param {(vat: RemoteVat) => Promise<void>} pool.makeVat
 * @param {(vat: RemoteVat, call: Call) => void} pool.sendCall
 * @param {(vat: RemoteVat, call: Call) => CrankResult | Promise<CrankResult>} pool.finish
 * @param {(thread: Thread, vatId: string, error: Error) => void} pool.rejectMaking  rejects the making of a vat
 */
export const makeRecovery = ({
  kernel,
  moves,
  readAll,
  makeWorker,
  makeVat,
  sendCall,
  finish,
  rejectMaking,
}) => {
  /** Number of deliveries that were held back after their vats had begun them. */
  let heldBack = 0;

  /** The outcome of the last piece sent. @type {WeakMap<RemoteVat, Replayed>} */
  const replayed = new WeakMap();

  /**
   * Replace a thread that has ended.
   *
   * @param {Thread} thread
   * @param {string} reason
   * @param {boolean} [isOurs]  whether the kernel has ended it, so that no vat is to blame. Default false
   */
  const replace = (thread, reason, isOurs = false) => {
    const { atWork } = thread.worker;
    const error = new ThreadEnded(reason);
    for (const { vatId } of moves.cancelThread(thread)) rejectMaking(thread, vatId, error);
    for (const vat of thread.vats.values()) {
      rejectMaking(thread, vat.vatId, error);
      if (vat.isClosed) thread.vats.delete(vat.vatId);
      const { call, description } = vat;
      if (call !== undefined && vat.isReady) {
        // A process may lie about whether its one vat was at work.
        const isToBlame = thread.heapBytes !== undefined || description.number === atWork;
        if (call.result === undefined && !isOurs && !call.isHeldBack && isToBlame) call.ends += 1;
        call.result = undefined;
        call.held = undefined;
      }
      vat.isReady = false;
      vat.replaying = undefined;
    }
    if (!isOurs && ![...thread.vats.values()].some(isBeyondLimit)) thread.restarts += 1;
    if (thread.restarts > mostRestarts) {
      const what = `worker thread ${thread.number} ends again and again: ${reason}`;
      thread.failure = new UserError(what, { exitCode: 1 });
      return;
    }
    thread.bundles.clear();
    const worker = makeWorker(thread);
    thread.worker = worker;
    bringBackAll(thread).catch(error => {
      // If this thread has ended as well, the next one restores the vats.
      if (thread.worker === worker && !(error instanceof ThreadEnded)) thread.failure = error;
    });
  };

  /**
   * End the vat of a process that exceeded its limit, in the crank under way or the next. The process is not replaced,
   * since the vat would exceed the limit again.
   *
   * @param {Thread} thread
   * @param {Limit} limit
   */
  const endBeyond = (thread, limit) => {
    for (const vat of thread.vats.values()) {
      vat.beyond = limit;
      vat.isReady = true;
      rejectMaking(thread, vat.vatId, new ThreadEnded(limit));
      for (const call of [vat.replaying, vat.call])
        if (call !== undefined && call.result === undefined) refuseCall(call, vat.vatId, limit);
    }
  };

  /** @param {Thread} thread */
  const bringBackAll = async thread => {
    const { worker } = thread;
    const vats = [...thread.vats.values()];
    for (const vat of vats) {
      // This vat ends, or has ended while others were restored.
      if (isBeyondLimit(vat) || vat.isClosed) continue;
      await makeVat(vat);
      if (!vat.isClosed) await resumed.bringBackAgain(vat);
      if (thread.worker !== worker) return;
    }
    // A vat that was upgraded meanwhile may be there under the same id: that one stays.
    sendAgain(vats.filter(vat => thread.vats.get(vat.vatId) === vat));
  };

  /**
   * Send deliveries under way again, when all vats of a new thread are restored. They are sent in the order of their
   * beginnings, since a vat may wait in a device call until all earlier results are applied. Vats that came to the new
   * thread meanwhile are not among them: they have their deliveries.
   *
   * @param {readonly RemoteVat[]} vats  that were on the thread before
   */
  const sendAgain = vats => {
    /** @type {{ vat: RemoteVat, call: Call }[]} */
    const begun = [];
    for (const vat of vats) {
      if (vat.isClosed) {
        forgetVat(vat);
        continue;
      }
      vat.isReady = true;
      const { call } = vat;
      if (call !== undefined) begun.push({ vat, call });
    }
    begun.sort((left, right) => left.call.order - right.call.order);
    for (const { vat, call } of begun) {
      if (call.isHeldBack && !call.isDue) continue;
      call.isHeldBack = false;
      if (call.ends >= mostEnds) refuseCall(call, vat.vatId);
      else sendCall(vat, call);
    }
  };

  /** @param {RemoteVat} vat  just made */
  const bringBack = async vat => {
    const { last, taken, vatId, description } = vat;
    const stream = kernel.transcriptBytes(vatId, undefined, description.incarnation);
    let cranks = 0;
    for (const entries of cutTranscript(stream, mostPieceBytes))
      cranks = await replayPiece(vat, entries);
    if (cranks >= taken) {
      vat.taken = cranks;
      return;
    }
    // The kernel has taken a result that is not yet in the transcript.
    const again = { ...(last ?? Fail`vat ${vatId} has no result to repeat`), result: undefined };
    vat.replaying = again;
    sendCall(vat, again);
    await finish(vat, again);
  };

  /**
   * Have a vat replay a piece of its transcript.
   *
   * @param {RemoteVat} vat
   * @param {Uint8Array} entries  whole entries
   * @returns {Promise<number>} the number of cranks that it has replayed, with those of earlier pieces
   * @throws {ThreadEnded} if its thread ends
   * @throws {DivergedError} if the vat does not repeat its transcript
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
        thread.restarts = 0;
        return report.cranks;
      }
      if (thread.worker !== worker || vat.beyond !== undefined) throw new ThreadEnded();
      await waitForLook(vat);
    }
  };

  const resumed = makeResumedVats(bringBack);

  /** End a thread and replace it. @param {Thread} thread @param {string} reason */
  const renew = (thread, reason) => {
    const { worker } = thread;
    replace(thread, reason, true);
    void worker.end();
  };

  return Object.freeze({
    replace,

    restore: resumed.restore,

    /**
     * Take a vat back to the results that the kernel has taken: its delivery under way is forgotten. The other vats of its
     * thread are restored as well, and repeat their deliveries.
     *
     * @param {RemoteVat} vat
     */
    rewind(vat) {
      const { call } = vat;
      vat.call = undefined;
      // A delivery that was not sent has changed nothing.
      if (call !== undefined && !call.isHeldBack) renew(vat.thread, 'a vat was taken back');
    },

    /**
     * Tell whether a vat may begin behind items that have not begun: most vats never ask a question that waits for its
     * turn, and to hold one back takes long.
     *
     * @param {RemoteVat} vat
     */
    mayOvertake: ({ asksInTurn }) => !asksInTurn && heldBack < mostHeldBack,

    /**
     * Hold a delivery back until its turn, after its vat has asked a question that waits for it.
     *
     * @param {RemoteVat} vat
     * @param {Call} call
     */
    holdBack(vat, call) {
      vat.asksInTurn = true;
      call.isHeldBack = true;
      heldBack += 1;
      renew(vat.thread, 'a vat asked ahead of its turn');
    },
    endBeyond,

    /** Take note that a vat has replayed a piece of its transcript. @param {Thread} thread @param {Replayed} report */
    noteReplayed({ vats }, report) {
      const vat = vats.get(report.vatId);
      if (vat === undefined) return;
      vat.hasRounds = report.hasRounds ?? vat.hasRounds;
      replayed.set(vat, report);
    },
  });
};
