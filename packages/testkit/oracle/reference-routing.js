// Routes messages, for the reference kernel, and keeps the list of sent messages that are not yet routed.

import { errorData } from './reference-bodies.js';
import {
  isObject,
  isRunning,
  must,
  park,
  promiseOf,
  queueItem,
  sendAgain,
  settle,
  soleSlot,
  vatOf,
} from './world.js';

/** @import { CapData } from '#model' */
/** @import { Message, World } from './world.js' */

/** @typedef {{ to: 'vat', vatId: string, target: string } | { to: 'promise', kpid: string } | { to: 'nobody', data: CapData }} Destination */

/** Name the method, for the error that data has no methods. @param {CapData} methargs */
const methodOf = ({ body }) => {
  const found = /^#?\["((?:[^"\\]|\\.)*)"/.exec(body);
  try {
    if (!found) return '(unknown)';
    const text = JSON.parse(`"${found[1]}"`);
    if (!body.startsWith('#')) return text;
    // Smallcaps: a symbol, undefined, an escaped string, and other values, which cannot be methods.
    if (text === '#undefined') return '<funcall>';
    if (text[0] === '%') return `[${text.slice(1)}]`;
    if (text[0] === '!') return text.slice(1);
    return '#$&+-'.includes(text[0] || 'x') ? '<unintelligible method>' : text;
  } catch {
    return '(unknown)';
  }
};

/** @param {World} w @param {string} target @param {Message} message @returns {Destination} */
export const destinationOf = (w, target, message) => {
  const nobody = (/** @type {string} */ why) => ({
    to: /** @type {const} */ ('nobody'),
    data: errorData(w.profile, why),
  });
  if (isObject(target)) {
    const vatId = w.owners.get(target);
    if (vatId === undefined || !isRunning(w, vatId)) return nobody('vat terminated');
    return { to: 'vat', vatId, target };
  }
  const { state, decider, data } = promiseOf(w, target);
  if (state === 'presence')
    return destinationOf(w, must(soleSlot(must(data ?? undefined))), message);
  if (state === 'data')
    return nobody(`data is not callable, has no method ${methodOf(message.methargs)}`);
  if (state === 'rejected') return { to: 'nobody', data: must(data ?? undefined) };
  if (decider === '') return { to: 'promise', kpid: target };
  if (!isRunning(w, decider)) return nobody('vat terminated');
  if (vatOf(w, decider).pipelining) return { to: 'vat', vatId: decider, target };
  return { to: 'promise', kpid: target };
};

/** @param {World} w @param {Message} message @param {CapData} data */
export const rejectResult = (w, { result }, data) => {
  if (result !== null) settle(w, result, 'rejected', data, '');
};

/**
 * In `current`, sent messages are routed before anything else runs; messages that this sends come last.
 *
 * @param {World} w
 */
export const routeSent = w => {
  for (let item = w.sent.shift(); item !== undefined; item = w.sent.shift()) {
    if (item.message === null) {
      queueItem(w, item);
      continue;
    }
    const destination = destinationOf(w, item.target, item.message);
    if (destination.to === 'nobody') {
      rejectResult(w, item.message, destination.data);
    } else if (destination.to === 'promise') {
      park(w, destination.kpid, item.message);
    } else if (isObject(destination.target)) {
      queueItem(w, { ...item, vatId: destination.vatId, target: destination.target });
    } else {
      // For a pipelining vat. The promise may be resolved before the message arrives there.
      queueItem(w, item);
    }
  }
};

/**
 * Route the messages that wait for the result of a message again, when a pipelining vat takes that message.
 *
 * @param {World} w
 * @param {string} vatId
 * @param {string} result
 */
export const unpark = (w, vatId, result) => {
  if (w.profile !== 'current' || !vatOf(w, vatId).pipelining) return;
  const { parked } = promiseOf(w, result);
  promiseOf(w, result).parked = [];
  for (const message of parked) sendAgain(w, result, message);
};
