// A vat as a function, for tests of the kernel: it is told of a delivery, and makes its syscalls at once. What a
// supervisor would do (marshalling, promises, jobs) is left to the test.

import { answeredSyscalls } from '#model';

/** @import { CrankResult, Transport } from '#kernel' */
/** @import { Answer, Delivery, Syscall } from '#model' */

/**
 * Make one syscall. Those that have an answer return it.
 *
 * @typedef {(...syscall: Syscall) => Answer | undefined} Call
 */

/** The machine stops the vat in this crank. */
export class Refused {
  /** @param {CrankResult['limit']} [limit]  that it went beyond; none if there was no memory for it */
  constructor(limit) {
    this.limit = limit === undefined ? {} : { limit };
  }
}

/**
 * A scripted vat's crank, numbered from 1. If it returns a string, the vat ends with that reason.
 *
 * @typedef {(delivery: Delivery, call: Call, crank: number) => string | Refused | void} React
 */

/**
 * @param {React} react
 * @returns {Transport}
 */
export const makeScriptedTransport = react => {
  let crank = 0;
  /** @type {CrankResult | undefined} */
  let result;
  return Object.freeze({
    begin(delivery, answerer) {
      crank += 1;
      /** @type {Syscall[]} */
      const syscalls = [];
      /** @type {Answer[]} */
      const answers = [];
      /** @type {Call} */
      const call = (...syscall) => {
        const hasAnswer = answeredSyscalls.includes(syscall[0]);
        const answer = hasAnswer ? answerer(syscall, syscalls) : undefined;
        syscalls.push(syscall);
        if (answer !== undefined) answers.push(answer);
        return answer;
      };
      const end = react(delivery, call, crank) ?? null;
      result =
        end instanceof Refused
          ? { fault: 'stopped', syscalls, answers, isRefusal: true, ...end.limit }
          : { fault: end, syscalls, answers };
    },
    finish() {
      if (result === undefined) throw Error('finish() before begin()');
      const finished = result;
      result = undefined;
      return finished;
    },
    close() {},
  });
};

/**
 * Bring a scripted vat back to where its transcript says it was.
 *
 * @param {Transport} transport  of a vat that has not run yet
 * @param {ReturnType<import('#kernel').Kernel['transcript']>} transcript
 * @throws {Error} the vat does something else than it did
 */
export const replayScripted = (transport, transcript) => {
  for (const entry of transcript) {
    if (entry.kind !== 'deliver') throw Error(`a scripted vat takes no ${entry.kind} entry`);
    const answers = [...entry.answers];
    const answerNext = () => {
      const answer = answers.shift();
      if (answer === undefined) throw Error('a replayed vat asks more than it did');
      return answer;
    };
    transport.begin(entry.delivery, answerNext, { ...entry.tag, stage: entry.stage });
    const result = /** @type {CrankResult} */ (transport.finish());
    if (JSON.stringify(result.syscalls) !== JSON.stringify(entry.syscalls)) {
      throw Error(
        `a scripted vat replays ${JSON.stringify(entry.delivery)} with ${JSON.stringify(result.syscalls)} instead of ${JSON.stringify(entry.syscalls)}`,
      );
    }
  }
};
