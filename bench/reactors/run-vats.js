// One program in vats, run several times in a process of its own: memory store, transcripts and
// activity hash, blocks of 100,000 cranks, no statistics. With `isSame`, all turns continue one
// run, like a user's run. A second simulation in a process is a fifth slower, since V8 has compiled
// the kernel for the reactions of the first. Started by suite.js; alone it serves a profiler:
//
//   node --cpu-prof bench/reactors/run-vats.js '{"program":"timelimit","size":10000000,"turns":3,"isSame":true}'

import process from 'node:process';
import { defaultCacheDir, makeMemoryStore, makeSimulation } from '#host';
import { answer } from '../process.js';
import { vatPrograms } from './vat-programs.js';

/** @import { RunOptions, RunResult } from './run.js' */

const blockSize = 100_000;

await answer(async (/** @type {RunOptions} */ { program, size, turns, isSame = false }) => {
  /** @type {number[]} */
  const ms = [];
  /** @type {number[]} */
  const userMs = [];
  /** @type {unknown} */
  let answered;
  for (let turn = 0; turn < (isSame ? 1 : turns); turn += 1) {
    /** @type {string[]} */
    const said = [];
    /** @type {string[]} */
    const errors = [];
    const { makeConfig, cranksPer = 1 } = vatPrograms[program];
    const simulation = await makeSimulation(makeConfig(isSame ? size * turns : size), {
      store: makeMemoryStore(),
      engineFlags: 'speed',
      cacheDir: defaultCacheDir(),
      observer: {
        onConsole: (_vat, _level, text) => void said.push(text),
        onVatError: (_vat, error) => void errors.push(`${error}`),
      },
    });
    for (let part = 0; part < (isSame ? turns : 1); part += 1) {
      const used = process.cpuUsage();
      const start = process.hrtime.bigint();
      await simulation.run({ blockSize, maxCranks: isSame ? size * cranksPer : Infinity });
      ms.push(Number(process.hrtime.bigint() - start) / 1e6);
      userMs.push(process.cpuUsage(used).user / 1000);
    }
    await simulation.run({ blockSize });
    simulation.stopPrograms();
    await simulation.run({ blockSize });
    if (errors.length > 0) throw Error(errors[0]);
    const cranks = simulation.cranks.all;
    answered = { said, cranks, activityHash: simulation.activityHash() };
    await simulation.close();
  }
  /** @type {RunResult & { userMs: number[] }} */
  return { ms, userMs, peakMb: process.resourceUsage().maxRSS / 1000, answer: answered };
});
