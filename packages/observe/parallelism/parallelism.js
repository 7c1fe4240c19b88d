// Computes how much a run could gain from threads: its work, its span, and how wide its tags are, from the lines of its
// slog.

import { isPlainRecord } from '../slog/lines.js';
import { OverlapReader } from './overlap.js';
import { longestVat, makespanOf, workOf } from './schedule.js';

/** @import { CrankLine, Step, Wait } from './overlap.js' */
/** @import { Unit } from './schedule.js' */

/** Threads that are looked at; the last stands for as many as could be used. */
const threadCounts = [1, 2, 4, 8, Infinity];

/**
 * How many tags have how many of something.
 *
 * @typedef {object} Distribution
 * @property {number} mean
 * @property {number} median
 * @property {number} p90
 * @property {number} max
 * @property {{ from: number, to: number, tags: number }[]} counts  1, 2, 3 to 4, 5 to 8 and so on; empty ones are left out
 */

/**
 * @typedef {object} Parallelism
 * @property {number} cranks  that reached a vat
 * @property {number} tags  at which there were such cranks
 * @property {number} vats  that had such cranks
 * @property {number} timedCranks  with a duration in the slog; those that reactors ran by themselves have none
 * @property {Record<Unit, number>} work  one crank after the other
 * @property {Record<Unit, number>} span  with as many threads as could be used
 * @property {number} vatSpan  cranks, if only those of one vat and tag waited for each other
 * @property {{ threads: number, cranks: number, ns: number }[]} threads  how long the run takes with so many
 * @property {Distribution} cranksPerTag
 * @property {Distribution} vatsPerTag
 * @property {Record<Wait | 'nothing', number>} waits  cranks by the rule that kept them from beginning with their tag
 */

/** How often a number came, by the number. */
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

/** Takes the lines of a slog one by one. */
export class ParallelismReader {
  #reader = new OverlapReader();

  /** Steps of the tag that is being read. @type {Step[]} */
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

  /** @param {unknown} line  of a slog, parsed */
  add(line) {
    if (!isPlainRecord(line)) return;
    if (line.type === 'crank') this.#addCrank(/** @type {CrankLine} */ (line));
    else if (line.type === 'quiet') this.#addQuiet(line);
    // A run that was resumed: vats are taken up again, and a crank that was under way is taken anew.
    else if (line.type === 'slog') this.#endTag();
  }

  /** @param {CrankLine} line */
  #addCrank(line) {
    // The run that goes on takes it again.
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
    for (const [timeNs, microstep] of tags) {
      this.#enter(timeNs, microstep);
      this.#push(this.#reader.readQuiet(vatID));
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

  /** @returns {Parallelism} of all that was added */
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
