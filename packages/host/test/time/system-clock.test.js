// Physical time of a run that was given no clock: it begins when the config's vats have started.

import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { makeMemoryStore, makeSimulation } from '#host';
import { write } from '../reactors/run-reactors.js';

const clock = `
  import { Reactor } from 'swingset-runner/reactor';
  class Clock extends Reactor {
    r = this.reaction({ triggers: this.startup }, () => console.log(this.util.getElapsedPhysicalTime()));
  }
  export const buildReactor = () => new Clock();
`;

test('physical time does not count what came before the first crank', async t => {
  /** @type {number[]} */
  const read = [];
  const simulation = await makeSimulation(write(t, { vats: { clock } }), {
    store: makeMemoryStore(),
    observer: { onConsole: (_vat, _level, text) => void read.push(Number(text)) },
  });
  await sleep(200);
  const fromMs = performance.now();
  await simulation.run();
  const tookMs = performance.now() - fromMs;
  await simulation.close();
  t.is(read.length, 1);
  t.true(read[0] <= tookMs * 1e6, `${read[0]} ns of ${tookMs} ms`);
});

const slow = `
  let sum = 0;
  for (let i = 0; i < 3e7; i += 1) sum = (sum + i) % 1000;
  console.log('made');
  export const buildRootObject = () => Far('root', {});
`;

for (const workers of [0, 2])
  test(`physical time begins when all vats of the config have started, with ${workers} workers`, async t => {
    /** @type {number | undefined} */
    let madeMs;
    /** @type {number[]} nanoseconds */
    const read = [];
    const simulation = await makeSimulation(write(t, { vats: { clock, slow } }), {
      store: makeMemoryStore(),
      workers,
      observer: {
        onConsole: (vat, _level, text) => {
          if (vat === 'slow') madeMs ??= performance.now();
          if (vat === 'clock') read.push(Number(text));
        },
      },
    });
    await simulation.run();
    const endMs = performance.now();
    await simulation.close();
    t.is(read.length, 1);
    t.true(madeMs !== undefined && read[0] <= (endMs - madeMs) * 1e6, `${read[0]} ns`);
  });
