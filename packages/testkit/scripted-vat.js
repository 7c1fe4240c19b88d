// A vat as a function, for tests of the kernel: it is told of a delivery, and makes its syscalls at once. What a
// supervisor would do (marshalling, promises, jobs) is left to the test.

import { answeredSyscalls } from '#model';

/** @import { CrankResult, Transport } from '#kernel' */
/** @import { Answer, Delivery, ReactorReport, Syscall, When } from '#model' */

/** Asks for physical time, which is no syscall. @typedef {(question: ['clock' | 'deadline', timeNs: number, number: number]) => Answer} Ask */

/**
 * Make one syscall. Those that have an answer return it.
 *
 * @typedef {(...syscall: Syscall) => Answer | undefined} Call
 */

/** The end of a crank with a report of the vat's reactors. */
export class Reported {
  /**
   * @param {ReactorReport | null} report  may be wrong
   * @param {string | null} [end]  the reason of the vat's end
   */
  constructor(report, end = null) {
    this.report = report;
    this.end = end;
  }
}

/** The machine stops the vat in this crank. */
export class Refused {
  /** @param {CrankResult['limit']} [limit]  that it went beyond; none if there was no memory for it */
  constructor(limit) {
    this.limit = limit === undefined ? {} : { limit };
  }
}

/**
 * A scripted vat's crank, numbered from 1. If it returns a string, the vat ends with that reason. `isRepeated`: the crank
 * is in its transcript.
 *
 * @typedef {(delivery: Delivery, call: Call, crank: number, when?: When & { isRepeated?: boolean }, ask?: Ask) => string | Refused | Reported | void} React
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
    begin(delivery, answerer, when) {
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
      /** @type {Ask} */
      const ask = question => {
        const answer = answerer(question, syscalls);
        answers.push(answer);
        return answer;
      };
      const end = react(delivery, call, crank, when, ask) ?? null;
      result =
        end instanceof Refused
          ? { fault: 'stopped', syscalls, answers, isRefusal: true, ...end.limit }
          : end instanceof Reported
            ? { fault: end.end, syscalls, answers, reactors: end.report }
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
    // Cranks that scripted reactors run by themselves change nothing in them.
    if (entry.kind === 'quiet') continue;
    const answers = [...entry.answers];
    const answerNext = () => {
      const answer = answers.shift();
      if (answer === undefined) throw Error('a replayed vat asks more than it did');
      return answer;
    };
    const when = { ...entry.tag, stage: entry.stage, isRepeated: true };
    transport.begin(entry.delivery, answerNext, when);
    const result = /** @type {CrankResult} */ (transport.finish());
    if (JSON.stringify(result.syscalls) !== JSON.stringify(entry.syscalls)) {
      throw Error(
        `a scripted vat replays ${JSON.stringify(entry.delivery)} with ${JSON.stringify(result.syscalls)} instead of ${JSON.stringify(entry.syscalls)}`,
      );
    }
  }
};
