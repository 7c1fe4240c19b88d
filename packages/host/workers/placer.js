// Moves vats between threads, from block to block, where that makes the run quicker: it records what cranks take for some blocks
// now and then, and carries out what the policy decides from that (placement-policy.js). Vats come to another thread by their
// transcripts while the run goes on, and run there from one block on, all of them. Until that has proved quicker, those of the
// kernel's thread are kept there as they were, so that returning repeats only what they did elsewhere.

import { performance } from 'node:perf_hooks';
import { PlacementPolicy } from './placement-policy.js';

/** @import { Kernel, Transport } from '#kernel' */
/** @import { LoadMeter } from './load-meter.js' */
/** @import { Move } from './moves.js' */
/** @import { VatDescription, WorkerPool } from './pool.js' */

/** A look is over when it has so many cranks, or so much time in vats. */
const enoughCranks = 512;
const enoughNs = 40_000_000;

/** Fewer cranks say nothing. */
const leastCranks = 24;

/** Until the next look, at first and at most. */
const shortestRestMs = 50;
const longestRestMs = 5_000;

/** A vat with a longer transcript stays where it is. */
const mostTranscriptBytes = 2 ** 27;

/** A vat that has moved is slower at first, until the engine of its new thread has compiled it. */
const warmUpMs = 400;

/** About: writing and reading the bytes of a crank that runs elsewhere, on the kernel's thread and on the other. */
const sendNs = 6_000;
const workNs = 6_000;

/** About: until a thread that looks for work has it, and one that sleeps. */
const spinningHopNs = 3_000;
const sleepingHopNs = 40_000;

/** The kernel's time for a crank that runs on its thread, without the time in the vat, until it is measured. */
const usualKernelNs = 5_000;

/** A vat that came so near to where it is in so many pieces is awaited. */
const mostPieces = 4;

/**
 * @typedef {object} PlacerParts
 * @property {Kernel} kernel
 * @property {LoadMeter} meter
 * @property {WorkerPool} pool
 * @property {(vatId: string) => VatDescription | undefined} describe  a vat that may move; undefined for others
 * @property {(vatId: string, transport: Transport, isHere: boolean) => void} attach  the vat runs there from now on, on the
 *   kernel's thread or another, and its old place is closed
 * @property {(vatId: string) => Promise<Transport | undefined>} bringHere  makes the vat on the kernel's thread, where it is by its
 *   transcript; undefined if it cannot be
 * @property {() => void} dropKept  vats that were kept on the kernel's thread are not wanted any more
 */

/** @param {PlacerParts} parts */
// eslint-disable-next-line max-lines-per-function -- what was measured of vats is private, and each decision reads all of it
export const makePlacer = ({ kernel, meter, pool, describe, attach, bringHere, dropKept }) => {
  const policy = new PlacementPolicy();
  let restMs = shortestRestMs;
  let nextLookMs = 0;
  /** The start of the running block; -1 between blocks. */
  let blockBeganMs = -1;
  /** Time of blocks and cranks since the look began. */
  let lookMs = 0;
  let lookCranks = 0;
  let kernelNs = usualKernelNs;
  /** @type {Move[]} */
  let moving = [];
  /** Vats that are to come to the kernel's thread. @type {string[]} */
  let coming = [];
  let pieces = 0;
  let isPlacing = false;
  /** When the last look was over, and when vats moved. */
  let lookedMs = performance.now();
  const begunMs = lookedMs;
  let placedMs = lookedMs;
  /** Vats with more of a transcript than is sent. @type {Set<string>} */
  const tooLong = new Set();
  const figures = { looks: 0, moves: 0, takenBack: 0 };

  const beginLook = () => {
    meter.begin();
    lookMs = 0;
    lookCranks = kernel.cranks.all;
    figures.looks += 1;
  };

  const rest = () => {
    nextLookMs = performance.now() + restMs;
    restMs = Math.min(restMs * 2, longestRestMs);
  };

  /** @param {ReadonlyMap<string, number>} wanted  threads by vats */
  const beginMoves = wanted => {
    for (const [vatId, thread] of wanted) {
      const description = describe(vatId);
      if (description === undefined || pool.threadOf(vatId) === thread) continue;
      if (thread === 0) coming.push(vatId);
      else moving.push(pool.beginMove(vatId, description, thread));
    }
    pieces = 0;
  };

  /** How long vats would take to return: at most as long as the run was when they moved, and what they have done since. */
  const returnMs = () =>
    pool.figures().reduce((sum, { busyNs }) => sum + busyNs / 1_000_000, placedMs - begunMs);

  /** A look is over. */
  const consider = () => {
    meter.isOn = false;
    const nowMs = performance.now();
    const cranks = kernel.cranks.all - lookCranks;
    const { vatIds, load } = meter;
    const present = vatIds.map(pool.threadOf);
    if (present.every(thread => thread === 0))
      kernelNs = Math.max(1_000, (lookMs * 1_000_000 - meter.totalNs) / cranks);
    const decision = policy.consider({
      ...{ load, vatIds, present, crankMs: lookMs / cranks, threads: pool.count },
      ...{ sinceMs: nowMs - lookedMs, returnMs: returnMs() },
      costs: { kernelNs, sendNs, workNs, hopNs: pool.spins ? spinningHopNs : sleepingHopNs },
      mayMove: vatId => !tooLong.has(vatId) && describe(vatId) !== undefined,
    });
    lookedMs = nowMs;
    if (decision.kind === 'keep') dropKept();
    if (decision.kind === 'return') figures.takenBack += 1;
    if ('threads' in decision) return beginMoves(decision.threads);
    if (policy.isUndecided) nextLookMs = nowMs;
    else rest();
  };

  /** @param {string} vatId */
  const transcriptOf = vatId => kernel.state.readStream(kernel.transcriptStream(vatId));

  /** Whether all that moves has come as near as it can. */
  const sendPieces = () => {
    moving = moving.filter(({ problem }) => problem === undefined);
    for (const move of moving) if (!move.isMade || move.isReplaying) return false;
    pieces += 1;
    let missing = 0;
    for (const move of moving) {
      const { vatId } = move.vat;
      if (describe(vatId) === undefined) {
        pool.moves.cancel(move);
        continue;
      }
      const transcript = transcriptOf(vatId);
      if (transcript.length > mostTranscriptBytes) {
        tooLong.add(vatId);
        pool.moves.cancel(move);
        continue;
      }
      missing += transcript.length - move.sentBytes;
      pool.moves.sendRest(move, transcript);
    }
    moving = moving.filter(({ problem }) => problem === undefined);
    return missing === 0 || pieces >= mostPieces;
  };

  /** Between two blocks: vats that are where they are take their new places. @returns {void | Promise<void>} */
  const advance = () => {
    pool.poll();
    if (!kernel.hasBegunAhead && sendPieces()) return takePlaces();
  };

  const takePlaces = async () => {
    isPlacing = true;
    try {
      for (const move of moving) await pool.moves.awaitReplay(move);
      // The event loop may have turned: the host may have run cranks, or ended a vat.
      if (kernel.hasBegunAhead || moving.some(isBehind)) return;
      await takePlacesNow();
    } finally {
      isPlacing = false;
    }
  };

  /** Whether cranks have been added to what was sent. @param {Move} move */
  const isBehind = ({ vat: { vatId }, problem, sentBytes }) =>
    problem === undefined &&
    describe(vatId) !== undefined &&
    transcriptOf(vatId).length !== sentBytes;

  const takePlacesNow = async () => {
    for (const move of moving) {
      if (move.problem !== undefined) continue;
      if (describe(move.vat.vatId) === undefined) {
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
    if (toCome.length > 0) await bringAllHere(toCome);
    if (policy.stage === 'over') dropKept();
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
    /** Cranks are about to run. */
    enter() {
      if (blockBeganMs < 0) blockBeganMs = performance.now();
    },

    /** A block is committed. @returns {void | Promise<void>} to be waited for */
    atBlock() {
      const nowMs = performance.now();
      if (blockBeganMs >= 0) lookMs += nowMs - blockBeganMs;
      blockBeganMs = -1;
      if (isPlacing) return;
      if (moving.length > 0 || coming.length > 0) return advance();
      if (meter.isOn) {
        const isEnough = meter.count >= enoughCranks || meter.totalNs >= enoughNs;
        if (isEnough && meter.count >= leastCranks) consider();
      } else if (nowMs >= nextLookMs && policy.stage !== 'over') {
        beginLook();
      }
    },

    /** For tests: a vat moves, whatever that gives. @param {string} vatId @param {number} thread */
    move(vatId, thread) {
      if (moving.length === 0 && coming.length === 0) beginMoves(new Map([[vatId, thread]]));
    },

    /** @returns {PlacementFigures} */
    figures: () => ({ ...figures }),
  });
};

/**
 * How often another placement was looked for, how many vats moved, and how often a placement was taken back because it was
 * slower.
 *
 * @typedef {{ looks: number, moves: number, takenBack: number }} PlacementFigures
 */
