// The questions that a vat may ask in a delivery. A process or a machine that is not this one may ask others.

/** @import { Delivery, Syscall } from '#model' */
/** @import { Question } from '#transport' */

/** Questions of any vat in any delivery. @type {ReadonlySet<Question[0]>} */
const askable = new Set(['vatstoreGet', 'vatstoreGetNextKey', 'callNow']);

/** Questions of reactors. @type {ReadonlySet<Question[0]>} */
const questionsOfReactors = new Set(['clock', 'deadline']);

/**
 * @param {{ hasReactors: boolean }} description  of the vat
 * @param {Question} question
 * @param {readonly Syscall[]} earlier
 * @param {Delivery} delivery
 * @throws {RangeError} if no such vat asks this in such a delivery
 */
export const insistMayAsk = ({ hasReactors }, question, earlier, delivery) => {
  const [kind] = question;
  const isAskable =
    kind === 'bringOutYourDead'
      ? delivery[0] === 'bringOutYourDead'
      : askable.has(kind) || (hasReactors && questionsOfReactors.has(kind));
  if (!isAskable) throw RangeError(`a question ${kind} in a delivery ${delivery[0]}`);
  if (kind !== 'callNow' && earlier.length > 0)
    throw RangeError(`a question ${kind} with ${earlier.length} earlier syscalls`);
};
