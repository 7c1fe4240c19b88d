// Does what the host wants when a result settles: nothing, a line on the console, or the end of the run.

import { quote, UserError } from '#model';

/** @import { Kernel } from '#kernel' */

const names = /** @type {const} */ (['ignore', 'logAlways', 'logFailure', 'panic', 'none']);

/** @typedef {(typeof names)[number]} ResultPolicy */

/**
 * @param {unknown} policy
 * @returns {ResultPolicy}
 * @throws {UserError}
 */
export const asResultPolicy = policy => {
  const found = names.find(name => name === policy);
  if (found !== undefined) return found;
  throw new UserError(
    `there is no result policy ${quote(policy)}; there are ${names.map(quote).join(', ')}`,
  );
};

export class ResultPolicies {
  #kernel;

  /** @type {Map<string, ResultPolicy>} results that are not settled, with policies that do something */
  #waiting = new Map();

  /** @type {UserError | undefined} */
  #panic;

  /** @param {Kernel} kernel */
  constructor(kernel) {
    this.#kernel = kernel;
  }

  /** @param {string} kpid @param {ResultPolicy} policy */
  add(kpid, policy) {
    if (policy !== 'ignore' && policy !== 'none') this.#waiting.set(kpid, policy);
  }

  /** Whether a crank may end the run, so that each has to be looked at. */
  get mayPanic() {
    return this.#waiting.size > 0;
  }

  /** A crank is over. @throws {UserError} a result was rejected whose policy is to panic */
  check() {
    for (const [kpid, policy] of this.#waiting) {
      const { state, data } = this.#kernel.promiseStatus(kpid);
      if (state === 'unresolved') continue;
      this.#waiting.delete(kpid);
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
