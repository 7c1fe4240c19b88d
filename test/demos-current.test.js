// Every demo under `current`: it runs to its end, leaves nothing behind, and what it prints and counts is pinned.

import test from 'ava';

import { demoDirectory, listDemos } from './compare/load.js';
import { checkBalance } from './compare/report.js';
import { runProgram } from './compare/run.js';

/** @type {Record<string, { argv?: string[], rounds?: number }>} */
const options = {
  megaPong: { argv: ['20'] },
  pingpong: { rounds: 100 },
  promiseChainBenchmark: { rounds: 100 },
  resolveChain: { argv: ['10'] },
};

/** @param {string} demo */
const runDemo = demo =>
  runProgram({ directory: demoDirectory(demo), profile: 'current', ...options[demo] });

for (const demo of listDemos()) {
  test.serial(`${demo} runs under current as it did before`, async t => {
    const { report, log } = await runDemo(demo);
    t.deepEqual(checkBalance(report), []);
    t.is(report.counters.runQueueLength.value, 0);
    t.snapshot({ ...report, log: summarize(log) });
  });

  test.serial(
    `${demo} leaves no settled promise behind but the results that the host holds`,
    async t => {
      const { report } = await runDemo(demo);
      const { kernelPromises, kpUnresolved } = report.counters;
      t.is(kernelPromises.value - kpUnresolved.value, 1);
      const delta = report.benchmark?.delta;
      if (delta) t.is(delta.kernelPromises - delta.kpUnresolved, 1);
    },
  );
}

/** The rounds of a benchmark print the same again and again. @param {string[]} log */
const summarize = log => (log.length <= 60 ? log : [...log.slice(0, 30), '…', ...log.slice(-5)]);
