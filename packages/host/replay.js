// Bringing a vat back to where it was: its transcript is delivered again, the kernel's answers come from it, and
// every syscall is held against it. A difference means that the vat's code is not what it was, or that something
// in it is not determined by its inputs.

import { formatTag, quote, UserError } from '#model';

/** @import { CrankResult, Kernel, Transport } from '#kernel' */
/** @import { Answer, DeliverEntry, QuietEntry, Syscall } from '#model' */

/**
 * The place of the first difference, or -1.
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

/** @param {Syscall | undefined} syscall  named without its data */
export const nameSyscall = syscall =>
  syscall === undefined ? 'nothing' : syscall.slice(0, 2).map(quote).join(' ');

/**
 * @param {string} vatName
 * @param {number} number  of the entry, from 1
 * @param {DeliverEntry} entry
 * @param {readonly Syscall[]} actual
 */
const insistSame = (vatName, number, entry, actual) => {
  const at = findDifference(actual, entry.syscalls);
  if (at < 0) return;
  throw new UserError(
    `vat ${vatName} does not replay: in its delivery ${number} (${entry.delivery[0]}), syscall ${at + 1} is ${nameSyscall(actual[at])}, the transcript has ${nameSyscall(entry.syscalls[at])}; resume with the sources that the run began with, or start anew with --init`,
    { exitCode: 1 },
  );
};

/**
 * To be called from a macrotask, as everything that settles.
 *
 * @param {string} vatName
 * @param {Transport} transport  of a vat that has not run yet
 * @param {ReturnType<Kernel['transcript']>} transcript
 * @returns {void | Promise<void>}
 * @throws {UserError} the vat does something else than it did
 */
export const replayVat = (vatName, transport, transcript) => {
  let number = 0;

  /** @param {DeliverEntry} entry */
  const begin = entry => {
    let answered = 0;
    const answerNext = () => {
      /** @type {Answer | undefined} */
      const next = entry.answers[answered];
      answered += 1;
      if (next === undefined)
        throw Error(`delivery ${number} asks the kernel more than the transcript tells`);
      return next;
    };
    transport.begin(entry.delivery, answerNext, { ...entry.tag, stage: entry.stage });
  };

  /**
   * A run of the vat's reactors by themselves, in as many pieces as it takes.
   *
   * @param {QuietEntry} entry
   * @returns {void | Promise<void>}
   */
  const replayQuiet = ({ firstTag, endTag, endStage, cranks }) => {
    let left = cranks;
    let at = { ...firstTag, stage: 0 };
    const refuse = () => {
      throw Error(`delivery ${number} asks the kernel what the transcript does not tell`);
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
      new UserError(
        `vat ${vatName} does not replay: its ${cranks} cranks of reactors by themselves, entry ${number} of its transcript, from ${formatTag(firstTag)} to ${formatTag(endTag)}, ${fault === null ? 'are others now' : `fail: ${fault}`}; resume with the sources that the run began with, or start anew with --init`,
        { exitCode: 1 },
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
    if (fault !== null) {
      throw new UserError(
        `vat ${vatName} does not replay: its delivery ${number} fails: ${fault}`,
        { exitCode: 1 },
      );
    }
    insistSame(vatName, number, entry, syscalls);
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
