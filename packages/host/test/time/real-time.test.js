// Real time with a clock that only sleeping moves.

import test from 'ava';

import { makeRealTime, runRounds } from '#host';
import { makeLastingStore, startTimedVats, timedVat, writeTimedVats } from './timed-vats.js';

const source = timedVat(`
  say('begin');
  await E(timer).delay(2n);
  say('two');
  await E(timer).delay(3n);
  say('five');
`);

/** A clock that shows what was slept, and late by what the test says. */
const makeClock = (lateMs = 0) => {
  let nowMs = 1_000;
  /** @type {number[]} */
  const naps = [];
  return {
    naps,
    get nowMs() {
      return nowMs - 1_000;
    },
    realTime: makeRealTime({
      clockMs: () => nowMs,
      sleep: async ms => {
        naps.push(ms);
        nowMs += ms + lateMs;
      },
    }),
  };
};

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test.serial(
    `${profile}: what runs waits for its time, and is what runs without waiting`,
    async t => {
      const folder = writeTimedVats(t, source);
      const leaping = await startTimedVats(folder, { profile });
      await runRounds(leaping.simulation);

      const clock = makeClock();
      /** @type {string[]} */
      const printed = [];
      const { simulation } = await startTimedVats(folder, {
        profile,
        observer: { onConsole: (_vat, _level, text) => printed.push(`${clock.nowMs} ms: ${text}`) },
      });
      t.is(await runRounds(simulation, { realTime: clock.realTime }), 'finished');
      t.deepEqual(printed, ['0 ms: begin', '2000 ms: two', '5000 ms: five']);
      t.true(clock.naps.every(ms => ms <= 50));
      t.is(simulation.activityHash(), leaping.simulation.activityHash());
      await simulation.close();
      await leaping.simulation.close();
    },
  );
}

test.serial('sleeping too long makes a run late once, without a growing delay', async t => {
  const clock = makeClock(7);
  /** @type {number[]} */
  const times = [];
  const repeats = timedVat(`
    const token = Far('token', {});
    const ticker = handler('tick', time => (seconds(time) === 10 ? E(timer).cancel(token) : undefined));
    await E(timer).repeatAfter(1n, 1n, ticker, token);
  `);
  const { simulation } = await startTimedVats(writeTimedVats(t, repeats), {
    observer: { onConsole: () => void times.push(clock.nowMs) },
  });
  await runRounds(simulation, { realTime: clock.realTime });
  t.is(times.length, 10);
  times.forEach((ms, i) => {
    t.true(ms >= (i + 1) * 1_000 && ms < (i + 1) * 1_000 + 60, `${ms}`);
  });
  await simulation.close();
});

test.serial('a run stopped while it waits continues where it was', async t => {
  const folder = writeTimedVats(t, source);
  const store = makeLastingStore();
  const first = makeClock();
  const begun = await startTimedVats(folder, { store });
  const shouldStop = () => first.nowMs >= 3_200;
  t.is(await runRounds(begun.simulation, { realTime: first.realTime, shouldStop }), 'stopped');
  t.deepEqual(begun.printed, ['begin', 'two']);
  const stoppedMs = first.nowMs;
  t.true(stoppedMs < 3_300);
  await begun.simulation.close();

  const second = makeClock();
  const resumed = await startTimedVats(folder, { store, resume: true });
  t.is(await runRounds(resumed.simulation, { realTime: second.realTime }), 'finished');
  t.deepEqual(resumed.printed, ['five']);
  t.is(stoppedMs + second.nowMs, 5_000);
  await resumed.simulation.close();
});

test.serial('a run that advanced at once so far waits from there on', async t => {
  const folder = writeTimedVats(t, source);
  const store = makeLastingStore();
  const leapt = await startTimedVats(folder, { store });
  t.is(await runRounds(leapt.simulation, { untilNs: 3e9 }), 'until');
  await leapt.simulation.close();
  const clock = makeClock();
  const { simulation, printed } = await startTimedVats(folder, { store, resume: true });
  await runRounds(simulation, { realTime: clock.realTime });
  t.deepEqual(printed, ['five']);
  t.is(clock.nowMs, 3_000);
  await simulation.close();
});

const reactors = `
  import { Reactor } from 'swingset-runner/reactor';
  const seen = (main, what) => console.log(what, main.util.getElapsedPhysicalTime() / 1e6);
  class Main extends Reactor {
    mayRequestStop = true;
    tick = this.timer('1 s', '1 s');
    left = 3;
    r = this.reaction({ triggers: this.tick, deadline: '5 ms', late: () => seen(this, 'late') }, () => seen(this, 'in time'));
    end = this.reaction({ triggers: this.tick }, () => { if ((this.left -= 1) === 0) this.requestStop(); });
  }
  export const buildReactor = () => new Main();
`;

for (const [lateMs, what] of /** @type {const} */ ([
  [0, 'in time'],
  [7, 'late'],
])) {
  test.serial(`reactors are ${what} when the run wakes ${lateMs} ms too late`, async t => {
    const folder = writeTimedVats(t, reactors);
    const store = makeLastingStore();
    const first = makeClock(lateMs);
    const begun = await startTimedVats(folder, { store, clock: first.realTime.clock });
    const shouldStop = () => first.nowMs >= 1_500;
    await runRounds(begun.simulation, { realTime: first.realTime, shouldStop });
    await begun.simulation.close();
    t.deepEqual(begun.printed, [`${what} ${1_000 + lateMs}`]);

    // It begins at 0, and knows what has gone before.
    const { realTime } = makeClock(lateMs);
    const resumed = await startTimedVats(folder, { store, resume: true, clock: realTime.clock });
    await runRounds(resumed.simulation, { realTime });
    t.deepEqual(resumed.printed, [`${what} ${2_000 + lateMs}`, `${what} ${3_000 + lateMs}`]);
    await resumed.simulation.close();
  });
}

test('real time begins again when the vats of the config have started', t => {
  let nowMs = 1_000;
  const realTime = makeRealTime({ clockMs: () => nowMs });
  const kernel = { getHostValue: () => undefined, now: { timeNs: 0, microstep: 0 } };
  realTime.clock.begin?.();
  t.is(realTime.elapsedNs(), 0);
  realTime.begin(kernel);
  nowMs += 300;
  realTime.clock.begin?.();
  nowMs += 2;
  t.is(realTime.elapsedNs(), 2e6);
});
