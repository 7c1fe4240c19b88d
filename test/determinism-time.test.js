// A run with timers does the same however it is run: in blocks of any size, with either store, resumed after every
// crank, with vats that overlap, and with a stop at every second of logical time.

import test from 'ava';

import { loadConfig, makeSimulation, runRounds } from '#host';
import { makeMemoryStore, openLmdbStore, storeDigest } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

import { demoDirectory } from './compare/load.js';
import { runProgram } from './compare/run.js';
import { compareWays } from './compare/ways.js';

const said = [
  '5 s: five seconds are over',
  '10 s: tick 1',
  '15 s: update 1',
  '30 s: tick 2',
  '30 s: update 2',
  '45 s: update 3',
  '50 s: tick 3',
  '60 s: a minute is over',
];

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  const program = { directory: demoDirectory('timer'), profile };

  test.serial(`${profile}: demos/timer says what its README shows`, async t => {
    t.deepEqual((await runProgram(program)).log, said);
  });

  test.serial(`${profile}: demos/timer does the same in all ways of running it`, async t => {
    t.deepEqual(await compareWays(program), []);
  });

  for (const kind of /** @type {const} */ (['memory', 'LMDB'])) {
    test.serial(`${profile}: resuming after every crank, in ${kind}, changes nothing`, async t => {
      const dir = temporaryDirectory(t, 'determinism-time');
      const memory = makeMemoryStore();
      const openStore = (/** @type {boolean} */ isNew) =>
        kind === 'LMDB'
          ? openLmdbStore({ dir, durability: 'none', create: isNew })
          : { ...memory, close: async () => {} };
      const plain = await runProgram(program);
      const stopped = await runProgram(program, { blockSize: 1, openStore, reopen: true });
      t.deepEqual(stopped, plain);
    });
  }

  test.serial(`${profile}: resuming at every second changes nothing`, async t => {
    const memory = makeMemoryStore();
    const open = () => ({ ...memory, close: async () => {} });
    const config = loadConfig({ baseDir: program.directory });

    const store = makeMemoryStore();
    const plain = await makeSimulation(config, { store, profile });
    await runRounds(plain);

    let seconds = 0;
    let outcome = '';
    while (outcome !== 'finished') {
      const isNew = seconds === 0;
      const simulation = await makeSimulation(isNew ? config : undefined, {
        store: open(),
        ...(isNew ? { profile } : { resume: true }),
      });
      outcome = await runRounds(simulation, { untilNs: seconds * 1e9 });
      if (outcome === 'finished') t.is(simulation.activityHash(), plain.activityHash());
      await simulation.close();
      seconds += 1;
    }
    t.is(seconds, 61);
    t.is(storeDigest(memory), storeDigest(store));
    await plain.close();
  });
}
