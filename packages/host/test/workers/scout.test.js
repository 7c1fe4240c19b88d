// Threads are opened only for a run whose cranks could overlap, and other runs are hardly watched.

import { setTimeout as pass } from 'node:timers/promises';
import test from 'ava';

import { LoadMeter } from '#host/workers/load-meter.js';
import { makeScout } from '#host/workers/scout.js';

/**
 * A run of blocks of a tag each: `vats` of them have a crank there, which takes `ns`.
 *
 * @param {{ vats: number, ns: number, tied?: number, stepNs?: number }} shape  `tied`: vats that must stay; `stepNs`: logical
 *   time between two tags
 */
const makeRun = ({ vats, ns, tied = 0, stepNs = 0 }) => {
  const meter = new LoadMeter();
  const now = { timeNs: 0, microstep: 0 };
  const kernel = { cranks: { all: 0, control: 0 }, now };
  let opened = 0;
  let recorded = 0;
  const placer = {
    enter() {},
    atPause() {},
    move() {},
    figures: () => ({ looks: 5, moves: 2, takenBack: 0 }),
  };
  const scout = makeScout({
    ...{ kernel: /** @type {any} */ (kernel), meter, threads: 1 },
    describe: vatId => (Number(vatId.slice(1)) < tied ? undefined : /** @type {any} */ ({})),
    findPool: () => undefined,
    beginEarly: () => {},
    async openPlacer() {
      opened += 1;
      return /** @type {any} */ (placer);
    },
  });
  return {
    scout,
    /** @param {number} blocks @param {number} [width]  vats with a crank */
    runBlocks(blocks, width = vats) {
      for (let block = 0; block < blocks; block += 1) {
        scout.enter();
        now.timeNs += stepNs;
        if (stepNs === 0) now.microstep += 1;
        kernel.cranks = { all: kernel.cranks.all + width, control: 0 };
        for (let vat = 0; vat < width && meter.isOn; vat += 1) {
          recorded += 1;
          meter.note(`v${vat}`, { ...now, stage: 0 }, ns);
        }
        void scout.atPause();
      }
    },
    counts: () => ({ opened, recorded, looks: scout.figures().looks }),
  };
};

test('of a run with one crank a tag no time is recorded, however long its cranks are', t => {
  const run = makeRun({ vats: 1, ns: 5_000_000 });
  run.runBlocks(100_000);
  t.deepEqual(run.counts(), { opened: 0, recorded: 0, looks: 0 });
});

test('threads are opened in the first record of a run with many long cranks a tag', async t => {
  const run = makeRun({ vats: 16, ns: 200_000 });
  run.runBlocks(30);
  await pass(1);
  t.is(run.counts().opened, 1);
  t.true(run.counts().recorded <= 16 * 10);
  run.runBlocks(1_000);
  t.is(run.counts().opened, 1);
  t.deepEqual(run.scout.figures(), { looks: 1 + 5, moves: 2, takenBack: 0 });
});

test('vats that must stay open no threads, and are recorded ever less often', t => {
  const run = makeRun({ vats: 4, ns: 200_000, tied: 4 });
  run.runBlocks(200_000);
  const { opened, recorded } = run.counts();
  t.is(opened, 0);
  t.true(recorded > 0 && recorded < (4 * 200_000) / 10, `${recorded} cranks`);
});

test('at tags of different times cranks are recorded, since tags cannot be counted', async t => {
  const narrow = makeRun({ vats: 1, ns: 200_000, stepNs: 1 });
  narrow.runBlocks(5_000);
  t.is(narrow.counts().opened, 0);
  t.true(narrow.counts().recorded > 0);
  const wide = makeRun({ vats: 8, ns: 200_000, stepNs: 1 });
  wide.runBlocks(100);
  await pass(1);
  t.is(wide.counts().opened, 1);
});

test('a run that becomes wide is noticed', async t => {
  const run = makeRun({ vats: 1, ns: 200_000 });
  run.runBlocks(20_000);
  t.is(run.counts().opened, 0);
  run.runBlocks(600, 16);
  await pass(1);
  t.is(run.counts().opened, 1);
});

test('a run of few long cranks is recorded as soon as some time has passed', async t => {
  const run = makeRun({ vats: 2, ns: 300_000_000 });
  run.runBlocks(2);
  t.is(run.counts().recorded, 0);
  await pass(60);
  run.runBlocks(1);
  run.runBlocks(1);
  await pass(1);
  t.deepEqual(run.counts(), { opened: 1, recorded: 2, looks: 6 });
});
