// The interactive page of runs lists what stayed empty instead of drawing it.

import test from 'ava';
import { makePageModel } from '../charts/page-model.js';
import { makeChartSpec } from '../index.js';
import { makeUpRun } from './made-up-run.js';

/** @param {string} label @param {number} blocks  with nothing in the tables yet */
const makeRun = (label, blocks) => {
  const column = (/** @type {(i: number) => number} */ valueOf) =>
    Float64Array.from({ length: blocks }, (_, i) => valueOf(i));
  const rows = {
    block: column(i => i + 1),
    steps: column(i => i + 1),
    diskTables: column(() => 0),
    diskStreams: column(() => 0),
    diskLog: column(i => 100 * (i + 1)),
  };
  return /** @type {any} */ ({ label, columns: Object.keys(rows), rows, length: blocks });
};

test('a part of the database that is empty in all runs is listed, not drawn', t => {
  const { panels, notes } = makePageModel('disk', [makeRun('a', 5), makeRun('b', 9)], {});
  t.deepEqual(
    panels.map(({ title }) => title),
    ['Log of the latest blocks'],
  );
  t.true(notes.includes('Nothing yet: tables; transcripts and other streams.'), notes.join(' '));
});

test('counters that only rise are named, not drawn, if a run has one block', t => {
  /** @param {string} label @param {number} blocks */
  const makeCounters = (label, blocks) => {
    const column = (/** @type {(i: number) => number} */ valueOf) =>
      Float64Array.from({ length: blocks }, (_, i) => valueOf(i));
    const rows = {
      block: column(i => i + 1),
      steps: column(() => 7),
      kernelObjects: column(i => 9 + i),
      kernelObjectsUp: column(i => 9 + i),
      syscalls: column(i => i * i),
    };
    return /** @type {any} */ ({ label, columns: Object.keys(rows), rows, length: blocks });
  };
  const { panels, notes } = makePageModel(
    'stats',
    [makeCounters('long', 9), makeCounters('short', 1)],
    {},
  );
  t.deepEqual(
    panels.map(({ title }) => title),
    ['kernelObjects'],
  );
  const note =
    'Not drawn, as a rate needs two blocks, one behind the other, and short has none: syscalls.';
  t.true(notes.includes(note), notes.join(' '));
  t.is(makePageModel('stats', [makeCounters('long', 9)], {}).panels.length, 2);
});

test('a graph of the database is refused if no run had one', t => {
  const inMemory = makeUpRun(20, { label: 'x' });
  inMemory.rows.disk.fill(0);
  const message =
    'x.tsv: kept the state in memory, so there is no database to draw; run again without --memdb';
  for (const make of [makeChartSpec, makePageModel]) {
    t.throws(() => make('disk', [inMemory], {}), { name: 'UserError', message });
    t.notThrows(() => make('disk', [inMemory, makeUpRun(20, { label: 'y' })], {}));
  }
});
