// A vat that runs on a worker thread, as the kernel's transport: deliveries go out as frames, and what comes back is held
// against what was asked before it counts.

import { makeRefusal } from '#kernel';
import { reviveReport } from '#loader/compartment';
import { Fail, ReactorReport } from '#model';
import { tellTestLog } from '../test-log.js';

/** @import { CrankResult, Limit, Transport } from '#kernel' */
/** @import { Answer, Delivery, When } from '#model' */
/** @import { Question, Report, ResultFrame } from '#transport' */
/** @import { VatWatch } from '../vat-watch.js' */
/** @import { Thread } from './pool.js' */
/** @import { VatOnWorker } from './worker.js' */

/** @typedef {Parameters<Transport['begin']>[1]} Answerer */

/**
 * A delivery under way. It is kept until the kernel has its result, so that it can be sent again.
 *
 * @typedef {object} Call
 * @property {Delivery} delivery
 * @property {Answerer} answer
 * @property {When} when
 * @property {readonly string[]} asked  vats that share its collection
 * @property {Question[]} questions  that were asked so far
 * @property {Answer[]} given  the answers to them
 * @property {number} at  how many of them this sending has been given
 * @property {(ResultFrame & { limit?: Limit }) | undefined} result
 * @property {number} ends  how many threads ended in it
 * @property {Limit | undefined} limit  that it went beyond, for which its thread was ended
 * @property {number} order  of its beginning, among those of all vats
 * @property {boolean} isDue  whether its turn has come: devices and the clock are asked in turn
 * @property {Extract<Report, { kind: 'question' }> | undefined} held  a question that waits for that
 */

/**
 * @typedef {object} RemoteVat
 * @property {string} vatId
 * @property {string} name
 * @property {VatOnWorker} description
 * @property {number} [crankMs]  how long its cranks may take
 * @property {Thread} thread
 * @property {Call | undefined} call  under way
 * @property {Call | undefined} replaying  one of its transcript, on a new thread
 * @property {Call | undefined} last  the one before, which the kernel has taken
 * @property {number} taken  cranks of results that the kernel has taken: those of its transcript, and perhaps some of one more
 * @property {ReactorReport | undefined} report  of its reactors, used again for each result
 * @property {boolean | null} hasRounds  whether its root object has the method of rounds; null before there is one
 * @property {boolean} isReady  whether deliveries may be sent to it
 * @property {Limit | undefined} beyond  a limit that it went beyond, perhaps in no crank: the next one is refused
 */

/**
 * A vat of which nothing is made yet.
 *
 * @param {string} vatId
 * @param {VatOnWorker} description
 * @param {Thread} thread
 * @returns {RemoteVat}
 */
export const makeRemoteVat = (vatId, description, thread) => ({
  ...{ vatId, name: description.name, thread, call: undefined, replaying: undefined },
  ...{ description, last: undefined, taken: 0, report: undefined },
  ...{ isReady: false, hasRounds: null, beyond: undefined },
});

/** How often the kernel's thread looks for what a vat has sent while its event loop turns. */
const lookMs = 1;

/** @param {RemoteVat} vat @returns {Promise<void>} until it is time to look again */
export const waitForLook = ({ thread }) => thread.worker.awaitReport(lookMs);

/** To a vat that was closed in its crank: it is told nothing any more, but its thread goes on. */
export const noAnswer = Object.freeze({
  kind: /** @type {const} */ ('answer'),
  answer: Object.freeze({ kind: /** @type {const} */ ('value'), value: undefined }),
});

/**
 * Where the next report of a vat's reactors is read into.
 *
 * @param {RemoteVat | undefined} vat
 */
export const provideReport = vat => {
  if (vat === undefined || !vat.description.hasReactors) return undefined;
  // The report that the kernel has taken may not be in its tables yet.
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
  { timeNs, microstep, stage, grant = null },
  asked,
  isDue = false,
) => ({
  // The kernel's own object may be an item of the queue, with all that hangs on it.
  when: { timeNs, microstep, stage, ...(grant && { grant }) },
  ...{ delivery, answer, asked, questions: [], given: [], at: 0 },
  ...{ result: undefined, ends: 0, limit: undefined, order: 0, isDue, held: undefined },
});

/**
 * Whether a question has to wait for the turn of its crank.
 *
 * @param {Call} call
 * @param {Question} question
 */
export const isTooEarly = (call, question) => !call.isDue && inTurn.has(question[0]);

/**
 * Answer what the vat asks. A delivery that is sent again is given the same answers again: the kernel has done what it was
 * asked for.
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
 * The vat's result, as the kernel takes it. Answers are those that it was given; only the dead references that it found are
 * its own.
 *
 * @param {Call} call
 * @returns {CrankResult}
 * @throws {RangeError} it says that it was told something else
 */
export const takeResult = call => {
  const { questions, given, result = Fail`there is no result` } = call;
  const { fault, isRefusal, limit, syscalls, answers, reactors } = result;
  if (call.at !== answers.length || call.at !== given.length)
    throw RangeError(`a result with ${answers.length} answers to ${given.length} questions`);
  for (let i = 0; i < given.length; i += 1) {
    const isFound = questions[i][0] === 'bringOutYourDead';
    if (!isFound) answers[i] = given[i];
    else if (answers[i].kind !== 'value')
      throw RangeError('what was found dead is told by a value');
  }
  return {
    fault,
    syscalls,
    answers,
    reactors,
    ...(isRefusal && { isRefusal, ...(limit && { limit }) }),
  };
};

/** A delivery in which so many threads have ended ends its vat. */
export const mostEnds = 2;

/**
 * Threads end in a delivery again and again: its vat ends, as where the machine has no memory for it, or for the limit that it
 * went beyond.
 *
 * @param {Call} call
 * @param {string} vatId
 * @param {Limit} [limit]  default that of the call
 */
export const refuseCall = (call, vatId, limit = call.limit) => {
  call.at = call.given.length;
  call.result = {
    ...makeRefusal(limit),
    ...{ kind: 'result', vatId, isRefusal: true, answers: [...call.given], shown: '' },
    ...{ busyNs: 0, collections: 0, collectionNs: 0, hasRounds: null, reactors: null },
  };
};

/**
 * Show what a vat printed and which errors left it in a crank.
 *
 * @param {VatWatch} watch
 * @param {RemoteVat} vat
 * @param {string} shown  JSON; empty if there is nothing
 */
export const showOutput = ({ hooks }, { name }, shown) => {
  if (shown === '') return;
  for (const [first, text] of JSON.parse(shown)) {
    if (first === 'testLog') tellTestLog(hooks, name, text);
    else if (typeof first === 'string') hooks.onConsole(name, /** @type {any} */ (first), text);
    else hooks.onVatError(name, reviveReport(first));
  }
};
