// Handles SIGINT and SIGTERM while JavaScript is busy, when Node's listeners are not called.

import { loadAddon } from './load-addon.js';

/**
 * Both signals must have a listener of Node already, which must call `answer`.
 *
 * @param {(signal: number, unanswered: number) => void} onStuck  called in the middle of whatever runs, several times a
 *   second, while `unanswered` signals are pending: it may inspect the state and end the process, and must change
 *   nothing
 * @param {Uint8Array} work  which worker of those that take turns is running, for the case that no code can be called:
 *   a little-endian number, 0 for none, and at 64 times the number its name, ASCII with a zero at its end
 * @param {Parameters<typeof loadAddon>[0]} [options]  for tests
 * @returns {{ answer: () => void, close: () => void, reason?: undefined } | { reason: string }} or the reason why it is
 *   not available, in one line
 */
export const watchSignals = (onStuck, work, options) => {
  if (process.platform !== 'linux')
    return { reason: `it is offered on Linux, and this is ${process.platform}` };
  const { addon, problems } = loadAddon(options);
  if (addon === undefined) return { reason: `without the addon (${problems.join('; ')})` };
  const error = addon.watchSignals(onStuck, work);
  if (error !== 0) return { reason: `the addon cannot listen here (${error})` };
  return { answer: addon.answerSignal, close: addon.unwatchSignals };
};

/** Counts all signals of the process as answered, from a thread other than the one that is busy. */
export const answerSignal = () => loadAddon().addon?.answerSignal();
