// Bringing a vat back to where it was: its transcript is delivered again, the kernel's answers come from it, and
// every syscall is held against it. A difference means that the vat's code is not what it was, or that something
// in it is not determined by its inputs.

import { Fail, quote, UserError } from '#model';

/** @import { CrankResult, Kernel, Transport } from '#kernel' */
/** @import { Answer, DeliverEntry, Syscall } from '#model' */

/**
 * The place of the first difference, or -1.
 *
 * @param {readonly Syscall[]} actual
 * @param {readonly Syscall[]} expected
 */
const findDifference = (actual, expected) => {
  const length = Math.max(actual.length, expected.length);
  for (let i = 0; i < length; i += 1) {
    if (JSON.stringify(actual[i]) !== JSON.stringify(expected[i])) return i;
  }
  return -1;
};

/** @param {Syscall | undefined} syscall  named without its data */
const nameSyscall = syscall =>
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
    transport.begin(entry.delivery, () => {
      /** @type {Answer | undefined} */
      const next = entry.answers[answered];
      answered += 1;
      if (next === undefined)
        throw Error(`delivery ${number} asks the kernel more than the transcript tells`);
      return next;
    });
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
      if (entry.kind !== 'deliver')
        throw Fail`vat ${vatName} has reactors, which this version does not run`;
      begin(entry);
      const result = transport.finish();
      if (result instanceof Promise) return result.then(value => check(entry, value)).then(proceed);
      check(entry, result);
    }
  };

  return proceed();
};
