// Keeps the host out during a crank, an input or a commit. The kernel then calls functions of the host program (of a
// device, a clock, an observer, a store), and these may try to call the kernel again.

import { UserError } from '#model';

/** @returns {UserError} */
export const makeBusyError = () =>
  new UserError(
    'the kernel is in a crank, an input or a commit, and takes nothing until that is over; a callback may use call() and send(), which wait for the next block',
    { exitCode: 1 },
  );

/** @param {string} by  what stopped the run for good @returns {UserError} */
export const makeStoppedError = by =>
  new UserError(
    `the run was stopped by ${by}; take up its state at the last block that was committed`,
    { exitCode: 1 },
  );

export class Gate {
  #isInCrank;

  #insistUnbroken;

  /** Whether `alone` has been called and has not returned. */
  isTaken = false;

  /**
   * @param {() => boolean} isInCrank
   * @param {() => void} insistUnbroken  throws if the run was stopped for good
   */
  constructor(isInCrank, insistUnbroken) {
    this.#isInCrank = isInCrank;
    this.#insistUnbroken = insistUnbroken;
  }

  /** Whether a crank, an input or a commit is under way. */
  get isBusy() {
    return this.isTaken || this.#isInCrank();
  }

  /** @throws {UserError} a crank, an input or a commit is under way, or the run was stopped for good */
  insistIdle() {
    if (this.isBusy) throw makeBusyError();
    this.#insistUnbroken();
  }

  /**
   * Runs an input or a commit to its end, with the gate closed.
   *
   * @template T
   * @param {() => T} act
   * @returns {T}
   * @throws {UserError} a crank, an input or a commit is under way, or the run was stopped for good
   */
  alone(act) {
    this.insistIdle();
    this.isTaken = true;
    try {
      return act();
    } finally {
      this.isTaken = false;
    }
  }
}
