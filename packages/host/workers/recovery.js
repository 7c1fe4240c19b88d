// What is done when a worker thread ends: a new one takes its place, its vats are made there and brought back by their
// transcripts, and what was under way is sent again.

import { Fail, UserError } from '#model';
import { replayVat } from '../replay.js';
import { makeCall, refuseCall } from './remote-vat.js';

/** @import { CrankResult, Kernel, Transport } from '#kernel' */
/** @import { Moves } from './moves.js' */
/** @import { Thread } from './pool.js' */
/** @import { Call, RemoteVat } from './remote-vat.js' */
/** @import { WorkerThread } from './worker-thread.js' */

/** A delivery in which so many threads have ended ends its vat. */
const mostEnds = 2;

/** A thread that is replaced so often, and gives no result in between, ends the run. */
const mostRestarts = 10;

/** A thread has ended on which something was under way. */
export class ThreadEnded extends Error {}

/**
 * @param {object} pool
 * @param {Kernel} pool.kernel
 * @param {Moves} pool.moves
 * @param {(thread: Thread) => WorkerThread} pool.makeWorker
 * @param {(vat: RemoteVat) => Promise<void>} pool.makeVat
 * @param {(vat: RemoteVat, call: Call) => void} pool.sendCall
 * @param {(vat: RemoteVat, call: Call) => CrankResult | Promise<CrankResult>} pool.finish
 * @param {(thread: Thread, vatId: string, error: Error) => void} pool.dropMaking  a vat that was being made will not be
 */
export const makeRecovery = ({
  kernel,
  moves,
  makeWorker,
  makeVat,
  sendCall,
  finish,
  dropMaking,
}) => {
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
    thread.restarts += 1;
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

  /** @param {Thread} thread */
  const bringBackAll = async thread => {
    const { worker } = thread;
    for (const vat of [...thread.vats.values()]) {
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
    const { last, taken, vatId, name } = vat;
    vat.taken = 0;
    await replayVat(name, replayTransport(vat), kernel.transcript(vatId));
    // The kernel has taken a result that is not in the transcript yet.
    if (vat.taken < taken && last !== undefined) {
      const again = { ...last, result: undefined };
      vat.replaying = again;
      sendCall(vat, again);
      await finish(vat, again);
    }
  };

  /** @param {RemoteVat} vat @returns {Transport} */
  const replayTransport = vat => ({
    begin(delivery, answer, when) {
      const call = makeCall(delivery, answer, when, [], true);
      vat.replaying = call;
      sendCall(vat, call);
    },
    finish: () => finish(vat, vat.replaying ?? Fail`nothing is replayed`),
    close() {},
  });

  return Object.freeze({ replace });
};
