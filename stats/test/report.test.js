import test from 'ava';
import {
  formatBenchmarkReport,
  formatCollectionsReport,
  formatReportJson,
  formatRunReport,
  reportJson,
} from '../index.js';

const report = {
  profile: 'current',
  cranks: 11,
  controlCranks: 3,
  totalCranks: 711,
  ns: 31_234_567,
  counters: {
    kernelObjects: { value: 9, up: 9, down: 0, max: 9 },
    kernelPromises: { value: 1, up: 12_006, down: 12_005, max: 5 },
    runQueueLength: { value: 0, up: 11, max: 3 },
    syscalls: { value: 17 },
    syscallExit: { value: 0 },
  },
  benchmark: {
    rounds: 100,
    cranks: 700,
    ns: 28_000_000,
    delta: { kernelObjects: 0, kernelPromises: 1, syscalls: 1100 },
    results: ['undefined', 'undefined'],
  },
  bootstrapResult: 'undefined',
  activityHash: 'a1b2',
  machine: { node: 'v20.20.2' },
};

test('the run report has the columns of SwingSet and blanks where a counter lacks a figure', t => {
  t.snapshot(formatRunReport(report));
});

test('the benchmark report gives the change over all rounds and for one', t => {
  t.snapshot(formatBenchmarkReport(report));
});

test('for a screen, counters that stayed 0 are counted only', t => {
  const run = formatRunReport(report, { hidesZeros: true });
  t.regex(run, /^runQueueLength +0 +11 +3 +0\.000$/m);
  t.notRegex(run, /syscallExit/);
  t.regex(run, /^1 counter stayed 0; --zeros shows all$/m);
  const rounds = formatBenchmarkReport(report, { hidesZeros: true });
  t.notRegex(rounds, /kernelObjects/);
  t.regex(rounds, /^1 counter did not change; --zeros shows all$/m);
});

test('a report of one crank, without times or control cranks, reads well', t => {
  t.snapshot(formatRunReport({ cranks: 1, counters: { syscalls: { value: 1 } } }));
  t.is(formatBenchmarkReport({ cranks: 1, counters: {} }), '');
});

test('a small share keeps its digits and no cranks give no shares', t => {
  const counters = { syscalls: { value: 1 } };
  t.regex(formatRunReport({ cranks: 100_000, counters }), /^syscalls +1 +0\.000010$/m);
  t.regex(formatRunReport({ cranks: 0, counters }), /^syscalls +1$/m);
});

test('the JSON report has the documented fields in their order', t => {
  t.snapshot(formatReportJson(report));
  const reversed = Object.fromEntries(Object.entries(report).reverse());
  t.is(formatReportJson(/** @type {typeof report} */ (reversed)), formatReportJson(report));
});

test('absent fields are left out of the JSON report', t => {
  t.deepEqual(
    reportJson({
      cranks: 5,
      counters: { syscalls: { value: 8, up: undefined } },
      benchmark: undefined,
    }),
    { cranks: 5, counters: { syscalls: { value: 8 } } },
  );
  t.is(reportJson({ cranks: 5, counters: {}, bootstrapResult: null }).bootstrapResult, null);
});

test('the report has collections, and the times that include them', t => {
  const counts = { cranks: 1, counters: {} };
  t.is(formatCollectionsReport(counts), '');
  const both = {
    ...counts,
    forcedCollections: { count: 101, ns: 1_234_567_890 },
    reapCollections: { count: 1, ns: 5_000_000 },
  };
  t.is(
    formatCollectionsReport(both),
    [
      '--forcegc: 101 full collections, 1.235 s (1,234,567,890 ns); in no other time here',
      'bringOutYourDead: 1 full collection, 5.00 ms (5,000,000 ns); part of its cranks, and of their time',
      '',
    ].join('\n'),
  );
  t.deepEqual(reportJson(both), both);
});
