// Reads the frames of worker threads, and gives each to its call or move.

import { performance } from 'node:perf_hooks';
import { countCranks } from './count-cranks.js';
import {
  answerQuestion,
  insistQuestion,
  isTooEarly,
  noAnswer,
  noteResult,
  provideReport,
} from './remote-vat.js';

/** @import { Report } from '#transport' */
/** @import { CrankLimits } from './crank-limits.js' */
/** @import { Moves } from './moves.js' */
/** @import { Thread } from './pool.js' */
/** @import { Call, RemoteVat } from './remote-vat.js' */
/** @import { Worker } from './open-worker.js' */

/**
 * @param {Worker} worker
 * @param {Call} call
 * @param {Extract<Report, { kind: 'question' }>} report
 */
export const answer = (worker, call, { question, earlier }) => {
  worker.send({ kind: 'answer', answer: answerQuestion(call, question, earlier) });
};

/**
 * @param {object} parts
 * @param {readonly Thread[]} parts.threads  all threads, also those added later
 * @param {CrankLimits | undefined} parts.limits  of vats on these threads
 * @param {Moves['noteReplayed']} parts.noteReplayed
 * @param {(vat: RemoteVat, call: Call) => void} parts.holdBack  replaces the thread of a vat whose call cannot go on
 */
export const makeFrameReader = ({ threads, limits, noteReplayed, holdBack }) => {
  const spent = { count: 0, ns: 0 };

  /** @param {Thread} thread */
  const readFrames = thread => {
    const { worker } = thread;
    const provide = (/** @type {string} */ vatId) => provideReport(thread.vats.get(vatId));
    for (
      let report = worker.receive(provide);
      report !== undefined;
      report = worker.receive(provide)
    ) {
      if (report.kind === 'replayed') {
        noteReplayed(thread, report);
        continue;
      }
      if (report.kind !== 'question' && report.kind !== 'result')
        throw RangeError(`a report ${report.kind} that nobody asked for`);
      const vat = thread.vats.get(report.vatId);
      const call = vat?.replaying ?? vat?.call;
      // A thread may still be at work for a vat that was ended meanwhile; a process is ended with its vat.
      if (call === undefined && thread.heapBytes !== undefined)
        throw RangeError(`a ${report.kind} in no delivery`);
      if (vat !== undefined && call !== undefined && report.kind === 'question')
        insistQuestion(vat, call, report);
      if (report.kind === 'question') {
        limits?.noteQuestion(thread, call, performance.now());
        if (vat !== undefined && report.question[0] === 'callNow') vat.asksInTurn = true;
        if (call === undefined) worker.send(noAnswer);
        else if (isTooEarly(call, report.question)) {
          // Earlier items may need the thread that would wait here.
          if (call.mustNotWait && vat !== undefined) {
            holdBack(vat, call);
            return;
          }
          call.held = report;
        } else answer(worker, call, report);
        continue;
      }
      if (call !== undefined) noteResult(call, report);
      thread.busyNs += report.busyNs;
      thread.cranks += call === undefined ? 1 : countCranks(call, report);
      thread.restarts = 0;
      spent.count += report.collections;
      spent.ns += report.collectionNs;
      if (vat !== undefined) vat.hasRounds = report.hasRounds ?? vat.hasRounds;
    }
  };

  return {
    /** Read the frames of all threads. A thread that sends a malformed frame is ended. */
    readAll() {
      for (let i = 0; i < threads.length; i += 1) {
        const { worker } = threads[i];
        if (!worker.isUp) continue;
        try {
          readFrames(threads[i]);
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          void worker.end();
        }
        limits?.check(threads[i], performance.now());
      }
    },

    /** Collections of the threads since the last call, and their nanoseconds. */
    takeSpent() {
      const taken = { ...spent };
      spent.count = 0;
      spent.ns = 0;
      return taken;
    },
  };
};
