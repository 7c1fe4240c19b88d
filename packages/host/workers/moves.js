// Vats that are being brought to a thread while they run somewhere else: each is made there, is given its transcript in
// pieces, and runs there from the block on in which nothing of it is missing.

import { Fail } from '#model';

/** @import { Report } from '#transport' */
/** @import { Thread } from './pool.js' */
/** @import { RemoteVat } from './remote-vat.js' */

/** How long the kernel's thread sleeps at a time while the last piece of a transcript is delivered. */
const napMs = 20;

/**
 * @typedef {object} Move
 * @property {RemoteVat} vat
 * @property {boolean} isMade  whether it can be sent its transcript
 * @property {number} sentBytes  of that
 * @property {boolean} isReplaying  whether a piece is under way
 * @property {number} cranks  by which the vat has been brought back
 * @property {string | undefined} problem  why it cannot move
 */

/** @typedef {ReturnType<typeof makeMoves>} Moves */

/**
 * @param {object} pool
 * @param {(vat: RemoteVat) => Promise<void>} pool.makeVat
 * @param {() => void} pool.readAll  takes what threads have sent
 * @param {(act: () => boolean, timeoutMs: number) => void} pool.awaitBell  sleeps until a thread has something, unless `act`
 *   says that it need not
 */
export const makeMoves = ({ makeVat, readAll, awaitBell }) => {
  /** @type {Set<Move>} */
  const moves = new Set();

  return Object.freeze({
    /** @param {RemoteVat} vat  of which nothing is made yet @returns {Move} */
    begin(vat) {
      /** @type {Move} */
      const move = {
        ...{ vat, isMade: false, sentBytes: 0, isReplaying: false, cranks: 0 },
        problem: undefined,
      };
      moves.add(move);
      makeVat(vat).then(
        () => {
          move.isMade = true;
          // It was cancelled meanwhile.
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
     * Send what is missing of a transcript.
     *
     * @param {Move} move  made, and not replaying
     * @param {Uint8Array} transcript  all of it, whole entries
     */
    sendRest(move, transcript) {
      const { vat } = move;
      if (transcript.length === move.sentBytes || !vat.thread.worker.isUp) return;
      move.isReplaying = true;
      const entries = transcript.subarray(move.sentBytes);
      move.sentBytes = transcript.length;
      vat.thread.worker.send({ kind: 'replay', vatId: vat.vatId, entries });
    },

    /**
     * Wait until what was sent has been delivered, or the thread has ended, which the event loop has to turn for.
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

    /** It stays where it is. @param {Move} move */
    cancel(move) {
      const { vat } = move;
      if (!moves.delete(move)) return;
      move.problem ??= 'it was not wanted any more';
      if (move.isMade && vat.thread.worker.isUp)
        vat.thread.worker.send({ kind: 'close', vatId: vat.vatId });
    },

    /** A thread has ended: nothing moves there. @param {Thread} thread @returns {RemoteVat[]} what was on its way */
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
