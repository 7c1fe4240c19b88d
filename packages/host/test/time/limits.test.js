import test from 'ava';

import { runRounds, runSome, UserError } from '#host';
import { makeLastingStore, startTimedVats, timedVat, writeTimedVats } from './timed-vats.js';

const repeats = timedVat(`await E(timer).repeatAfter(10n, 10n, handler('tick'));`);

/** Each message leads to another one, to the other vat. */
const bob = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    const root = Far('bob', { again(other) { E(other).again(root); } });
    return root;
  };
`;

const talks = timedVat(`
  const self = Far('self', { again(other) { E(other).again(self); } });
  E(vats.bob).again(self);
`);

const rounds = timedVat('', `async runBenchmarkRound() { await null; }`);

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test.serial(`${profile}: a run ends before logical time goes too far, and can go on`, async t => {
    const folder = writeTimedVats(t, repeats);
    const store = makeLastingStore();
    const first = await startTimedVats(folder, { store, profile });
    t.is(await runRounds(first.simulation, { untilNs: 35e9 }), 'until');
    t.deepEqual(first.printed, ['tick 10', 'tick 20', 'tick 30']);
    t.is(first.simulation.kernel.nextTimeNs, 40e9);
    t.is(await runRounds(first.simulation, { untilNs: 39_999_999_999 }), 'until');
    t.is(first.printed.length, 3);
    await first.simulation.close();
    const second = await startTimedVats(folder, { store, resume: true });
    t.is(await runRounds(second.simulation, { untilNs: 40e9 }), 'until');
    t.deepEqual(second.printed, ['tick 40']);
    await second.simulation.close();
  });

  test.serial(
    `${profile}: a run with too many cranks ends, and what it did is committed`,
    async t => {
      const folder = writeTimedVats(t, repeats);
      const store = makeLastingStore();
      const { simulation } = await startTimedVats(folder, { store, profile });
      await t.throwsAsync(runRounds(simulation, { maxCranksInAll: 100, blockSize: 7 }), {
        instanceOf: UserError,
        message:
          /^--max-cranks 100: the run has done so many cranks and is not over; next is (vat|device) "(timer|bootstrap)", (method "wake"|to be woken|to be told of promise kp\d+); to go on, give a larger number, and --resume if the state is not in memory$/,
      });
      t.is(simulation.cranks.all, 100);
      await simulation.close();
      const resumed = await startTimedVats(folder, { store, resume: true });
      t.is(resumed.simulation.cranks.all, 100);
      await t.throwsAsync(runRounds(resumed.simulation, { maxCranksInAll: 100 }), {
        message: /--max-cranks 100/,
      });
      await resumed.simulation.close();
    },
  );

  test.serial(
    `${profile}: an instant that never ends is ended, with the vat and the method`,
    async t => {
      const folder = writeTimedVats(t, talks, {}, bob);
      const { simulation } = await startTimedVats(folder, { profile });
      await t.throwsAsync(runRounds(simulation, { maxMicrosteps: 50 }), {
        instanceOf: UserError,
        message:
          /^--max-microsteps 50: the instant at 0 ns has had so many microsteps and is not over; next is vat "(bob|bootstrap)", (method "again"|to be told of promise kp\d+);/,
      });
      t.is(simulation.kernel.now.microstep, 49);
      await simulation.close();
    },
  );
}

test.serial('rounds at one instant do not add up to one that never ends', async t => {
  const { simulation } = await startTimedVats(writeTimedVats(t, rounds));
  t.is(await runRounds(simulation, { rounds: 40, maxMicrosteps: 12 }), 'finished');
  t.true(simulation.kernel.now.microstep > 12);
  await simulation.close();
});

test.serial('a limit that is not reached changes nothing', async t => {
  const folder = writeTimedVats(t, rounds);
  const run = async (/** @type {import('#host/blocks.js').BlockOptions} */ options) => {
    const { simulation } = await startTimedVats(folder);
    await runRounds(simulation, { rounds: 5, ...options });
    const hash = simulation.activityHash();
    await simulation.close();
    return hash;
  };
  const plain = await run({});
  t.is(await run({ maxMicrosteps: 12, maxCranksInAll: 1000, untilNs: 0 }), plain);
});

test.serial('some cranks end at a limit as well', async t => {
  const { simulation } = await startTimedVats(writeTimedVats(t, talks, {}, bob));
  t.is(await runSome(simulation, { maxCranks: 10, maxCranksInAll: 20 }), 10);
  await t.throwsAsync(runSome(simulation, { maxCranks: 11, maxCranksInAll: 20 }), {
    instanceOf: UserError,
  });
  t.is(simulation.cranks.all, 20);
  await simulation.close();
});
