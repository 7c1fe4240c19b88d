// The twenty conformance programs under `2020-09`: every number and every line of the kernel of 2020-09-30.

import test from 'ava';

import { conformanceDirectory, loadConformance } from './compare/load.js';
import { compareLog } from './compare/log.js';
import { compareReport } from './compare/report.js';
import { runProgram } from './compare/run.js';

for (const expected of loadConformance()) {
  test.serial(
    `conformance program ${expected.id} gives every number and line of 2020-09-30`,
    async t => {
      const { report, log } = await runProgram({
        directory: conformanceDirectory(expected.id, '2020'),
        profile: '2020-09',
        rounds: expected.benchmark?.rounds,
      });
      t.deepEqual([...compareReport(report, expected), ...compareLog(log, expected.log)], []);
    },
  );
}
