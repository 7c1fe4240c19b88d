// Replays a vat's transcript: repeats its deliveries with the recorded answers of the kernel, and compares every
// syscall with the recorded one. A difference means that the vat's code has changed, or that its behaviour depends on
// something other than its inputs, for example on the engine's stack depth.

import { formatTag, quote, UserError } from '#model';

/** @import { CrankResult, Kernel, Transport } from '#kernel' */
/** @import { Answer, DeliverEntry, QuietEntry, Syscall } from '#model' */

/**
 * Find the index of the first difference, or -1.
 *
 * @param {readonly Syscall[]} actual
 * @param {readonly Syscall[]} expected
 */
export const findDifference = (actual, expected) => {
  const length = Math.max(actual.length, expected.length);
  for (let i = 0; i < length; i += 1) {
    if (JSON.stringify(actual[i]) !== JSON.stringify(expected[i])) return i;
  }
  return -1;
};

/** Bound on the length of a syscall's description, in characters. */
const maxName = 100;

/**
 * Describe a syscall without its data.
 *
 * @param {Syscall | undefined} syscall
 */
export const describeSyscall = syscall => {
  if (syscall === undefined) return 'nothing';
  const [kind, first] = syscall;
  const named =
    kind === 'resolve'
      ? syscall[1].map(([vref]) => vref).join(' ')
      : Array.isArray(first)
        ? first.join(' ')
        : first;
  const text = typeof named === 'string' ? `${kind} ${named}` : kind;
  return text.length > maxName ? `${text.slice(0, maxName)}…` : text;
};

const remedies =
  'resume with the sources and the engine that the run began with, end this vat alone with --end-diverging, or start anew with --init';

/** A vat does not repeat its transcript. Other vats are not affected. */
export class DivergedError extends UserError {
  /**
   * @param {string} vatName
   * @param {string} difference  `does not replay: …`
   */
  constructor(vatName, difference) {
    super(`vat ${vatName} ${difference}; ${remedies}`, { exitCode: 1 });
    this.vatName = vatName;
    this.difference = difference;
  }
}

/**
 * Describe the first difference in a crank.
 *
 * @param {DeliverEntry} entry
 * @param {readonly Syscall[]} actual
 * @returns {string | undefined}
 */
const describeDifference = ({ syscalls }, actual) => {
  const at = findDifference(actual, syscalls);
  if (at < 0) return undefined;
  const is = quote(describeSyscall(actual[at]));
  const was = quote(describeSyscall(syscalls[at]));
  return is === was
    ? `syscall ${at + 1}, ${is}, has other data than in the transcript`
    : `syscall ${at + 1} is ${is}, the transcript has ${was}`;
};

/**
 * Replay a vat's transcript. To be called from a macrotask.
 *
 * @param {string} vatName
 * @param {Transport} transport  of a vat that has not yet run
 * @param {ReturnType<Kernel['transcript']>} transcript
 * @returns {void | Promise<void>}
 * @throws {DivergedError} if the vat does not repeat its transcript
 */
export const replayVat = (vatName, transport, transcript) => {
  let number = 0;
  let answered = 0;

  /** @param {DeliverEntry} entry @param {string} what */
  const differsIn = ({ delivery, tag }, what) =>
    new DivergedError(
      vatName,
      `does not replay: in its delivery ${number} (${delivery[0]}, at ${formatTag(tag)}), ${what}`,
    );

  /** @param {DeliverEntry} entry */
  const begin = entry => {
    answered = 0;
    const answerNext = () => {
      /** @type {Answer | undefined} */
      const next = entry.answers[answered];
      answered += 1;
      if (next === undefined)
        throw Error(
          `delivery ${number} asks the kernel more often than the transcript has answers`,
        );
      return next;
    };
    transport.begin(entry.delivery, answerNext, { ...entry.tag, stage: entry.stage });
  };

  /**
   * Replay a quiet run of the vat's reactors, in several parts if needed.
   *
   * @param {QuietEntry} entry
   * @returns {void | Promise<void>}
   */
  const replayQuiet = ({ firstTag, endTag, endStage, cranks }) => {
    let left = cranks;
    let at = { ...firstTag, stage: 0 };
    const refuse = () => {
      throw Error(`delivery ${number} asks the kernel, and the transcript has no answer`);
    };
    /** @param {CrankResult} result */
    const count = ({ fault, reactors }) => {
      const isWhole =
        reactors &&
        !reactors.isLoud &&
        (reactors.quiet.length === left || reactors.nextTimeNs >= 0);
      if (fault !== null || !isWhole) throw notQuiet(fault);
      const { quiet } = reactors;
      left -= quiet.length;
      if (left === 0) insistEnd(quiet);
      at = {
        timeNs: reactors.nextTimeNs,
        microstep: reactors.nextMicrostep,
        stage: reactors.nextStage,
      };
    };
    /** @param {import('#model').TagLog} quiet */
    const insistEnd = quiet => {
      const isSame =
        quiet.lastTimeNs === endTag.timeNs &&
        quiet.lastMicrostep === endTag.microstep &&
        quiet.lastStage === endStage;
      if (!isSame) throw notQuiet(null);
    };
    /** @param {string | null} fault */
    const notQuiet = fault =>
      new DivergedError(
        vatName,
        `does not replay: its ${cranks} cranks of reactors by themselves, entry ${number} of its transcript, from ${formatTag(firstTag)} to ${formatTag(endTag)}, ${fault === null ? 'are others now' : `fail: ${fault}`}`,
      );
    /** @returns {void | Promise<void>} */
    const runOn = () => {
      while (left > 0) {
        const grant = { timeNs: Infinity, microstep: 0, cranks: left };
        transport.begin(['react', [], false, []], refuse, { ...at, grant });
        const result = transport.finish();
        if (result instanceof Promise) return result.then(count).then(runOn);
        count(result);
      }
    };
    return runOn();
  };

  /**
   * @param {DeliverEntry} entry
   * @param {CrankResult} result
   */
  const check = (entry, { fault, syscalls }) => {
    const what = fault === null ? describeDifference(entry, syscalls) : `it fails: ${fault}`;
    if (what !== undefined) throw differsIn(entry, what);
    // A vat may catch the error of a missing answer, and some questions are not syscalls.
    const { length } = entry.answers;
    if (answered !== length)
      throw differsIn(entry, `it asks the kernel ${answered} times, in the transcript ${length}`);
  };

  /** @returns {void | Promise<void>} */
  const proceed = () => {
    for (let next = transcript.next(); !next.done; next = transcript.next()) {
      const entry = next.value;
      number += 1;
      if (entry.kind === 'quiet') {
        const replaying = replayQuiet(entry);
        if (replaying) return replaying.then(proceed);
        continue;
      }
      begin(entry);
      const result = transport.finish();
      if (result instanceof Promise) return result.then(value => check(entry, value)).then(proceed);
      check(entry, result);
    }
  };

  return proceed();
};
