// Computes from the lines of a slog how much a run could gain from threads: its work, its span, and the width of its
// tags.

import { isRecord } from '#model';
import { OverlapReader } from './overlap.js';
import { longestVat, makespanOf, workOf } from './schedule.js';

/** @import { CrankLine, Step, Wait } from './overlap.js' */
/** @import { Unit } from './schedule.js' */

/** The thread counts to compute; the last means unlimited threads. */
const threadCounts = [1, 2, 4, 8, Infinity];

/**
 * The distribution of a count over the tags.
 *
 * @typedef {object} Distribution
 * @property {number} mean
 * @property {number} median
 * @property {number} p90
 * @property {number} max
 * @property {{ from: number, to: number, tags: number }[]} counts  tags by range: 1, 2, 3 to 4, 5 to 8 and so on; empty
 *   ranges are left out
 */

/**
 * @typedef {object} Parallelism
 * @property {number} cranks  the number of cranks that reached a vat
 * @property {number} tags  the number of tags with such cranks
 * @property {number} vats  the number of vats with such cranks
 * @property {number} timedCranks  cranks with a duration in the slog; those that reactors ran by themselves have none
 * @property {Record<Unit, number>} work  the serial duration
 * @property {Record<Unit, number>} span  the duration with unlimited threads
 * @property {number} vatSpan  the span in cranks if only cranks of one vat and tag waited for each other
 * @property {{ threads: number, cranks: number, ns: number }[]} threads  the duration of the run with this many threads
 * @property {Distribution} cranksPerTag
 * @property {Distribution} vatsPerTag
 * @property {Record<Wait | 'nothing', number>} waits  number of cranks by the rule that made them wait
 */

/** A histogram. */
class Tally {
  /** @type {number[]} */
  #counts = [];

  /** @param {number} value  from 1 */
  add(value) {
    while (this.#counts.length <= value) this.#counts.push(0);
    this.#counts[value] += 1;
  }

  /** @returns {Distribution} */
  describe() {
    let tags = 0;
    let sum = 0;
    this.#counts.forEach((count, value) => {
      tags += count;
      sum += count * value;
    });
    const at = (/** @type {number} */ share) => {
      let below = 0;
      return Math.max(
        0,
        this.#counts.findIndex(count => (below += count) >= share * tags && below > 0),
      );
    };
    const counts = [];
    for (let from = 1, to = 1; from < this.#counts.length; from = to + 1, to *= 2) {
      const inRange = this.#counts.slice(from, to + 1).reduce((all, count) => all + count, 0);
      if (inRange > 0) counts.push({ from, to, tags: inRange });
    }
    return {
      mean: tags === 0 ? 0 : sum / tags,
      median: at(0.5),
      p90: at(0.9),
      max: Math.max(0, this.#counts.length - 1),
      counts,
    };
  }
}

/** @returns {Parallelism['waits']} */
const noWaits = () => ({
  nothing: 0,
  vat: 0,
  promise: 0,
  device: 0,
  notify: 0,
  start: 0,
  reaction: 0,
  collection: 0,
});

/** Reads the lines of a slog one by one. */
export class ParallelismReader {
  #reader = new OverlapReader();

  /** Steps of the current tag. @type {Step[]} */
  #steps = [];

  #timeNs = -1;

  #microstep = -1;

  #cranks = 0;

  #tags = 0;

  #timedCranks = 0;

  /** @type {Set<string>} */
  #vats = new Set();

  #work = { cranks: 0, ns: 0 };

  #vatSpan = 0;

  #threads = threadCounts.map(threads => ({ threads, cranks: 0, ns: 0 }));

  #cranksPerTag = new Tally();

  #vatsPerTag = new Tally();

  #waits = noWaits();

  /** @param {unknown} line  a parsed line of a slog */
  add(line) {
    if (!isRecord(line)) return;
    if (line.type === 'crank') this.#addCrank(/** @type {CrankLine} */ (line));
    else if (line.type === 'quiet') this.#addQuiet(line);
    // The run was resumed: a crank that was under way is run again.
    else if (line.type === 'slog') this.#endTag();
  }

  /** @param {CrankLine} line */
  #addCrank(line) {
    // The resumed run takes it again.
    if (line.outcome === 'unfinished') return;
    if (line.crankNum === 0) {
      this.#reader.readOutside(line);
      return;
    }
    this.#enter(line.timeNs ?? 0, line.microstep ?? 0);
    const step = this.#reader.read(line);
    this.#push(step);
    if (step.vatId !== '') this.#timedCranks += 1;
  }

  /** @param {Record<string, any>} line */
  #addQuiet({ vatID, tags }) {
    for (const [timeNs, microstep, stage] of tags) {
      this.#enter(timeNs, microstep);
      this.#push(this.#reader.readQuiet(vatID, stage));
    }
  }

  /** @param {number} timeNs @param {number} microstep */
  #enter(timeNs, microstep) {
    if (timeNs === this.#timeNs && microstep === this.#microstep) return;
    this.#endTag();
    this.#timeNs = timeNs;
    this.#microstep = microstep;
  }

  /** @param {Step} step */
  #push(step) {
    this.#steps.push(step);
    if (step.vatId === '') return;
    this.#cranks += 1;
    this.#vats.add(step.vatId);
    this.#waits[step.wait ?? 'nothing'] += 1;
  }

  #endTag() {
    const steps = this.#steps;
    this.#steps = [];
    this.#reader.beginTag();
    this.#timeNs = -1;
    if (steps.length === 0) return;
    for (const unit of /** @type {Unit[]} */ (['cranks', 'ns'])) {
      this.#work[unit] += workOf(steps, unit);
      for (const row of this.#threads) {
        // One crank has nothing to overlap with.
        const only = steps.length === 1 ? 1 : row.threads;
        row[unit] += makespanOf(steps, only, unit);
      }
    }
    const inVats = steps.filter(({ vatId }) => vatId !== '');
    if (inVats.length === 0) return;
    this.#tags += 1;
    this.#vatSpan += longestVat(inVats);
    this.#cranksPerTag.add(inVats.length);
    this.#vatsPerTag.add(new Set(inVats.map(({ vatId }) => vatId)).size);
  }

  /** @returns {Parallelism} of all lines added */
  finish() {
    this.#endTag();
    const { cranks, ns } = this.#threads[this.#threads.length - 1];
    return {
      cranks: this.#cranks,
      tags: this.#tags,
      vats: this.#vats.size,
      timedCranks: this.#timedCranks,
      work: this.#work,
      span: { cranks, ns },
      vatSpan: this.#vatSpan,
      threads: this.#threads,
      cranksPerTag: this.#cranksPerTag.describe(),
      vatsPerTag: this.#vatsPerTag.describe(),
      waits: this.#waits,
    };
  }
}
