// A clock that a test sets, and a record of what happened at which tag.

import { Reactor } from '../index.js';

/** A clock that stands still until it is set; whoever sleeps until a time sets it to that time. */
export const testClock = () => {
  const clock = {
    now: 0,
    nowNs: () => clock.now,
    /** @param {number} untilNs */
    sleep: untilNs => {
      if (untilNs !== Infinity) clock.now = Math.max(clock.now, untilNs);
      return { done: Promise.resolve(), wake: () => {} };
    },
  };
  return clock;
};

/**
 * A main reactor that keeps a trace: `at()` is the present tag in ms and microsteps, `log(what)` notes it with the tag.
 */
export class Traced extends Reactor {
  /** @type {string[]} */
  trace = [];

  log = (/** @type {any[]} */ ...what) => {
    this.trace.push([tagOf(this), ...what].join(' '));
  };
}

/** @param {Reactor} reactor */
export const tagOf = reactor => {
  const { timeNs, microstep } = reactor.util.getCurrentTag();
  return `${timeNs / 1e6}.${microstep}`;
};
