// Writes the syscalls of a crank, and the entries of c-lists that they make and take away.

import { answeredSyscalls, isObjectKref, isPromiseKref, numberOfId } from '#model';
import { kernelSyscallOf, referencesOf, resultOf, vatSyscallOf } from './tuples.js';

/** @import { Kernel } from '#kernel' */
/** @import { Answer, Syscall } from '#model' */
/** @import { makeSlogMethods } from './methods.js' */

/** The crank under way. */
export class CrankAt {
  number = 0n;

  vatId = '';

  /** The number of its delivery in its vat. */
  delivery = 0n;

  /** Objects and promises from these numbers on are made in this crank. */
  firstObject = 0;

  firstPromise = 0;

  isOpen = false;
}

/**
 * @param {() => Kernel} getKernel
 * @param {ReturnType<typeof makeSlogMethods>} slog
 * @param {CrankAt} crank
 */
export const tellSyscallsOf = (getKernel, slog, crank) => {
  /** @param {string} kref  of something that this crank has exported first */
  const isNew = kref =>
    isPromiseKref(kref)
      ? numberOfId(kref) >= crank.firstPromise
      : isObjectKref(kref) && numberOfId(kref) >= crank.firstObject;

  /** @param {string} vatId @param {string} kref */
  const isListed = (vatId, kref) =>
    getKernel().state.vats.isRunning(vatId) &&
    getKernel().state.vats.clist(vatId).findVref(kref) !== undefined;

  /** An answer's data in krefs, of a vat that has not ended yet. @param {Answer} answer @returns {Answer} */
  const inKrefs = answer => {
    if (answer.kind === 'value') return answer;
    const clist = getKernel().state.vats.clist(crank.vatId);
    const slots = answer.data.slots.map(vref => clist.findKref(vref) ?? vref);
    return { ...answer, data: { body: answer.data.body, slots } };
  };

  /** @param {Syscall} syscall @param {Syscall | undefined} inKernel */
  const tellDropped = (syscall, inKernel) => {
    if (inKernel === undefined || syscall[0] === 'send' || syscall[0] === 'dropImports') return;
    const { vatId, number } = crank;
    /** @type {[string[], string[]]} */
    const [krefs, vrefs] =
      inKernel[0] === 'resolve' && syscall[0] === 'resolve'
        ? [inKernel[1].map(([kref]) => kref), syscall[1].map(([vref]) => vref)]
        : [referencesOf(inKernel), referencesOf(syscall)];
    for (const [i, kref] of krefs.entries())
      if (!isListed(vatId, kref)) slog.changeCList(vatId, number, 'drop', kref, vrefs[i]);
  };

  /**
   * @param {readonly Syscall[]} syscalls  in vrefs
   * @param {readonly Syscall[]} applied  in krefs, without those of devices; empty if the crank was dropped
   * @param {readonly Answer[]} answers
   * @param {readonly Answer[]} kernelAnswers  the same in krefs
   */
  const tell = (syscalls, applied, answers, kernelAnswers) => {
    const { vatId, number: crankNum, delivery: deliveryNum } = crank;
    /** @type {Set<string>} */
    const told = new Set();
    let answered = 0;
    for (const [syscallNum, syscall] of syscalls.entries()) {
      const inKernel = applied[syscallNum];
      const vrefs = referencesOf(syscall);
      for (const [i, kref] of referencesOf(inKernel).entries()) {
        if (told.has(kref)) continue;
        told.add(kref);
        if (isNew(kref)) slog.changeCList(vatId, crankNum, 'export', kref, vrefs[i]);
      }
      const isGiven = answeredSyscalls.includes(syscall[0]);
      const answer = isGiven ? answers[answered] : undefined;
      const kernelAnswer = isGiven ? kernelAnswers[answered] : undefined;
      if (isGiven) answered += 1;
      tellDropped(syscall, inKernel);
      const ksc = inKernel === undefined ? undefined : kernelSyscallOf(vatId, inKernel);
      const numbers = { crankNum, deliveryNum, syscallNum };
      const finish = slog.syscall(vatId, ksc, vatSyscallOf(syscall), numbers);
      finish(ksc && resultOf(kernelAnswer), resultOf(answer));
    }
  };

  return { inKrefs, tell };
};
