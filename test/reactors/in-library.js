// A program of the table as a library's program: one main reactor with all parts, run fast.

import { Program } from 'swingset-runner/reactor';
import { Main, lineOf } from './program.js';

/** @typedef {Record<string, string[]>} Trace  what each part noted, parts that noted nothing left out */

/**
 * @param {import('./program.js').Program} what
 * @returns {Trace}
 */
export const runInLibrary = what => {
  /** @type {Trace} */
  const trace = {};
  const main = new Main(what, part => ({
    log: (reactor, text) => {
      trace[part] ??= [];
      trace[part].push(lineOf(reactor, text));
    },
  }));
  const { clock: script = [], ...options } = what.options;
  const clock = {
    nowNs: () => nowAt(script, program.scheduler.timeNs),
    sleep: () => ({ done: Promise.resolve(), wake: () => {} }),
  };
  const program = new Program(main, { maxMicrosteps: 1000, ...options, fast: true, clock });
  program.runFast();
  return trace;
};

/**
 * The clock's time at a logical time.
 *
 * @param {[timeNs: number, nowNs: number][]} script
 * @param {number} timeNs
 */
export const nowAt = (script, timeNs) =>
  Math.max(timeNs, ...script.filter(([from]) => from <= timeNs).map(([, nowNs]) => nowNs));
