// The physical times that vats read. Each answer is recorded, since a replay takes it from the inputs.

import { UserError } from '#model';

/**
 * Physical time for vats. Each answer is recorded as an input.
 *
 * @typedef {object} PhysicalClock
 * @property {(vatId: string, timeNs: number, microstep: number) => number} nowNs  whole nanoseconds since the start of
 *   the run; read at this tag
 * @property {(vatId: string, timeNs: number, deadlineNs: number) => boolean} isLate  whether it is ahead of logical
 *   time by more than the deadline
 * @property {() => void} [begin]  called when the last of the config's vats has started
 */

/** @param {unknown} value */
const showType = value => (value === null ? 'null' : typeof value);

/** A physical time that a vat read. @typedef {{ kind: 'clock' | 'deadline', vatId: string, data: string }} ClockRead */

export class PhysicalTime {
  /** The times that physical connections read in this crank. @type {ClockRead[]} */
  #reads = [];

  /** @param {PhysicalClock} clock */
  constructor(clock) {
    this.clock = clock;
  }

  /**
   * The time that the clock shows.
   *
   * @param {string} vatId
   * @param {number} timeNs
   * @param {number} microstep
   * @throws {UserError} the clock, which is the host program's, shows anything else than whole nanoseconds
   */
  nowNs(vatId, timeNs, microstep) {
    const nowNs = this.clock.nowNs(vatId, timeNs, microstep);
    if (Number.isSafeInteger(nowNs)) return nowNs;
    const shown = typeof nowNs === 'number' ? String(nowNs) : showType(nowNs);
    throw new UserError(
      `the clock's nowNs() gave ${shown}; whole nanoseconds since the start of the run are wanted`,
      { exitCode: 1 },
    );
  }

  /**
   * Reads physical time for a vat in its crank.
   *
   * @param {string} vatId
   * @param {number} timeNs  the tag at which it asks: a vat that runs by itself is ahead of the kernel
   * @param {number} microstep
   * @param {ClockRead[]} [reads]  the list that records it: a crank that was begun ahead has its own
   */
  read(vatId, timeNs, microstep, reads = this.#reads) {
    const nowNs = this.nowNs(vatId, timeNs, microstep);
    reads.push({ kind: 'clock', vatId, data: String(nowNs) });
    return nowNs;
  }

  /**
   * @param {string} vatId
   * @param {number} timeNs
   * @param {number} deadlineNs
   * @param {ClockRead[]} reads
   */
  isLate(vatId, timeNs, deadlineNs, reads) {
    const isLate = this.clock.isLate(vatId, timeNs, deadlineNs);
    reads.push({ kind: 'deadline', vatId, data: isLate ? '1' : '0' });
    return isLate;
  }

  /** The answers since the last call; they are recorded whether the crank is kept or dropped. */
  takeReads() {
    return this.#reads.length === 0 ? this.#reads : this.#reads.splice(0);
  }
}
