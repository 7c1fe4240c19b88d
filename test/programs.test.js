// The programs of our own under `current`: what they print and count is pinned.

import test from 'ava';

import { listPrograms, programDirectory, programRounds } from './compare/load.js';
import { checkBalance } from './compare/report.js';
import { runProgram } from './compare/run.js';

/** @typedef {import('./compare/run.js').Program} Program */

/** @param {string} name @returns {Program} */
const toProgram = name => ({
  directory: programDirectory(name),
  profile: 'current',
  rounds: programRounds.get(name),
});

for (const name of listPrograms()) {
  test.serial(`${name} prints and counts what it did before`, async t => {
    const { report, log } = await runProgram(toProgram(name));
    t.deepEqual(checkBalance(report), []);
    // A bootstrap that fails stops the queue, as in SwingSet: what was queued stays.
    t.is(report.counters.runQueueLength.value, name === 'bootstrap-throws' ? 1 : 0);
    t.snapshot({ log, ...report });
  });
}

test.serial('methods may be called name and length', async t => {
  const { log } = await runProgram(toProgram('awkward-names'));
  t.deepEqual(
    log.filter(line => line.includes('failed')),
    [],
  );
});

test.serial('every special value but -0 comes back as it was', async t => {
  const { report, log } = await runProgram(toProgram('special-values'));
  t.true(report.bootstrapResult?.startsWith('fulfilled'));
  const answers = log.filter(line => line.startsWith('bootstrap: '));
  t.is(answers.length, 19);
  // Smallcaps has one zero: -0 arrives as 0, as it does with @endo/marshal.
  t.deepEqual(
    answers.filter(line => !line.endsWith(' true')),
    ['bootstrap: -0 number false', 'bootstrap: all false'],
  );
});

test.serial('promises that hold each other in a ring are released', async t => {
  const { report } = await runProgram(toProgram('promise-cycle-3'));
  // The result of bootstrap is held by the host.
  t.is(report.counters.kernelPromises.value, 1);
});
