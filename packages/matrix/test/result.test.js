// The figures of a run that are compared with other runs.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { isResult, makeResult } from '../result.js';

const job = { name: 'one', demo: 'one', argv: ['a'], forceGc: false };

const made = { madeAt: '2026-01-01', commit: 'abc', noise: 'idle' };

/**
 * @param {import('ava').ExecutionContext} t
 * @param {number[]} times  ns of each block, which has two cranks
 */
const writeStats = (t, times) => {
  const file = join(temporaryDirectory(t), 'stats');
  const rows = times.map((ns, i) => [i + 1, 2, ns, 0, 100 + i, 7].join('\t'));
  writeFileSync(file, `block\tsteps\tbtime\tctime\theapUsed\tdisk\n${rows.join('\n')}\n`);
  return file;
};

/** @param {object} benchmark */
const reportOf = benchmark => ({
  cranks: 11,
  ns: 1_000,
  counters: {},
  benchmark: { rounds: 4, cranks: 28, ns: 800, delta: { kernelPromises: 2 }, ...benchmark },
});

test('a round is the mean of all rounds, and the setup what is left of the whole time', t => {
  const result = makeResult(job, reportOf({}), writeStats(t, [5, 5]), made);
  t.like(result, { totalNs: 1_000, setupNs: 200, setupCranks: 11, rounds: 4 });
  t.like(result, { roundNs: 200, roundCranks: 7, perRound: { kernelPromises: 0.5 } });
  t.like(result, { heapBytes: 101, diskBytes: 7, ...made });
});

test('a run without rounds has a setup alone', t => {
  const report = { cranks: 11, ns: 1_000, counters: {} };
  const result = makeResult(job, report, writeStats(t, [5, 5]), made);
  t.like(result, { setupNs: 1_000, rounds: 0, failedRounds: 0 });
  t.false('roundNs' in result || 'lateOverEarly' in result);
});

test('rounds that were not fulfilled are counted', t => {
  const results = ['fulfilled: 1', 'rejected: no', 'unresolved'];
  t.is(makeResult(job, reportOf({ results }), writeStats(t, [5, 5]), made).failedRounds, 2);
});

test('the last tenth of the blocks is compared with the second, from fifty blocks on', t => {
  const times = Array.from({ length: 50 }, (_, i) => (i < 5 ? 900 : i < 45 ? 100 : 150));
  const ratioOf = (/** @type {number[]} */ list) =>
    makeResult(job, reportOf({}), writeStats(t, list), made).lateOverEarly;
  t.is(ratioOf(times), 1.5);
  t.is(ratioOf(times.slice(1)), undefined);
});

test('a value is a result if it has every field with its type', t => {
  const result = JSON.parse(
    JSON.stringify(makeResult(job, reportOf({}), writeStats(t, [5, 5]), made)),
  );
  t.true(isResult(result));
  for (const key of ['name', 'totalNs', 'forceGc', 'argv']) {
    t.false(isResult({ ...result, [key]: null }), key);
    t.false(isResult({ ...result, [key]: Symbol.iterator }), key);
  }
  t.false(isResult(null));
});
