// A vat's report of its reactors, as plain data: their work and their next tag. It goes from the vat to the kernel
// after each crank: unchanged on this thread, as bytes from another (reactor-report-bytes.js).

import { TagLog } from './tag-log.js';

/** @import { ReactorShape } from './vat-reactors.js' */

/** Cranks that a vat runs by itself without a report to the kernel, at most. */
export const longestQuietRun = 8192;

/** The names of the counts: tags, reactions, events, port writes and missed deadlines since the last report. */
export const reactorCounts = /** @type {const} */ ([
  'tags',
  'reactions',
  'events',
  'portWrites',
  'deadlineMisses',
]);

const noCounts = () => reactorCounts.map(() => 0);

/** The report; the vat's next crank reuses it. */
export class ReactorReport {
  /** Quiet cranks, in order, before the loud one. */
  quiet;

  /** Whether there is a loud crank, which is reported on its own. */
  isLoud = false;

  /** Tag and stage of the loud crank; without one, of the last crank. */
  timeNs = 0;

  microstep = 0;

  stage = 0;

  /** The next tag of the vat; -1 for never. */
  nextTimeNs = -1;

  nextMicrostep = 0;

  nextStage = 0;

  /** Counts of the quiet cranks, if there are any. */
  quietCounts;

  /** Counts of the loud crank, if there is one. */
  counts;

  /** @type {ReactorShape | null} the ports of a vat that has just started */
  shape = null;

  /**
   * @param {TagLog} [quiet]  the log of the vat's quiet cranks
   * @param {number[]} [quietCounts]  the counts of those cranks
   * @param {number[]} [counts]
   */
  constructor(quiet = new TagLog(longestQuietRun), quietCounts = noCounts(), counts = noCounts()) {
    this.quiet = quiet;
    this.quietCounts = quietCounts;
    this.counts = counts;
  }
}
