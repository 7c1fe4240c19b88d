// Checks once a lease that the log of a run still has its first and its last acknowledged record. An append does not
// detect that the beginning was cut off, and a waiting run appends only renewals of its lease.

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
   * @throws {DamagedRun} if records are lost, in two checks in a row
   * @throws {UserError} if the log may not be read
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
      // The next write reports a server that does not answer.
      return;
    }
    // A server that has just lost the leadership of the stream may once report too few records.
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
