// One program, run several times in a process of its own. Started by suite.js; alone it serves a
// profiler:
//
//   node --cpu-prof bench/reactors/run.js '{"program":"pingpong","size":1000000,"turns":10}'

import process from 'node:process';
import { answer } from '../process.js';

/**
 * @typedef {object} RunOptions
 * @property {string} program
 * @property {number} size
 * @property {number} turns
 * @property {boolean} [isSame]  all turns continue one program; otherwise each turn has a new one
 * @property {boolean} [isLocked]  after lockdown
 * @property {boolean} [isPeer]  the same program of reactor-ts
 */

/** @typedef {{ ms: number[], peakMb: number, answer: unknown }} RunResult */

await answer(async (/** @type {RunOptions} */ options) => {
  const { program: name, size, turns, isSame = false, isLocked = false, isPeer = false } = options;
  if (isLocked) await import('#testkit/lockdown.js');
  const { programs } = await import(isPeer ? './peer/programs.cjs' : './programs.js');
  /** @type {number[]} */
  const ms = [];
  let program = programs[name](size);
  for (let turn = 0; turn < turns; turn += 1) {
    if (turn > 0 && !isSame) program = programs[name](size);
    const start = process.hrtime.bigint();
    await program.run();
    ms.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  return { ms, peakMb: process.resourceUsage().maxRSS / 1000, answer: program.answer() };
});
