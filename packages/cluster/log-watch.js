// Looks once a lease whether the log of a run is still there, from its first record to the last that was acknowledged. The next append
// would not tell of a beginning that was cut off, and a run that waits appends nothing but its lease.

import { UserError } from '#model';
import { DamagedRun } from './log-reader.js';
import { hashOf } from './record.js';

/** @import { Cluster, RunLog } from './interface.js' */

export class LogWatch {
  #options;

  #lookedMs = -Infinity;

  /** The hash of the first record. */
  #first = '';

  #hasLoss = false;

  /** @param {{ cluster: Cluster, run: string, log: RunLog, leaseMs: number }} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * @param {number} seq  of the last record that was acknowledged
   * @throws {DamagedRun} something is lost, and was so a lease ago
   * @throws {UserError} the log may not be read
   */
  async look(seq) {
    const { cluster, run, log, leaseMs } = this.#options;
    if (cluster.nowMs() - this.#lookedMs < leaseMs) return;
    this.#lookedMs = cluster.nowMs();
    /** @type {string | undefined} */
    let loss;
    try {
      loss = this.#findLoss(seq, await log.last(), await log.get(1));
    } catch (error) {
      if (UserError.is(error)) throw error;
      // The next write tells of a server that does not answer.
      return;
    }
    // A server that has just lost the lead among its kind may say less than there is, once.
    if (loss !== undefined && this.#hasLoss) throw new DamagedRun(run, loss);
    this.#hasLoss = loss !== undefined;
  }

  /** @param {number} seq @param {number} last  of the log @param {Uint8Array | undefined} bytes  of its first record */
  #findLoss(seq, last, bytes) {
    if (last < seq) return `records ${last + 1} to ${seq} were acknowledged and are lost`;
    if (bytes === undefined) return 'its first record is lost: somebody has cut the stream';
    const hash = hashOf(bytes);
    this.#first ||= hash;
    return hash === this.#first ? undefined : 'its first record is another than it was';
  }
}
