// SIGINT and SIGTERM while JavaScript is busy: Node's listeners are not called then, and here is who is called instead.

import { loadAddon } from './load-addon.js';

/**
 * A listener of Node's for both signals must be there already, and call `answer` when it is called.
 *
 * @param {(signal: number, unanswered: number) => void} onStuck  called in the midst of whatever runs, some times a second,
 *   as long as `unanswered` signals are: it may look at what there is and end the process, and must change nothing
 * @param {Uint8Array} work  which of those who take turns is at work, for the case that nobody can be asked: a little-endian
 *   number, 0 for none, and from 64 times the number on a name, ASCII with a zero at its end
 * @param {Parameters<typeof loadAddon>[0]} [options]  for tests
 * @returns {{ answer: () => void, close: () => void, reason?: undefined } | { reason: string }} why it cannot be had,
 *   in one line
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
