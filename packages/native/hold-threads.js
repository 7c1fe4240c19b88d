// Keeps the engine's threads off the core of the main thread, where there are two. At the beginning of a run the engine
// compiles on four threads at once, and with the main thread they are five for two cores: the main thread gets less than half
// of one. Held on one core together, they leave it the other.

import fs from 'node:fs';
import { loadAddon } from './load-addon.js';

/** Where Linux has a folder for each thread of this process, named by its number. */
const threadsFolder = '/proc/self/task';

/**
 * @typedef {object} ThreadHold
 * @property {boolean} isHeld  whether the threads that are there are held
 * @property {<T>(start: () => T) => T} holdStarted  calls `start`, and holds the threads that it has started
 */

/** @type {ThreadHold} */
const noHold = Object.freeze({ isHeld: false, holdStarted: start => start() });

/**
 * Hold all threads of this process but the main one on one core, if it may use two cores on Linux; elsewhere nothing is
 * done. Threads that are started later are not held.
 *
 * @param {Omit<Parameters<typeof loadAddon>[0] & {}, 'mayCompile'>} [options]  for tests
 * @returns {ThreadHold}
 */
export const holdThreads = options => {
  if (process.platform !== 'linux') return noHold;
  const { addon } = loadAddon({ ...options, mayCompile: false });
  const cores = addon?.cores() ?? [];
  if (addon === undefined || cores.length !== 2) return noHold;
  const listThreads = () => fs.readdirSync(threadsFolder).map(Number);
  // One that has ended meanwhile is an error that changes nothing.
  const hold = (/** @type {number[]} */ threads) =>
    threads.filter(thread => addon.holdThread(thread, cores[1]) === 0).length > 0;
  try {
    return Object.freeze({
      isHeld: hold(listThreads().filter(thread => thread !== process.pid)),
      holdStarted(start) {
        const before = new Set(listThreads());
        const started = start();
        hold(listThreads().filter(thread => !before.has(thread)));
        return started;
      },
    });
  } catch {
    // A system without that folder.
    return noHold;
  }
};
