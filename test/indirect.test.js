// Demos whose vats a launcher makes in the run print and do the same as without it.

import test from 'ava';

import { demoDirectory, listDemos } from './compare/load.js';
import { compareLogByVat } from './compare/log.js';
import { checkBalance } from './compare/report.js';
import { runProgram } from './compare/run.js';
import { atEveryCrank, compareWays } from './compare/ways.js';

/** @type {Record<string, { argv?: string[], rounds?: number }>} */
const options = {
  exchange: { rounds: 2 },
  megaPong: { argv: ['20'] },
  pingpong: { rounds: 3 },
  promiseChainBenchmark: { rounds: 3 },
  resolveChain: { argv: ['5'] },
  swap: { rounds: 2 },
  terminateVat: { argv: ['sad'] },
};

/** Vats that a launcher makes have other ids, and vatAdmin's errors name them. @param {string} line */
const withoutIds = line => line.replace(/\bv\d+\b/g, 'vN');

/** vatAdmin prints the end of a vat of the config; a launcher's vats are dynamic. @param {string} line */
const isOfConfig = line => /^DANGER: static or non-running vat /.test(line);

for (const demo of listDemos()) {
  for (const profile of /** @type {const} */ (['current', '2020-09'])) {
    test.serial(`${profile}: ${demo} does the same if a launcher makes its vats`, async t => {
      const program = { directory: demoDirectory(demo), profile, ...options[demo] };
      const direct = await runProgram(program);
      const { report, log } = await runProgram({ ...program, indirect: true });
      const directLog = direct.log.filter(line => !isOfConfig(line)).map(withoutIds);
      t.deepEqual(compareLogByVat(log.map(withoutIds), directLog), []);
      t.is(report.bootstrapResult, direct.report.bootstrapResult);
      t.deepEqual(report.benchmark?.results, direct.report.benchmark?.results);
      t.true(report.cranks > direct.report.cranks);
      if (profile === 'current') t.deepEqual(checkBalance(report), []);
    });
  }
}

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test.serial(`${profile}: pingpong with a launcher is the same run in all ways`, async t => {
    const directory = demoDirectory('pingpong');
    const program = { directory, profile, rounds: 2, indirect: true };
    t.deepEqual(await compareWays(program, { more: atEveryCrank }), []);
  });
}
