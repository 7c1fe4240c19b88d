// The demos crank by crank against the traces of the kernel of 2020-09-30.

import test from 'ava';

import { demoDirectory, listTraces, loadTrace, parseTraceName } from './compare/load.js';
import { traceProgram } from './compare/run.js';
import { compareTrace } from './compare/trace.js';

for (const name of listTraces()) {
  test.serial(`${name} takes the cranks of 2020-09-30, one by one`, async t => {
    const { folder, argv } = parseTraceName(name);
    const steps = await traceProgram({
      directory: demoDirectory(folder),
      profile: '2020-09',
      argv,
    });
    t.deepEqual(compareTrace(steps, loadTrace(name)), []);
  });
}
