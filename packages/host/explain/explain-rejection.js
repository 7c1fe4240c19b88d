// Traces an error through vats, as places in their sources: where each vat sent the message whose result was rejected
// with it. A stack shows this for calls, but not for messages, whose senders have returned before.

import { methodNameOf } from '#kernel';
import { compareTags, showInLine } from '#model';
import { parseError } from './rejection.js';
import { findSendPlaces, mostEntries } from './probe-sends.js';

/** @import { Kernel } from '#kernel' */
/** @import { CapData, Tag } from '#model' */
/** @import { ProbePowers } from './probe-sends.js' */

/** An error as vats get it, or the capdata of a reason that is no error. @typedef {{ name: string, message: string } | CapData} SoughtReason */

/** @typedef {{ vatId: string, method: string, result: string, tag: Tag }} RejectedSend */

/** Bound on the vats that are replayed to find the place of a send. */
const mostVats = 5;

const longestName = 100;

/** @param {SoughtReason} sought @param {CapData} data  of a rejection */
const isSought = (sought, data) => {
  if ('body' in sought) return data.body === sought.body;
  const error = parseError(data);
  return error?.name === sought.name && error.message === sought.message;
};

/**
 * The last message of a vat whose result was rejected with a reason; undefined for a vat with too many cranks to
 * replay.
 *
 * @param {Kernel} kernel
 * @param {string} vatId
 * @param {SoughtReason} sought
 * @returns {RejectedSend | undefined}
 */
const findRejectedSend = (kernel, vatId, sought) => {
  /** Unanswered sends, by the vref of their results. @type {Map<string, RejectedSend>} */
  const waiting = new Map();
  /** @type {RejectedSend | undefined} */
  let found;
  let entries = 0;
  for (const entry of kernel.transcript(vatId)) {
    entries += 1;
    if (entries > mostEntries) return undefined;
    if (entry.kind !== 'deliver') continue;
    const { delivery, tag, syscalls } = entry;
    const resolutions = delivery[0] === 'notify' ? delivery[1] : [];
    for (const [vref, isRejected, data] of resolutions) {
      const send = waiting.get(vref);
      waiting.delete(vref);
      if (isRejected && send !== undefined && isSought(sought, data)) found = send;
    }
    for (const syscall of syscalls) {
      if (syscall[0] !== 'send' || syscall[3] === null) continue;
      const method = showInLine(String(methodNameOf(syscall[2]) ?? ''), longestName);
      waiting.set(syscall[3], { vatId, method, result: syscall[3], tag });
    }
  }
  return found;
};

/**
 * Trace a rejection, latest send first. It reads all transcripts and replays the vats that sent.
 *
 * @param {SoughtReason} error  in the form that vats get
 * @param {ProbePowers} powers
 * @returns {Promise<string[]>} `vat bob sent pay(), which was rejected so, at vat-bob.js:5:12`; the place is left out
 *   if it cannot be found
 */
export const explainRejectionInLines = async (error, powers) => {
  const { kernel } = powers;
  const vats = kernel.vats().filter(({ isBuiltIn }) => !isBuiltIn);
  const sends = vats
    .map(({ vatId }) => findRejectedSend(kernel, vatId, error))
    .filter(send => send !== undefined)
    .sort((left, right) => compareTags(right.tag, left.tag));
  const lines = [];
  for (const { vatId, method, result } of sends.slice(0, mostVats)) {
    const { sent } = await findSendPlaces(vatId, { result }, powers);
    lines.push(tellPlace(kernel, vatId, `sent ${method}(), which was rejected so`, sent));
  }
  // The error for a value that could not be sent has no place: it was made after the sender had returned.
  if ('body' in error || !powers.watch.isExplained(error)) return lines;
  const others = vats.filter(({ vatId }) => sends.every(send => send.vatId !== vatId));
  for (const { vatId } of others.slice(0, mostVats)) {
    const { refused } = await findSendPlaces(vatId, { refusal: error }, powers);
    if (refused !== undefined)
      return [tellPlace(kernel, vatId, 'was to send that', refused), ...lines];
  }
  return lines;
};

/** @param {Kernel} kernel @param {string} vatId @param {string} what @param {string | undefined} place */
const tellPlace = ({ vatName }, vatId, what, place) => {
  const where = place === undefined ? '' : `, at ${place}`;
  return `vat ${showInLine(vatName(vatId) ?? vatId, longestName)} ${what}${where}`;
};
