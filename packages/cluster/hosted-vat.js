// A vat on one or several hosts: its delivery under way, its questions, and checks of the hosts' messages about it.
// Hosts are trusted with their vats' results only: answers must be those that were given, and twins must agree.

import { isDeepStrictEqual } from 'node:util';
import { memoryRefused } from '#kernel';
import { describeSyscall, findDifference } from '#host/vats/replay.js';
import { insistMayAsk } from '#host/workers/vat-questions.js';
import { takeAnswers } from '#host/workers/take-answers.js';
import { ByteWriter, Fail, quote, ReactorReport, UserError, writeReactorReport } from '#model';
import { mostMessageBytes } from './link.js';

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
 * @property {number} at  the number of questions that it has asked in the call
 * @property {ResultFrame | undefined} result  of the call under way
 * @property {ReactorReport | undefined} report  of its reactors, reused for each result
 * @property {number} sentMs  when the last message was sent to it
 * @property {number} saidAt  the number of the batch that its host must have received to do what is owed (host-work.js)
 * @property {number} cranks  that it has to run for that, at most
 * @property {import('./ahead-results.js').Early[]} early  what the host has run ahead, in order
 * @property {Uint8Array[]} next  digests of the deliveries that its host begins by itself (next-deliveries.js)
 * @property {boolean} isAwaited  whether its host is expected to begin the call by itself
 * @property {((problem?: Error) => void) | undefined} made  called when it is made, or could not be
 */

/**
 * @typedef {object} Call
 * @property {Delivery} delivery
 * @property {Answerer} answer
 * @property {When} when
 * @property {readonly string[]} asked
 * @property {Question[]} questions  asked so far
 * @property {Answer[]} given  the answers to them
 * @property {string[]} askers  the hosts that asked first, by question
 * @property {number} ends  the number of threads that ended in it
 * @property {number} losses  how often a host lost the vat in it
 */

/**
 * @typedef {object} HostedVat
 * @property {string} vatId
 * @property {string} name
 * @property {VatOnWorker} description
 * @property {Replica[]} replicas
 * @property {{ replica: Replica, hurry: (() => void) | undefined } | undefined} incoming  one on its way; `hurry` if the vat goes on no more
 *   where it is
 * @property {Call | undefined} call  under way
 * @property {(() => TranscriptEntry[]) | undefined} last  entries of the last result, which may not be in the transcript yet
 * @property {number} taken  the number of cranks in results that the kernel has taken
 * @property {((error?: Error) => void) | undefined} wake  settles the wait for the result
 * @property {boolean | null} hasRounds  whether its root has the method of rounds; null before it has a root
 * @property {string} roundsHost  the name of the host that said so
 * @property {boolean} wasMade  whether a host has made it, so that another one can
 * @property {boolean} isBeingMade  whether missing replicas are being made
 * @property {Map<string, number>} failures  failed attempts to make them, by host name
 * @property {number} overruns  how often hosts took too long since its last result
 * @property {boolean} isPinned  whether a person has placed it
 * @property {boolean} isClosed
 */

/** A vat that is restored on a host does not repeat its transcript. */
export class DivergedOnHost extends UserError {
  /** @param {string} message */
  constructor(message) {
    super(message, { exitCode: 1 });
  }
}

/** @param {ResultFrame} frame @returns {Uint8Array | null} */
const reactorBytes = ({ reactors }) => {
  if (reactors === null) return null;
  const writer = new ByteWriter();
  writeReactorReport(writer, reactors);
  return writer.view();
};

/** @param {ResultFrame} left @param {ResultFrame} right */
const haveSameReactors = (left, right) =>
  isDeepStrictEqual(reactorBytes(left), reactorBytes(right));

/** A vat cannot move now, or not there: the vat stays where it is. */
export class CannotMove extends UserError {}

/** @param {number} bytes */
const inMegabytes = bytes => `${Math.ceil(bytes / 2 ** 20)} MB`;

/**
 * Insist that a part of what a vat is made of fits into a message to a host.
 *
 * @param {Pick<HostedVat, 'name'>} vat
 * @param {number} bytes  of the message
 * @throws {CannotMove} if it does not
 */
export const insistSize = ({ name }, bytes) => {
  if (bytes <= mostMessageBytes) return;
  throw new CannotMove(
    `vat ${name} has a crank, or a store before its upgrade, of ${inMegabytes(bytes)}, and a host takes one of ${inMegabytes(mostMessageBytes)} at most; with --hosts 0 the same command goes on with the run on the leader`,
    { exitCode: 1 },
  );
};

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
  if (left.fault !== right.fault || left.isRefusal !== right.isRefusal)
    return 'the fault that ends it';
  if (JSON.stringify(left.answers) !== JSON.stringify(right.answers)) return 'what it found dead';
  if (left.hasRounds !== right.hasRounds) return 'whether its root has the method of rounds';
  if (left.wantsAsking !== right.wantsAsking) return 'whether it asks for a collection';
  return haveSameReactors(left, right) ? undefined : 'what its reactors did';
};

/**
 * Insist that twins agree on the result of a delivery.
 *
 * @param {HostedVat} vat
 * @param {Call} call
 * @returns {ResultFrame} of all
 * @throws {UserError} if they do not
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
  ...{ incoming: undefined, call: undefined, last: undefined, taken: 0, wake: undefined },
  ...{ hasRounds: null, roundsHost: '', wasMade: false, isBeingMade: false, failures: new Map() },
  ...{ isPinned: false, isClosed: false, overruns: 0 },
});

/**
 * A vat's replica on a host, or the one on its way there.
 *
 * @param {HostedVat | undefined} vat
 * @param {Host} host
 */
export const findOnHost = (vat, host) =>
  vat?.replicas.find(each => each.host === host) ??
  (vat?.incoming?.replica.host === host ? vat.incoming.replica : undefined);

/** @param {Delivery} delivery @param {Answerer} answer @param {When} when @param {readonly string[]} asked @returns {Call} */
export const makeCall = (delivery, answer, when, asked) => {
  const { timeNs, microstep, stage, grant = null } = when;
  // Copy the fields: the kernel's object may be an item of the queue, which would be kept alive. Spreads would take
  // several microseconds.
  return {
    delivery,
    answer,
    when: grant === null ? { timeNs, microstep, stage } : { timeNs, microstep, stage, grant },
    asked,
    questions: [],
    given: [],
    askers: [],
    ends: 0,
    losses: 0,
  };
};

/** Questions whose answers may change, or which have an effect. @type {ReadonlySet<Question[0]>} */
const lasting = new Set(['clock', 'deadline', 'callNow']);

/** Forget the questions of a call if none of them lasts. @param {Call} call */
export const forgetReads = call => {
  if (call.questions.length === 0) return;
  if (call.questions.some(([kind]) => lasting.has(kind))) return;
  call.questions = [];
  call.given = [];
  call.askers = [];
};

/**
 * The error for a vat that does not repeat an answered question on another host. The crank depends on the answer, so
 * one of the two hosts is wrong, and the leader cannot know which.
 *
 * @param {Pick<HostedVat, 'name' | 'taken'>} vat
 * @param {Call} call
 * @param {Replica} replica  the one that asks another question
 * @param {Question | undefined} question  undefined if it has no further question
 */
const askedOtherwise = (
  { name, taken },
  { delivery, questions, askers },
  { host, at },
  question,
) => {
  const [was, is] = [questions[at][0], question?.[0] ?? 'nothing'];
  const what = was === is ? `${is} with other arguments` : `${is}, not ${was}`;
  return new UserError(
    `vat ${name} asks ${what} as question ${at + 1} of its crank ${taken + 1} (${delivery[0]}) on host ${host.name}, where it has asked on host ${askers[at]} before; nothing of the block is committed`,
    { exitCode: 1 },
  );
};

/**
 * The answer to a question. If a failed host or a twin asked it before, the answer is the same.
 *
 * @param {HostedVat} vat
 * @param {Replica} replica
 * @param {Question} question
 * @param {Syscall[]} earlier
 * @returns {Answer}
 * @throws {RangeError} if this vat cannot ask it now
 * @throws {UserError} if the vat asked another question on another host
 */
export const answerOf = (vat, replica, question, earlier) => {
  const { call, vatId } = vat;
  if (call === undefined || replica.result !== undefined)
    throw RangeError(`vat ${quote(vatId)} asks between cranks`);
  insistMayAsk(vat.description, question, earlier, call.delivery);
  const { questions, given, askers } = call;
  if (replica.at === given.length) {
    given.push(call.answer(question, earlier));
    questions.push(question);
    askers.push(replica.host.name);
  } else if (JSON.stringify(questions[replica.at]) !== JSON.stringify(question)) {
    throw askedOtherwise(vat, call, replica, question);
  }
  replica.at += 1;
  return given[replica.at - 1];
};

/**
 * Check that a result has as many answers as its vat was given, and take those.
 *
 * @param {HostedVat} vat
 * @param {Call} call
 * @param {ResultFrame} result  of its first replica
 * @returns {string | undefined} the dead references that the vat found; undefined if it was not asked
 * @throws {RangeError} if the answers are not those that the replica was given
 * @throws {UserError} if it asked fewer questions than another host before
 */
export const checkAnswers = (vat, call, { answers }) => {
  const { questions, given } = call;
  const [replica] = vat.replicas;
  if (replica.at !== answers.length)
    throw RangeError(`a result with ${answers.length} answers to ${replica.at} questions`);
  if (replica.at !== given.length) throw askedOtherwise(vat, call, replica, undefined);
  return takeAnswers(questions, given, answers);
};

/**
 * Note whether the root of a vat has the method of rounds. That does not change.
 *
 * @param {HostedVat} vat
 * @param {Host} host  that says so
 * @param {boolean | null} hasRounds  null if it does not say
 * @throws {RangeError} if a host has said something else
 */
export const noteRounds = (vat, host, hasRounds) => {
  if (hasRounds === null || hasRounds === vat.hasRounds) return;
  if (vat.hasRounds !== null)
    throw RangeError(
      `it says that the root of vat ${vat.name} has ${hasRounds ? 'the' : 'no'} method of rounds, host ${vat.roundsHost} said otherwise`,
    );
  vat.hasRounds = hasRounds;
  vat.roundsHost = host.name;
};

/**
 * The function that settles the wait until a vat is made, or could not be.
 *
 * @param {HostedVat} vat
 * @param {Replica} replica
 * @param {boolean | null} hasRounds  what its host says of the root
 * @throws {RangeError} if nobody waits for that, the vat has not begun and so has no root, or a host has said something
 *   else
 */
export const settlerOf = (vat, replica, hasRounds) => {
  const { made, host } = replica;
  if (made === undefined) throw RangeError(`vat ${quote(vat.vatId)} is made already`);
  if (vat.taken === 0 && hasRounds !== null)
    throw RangeError(`vat ${quote(vat.vatId)} has no root yet`);
  noteRounds(vat, host, hasRounds);
  // At once: who waits goes on later, and what the host says next may be here already.
  replica.made = undefined;
  return made;
};

/**
 * The transcript entries of a result. In the transcript, cranks of reactors may be part of a longer entry.
 *
 * @param {Call} call
 * @param {Pick<ResultFrame, 'syscalls' | 'answers' | 'reactors'>} result
 * @returns {TranscriptEntry[]}
 */
const entriesOf = ({ delivery, when }, { syscalls, answers, reactors }) => {
  const told = /** @type {const} */ ({ kind: 'deliver', delivery, answers, syscalls });
  if (reactors === null || delivery[0] !== 'react')
    return [
      { ...told, tag: { timeNs: when.timeNs, microstep: when.microstep }, stage: when.stage },
    ];
  const { quiet, isLoud, timeNs, microstep, stage } = reactors;
  /** @type {TranscriptEntry[]} */
  const entries = [];
  if (quiet.length > 0)
    entries.push({
      kind: 'quiet',
      firstTag: { timeNs: quiet.firstTimeNs, microstep: quiet.firstMicrostep },
      endTag: { timeNs: quiet.lastTimeNs, microstep: quiet.lastMicrostep },
      endStage: quiet.lastStage,
      cranks: quiet.length,
    });
  if (isLoud) entries.push({ ...told, tag: { timeNs, microstep }, stage });
  return entries;
};

/**
 * A function that returns the transcript entries of a result.
 *
 * @param {Call} call
 * @param {Pick<ResultFrame, 'syscalls' | 'answers' | 'reactors'>} result
 */
export const makeEntries = (call, result) => {
  if (result.reactors === null) return () => entriesOf(call, result);
  // The report is reused for the next result.
  const entries = entriesOf(call, result);
  return () => entries;
};

/**
 * The object into which a vat's report of its reactors is read.
 *
 * @param {HostedVat | undefined} vat  undefined for one that was closed in its crank
 * @param {Host} host  the sender
 * @returns {ReactorReport | undefined} undefined for a vat without reactors
 */
export const provideReport = (vat, host) => {
  if (vat === undefined) return new ReactorReport();
  if (!vat.description.hasReactors) return undefined;
  const replica = vat.replicas.find(each => each.host === host);
  // The kernel may still use the report of the previous crank. A report between cranks is refused after it was read.
  if (replica === undefined || vat.call === undefined || replica.result !== undefined)
    return new ReactorReport();
  replica.report ??= new ReactorReport();
  return replica.report;
};

/**
 * The result that ends a vat in whose delivery threads end repeatedly.
 *
 * @param {string} vatId
 * @param {Call} call
 * @returns {ResultFrame}
 */
export const refusal = (vatId, { given }) => ({
  ...{ kind: 'result', vatId, fault: memoryRefused, isRefusal: true, syscalls: [] },
  ...{
    wantsAsking: false,
    answers: [...given],
    shown: '',
    busyNs: 0,
    collections: 0,
    collectionNs: 0,
  },
  ...{ hasRounds: null, reactors: null },
});
