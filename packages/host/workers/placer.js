// Moves vats between threads, between blocks, to make the run quicker: it records the times of cranks in samples of
// some blocks, and carries out the policy's decisions (placement-policy.js). Vats are restored on another thread by
// their transcripts while the run continues, and all run there from one block on. Until the placement has proved
// quicker, the kernel's thread keeps its copies of the vats, so a return repeats only their cranks since the move.

import { performance } from 'node:perf_hooks';
import { longRunMs, PlacementPolicy } from './placement-policy.js';
import { isTagOpen } from './tag-open.js';

/** @import { Kernel, Transport } from '#kernel' */
/** @import { LoadMeter } from './load-meter.js' */
/** @import { FreeCores } from './free-cores.js' */
/** @import { Move } from './moves.js' */
/** @import { VatDescription, WorkerPool } from './pool.js' */

/** Times of cranks are recorded in the first part of a sample, up to this number of cranks, or this time in vats. */
const enoughCranks = 512;
const enoughNs = 20_000_000;

/** The least number of cranks whose times are recorded in a sample, unless they take this time in vats. */
const leastCranks = 24;
const enoughNsOfFew = 500_000_000;

/** The least time of a sample, and of one that compares a new placement with the one before. */
const leastLookMs = 20;
const leastTrialMs = 60;

/**
 * A sample begins and ends where nothing is queued, as between two rounds: cranks at the beginning of a round may take
 * longer than those at its end. It waits for that up to this number of times its least time, and its record up to this
 * number of times its usual cranks or time.
 */
const mostWaits = 4;

/** Time until the next sample, at first and at most, and at least as a multiple of the time of a decision. */
const shortestRestMs = 50;
const longestRestMs = 5_000;
const restPart = 20;

/** A vat with a longer transcript does not move. */
const mostTranscriptBytes = 2 ** 27;

/** Time for which a moved vat is slower, until the engine of its new thread has compiled it. */
const warmUpMs = 300;

/**
 * Typical times to write and read the bytes of a crank that runs elsewhere, on the kernel's thread and on the other.
 */
const sendNs = 6_000;
const workNs = 6_000;

/** Typical times until a spinning thread and a sleeping thread get a crank. */
const spinningHopNs = 3_000;
const sleepingHopNs = 40_000;

/** The kernel's time for a crank that runs on its thread, without the time in the vat, until it is measured. */
const usualKernelNs = 5_000;

/** After this number of pieces of transcripts, the run waits for the rest. */
const mostPieces = 4;

/**
 * @typedef {object} PlacerParts
 * @property {Kernel} kernel
 * @property {LoadMeter} meter
 * @property {WorkerPool} pool
 * @property {FreeCores} freeCores
 * @property {(vatId: string) => VatDescription | undefined} describe  a vat that may move; undefined for others
 * @property {(vatId: string, transport: Transport, isHere: boolean) => void} attach  attaches the vat to its new place,
 *   on the kernel's thread or another, and closes its old place
 * @property {(vatId: string) => Promise<Transport | undefined>} bringHere  restores the vat on the kernel's thread by
 *   its transcript; undefined if that fails
 * @property {() => void} forgetKept  forgets the copies of vats that the kernel's thread keeps
 */

/** Threads start, and vats are made there, by turns of the event loop, which a block of long cranks has no others of. */
const takeTurn = () => new Promise(resolve => void setImmediate(resolve));

/** @param {PlacerParts} parts */
// eslint-disable-next-line max-lines-per-function -- what was measured of vats is private, and each decision reads all of it
export const makePlacer = parts => {
  const { kernel, meter, pool, freeCores, describe, attach, bringHere, forgetKept } = parts;
  const policy = new PlacementPolicy();
  let restMs = shortestRestMs;
  let nextLookMs = 0;
  /** The start of the running block; -1 between blocks. */
  let blockBeganMs = -1;
  let isLooking = false;
  /** Time of blocks, and number of cranks at the start, of the sample. */
  let lookMs = 0;
  let lookCranks = 0;
  /** The kernel's time in the recorded part of the sample, for each crank. */
  let recordedKernelNs = 0;
  let kernelNs = usualKernelNs;
  /** @type {Move[]} */
  let moving = [];
  /** Vats that will move to the kernel's thread. @type {string[]} */
  let coming = [];
  let pieces = 0;
  let isPlacing = false;
  /** Times of the end of the last sample, and of the last move. */
  let lookedMs = performance.now();
  const begunMs = lookedMs;
  let placedMs = lookedMs;
  /** Vats whose transcripts are too long to send. @type {Set<string>} */
  const tooLong = new Set();
  const figures = { looks: 0, moves: 0, takenBack: 0 };

  const beginLook = () => {
    meter.begin();
    isLooking = true;
    lookMs = 0;
    lookCranks = kernel.cranks.all;
    figures.looks += 1;
  };

  /** @param {number} spentMs  on the decision before */
  const rest = spentMs => {
    nextLookMs = lookedMs + Math.max(restMs, spentMs * restPart);
    restMs = Math.min(restMs * 2, longestRestMs);
  };

  /** @param {ReadonlyMap<string, number>} wanted  threads by vat */
  const beginMoves = wanted => {
    for (const [vatId, thread] of wanted) {
      const description = describe(vatId);
      if (description === undefined || pool.threadOf(vatId) === thread) continue;
      if (thread === 0) coming.push(vatId);
      else moving.push(pool.beginMove(vatId, description, thread));
    }
    pieces = 0;
  };

  /** Upper bound on the time of a return: the time of the run before the move, and the vats' work since. */
  const returnMs = () =>
    pool.figures().reduce((sum, { busyNs }) => sum + busyNs / 1_000_000, placedMs - begunMs);

  /** The number of threads for which there are cores beside the kernel's; at first it is not known. */
  const usableThreads = () => {
    const free = freeCores.measure() ?? Infinity;
    return Math.max(0, Math.min(pool.count, Math.round(free - 1)));
  };

  /** Whether a sample may begin or end. @param {number} passedMs @param {number} leastMs  that must have passed */
  const mayTurn = (passedMs, leastMs) =>
    passedMs >= leastMs &&
    (kernel.isQuiet || passedMs >= Math.max(leastMs, leastLookMs) * mostWaits);

  /** End the recorded part of a sample, if it has enough. */
  const endRecord = () => {
    const part = Math.max(meter.count / enoughCranks, meter.totalNs / enoughNs);
    if (part < (kernel.isQuiet ? 1 : mostWaits)) return;
    const isFew = meter.count < leastCranks;
    if (isFew && (meter.totalNs < enoughNsOfFew || isTagOpen(kernel))) return;
    meter.isOn = false;
    const cranks = kernel.cranks.all - lookCranks;
    recordedKernelNs = Math.max(1_000, (lookMs * 1_000_000 - meter.totalNs) / cranks);
  };

  /** Ends a sample, and carries out the decision. */
  const consider = () => {
    isLooking = false;
    const nowMs = performance.now();
    const cranks = kernel.cranks.all - lookCranks;
    const { vatIds, load } = meter;
    const present = vatIds.map(pool.threadOf);
    if (present.every(thread => thread === 0)) kernelNs = recordedKernelNs;
    const decision = policy.consider({
      ...{ load, vatIds, present, crankMs: lookMs / cranks, threads: usableThreads() },
      sinceMoveMs: nowMs - placedMs,
      ...{ sinceMs: nowMs - lookedMs, ranMs: nowMs - begunMs, returnMs: returnMs() },
      costs: { kernelNs, sendNs, workNs, hopNs: pool.spins() ? spinningHopNs : sleepingHopNs },
      mayMove: vatId => !tooLong.has(vatId) && describe(vatId) !== undefined,
      isInTurnHere: vatId =>
        kernel.state.vats.isRunning(vatId) && kernel.state.vats.require(vatId).holdsDevice,
    });
    lookedMs = performance.now();
    if (decision.kind === 'keep') forgetKept();
    if (decision.kind === 'return') figures.takenBack += 1;
    if ('threads' in decision) return beginMoves(decision.threads);
    // A thread takes long to start, so it starts before the decision.
    if (policy.mayMoveSoon) pool.openThreads(usableThreads());
    if (policy.isUndecided) nextLookMs = lookedMs;
    else rest(lookedMs - nowMs);
    if (policy.isTooEarly) nextLookMs = Math.min(nextLookMs, begunMs + longRunMs);
  };

  /** Tell whether a vat has ended, or was upgraded, since its move began. @param {Move} move */
  const isStale = ({ vat: { vatId, description } }) =>
    describe(vatId)?.incarnation !== description.incarnation;

  /** Send the next pieces of transcripts; true if the run should wait for the rest. */
  const sendPieces = () => {
    moving = moving.filter(({ problem }) => problem === undefined);
    for (const move of moving) if (move.isReplaying) pool.moves.push(move);
    for (const move of moving) if (!move.isMade || move.isReplaying) return false;
    pieces += 1;
    let missing = 0;
    for (const move of moving) {
      const { vatId } = move.vat;
      if (isStale(move)) {
        pool.moves.cancel(move);
        continue;
      }
      const end = kernel.transcriptEnd(vatId);
      if (end.bytes > mostTranscriptBytes) {
        tooLong.add(vatId);
        pool.moves.cancel(move);
        continue;
      }
      const entries = kernel.transcriptBytes(vatId, move.sent);
      missing += entries.length;
      pool.moves.sendRest(move, entries, end);
    }
    moving = moving.filter(({ problem }) => problem === undefined);
    return missing === 0 || pieces >= mostPieces;
  };

  /**
   * Between two blocks: advance the moves, and attach vats to their new places when they are ready.
   *
   * @returns {void | Promise<void>}
   */
  const advance = () => {
    pool.poll();
    kernel.letBeginLater(false);
    if (!kernel.hasBegunAhead && sendPieces()) return takePlaces();
  };

  const takePlaces = async () => {
    isPlacing = true;
    try {
      for (const move of moving) await pool.moves.awaitReplay(move);
      // In the event loop, the host may have run cranks or ended a vat.
      if (kernel.hasBegunAhead || moving.some(isBehind)) return;
      await takePlacesNow();
    } finally {
      isPlacing = false;
    }
  };

  /** Tell whether the transcript has grown since it was sent. @param {Move} move */
  const isBehind = move =>
    move.problem === undefined &&
    !isStale(move) &&
    kernel.transcriptBytes(move.vat.vatId, move.sent).length > 0;

  const takePlacesNow = async () => {
    for (const move of moving) {
      if (move.problem !== undefined) continue;
      if (isStale(move)) {
        pool.moves.cancel(move);
        continue;
      }
      attach(move.vat.vatId, pool.endMove(move), false);
      figures.moves += 1;
    }
    moving = [];
    const toCome = coming;
    coming = [];
    placedMs = performance.now();
    nextLookMs = placedMs + warmUpMs;
    if (toCome.length > 0) await returnAll(toCome);
    kernel.letBeginLater(true);
  };

  /** @param {readonly string[]} vatIds */
  const returnAll = async vatIds => {
    await bringAllHere(vatIds);
    // While a placement is tried, other vats may have to return.
    if (policy.stage !== 'trying') forgetKept();
  };

  /** @param {readonly string[]} vatIds */
  const bringAllHere = async vatIds => {
    for (const vatId of vatIds) {
      if (describe(vatId) === undefined) continue;
      const cranks = kernel.cranks.all;
      const transport = await bringHere(vatId);
      if (transport === undefined) continue;
      if (kernel.cranks.all !== cranks || describe(vatId) === undefined) {
        transport.close();
        continue;
      }
      attach(vatId, transport, true);
      figures.moves += 1;
    }
  };

  return Object.freeze({
    /** To be called before cranks run. */
    enter() {
      if (blockBeganMs < 0) blockBeganMs = performance.now();
    },

    /** To be called in a pause, and after the commit of a block. @returns {void | Promise<void>} the caller waits for it */
    atPause() {
      const nowMs = performance.now();
      if (blockBeganMs >= 0) lookMs += nowMs - blockBeganMs;
      blockBeganMs = -1;
      if (isPlacing) return;
      if (moving.length > 0 || coming.length > 0) return advance() ?? takeTurn();
      if (isLooking) {
        if (meter.isOn) endRecord();
        const leastMs = policy.stage === 'trying' ? leastTrialMs : leastLookMs;
        if (!meter.isOn && mayTurn(lookMs, leastMs)) consider();
      } else if (mayTurn(nowMs - nextLookMs, 0)) {
        beginLook();
      }
      if (policy.mayMoveSoon) return takeTurn();
    },

    /** For tests: move a vat, whatever the gain. @param {string} vatId @param {number} thread */
    move(vatId, thread) {
      if (moving.length === 0 && coming.length === 0) beginMoves(new Map([[vatId, thread]]));
    },

    /** @returns {PlacementFigures} */
    figures: () => ({ ...figures }),
  });
};

/** @typedef {ReturnType<typeof makePlacer>} Placer */

/**
 * The numbers of samples, of moves of vats, and of returns from slower placements.
 *
 * @typedef {{ looks: number, moves: number, takenBack: number }} PlacementFigures
 */
