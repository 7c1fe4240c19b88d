// However a program is run, it does the same: in blocks of any size, with either store, resumed again and again, with
// vats that overlap. Design: docs/design/determinism.md.

import test from 'ava';

import {
  conformanceDirectory,
  demoDirectory,
  listPrograms,
  loadConformance,
  programDirectory,
  programRounds,
} from './compare/load.js';
import { atEveryCrank, compareWays } from './compare/ways.js';

for (const name of listPrograms()) {
  test.serial(`${name} does the same in all ways of running it`, async t => {
    const program = { directory: programDirectory(name), rounds: programRounds.get(name) };
    t.deepEqual(await compareWays({ ...program, profile: 'current' }), []);
  });
}

for (const { id, benchmark } of loadConformance()) {
  test.serial(`conformance program ${id} does the same in all ways of running it`, async t => {
    const rounds = benchmark?.rounds;
    const today = { directory: conformanceDirectory(id, 'current'), rounds };
    const then = { directory: conformanceDirectory(id, '2020'), rounds };
    t.deepEqual(await compareWays({ ...today, profile: 'current' }), []);
    t.deepEqual(await compareWays({ ...then, profile: '2020-09' }), []);
  });
}

/** The demos that make vats and end them. */
const endings = [
  ['terminateVat'],
  ['terminateVat', 'happy'],
  ['terminateVat', 'exceptionallySad'],
  ['vatFailure'],
  ['vatFailure', '--bedynamic'],
  ['meterExhaustion'],
  ['meterExhaustion', '--allocate'],
];

for (const [demo, ...argv] of endings) {
  for (const profile of /** @type {const} */ (['current', '2020-09'])) {
    const title = [profile, demo, ...argv].join(' ');
    test.serial(`${title} does the same in all ways of running it`, async t => {
      const program = { directory: demoDirectory(demo), profile, argv };
      t.deepEqual(await compareWays(program, { more: atEveryCrank }), []);
    });
  }
}
