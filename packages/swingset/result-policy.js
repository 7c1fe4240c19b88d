// Carries out the host's policy for a settled result: nothing, a line on the console, or the end of the run.

import { UserError } from '#model';
import { resultPoliciesKey } from './host-keys.js';

/** @import { Kernel } from '#kernel' */

const names = /** @type {const} */ (['ignore', 'logAlways', 'logFailure', 'panic', 'none']);

/** @typedef {(typeof names)[number]} ResultPolicy */

/**
 * @param {unknown} policy  of a host program; SwingSet takes what it does not know as `ignore`
 * @returns {ResultPolicy}
 */
export const asResultPolicy = policy => names.find(name => name === policy) ?? 'ignore';

/**
 * The policies of unsettled results but for `ignore` and `none`, as they are in the state.
 *
 * @param {Pick<Kernel['state'], 'hostValues'>} state
 * @returns {Map<string, ResultPolicy>}
 */
export const readResultPolicies = ({ hostValues }) =>
  new Map(JSON.parse(hostValues.get(resultPoliciesKey) ?? '[]'));

export class ResultPolicies {
  #kernel;

  /** Unsettled results with a policy that has an effect. */
  #waiting;

  /** @type {UserError | undefined} */
  #panic;

  /** @param {Kernel} kernel */
  constructor(kernel) {
    this.#kernel = kernel;
    this.#waiting = readResultPolicies(kernel.state);
  }

  #keep() {
    const pairs = [...this.#waiting];
    this.#kernel.setHostValue(
      resultPoliciesKey,
      pairs.length === 0 ? undefined : JSON.stringify(pairs),
    );
  }

  /** @param {string} kpid @param {ResultPolicy} policy */
  add(kpid, policy) {
    if (policy === 'ignore' || policy === 'none' || this.#waiting.get(kpid) === policy) return;
    this.#waiting.set(kpid, policy);
    this.#keep();
  }

  /** Whether a crank may end the run, so that each must be checked. */
  get mayPanic() {
    return this.#waiting.size > 0;
  }

  /** Check the results after a crank. @throws {UserError} if a result with the policy `panic` was rejected */
  check() {
    for (const [kpid, policy] of this.#waiting) {
      const { state, data } = this.#kernel.promiseStatus(kpid);
      if (state === 'unresolved') continue;
      this.#waiting.delete(kpid);
      this.#keep();
      const isRejected = state === 'rejected';
      const text = `${kpid}.policy ${policy}: ${isRejected ? 'rejected' : 'fulfilled'} ${JSON.stringify(data)}`;
      if (policy === 'logAlways' || (policy === 'logFailure' && isRejected)) console.log(text);
      if (policy === 'panic' && isRejected)
        this.#panic = new UserError(`kernel panic ${text}`, { exitCode: 1 });
    }
    this.insistNoPanic();
  }

  insistNoPanic() {
    if (this.#panic !== undefined) throw this.#panic;
  }
}
