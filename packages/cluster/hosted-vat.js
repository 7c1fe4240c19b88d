// A vat on one host or several: what it has been given, what it has asked, and whether what hosts say of it can be. Hosts are not
// trusted with more than their vats' results: an answer is the one that was given, twins agree, and who says otherwise is found.

import { memoryRefused } from '#kernel';
import { describeSyscall, findDifference } from '#host/replay.js';
import { Fail, quote, UserError } from '#model';

/** @import { Transport } from '#kernel' */
/** @import { Answer, Delivery, Syscall, TranscriptEntry, When } from '#model' */
/** @import { Question, ResultFrame } from '#transport' */
/** @import { VatOnWorker } from '#host/workers/worker.js' */
/** @import { Host } from './host-list.js' */

/** @typedef {Parameters<Transport['begin']>[1]} Answerer */

/**
 * A vat on one host.
 *
 * @typedef {object} Replica
 * @property {Host} host
 * @property {boolean} isReady  whether deliveries may be sent to it
 * @property {number} at  how many questions of the call it has asked
 * @property {ResultFrame | undefined} result  of the call under way
 * @property {((problem?: Error) => void) | undefined} made  tells who makes it that it is made, or why not
 */

/**
 * @typedef {object} Call
 * @property {Delivery} delivery
 * @property {Answerer} answer
 * @property {When} when
 * @property {readonly string[]} asked
 * @property {Question[]} questions  that were asked so far
 * @property {Answer[]} given  the answers to them
 * @property {number} ends  how many threads ended in it
 */

/**
 * @typedef {object} HostedVat
 * @property {string} vatId
 * @property {string} name
 * @property {VatOnWorker} description
 * @property {Replica[]} replicas
 * @property {Call | undefined} call  under way
 * @property {TranscriptEntry | undefined} last  what the kernel was given last; it may not be in the transcript yet
 * @property {number} taken  results that the kernel has taken
 * @property {((error?: Error) => void) | undefined} wake  of who waits for the result
 * @property {boolean | undefined} hasRounds
 * @property {boolean} isPinned  a person has placed it
 * @property {boolean} isClosed
 */

/** The first difference between two results of one delivery. @param {ResultFrame} left @param {ResultFrame} right */
const compareResults = (left, right) => {
  const at = findDifference(left.syscalls, right.syscalls);
  if (at >= 0) {
    const [first, second] = [
      describeSyscall(left.syscalls[at]),
      describeSyscall(right.syscalls[at]),
    ];
    const how =
      first === second ? `${first}, has other data` : `${first} on the one, ${second} on the other`;
    return `syscall ${at + 1}, ${how}`;
  }
  if (left.fault !== right.fault) return 'the fault that ends it';
  if (JSON.stringify(left.answers) !== JSON.stringify(right.answers)) return 'what it found dead';
  return undefined;
};

/**
 * Twins have to agree on what a delivery came to.
 *
 * @param {HostedVat} vat
 * @param {Call} call
 * @returns {ResultFrame} of all
 * @throws {UserError} they do not
 */
export const agreeOnResult = ({ name, replicas, taken }, { delivery }) => {
  const [first, ...others] = replicas;
  const result = first.result ?? Fail`there is no result`;
  for (const other of others) {
    const difference = compareResults(result, other.result ?? Fail`there is no result`);
    if (difference === undefined) continue;
    throw new UserError(
      `vat ${name} does something else on host ${first.host.name} than on host ${other.host.name}, in its crank ${taken + 1} (${delivery[0]}): ${difference}; nothing of the block is committed`,
      { exitCode: 1 },
    );
  }
  return result;
};

/**
 * @param {string} vatId
 * @param {VatOnWorker} description
 * @returns {HostedVat}
 */
export const makeHostedVat = (vatId, description) => ({
  ...{ vatId, name: description.name, description, replicas: [] },
  ...{ call: undefined, last: undefined, taken: 0, wake: undefined },
  ...{ hasRounds: undefined, isPinned: false, isClosed: false },
});

/** @param {Delivery} delivery @param {Answerer} answer @param {When} when @param {readonly string[]} asked @returns {Call} */
export const makeCall = (delivery, answer, { timeNs, microstep, stage }, asked) => ({
  ...{ delivery, answer, when: { timeNs, microstep, stage }, asked },
  ...{ questions: [], given: [], ends: 0 },
});

/**
 * The answer to a question; one that was asked before, by a host that is gone or by a twin, gets the same answer.
 *
 * @param {HostedVat} vat
 * @param {Replica} replica
 * @param {Question} question
 * @param {Syscall[]} earlier
 * @returns {Answer}
 */
export const answerOf = ({ call, vatId }, replica, question, earlier) => {
  if (call === undefined || replica.result !== undefined)
    throw RangeError(`vat ${quote(vatId)} asks between cranks`);
  const { questions, given } = call;
  if (replica.at === given.length) {
    given.push(call.answer(question, earlier));
    questions.push(question);
  } else if (JSON.stringify(questions[replica.at]) !== JSON.stringify(question)) {
    throw RangeError(`vat ${quote(vatId)} asks ${question[0]}, and asked otherwise before`);
  }
  replica.at += 1;
  return given[replica.at - 1];
};

/**
 * Answers are those that were given; only what a vat found dead by itself is its own.
 *
 * @param {Call} call
 * @param {Replica} replica
 * @param {ResultFrame} result
 * @returns {Answer[]}
 */
export const checkAnswers = ({ questions, given }, { at }, { answers }) => {
  if (at !== answers.length || at !== given.length)
    throw RangeError(`a result with ${answers.length} answers to ${given.length} questions`);
  return given.map((answer, i) => {
    if (questions[i][0] !== 'bringOutYourDead') return answer;
    if (answers[i].kind !== 'value') throw RangeError('what was found dead is told by a value');
    return answers[i];
  });
};

/** Threads end in a delivery again and again: its vat ends. @param {string} vatId @param {Call} call @returns {ResultFrame} */
export const refusal = (vatId, { given }) => ({
  ...{ kind: 'result', vatId, fault: memoryRefused, isRefusal: true, syscalls: [] },
  ...{ answers: [...given], shown: '', busyNs: 0, collections: 0, collectionNs: 0 },
  hasRounds: null,
});
