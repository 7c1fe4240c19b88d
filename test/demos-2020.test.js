// The demos under `2020-09` against the tables published on 2020-09-30.

import test from 'ava';

import { demoDirectory, listDemos, loadPublished, parseCommand, readDemo } from './compare/load.js';
import { compareReport } from './compare/report.js';
import { runProgram } from './compare/run.js';

const { demos, benchmarks } = loadPublished();

/** They ran contracts of that date (Zoe, ERTP), or need vats that are made while running. */
const notHere = new Set(['swapBenchmark', 'exchangeBenchmark', 'terminateVat']);

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
  test.serial(`the README of ${demo} says how many cranks it takes`, async t => {
    const { report } = await runProgram({
      directory: demoDirectory(demo),
      profile: '2020-09',
      ...(argvOf[demo] && { argv: argvOf[demo] }),
    });
    t.is(Number(/(\d+) cranks/.exec(readDemo(demo, 'README.md'))?.[1]), report.cranks);
  });
}
