// A vat on a worker thread, for the kernel's transport: deliveries are sent as frames, and results are compared with
// the questions asked before they count.

import { makeRefusal } from '#kernel';
import { Fail, ReactorReport } from '#model';
import { insistMayAsk } from './vat-questions.js';
import { readShown, tellShown } from './shown.js';
import { takeAnswers } from './take-answers.js';

/** @import { CrankResult, Limit, Transport } from '#kernel' */
/** @import { Answer, Delivery, When } from '#model' */
/** @import { Question, Report, ResultFrame } from '#transport' */
/** @import { VatWatch } from '../vats/vat-watch.js' */
/** @import { CrankNote } from './note-reactions.js' */
/** @import { Shown } from './shown.js' */
/** @import { Thread } from './pool.js' */
/** @import { VatOnWorker } from './worker.js' */

/** @typedef {Parameters<Transport['begin']>[1]} Answerer */

/** Called with what a thread noted of a vat's crank. @typedef {(vat: RemoteVat, note: CrankNote) => void} NoteCrank */

/**
 * A delivery under way. It is kept until the kernel has its result, so that it can be sent again.
 *
 * @typedef {object} Call
 * @property {Delivery} delivery
 * @property {Answerer} answer
 * @property {When} when
 * @property {readonly string[]} asked  vats that share its collection
 * @property {Question[]} questions  asked so far
 * @property {Answer[]} given  their answers
 * @property {number} at  number of answers given since it was last sent
 * @property {(ResultFrame & { limit?: Limit }) | undefined} result
 * @property {string | undefined} dead  the dead references of its result; undefined if they were not asked for
 * @property {readonly Shown[]} shown  what its result tells of console output and errors
 * @property {number} ends  number of threads that ended in it
 * @property {Limit | undefined} limit  that it exceeded, so that its thread was ended
 * @property {number} order  position of its beginning among those of all vats
 * @property {boolean} isDue  whether its turn has come: questions to devices and the clock wait for it
 * @property {boolean} mustNotWait  whether it must not keep its thread waiting
 * @property {boolean} isHeldBack  whether it is sent only when its turn has come
 * @property {Extract<Report, { kind: 'question' }> | undefined} held  a question that waits for its turn
 */

/**
 * @typedef {object} RemoteVat
 * @property {string} vatId
 * @property {string} name
 * @property {VatOnWorker} description
 * @property {number} [crankMs]  time limit of its cranks
 * @property {Thread} thread
 * @property {Call | undefined} call  under way
 * @property {Call | undefined} replaying  a call of its transcript, on a new thread
 * @property {Call | undefined} last  the call before, whose result the kernel has taken
 * @property {number} taken  number of cranks of results that the kernel has taken: those in its transcript, and perhaps
 *   those of one more result
 * @property {ReactorReport | undefined} report  of its reactors, reused for each result
 * @property {boolean | null} hasRounds  whether its root object has the method of rounds; null before there is a root
 *   object
 * @property {boolean} isReady  whether deliveries may be sent
 * @property {boolean} isClosed  whether it has ended; it is on its thread until it is restored there
 * @property {boolean} asksInTurn  whether it has called a device, or has asked a question too early that waits for its
 *   turn
 * @property {Limit | undefined} beyond  a limit that it exceeded, perhaps between cranks: then the next crank is refused
 */

/**
 * Make the record of a vat that is not yet made.
 *
 * @param {string} vatId
 * @param {VatOnWorker} description
 * @param {Thread} thread
 * @returns {RemoteVat}
 */
export const makeRemoteVat = (vatId, description, thread) => ({
  ...{ vatId, name: description.name, thread, call: undefined, replaying: undefined },
  ...{ description, last: undefined, taken: 0, report: undefined },
  ...{ isReady: false, isClosed: false, hasRounds: null, beyond: undefined, asksInTurn: false },
});

/** Interval at which the kernel's thread checks for frames in the event loop. */
export const lookMs = 1;

/** @param {RemoteVat} vat @returns {Promise<void>} resolves when it is time to check again */
export const waitForLook = ({ thread }) => thread.worker.awaitReport(lookMs);

/** The answer to a vat that was closed in its crank; its thread goes on. */
export const noAnswer = Object.freeze({
  kind: /** @type {const} */ ('answer'),
  answer: Object.freeze({ kind: /** @type {const} */ ('value'), value: undefined }),
});

/** Forget a vat that has ended, here and on its thread. @param {RemoteVat} vat */
export const forgetVat = vat => {
  const { thread, vatId } = vat;
  vat.isReady = false;
  thread.vats.delete(vatId);
  if (thread.worker.isUp) thread.worker.send({ kind: 'close', vatId });
};

/**
 * Provide the object into which the next report of a vat's reactors is read.
 *
 * @param {RemoteVat | undefined} vat
 */
export const provideReport = vat => {
  if (vat === undefined || !vat.description.hasReactors) return undefined;
  // The report that the kernel has taken may not yet be in its tables.
  if (vat.replaying !== undefined) return new ReactorReport();
  vat.report ??= new ReactorReport();
  return vat.report;
};

/** Questions whose answers depend on all earlier items. @type {ReadonlySet<Question[0]>} */
const inTurn = new Set(['callNow', 'clock', 'deadline']);

/**
 * @param {Delivery} delivery
 * @param {Answerer} answer
 * @param {When} when
 * @param {readonly string[]} asked
 * @param {boolean} [isDue]  default false
 * @returns {Call}
 */
export const makeCall = (
  delivery,
  answer,
  { timeNs, microstep, stage, grant = null, mustNotWait = false },
  asked,
  isDue = false,
) => ({
  // The kernel's own object may be an item of the queue, which refers to other objects.
  when: { timeNs, microstep, stage, ...(grant && { grant }) },
  ...{ delivery, answer, asked, questions: [], given: [], at: 0, mustNotWait, isHeldBack: false },
  ...{ result: undefined, dead: undefined, shown: [], ends: 0, limit: undefined, order: 0 },
  ...{ isDue, held: undefined },
});

/**
 * Tell whether a question must wait for the turn of its crank.
 *
 * @param {Call} call
 * @param {Question} question
 */
export const isTooEarly = (call, question) => !call.isDue && inTurn.has(question[0]);

/**
 * Answer a vat's question. A delivery that is sent again gets the same answers again, since the kernel has already
 * carried out the questions.
 *
 * @param {Call} call
 * @param {Question} question
 * @param {import('#model').Syscall[]} earlier
 * @returns {Answer}
 */
export const answerQuestion = (call, question, earlier) => {
  const { questions, given } = call;
  if (call.at === given.length) {
    given.push(call.answer(question, earlier));
    questions.push(question);
  } else if (questions[call.at][0] !== question[0]) {
    throw RangeError(`it asks ${question[0]}, and asked ${questions[call.at][0]} before`);
  }
  call.at += 1;
  return given[call.at - 1];
};

/**
 * Insist that a vat may ask a question in its delivery.
 *
 * @param {RemoteVat} vat
 * @param {Call} call
 * @param {Extract<Report, { kind: 'question' }>} report
 * @throws {RangeError}
 */
export const insistQuestion = ({ description }, call, { question, earlier }) => {
  if (call.result !== undefined) throw RangeError('a question behind a result');
  insistMayAsk(description, question, earlier, call.delivery);
};

/**
 * Check a result, and keep it for the kernel. Its answers are those that the vat was given, except for the dead references
 * that it found.
 *
 * @param {Call} call
 * @param {ResultFrame} report
 * @throws {RangeError} if there is a result already, its answers differ in number, or its findings or its console output
 *   are malformed
 */
export const noteResult = (call, report) => {
  const { questions, given, at } = call;
  const { answers } = report;
  if (call.result !== undefined) throw RangeError('a second result');
  if (at !== answers.length || at !== given.length)
    throw RangeError(`a result with ${answers.length} answers to ${given.length} questions`);
  call.dead = takeAnswers(questions, given, answers);
  call.shown = readShown(report.shown);
  call.result = report;
};

/**
 * Take the vat's result.
 *
 * @param {Call} call
 * @returns {CrankResult}
 */
export const takeResult = ({ result = Fail`there is no result`, dead }) => {
  const { fault, isRefusal, limit, wantsAsking, syscalls, answers, reactors } = result;
  return {
    fault,
    syscalls,
    answers,
    reactors,
    ...(isRefusal && { isRefusal, ...(limit && { limit }) }),
    ...(wantsAsking && { wantsAsking }),
    ...(dead !== undefined && { dead }),
  };
};

/** Number of threads that end in one delivery after which its vat ends. */
export const mostEnds = 2;

/**
 * Refuse a delivery, so that its vat ends: threads have ended in it repeatedly, or the vat exceeded a limit.
 *
 * @param {Call} call
 * @param {string} vatId
 * @param {Limit} [limit]  default: the call's limit
 */
export const refuseCall = (call, vatId, limit = call.limit) => {
  const answers = [...call.given];
  call.at = answers.length;
  call.dead = takeAnswers(call.questions, call.given, answers);
  call.shown = [];
  call.result = {
    ...makeRefusal(limit),
    ...{ kind: 'result', vatId, isRefusal: true, wantsAsking: false, answers },
    ...{ shown: '', busyNs: 0, collections: 0, collectionNs: 0, hasRounds: null, reactors: null },
  };
};

/**
 * Pass a vat's console output and errors in a crank to the observers.
 *
 * @param {VatWatch} watch
 * @param {NoteCrank} noteCrank
 * @param {RemoteVat} vat
 * @param {Call} call  with its result
 */
export const showOutput = (watch, noteCrank, vat, { shown }) =>
  tellShown(watch, vat.name, shown, note => noteCrank(vat, note));
