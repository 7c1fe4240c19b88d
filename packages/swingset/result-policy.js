// Carries out the host's policy for a settled result: nothing, a line on the console, or the end of the run.

import { UserError } from '#model';
import { resultPolicyPrefix } from './host-keys.js';

/** @import { Kernel } from '#kernel' */

const names = /** @type {const} */ (['ignore', 'logAlways', 'logFailure', 'panic', 'none']);

/** @typedef {(typeof names)[number]} ResultPolicy */

/**
 * @param {unknown} policy  of a host program; SwingSet takes what it does not know as `ignore`
 * @returns {ResultPolicy}
 */
export const asResultPolicy = policy => names.find(name => name === policy) ?? 'ignore';

/**
 * The policy of an unsettled result, as it is in the state.
 *
 * @param {Pick<Kernel['state'], 'hostValues'>} state
 * @param {string} kpid
 * @returns {ResultPolicy}
 */
export const readResultPolicy = ({ hostValues }, kpid) =>
  asResultPolicy(hostValues.get(`${resultPolicyPrefix}${kpid}`));

export class ResultPolicies {
  #kernel;

  /** Unsettled results with a policy that has an effect. @type {Map<string, ResultPolicy>} */
  #waiting = new Map();

  /** @type {UserError | undefined} */
  #panic;

  /** @param {Kernel} kernel */
  constructor(kernel) {
    this.#kernel = kernel;
    for (const [key, policy] of kernel.state.hostValues.all())
      if (key.startsWith(resultPolicyPrefix))
        this.addStored(key.slice(resultPolicyPrefix.length), asResultPolicy(policy));
  }

  /** @param {string} kpid @param {ResultPolicy} policy */
  add(kpid, policy) {
    if (policy === 'ignore' || policy === 'none' || this.#waiting.get(kpid) === policy) return;
    this.#waiting.set(kpid, policy);
    this.#kernel.setHostValue(`${resultPolicyPrefix}${kpid}`, policy);
  }

  /** Like `add`, where the state tells of the policy by other means. @param {string} kpid @param {ResultPolicy} policy */
  addStored(kpid, policy) {
    this.#waiting.set(kpid, policy);
  }

  /** Whether a crank may end the run, so that each must be checked. */
  get mayPanic() {
    return this.#waiting.size > 0;
  }

  /** Check the results between cranks. @throws {UserError} if a result with the policy `panic` was rejected */
  check() {
    for (const [kpid, policy] of this.#waiting) {
      const { state, data } = this.#kernel.promiseStatus(kpid);
      if (state === 'unresolved') continue;
      this.#waiting.delete(kpid);
      this.#kernel.setHostValue(`${resultPolicyPrefix}${kpid}`, undefined);
      const isRejected = state === 'rejected';
      const text = `${kpid}.policy ${policy}: ${isRejected ? 'rejected' : 'fulfilled'} ${JSON.stringify(data)}`;
      if (policy === 'logAlways' || (policy === 'logFailure' && isRejected)) console.log(text);
      if (policy === 'panic' && isRejected)
        this.#panic = new UserError(`kernel panic ${text}`, { exitCode: 1 });
    }
    if (this.#panic !== undefined) throw this.#panic;
  }
}
