// The demos under `2020-09` against the tables published on 2020-09-30.

import test from 'ava';

import { demoDirectory, listDemos, loadPublished, parseCommand, readDemo } from './compare/load.js';
import { compareReport } from './compare/report.js';
import { runProgram } from './compare/run.js';

const { demos, benchmarks } = loadPublished();

/** They ran contracts of that date: Zoe, ERTP. */
const notHere = new Set(['swapBenchmark', 'exchangeBenchmark']);

for (const expected of demos) {
  const { name, folder, argv } = parseCommand(expected.command);
  if (!notHere.has(name)) {
    test.serial(`${name} gives every number published`, async t => {
      const { report } = await runProgram({
        directory: demoDirectory(folder),
        profile: '2020-09',
        argv,
      });
      t.deepEqual(compareReport(report, expected), []);
    });
  }
}

for (const name of ['pingpong', 'pingpong1k', 'pingpong10k']) {
  const { setup, benchmark, finishedCranks } = benchmarks[name];
  test.serial(`pingpong gives every number published for ${benchmark.rounds} rounds`, async t => {
    const { report } = await runProgram({
      directory: demoDirectory('pingpong'),
      profile: '2020-09',
      rounds: benchmark.rounds,
    });
    t.deepEqual(compareReport(report, { ...setup, benchmark, finishedCranks }), []);
  });
}

/** Arguments with which a README counts its cranks. @type {Record<string, string[]>} */
const argvOf = { megaPong: ['20'] };

for (const demo of listDemos()) {
  test.serial(`the README of ${demo} has its number of cranks`, async t => {
    const { report } = await runProgram({
      directory: demoDirectory(demo),
      profile: '2020-09',
      ...(argvOf[demo] && { argv: argvOf[demo] }),
    });
    t.is(Number(/(\d+) cranks/.exec(readDemo(demo, 'README.md'))?.[1]), report.cranks);
  });
}

const dead = 'failed with the error "vat terminated"';

/** The lines that differ between the modes of terminateVat. @type {Record<string, string>} */
const lastWords = {
  kill: 'failed with "it has to go"',
  killOf2020: 'failed with "it has to go"',
  happy: 'gave "all is done"',
  exceptionallyHappy: 'gave the error "all is done, and nobody believes it"',
  sad: 'failed with "it did not work out"',
  exceptionallySad: 'failed with the error "it went wrong"',
};

for (const [mode, words] of Object.entries(lastWords)) {
  test.serial(`terminateVat ${mode} takes 25 cranks, and its maker gets the reason`, async t => {
    const directory = demoDirectory('terminateVat');
    const { report, log } = await runProgram({ directory, profile: '2020-09', argv: [mode] });
    t.is(report.cranks, 25);
    t.deepEqual(log.slice(-4), [
      `bootstrap: the vat has its end, ${mode}`,
      `bootstrap: elsewhere() ${dead}`,
      `bootstrap: dude(true) ${dead}`,
      `bootstrap: done() ${words}`,
    ]);
  });
}

test.serial('vatFailure --bedynamic takes 17 cranks, one of them dropped', async t => {
  const directory = demoDirectory('vatFailure');
  const argv = ['--bedynamic'];
  const { report, log } = await runProgram({ directory, profile: '2020-09', argv });
  t.is(report.cranks, 17);
  t.is(report.counters.runQueueLength.value, 0);
  t.deepEqual(log, [
    'bootstrap: pretendToBeAThing("begood")',
    'bootstrap: the first begood() failed with "vat terminated"',
    'bootstrap: bebad() failed with "vat terminated"',
    'bootstrap: the second begood() failed with "vat terminated"',
    `bootstrap: done() failed with ""o-3414159" is not in the vat's c-list"`,
  ]);
});

test.serial('meterExhaustion ends while bootstrap waits for a running vat', async t => {
  const directory = demoDirectory('meterExhaustion');
  const { report, log } = await runProgram({ directory, profile: '2020-09' });
  t.is(report.cranks, 9);
  t.is(report.bootstrapResult, 'still pending');
  t.is(report.counters.kpUnresolved.value, 2);
  t.deepEqual(log, ['bootstrap: the first explode() gave undefined']);
});

test.serial('meterExhaustion --allocate ends only the allocating vat', async t => {
  const directory = demoDirectory('meterExhaustion');
  const argv = ['--allocate'];
  for (const profile of /** @type {const} */ (['current', '2020-09'])) {
    const { report, log } = await runProgram({ directory, profile, argv });
    t.regex(report.bootstrapResult ?? '', /^fulfilled/);
    t.deepEqual(log, [
      'bootstrap: the first allocate() failed with "vat terminated"',
      profile === 'current'
        ? `bootstrap: done() failed with "vatAdminService rejecting attempt to perform "done"() on non-running vat "v6""`
        : 'bootstrap: done() failed with "it asked for more memory than there is"',
      'bootstrap: the second allocate() failed with "vat terminated"',
    ]);
  }
});
