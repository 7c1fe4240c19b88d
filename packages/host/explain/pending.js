// Explains why a promise is unresolved: which vat decides it, for what that vat waits, and where it sent the unanswered
// message.

import { methodNameOf } from '#kernel';
import { showInLine } from '#model';
import { findSendPlaces } from './probe-sends.js';

/** @import { Kernel } from '#kernel' */
/** @import { ProbePowers } from './probe-sends.js' */

/** Promises for which a vat waits that are listed. */
const mostTold = 3;

/** Bound on a chain of vats that wait for each other. */
const longestChain = 5;

/** Waits that are told in several lines, at most: each may cost the replay of a vat. */
const mostWaits = 10;

const longestName = 100;

/** @typedef {Pick<Kernel, 'state' | 'vatName' | 'transcript'>} Tables */

/** @param {Tables} kernel @param {string} vatId */
const nameOf = ({ vatName }, vatId) => `vat ${showInLine(vatName(vatId) ?? vatId, longestName)}`;

/** @param {Tables} kernel @param {string} kref @returns {string | undefined} the vat that decides it, '' for none */
const findDecider = ({ state: { promises } }, kref) => {
  const row = promises.find(kref);
  return row === undefined || row.state !== 'unresolved' ? undefined : row.decider;
};

/**
 * @param {Tables} kernel
 * @param {string} vatId
 * @param {Set<string>} told  reported promises; the returned ones are added
 * @returns {string[]} unresolved promises for which the vat waits, without the reported ones
 */
const findAwaited = ({ state: { promises } }, vatId, told) => {
  const awaited = [];
  for (const [kref, { state, subscribers }] of promises.table.entries()) {
    if (state !== 'unresolved' || told.has(kref) || !subscribers.includes(vatId)) continue;
    told.add(kref);
    awaited.push(kref);
  }
  return awaited;
};

/** @param {Tables} kernel @param {string} decider */
const tellDecider = (kernel, decider) =>
  decider === ''
    ? 'which waits for another promise'
    : `to be decided by ${nameOf(kernel, decider)}`;

/**
 * Make a function that explains promises in one line each, from the tables only. It scans the table of promises once
 * for each deciding vat.
 *
 * @param {Tables} kernel  between cranks; the result is valid until the next crank
 * @returns {(kref: string) => string | undefined} for example `kp45 is to be decided by vat bob, which waits for kp46,
 *   to be decided by vat carol`; undefined if it has settled
 */
export const makePendingExplainer = kernel => {
  /** By vat. @type {Map<string, Set<string>>} */
  const known = new Map();

  /** @param {string} vatId */
  const provideAwaited = vatId => {
    let awaited = known.get(vatId);
    if (awaited === undefined) {
      awaited = new Set(findAwaited(kernel, vatId, new Set()));
      known.set(vatId, awaited);
    }
    return awaited;
  };

  /** @param {Set<string>} awaited @param {string} kref  left out */
  const tellAwaited = (awaited, kref) => {
    const count = awaited.size - (awaited.has(kref) ? 1 : 0);
    if (count === 0) return 'no other vat';
    const told = [];
    for (const each of awaited) {
      if (told.length === mostTold) break;
      if (each !== kref)
        told.push(`${each}, ${tellDecider(kernel, findDecider(kernel, each) ?? '')}`);
    }
    return `${told.join(', and ')}${count > told.length ? ` and ${count - told.length} more` : ''}`;
  };

  return kref => {
    const decider = findDecider(kernel, kref);
    if (decider === undefined) return undefined;
    if (decider === '') return `${kref} is the result of a message that no vat has been given yet`;
    const waits = tellAwaited(provideAwaited(decider), kref);
    return `${kref} is to be decided by ${nameOf(kernel, decider)}, which waits for ${waits}`;
  };
};

/**
 * Find the message whose result a promise is, in its sender's transcript.
 *
 * @param {Tables} kernel
 * @param {string} vatId
 * @param {string} vref
 * @returns {string | undefined} its method
 */
const findMethod = (kernel, vatId, vref) => {
  let method;
  for (const entry of kernel.transcript(vatId)) {
    if (entry.kind !== 'deliver') continue;
    for (const syscall of entry.syscalls)
      if (syscall[0] === 'send' && syscall[3] === vref) method = methodNameOf(syscall[2]);
  }
  return method === undefined ? undefined : showInLine(String(method), longestName);
};

/**
 * Explain a promise in several lines, with methods and places: it reads transcripts and replays waiting vats.
 *
 * @param {string} kref  of a promise
 * @param {ProbePowers} powers
 * @returns {Promise<string[]>} empty if it has settled
 */
export const explainPendingInLines = async (kref, powers) => {
  const { kernel } = powers;
  const decider = findDecider(kernel, kref);
  if (decider === undefined) return [];
  if (decider === '') return [`${kref} is the result of a message that no vat has been given yet`];
  const lines = [`${kref} is to be decided by ${nameOf(kernel, decider)}`];
  const told = new Set([kref]);
  let vats = [decider];
  let waits = 0;
  for (let depth = 0; depth < longestChain && vats.length > 0; depth += 1) {
    /** @type {Set<string>} */
    const next = new Set();
    for (const vatId of vats) {
      const awaited = findAwaited(kernel, vatId, told);
      if (awaited.length === 0 && depth === 0)
        lines.push(
          `${nameOf(kernel, vatId)} waits for no other vat: it awaits a promise of its own`,
        );
      for (const each of awaited.slice(0, mostTold)) {
        waits += 1;
        if (waits > mostWaits) {
          lines.push('further vats wait, too');
          return lines;
        }
        lines.push(await tellWait(vatId, each, powers));
        const other = findDecider(kernel, each);
        if (other !== undefined && other !== '' && !vats.includes(other)) next.add(other);
      }
    }
    vats = [...next];
  }
  return lines;
};

/**
 * @param {string} vatId  the waiting vat
 * @param {string} kref
 * @param {ProbePowers} powers
 */
const tellWait = async (vatId, kref, powers) => {
  const { kernel } = powers;
  const vref = kernel.state.vats.clist(vatId).findVref(kref);
  const method = vref && findMethod(kernel, vatId, vref);
  const place = vref && method && (await findSendPlaces(vatId, { result: vref }, powers)).sent;
  const what = method === undefined ? kref : `${kref}, the result of ${method}()`;
  const where = place ? `, sent at ${place}` : '';
  const decided = tellDecider(kernel, findDecider(kernel, kref) ?? '');
  return `${nameOf(kernel, vatId)} waits for ${what}${where}, ${decided}`;
};
