// Makes the errors of calls without an answer.

import { formatExactDuration, UserError } from '#model';
import { CallError } from './errors.js';

/** @import { Entry, ExplainPending } from './entry.js' */

const nsPerMs = 1_000_000;

/** @param {number} maxCalls  the bound on waiting calls @returns {CallError} */
export const queueFull = maxCalls =>
  new CallError(
    'QUEUE_FULL',
    `${maxCalls} calls wait for their answers already, as many as may (maxCalls); call again when some of them have come`,
  );

/** @param {Entry} entry  past its timeout @param {ExplainPending} explain @returns {CallError} */
export const timedOut = ({ name, result, boundMs }, explain) => {
  const bound = formatExactDuration(boundMs * nsPerMs);
  const why =
    result === undefined
      ? 'it has not been sent yet, and will not be'
      : (explain(result) ?? 'it may be answered still, to nobody');
  return new CallError('TIMEOUT', `${name} has not answered within ${bound}: ${why}`);
};

/** @param {Entry} entry  entered @param {ExplainPending} explain @returns {CallError} */
export const stuck = ({ name, result }, explain) => {
  const why = explain(/** @type {string} */ (result));
  return new CallError(
    'STUCK',
    `${name} is never answered: nothing is left to run${why === undefined ? '' : `; ${why}`}`,
  );
};

/**
 * @param {UserError} cause  why a call could not enter
 * @param {string | undefined} why  its vat, or the run, has ended
 * @param {boolean} isStopped  whether the run has ended
 * @returns {CallError | UserError}
 */
export const ended = (cause, why, isStopped) => {
  if (why === undefined) return cause;
  const message = `${cause.message}: ${why}`;
  return isStopped
    ? new CallError('FAILED', message, { cause })
    : new UserError(message, { exitCode: cause.exitCode, cause });
};

/** @param {unknown} cause  the store's error @returns {CallError} */
export const storeFailed = cause =>
  new CallError('FAILED', 'the answer may be lost: the store failed', { cause });
