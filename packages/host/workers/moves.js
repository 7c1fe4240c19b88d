// Moves vats to a thread while they run elsewhere: each is made there, gets its transcript in pieces, and runs there
// from the block in which its transcript is complete.

import { performance } from 'node:perf_hooks';
import { Fail } from '#model';

/** @import { TranscriptPlace } from '#kernel' */
/** @import { Report } from '#transport' */
/** @import { Thread } from './pool.js' */
/** @import { RemoteVat } from './remote-vat.js' */

/** Time for which the kernel's thread blocks at a time while the last piece of a transcript is replayed. */
const napMs = 20;

/** Time for which it sends a piece that is longer than the ring, and for which it waits for room, at a time. */
const pushMs = 100;
const roomMs = 2;

/**
 * @typedef {object} Move
 * @property {RemoteVat} vat
 * @property {boolean} isMade  whether its transcript can be sent
 * @property {TranscriptPlace | undefined} sent  the place behind the last crank sent
 * @property {boolean} isReplaying  whether a piece is being replayed
 * @property {number} cranks  that the vat has replayed
 * @property {string | undefined} problem  why it cannot move
 */

/** @typedef {ReturnType<typeof makeMoves>} Moves */

/**
 * @param {object} pool
 * @param {(vat: RemoteVat) => Promise<void>} pool.makeVat
 * @param {() => void} pool.readAll  reads the frames that threads have sent
 * @param {(act: () => boolean, timeoutMs: number) => void} pool.awaitBell  blocks until a thread has sent something, or
 *   has read something from a full ring, unless `act` returns true
 */
export const makeMoves = ({ makeVat, readAll, awaitBell }) => {
  /** @type {Set<Move>} */
  const moves = new Set();

  /** Send on as long as the thread reads: between two long cranks the ring holds only a small part. @param {Move} move */
  const push = ({ vat: { thread } }) => {
    const { worker } = thread;
    const untilMs = performance.now() + pushMs;
    let left = worker.unsentBytes;
    let readMs = performance.now();
    for (
      let nowMs = readMs;
      left > 0 && worker.isUp && nowMs < untilMs;
      nowMs = performance.now()
    ) {
      awaitBell(() => worker.flush(), roomMs);
      if (worker.unsentBytes < left) readMs = nowMs;
      else if (nowMs > readMs + roomMs) return;
      left = worker.unsentBytes;
    }
  };

  return Object.freeze({
    /** @param {RemoteVat} vat  not yet made @returns {Move} */
    begin(vat) {
      /** @type {Move} */
      const move = {
        ...{ vat, isMade: false, sent: undefined, isReplaying: false, cranks: 0 },
        problem: undefined,
      };
      moves.add(move);
      makeVat(vat).then(
        () => {
          move.isMade = true;
          // The move was cancelled meanwhile.
          if (!moves.has(move)) vat.thread.worker.send({ kind: 'close', vatId: vat.vatId });
        },
        error => {
          move.problem ??= String(error?.message ?? error);
          moves.delete(move);
        },
      );
      return move;
    },

    /**
     * Send the missing rest of a transcript.
     *
     * @param {Move} move  whose vat is made and not replaying
     * @param {Uint8Array} entries  whole entries
     * @param {TranscriptPlace} end  the place behind them
     */
    sendRest(move, entries, end) {
      const { vat } = move;
      if (entries.length === 0 || !vat.thread.worker.isUp) return;
      move.isReplaying = true;
      move.sent = end;
      vat.thread.worker.send({ kind: 'replay', vatId: vat.vatId, entries });
      push(move);
    },

    push,

    /**
     * Wait until the sent entries are replayed, or the thread has ended, which only the event loop reports.
     *
     * @param {Move} move
     */
    async awaitReplay(move) {
      const isOver = () => {
        readAll();
        return !move.isReplaying || move.problem !== undefined;
      };
      while (!isOver()) {
        awaitBell(isOver, napMs);
        if (!isOver()) await new Promise(resolve => void setTimeout(resolve, 0));
      }
    },

    /** @param {Thread} thread @param {Extract<Report, { kind: 'replayed' }>} report */
    noteReplayed(thread, { vatId, cranks, problem, hasRounds }) {
      for (const move of moves) {
        if (move.vat.vatId !== vatId || move.vat.thread !== thread) continue;
        move.isReplaying = false;
        move.cranks = cranks;
        move.vat.hasRounds = hasRounds;
        if (problem !== null) move.problem ??= problem;
      }
    },

    /** @param {Move} move @returns {Move} */
    end(move) {
      moves.delete(move) || Fail`vat ${move.vat.vatId} is not on its way`;
      return move;
    },

    /** Cancel a move: the vat stays where it is. @param {Move} move */
    cancel(move) {
      const { vat } = move;
      if (!moves.delete(move)) return;
      move.problem ??= 'it was not wanted any more';
      if (move.isMade && vat.thread.worker.isUp)
        vat.thread.worker.send({ kind: 'close', vatId: vat.vatId });
    },

    /**
     * Cancel the moves to a thread that has ended.
     *
     * @param {Thread} thread
     * @returns {RemoteVat[]} the vats on their way
     */
    cancelThread(thread) {
      const there = [...moves].filter(({ vat }) => vat.thread === thread);
      for (const move of there) {
        moves.delete(move);
        move.isReplaying = false;
        move.problem ??= 'its thread ended';
      }
      return there.map(({ vat }) => vat);
    },
  });
};
