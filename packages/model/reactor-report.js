// A vat's report of its reactors, as plain data: their work and their next tag. It goes from the vat to the kernel behind each
// crank, on this thread as it is, from another one as bytes (reactor-report-bytes.js).

import { TagLog } from './tag-log.js';

/** @import { ReactorShape } from './vat-reactors.js' */

/** The most cranks that a vat goes on by itself without telling the kernel. */
export const longestQuietRun = 8192;

/** Tags, reactions, events, port writes and missed deadlines, since they were told last. */
export const reactorCounts = /** @type {const} */ ([
  'tags',
  'reactions',
  'events',
  'portWrites',
  'deadlineMisses',
]);

const noCounts = () => reactorCounts.map(() => 0);

/** It is used again for the vat's next crank. */
export class ReactorReport {
  /** Cranks that said nothing, in order, before the one that is told by itself. */
  quiet;

  /** Whether there is such a one. */
  isLoud = false;

  /** Its tag and stage; those of the crank that ran last where there is none. */
  timeNs = 0;

  microstep = 0;

  stage = 0;

  /** When the vat wants to run next; -1 for never. */
  nextTimeNs = -1;

  nextMicrostep = 0;

  nextStage = 0;

  /** Counts of the quiet cranks, if there are any. */
  quietCounts;

  /** Counts of the one that is told by itself, if there is one. */
  counts;

  /** @type {ReactorShape | null} of a vat that has just started */
  shape = null;

  /**
   * @param {TagLog} [quiet]  where the vat notes its quiet cranks
   * @param {number[]} [quietCounts]  and what they did
   * @param {number[]} [counts]
   */
  constructor(quiet = new TagLog(longestQuietRun), quietCounts = noCounts(), counts = noCounts()) {
    this.quiet = quiet;
    this.quietCounts = quietCounts;
    this.counts = counts;
  }
}
