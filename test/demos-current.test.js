// Every demo under `current`: it runs to its end, leaves nothing behind, and what it prints and counts is pinned.

import test from 'ava';

import { listDemoRuns } from './compare/demo-runs.js';
import { demoDirectory } from './compare/load.js';
import { checkBalance } from './compare/report.js';
import { runProgram } from './compare/run.js';

for (const { title, demo, ...how } of listDemoRuns()) {
  const run = () => runProgram({ directory: demoDirectory(demo), profile: 'current', ...how });

  test.serial(`${title} runs under current as it did before`, async t => {
    const { report, log } = await run();
    t.deepEqual(checkBalance(report), []);
    t.is(report.counters.runQueueLength.value, 0);
    t.snapshot({ ...report, log: summarize(log) });
  });

  test.serial(
    `${title} leaves no settled promise behind but the results that the host holds`,
    async t => {
      const { report } = await run();
      const { kernelPromises, kpUnresolved } = report.counters;
      const isSettled = report.bootstrapResult !== 'still pending';
      t.is(kernelPromises.value - kpUnresolved.value, isSettled ? 1 : 0);
      const delta = report.benchmark?.delta;
      if (delta) t.is(delta.kernelPromises - delta.kpUnresolved, 1);
    },
  );
}

/** The rounds of a benchmark print the same again and again. @param {string[]} log */
const summarize = log => (log.length <= 60 ? log : [...log.slice(0, 30), '…', ...log.slice(-5)]);
