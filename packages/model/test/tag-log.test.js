// Tags and stages in runs of equal steps.

import test from 'ava';
import fc from 'fast-check';
import { TagLog } from '../index.js';

/** @typedef {[timeNs: number, microstep: number, stage: number]} Entry */

/** @param {TagLog} log */
const entriesOf = log => {
  /** @type {Entry[]} */
  const entries = [];
  log.each((...entry) => void entries.push(entry));
  return entries;
};

/** @param {TagLog} log */
const runsOf = log => {
  /** @type {number[][]} */
  const runs = [];
  log.eachRun((...run) => void runs.push(run));
  return runs;
};

test('a tag is read back as it was added, to the ends of its ranges', t => {
  const log = new TagLog(5);
  /** @type {Entry[]} */
  const tags = [
    [0, 0, 0],
    [2 ** 32 - 1, 1, 2],
    [2 ** 32, 2 ** 32 - 1, 7],
    [1_500_000_000_123, 3, 1],
    [Number.MAX_SAFE_INTEGER, 0, 2 ** 32 - 1],
  ];
  for (const tag of tags) log.add(...tag);
  t.is(log.length, 5);
  t.deepEqual(entriesOf(log), tags);
  t.throws(() => log.add(Number.MAX_SAFE_INTEGER, 1, 0), { instanceOf: RangeError });
  log.clear();
  t.deepEqual(entriesOf(log), []);
  log.add(7, 8, 9);
  t.deepEqual(entriesOf(log), [[7, 8, 9]]);
});

test('equal steps are one run', t => {
  const log = new TagLog(100);
  for (let i = 0; i < 10; i += 1) log.add(i * 3, 0, 0);
  t.deepEqual(runsOf(log), [[9, 3, 0, 0]]);
  for (let i = 1; i < 5; i += 1) log.add(27, i, 0);
  t.deepEqual(runsOf(log), [
    [9, 3, 0, 0],
    [4, 0, 1, 0],
  ]);
  log.add(27, 4, 1);
  log.clear();
  log.add(3, 0, 0);
  log.add(6, 0, 0);
  t.deepEqual(runsOf(log), [[1, 3, 0, 0]]);
});

test('the entries come back after any steps', t => {
  const few = fc.constantFrom(0, 1, 2);
  const step = fc.tuple(fc.oneof(few, fc.nat({ max: 2 ** 40 })), few, few);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat({ max: 9 }), (steps, more) => {
      const log = new TagLog(70);
      log.add(1, 2, 3);
      log.clear();
      /** @type {Entry[]} */
      const entries = [];
      let timeNs = 0;
      let microstep = 0;
      // Steps recur, so that there are runs that end and come back.
      for (const [elapsed, microsteps, stage] of [...steps, ...steps.slice(0, more)]) {
        microstep = elapsed === 0 ? microstep + microsteps : microsteps;
        timeNs += elapsed;
        entries.push([timeNs, microstep, stage]);
        log.add(timeNs, microstep, stage);
      }
      t.deepEqual(entriesOf(log), entries);
      t.is(log.length, entries.length);
      const last = entries.at(-1);
      if (last !== undefined) t.deepEqual([log.lastTimeNs, log.lastMicrostep, log.lastStage], last);
    }),
  );
});
