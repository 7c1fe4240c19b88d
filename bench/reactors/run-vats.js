// One program in vats, some times over, in a process of its own: memory store, transcripts and activity hash, blocks of
// 100,000 cranks, no statistics. Started by suite.js; alone it serves a profiler:
//
//   node --cpu-prof bench/reactors/run-vats.js '{"program":"timelimit","size":10000000,"turns":3}'

import process from 'node:process';
import { defaultCacheDir, makeMemoryStore, makeSimulation } from '#host';
import { answer } from '../process.js';
import { vatPrograms } from './vat-programs.js';

/** @import { RunOptions, RunResult } from './run.js' */

const blockSize = 100_000;

await answer(async (/** @type {RunOptions} */ { program, size, turns }) => {
  /** @type {number[]} */
  const ms = [];
  /** @type {number[]} */
  const userMs = [];
  /** @type {unknown} */
  let answered;
  for (let turn = 0; turn < turns; turn += 1) {
    /** @type {string[]} */
    const said = [];
    const simulation = await makeSimulation(vatPrograms[program](size), {
      store: makeMemoryStore(),
      cacheDir: defaultCacheDir(),
      observer: {
        onConsole: (_vat, _level, text) => void said.push(text),
        onVatError: (_vat, error) => {
          throw error;
        },
      },
    });
    const used = process.cpuUsage();
    const start = process.hrtime.bigint();
    await simulation.run({ blockSize });
    ms.push(Number(process.hrtime.bigint() - start) / 1e6);
    userMs.push(process.cpuUsage(used).user / 1000);
    simulation.stopPrograms();
    await simulation.run({ blockSize });
    const cranks = simulation.cranks.all;
    answered = { said, cranks, activityHash: simulation.activityHash() };
    await simulation.close();
  }
  /** @type {RunResult & { userMs: number[] }} */
  return { ms, userMs, peakMb: process.resourceUsage().maxRSS / 1000, answer: answered };
});
