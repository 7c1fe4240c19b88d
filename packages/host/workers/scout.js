// Watches a run whose vats are all on the kernel's thread, until another thread may pay: then it opens the threads, and
// the placer (placer.js) takes over. Most runs never need one, so this costs them nothing: it counts cranks and tags,
// which the kernel counts anyway, and records times only where several vats have cranks at one tag.

import { performance } from 'node:perf_hooks';
import { FreeCores } from './free-cores.js';
import { Pauses } from './pauses.js';
import { boundGain } from './placement.js';
import { isTagOpen } from './tag-open.js';

/** @import { Kernel } from '#kernel' */
/** @import { LoadMeter } from './load-meter.js' */
/** @import { PlacementFigures, Placer } from './placer.js' */
/** @import { VatDescription, WorkerPool } from './pool.js' */

/** Cranks until the next count, at first and at most; or time, if they are long. */
const leastCranks = 64;
const mostCranks = 4_096;
const leastMs = 50;
const mostMs = 3_200;

/** The fewest cranks to count. */
const fewestCounted = 4;

/** The fewest cranks at a tag, on average, among which some could overlap with profit. */
const leastWidth = 1.5;

/** A record of times ends after this number of cranks, or this time in vats; if these are few cranks, after a longer one. */
const enoughCranks = 256;
const enoughNs = 20_000_000;
const fewCranks = 8;
const enoughNsOfFew = 500_000_000;

/** The least bound on the gain for which threads are opened. */
const leastGain = 1.2;

/** The least time of the kernel for a crank, without the time in the vat. */
const leastKernelNs = 3_000;

/** @type {PlacementFigures} */
const noFigures = Object.freeze({ looks: 0, moves: 0, takenBack: 0 });

/**
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {LoadMeter} parts.meter
 * @param {number} parts.threads  beside the kernel's
 * @param {boolean} [parts.isPaced]  for tests: vats may move after each crank
 * @param {(vatId: string) => VatDescription | undefined} parts.describe  a vat that may move; undefined for others
 * @param {() => WorkerPool | undefined} parts.findPool  undefined until threads are open
 * @param {() => void} parts.beginEarly  lets vats on the kernel's thread begin early
 * @param {(freeCores: FreeCores) => Promise<Placer>} parts.openPlacer  opens threads, if there are none
 */
export const makeScout = parts => {
  const {
    kernel,
    meter,
    threads,
    isPaced = false,
    describe,
    findPool,
    beginEarly,
    openPlacer,
  } = parts;
  /** @type {Placer | undefined} */
  let placer;
  /** @type {Promise<void> | undefined} */
  let opening;
  let isEarly = false;
  const pauses = new Pauses(isPaced);
  /** The crank and the time at which to count again, and the number of times before. */
  let dueCrank = leastCranks;
  let dueMs = performance.now() + leastMs;
  let counts = 0;
  let countedCrank = 0;
  let countedTag = { timeNs: 0, microstep: 0 };
  let blockBeganMs = -1;
  let recordMs = 0;
  let looks = 0;
  /** @type {FreeCores | undefined} */
  let freeCores;

  const open = async () => {
    placer = await openPlacer((freeCores ??= new FreeCores()));
  };

  /** @param {number} cranks  so far @param {number} nowMs */
  const rest = (cranks, nowMs) => {
    counts += 1;
    dueCrank = cranks + Math.min(leastCranks * 2 ** counts, mostCranks);
    dueMs = nowMs + Math.min(leastMs * 2 ** counts, mostMs);
  };

  /**
   * Count the cranks of a tag since the last count; record times if they are many.
   *
   * @param {number} cranks  so far
   * @param {number} nowMs
   */
  const count = (cranks, nowMs) => {
    const { timeNs, microstep } = kernel.now;
    const isSameTime = timeNs === countedTag.timeNs;
    const width = (cranks - countedCrank) / Math.max(1, microstep - countedTag.microstep);
    countedCrank = cranks;
    countedTag = { timeNs, microstep };
    if (isSameTime && width < leastWidth) {
      rest(cranks, nowMs);
      return;
    }
    recordMs = 0;
    looks += 1;
    freeCores ??= new FreeCores();
    meter.begin();
  };

  /**
   * End a record if it has enough, and open threads if they may pay.
   *
   * @param {number} cranks  so far
   * @param {number} nowMs
   * @returns {void | Promise<void>}
   */
  const consider = (cranks, nowMs) => {
    const isFew = meter.count < fewCranks;
    const leastNs = isFew ? enoughNsOfFew : enoughNs;
    if (meter.count < enoughCranks && meter.totalNs < leastNs) return;
    if (isFew && isTagOpen(kernel)) return;
    meter.isOn = false;
    const kernelNs = (recordMs * 1_000_000 - meter.totalNs) / meter.count;
    const { vatIds } = meter;
    const gain = boundGain(meter.load, {
      threads,
      kernelNs: Math.max(kernelNs, leastKernelNs),
      mayMove: number => describe(vatIds[number]) !== undefined,
    });
    countedCrank = cranks;
    if (gain < leastGain) {
      rest(cranks, nowMs);
      return;
    }
    // The run waits while the modules are loaded: beside the cranks that takes many turns of the event loop, and vats
    // that move later have longer transcripts.
    opening = open();
    return opening;
  };

  /** @returns {void | Promise<void>} */
  const atPause = () => {
    const nowMs = performance.now();
    const cranks = kernel.cranks.all;
    pauses.note(nowMs, cranks);
    if (blockBeganMs >= 0) recordMs += nowMs - blockBeganMs;
    blockBeganMs = -1;
    if (!isEarly && findPool()?.hasVats) {
      isEarly = true;
      beginEarly();
    }
    if (placer !== undefined) return placer.atPause();
    if (opening !== undefined) return opening;
    if (meter.isOn) return consider(cranks, nowMs);
    const isDue = nowMs >= dueMs && cranks >= countedCrank + fewestCounted;
    if (isDue || cranks >= dueCrank) count(cranks, nowMs);
  };

  return Object.freeze({
    /** To be called before cranks run. */
    enter() {
      if (placer !== undefined) placer.enter();
      else if (meter.isOn && blockBeganMs < 0) blockBeganMs = performance.now();
    },

    /** Cranks after which a block should pause. */
    get pauseAfter() {
      return pauses.after;
    },

    /** To be called in a pause, and after the commit of a block. @returns {void | Promise<void>} the caller waits for it */
    atPause,

    /** For tests: move a vat, whatever the gain. @param {string} vatId @param {number} thread */
    async move(vatId, thread) {
      await (opening ??= open());
      placer?.move(vatId, thread);
    },

    /** @returns {PlacementFigures} */
    figures: () => {
      const figures = placer?.figures() ?? noFigures;
      return { ...figures, looks: figures.looks + looks };
    },
  });
};
