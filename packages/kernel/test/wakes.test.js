// Wake-ups of devices: items at a later tag. Time moves on when the instant is quiet.

import test from 'ava';
import fc from 'fast-check';

import { audit } from '#kernel';
import { makeMemoryStore } from '#store';
import { data, dumpTables, makeTestKernel, message, scriptedDevice } from '#testkit';

/** @typedef {import('#testkit').React} React */
/** @typedef {import('#testkit').Call} Call */
/** @typedef {'current' | '2020-09'} Profile */

/**
 * A device that is told when to be woken, and says when it was: `name at time, microstep`.
 *
 * @param {string} name
 * @param {string[]} log
 * @param {(tag: { timeNs: number, microstep: number }, powers: import('#kernel').DevicePowers) => void} [woken]
 */
const makeAlarm = (name, log, woken = () => {}) => {
  /** @type {{ now?: () => { timeNs: number, microstep: number } }} */
  const clock = {};
  const device = scriptedDevice({
    methods: {
      wakeAt: (powers, { body }) => powers.wakeAt(Number(body)),
      cancel: (powers, { body }) => powers.cancelWake(Number(body)),
    },
    wake: powers => {
      const tag = clock.now?.() ?? { timeNs: -1, microstep: -1 };
      log.push(`${name} at ${tag.timeNs}, ${tag.microstep}`);
      if (powers.now() !== tag.timeNs) throw Error('a device sees another time');
      woken(tag, powers);
    },
    input: (powers, said) => {
      const [verb, time] = said.split(' ');
      if (verb === 'wake') powers.wakeAt(Number(time));
      else powers.cancelWake(Number(time));
    },
  });
  return { clock, device };
};

/**
 * Boot acts in its cranks and holds the devices: one as d-70, two as d-71.
 *
 * @param {Profile} profile
 * @param {(call: Call, crank: number) => string | void} act
 * @param {object} [more]
 * @param {(tag: { timeNs: number, microstep: number }, powers: import('#kernel').DevicePowers) => void} [more.woken]
 * @param {import('#store').Store} [more.store]
 * @param {boolean} [more.resume]
 */
const makeRun = (profile, act, { woken, store = makeMemoryStore(), resume = false } = {}) => {
  /** @type {string[]} */
  const log = [];
  const one = makeAlarm('one', log, woken);
  const two = makeAlarm('two', log);
  const run = makeTestKernel({
    profile,
    vats: {
      boot: (_delivery, call, crank) => {
        const { timeNs, microstep } = one.clock.now?.() ?? { timeNs: -1, microstep: -1 };
        log.push(`boot at ${timeNs}, ${microstep}`);
        return act(call, crank);
      },
    },
    devices: { one: one.device, two: two.device },
    store,
    resume,
  });
  one.clock.now = () => run.state.now;
  two.clock.now = one.clock.now;
  log.length = 0;
  return { run, log };
};

/** @param {Call} call @param {string} device @param {string} method @param {number} timeNs */
const tell = (call, device, method, timeNs) =>
  call('callNow', device, method, { body: String(timeNs), slots: [] });

const profiles = /** @type {const} */ (['current', '2020-09']);

for (const profile of profiles) {
  test(`${profile}: time moves on when the instant is quiet, to microstep 0 of the next wake-up`, async t => {
    const { run, log } = makeRun(profile, (call, crank) => {
      if (crank === 1) {
        tell(call, 'd-70', 'wakeAt', 2000);
        tell(call, 'd-71', 'wakeAt', 1000);
        tell(call, 'd-71', 'wakeAt', 2000);
      }
      if (crank < 4) call('send', 'o+0', message('again'), null);
    });
    t.is(run.kernel.nextTimeNs, 0);
    await run.run(4);
    t.is(run.kernel.nextTimeNs, 1000);
    t.false(run.kernel.isQuiet);
    t.deepEqual(audit(run.state), []);
    await run.run();
    t.deepEqual(log, [
      ...['boot at 0, 0', 'boot at 0, 1', 'boot at 0, 2', 'boot at 0, 3'],
      ...['two at 1000, 0', 'one at 2000, 0', 'two at 2000, 0'],
    ]);
    t.is(run.kernel.cranks.all, 7, 'a wake-up is a crank');
    t.is(run.kernel.cranks.control, 0, 'of the class of messages');
    t.is(run.kernel.nextTimeNs, undefined);
    t.true(run.kernel.isQuiet);
    t.deepEqual(audit(run.state), []);
  });

  test(`${profile}: a wake-up at a time that has passed is at the next microstep`, async t => {
    let left = 2;
    const { run, log } = makeRun(
      profile,
      (call, crank) => {
        if (crank === 1) tell(call, 'd-70', 'wakeAt', 0);
        if (crank === 1) tell(call, 'd-71', 'wakeAt', 70);
      },
      {
        woken: ({ timeNs }, powers) => {
          if (timeNs === 0) powers.wakeAt(50);
          else if (left > 0) {
            left -= 1;
            powers.wakeAt(20);
          }
        },
      },
    );
    await run.run();
    t.deepEqual(log, [
      ...['boot at 0, 0', 'one at 0, 1', 'one at 50, 0', 'one at 50, 1', 'one at 50, 2'],
      'two at 70, 0',
    ]);
    t.deepEqual(audit(run.state), []);
  });

  test(`${profile}: asking twice for one time gives one wake-up for each device`, async t => {
    const { run, log } = makeRun(profile, (call, crank) => {
      if (crank > 2) return;
      for (const time of [5, 5, 0, 0]) tell(call, 'd-70', 'wakeAt', time);
      tell(call, 'd-71', 'wakeAt', 5);
      if (crank === 1) call('send', 'o+0', message('again'), null);
    });
    await run.run(1);
    t.is(run.counter('runQueueLength'), 4, 'two of one, one of two, and the message');
    t.deepEqual(audit(run.state), []);
    await run.run();
    t.deepEqual(log, [
      ...['boot at 0, 0', 'one at 0, 1', 'boot at 0, 1'],
      ...['one at 0, 2', 'one at 5, 0', 'two at 5, 0'],
    ]);
  });

  test(`${profile}: a cancelled wake-up does not come, stored or not, and can be asked for again`, async t => {
    for (const blocks of [false, true]) {
      const { run, log } = makeRun(profile, (call, crank) => {
        if (crank === 1) for (const time of [5, 6, 7]) tell(call, 'd-70', 'wakeAt', time);
        if (crank === 2) for (const time of [6, 7, 99]) tell(call, 'd-70', 'cancel', time);
        if (crank === 2) tell(call, 'd-70', 'wakeAt', 7);
        if (crank === 3) {
          tell(call, 'd-70', 'wakeAt', 8);
          tell(call, 'd-70', 'cancel', 8);
          tell(call, 'd-70', 'cancel', 5);
        }
        if (crank < 3) call('send', 'o+0', message('again'), null);
      });
      for (let crank = 0; crank < 4; crank += 1) {
        await run.run(1);
        if (blocks) run.kernel.commit();
        t.deepEqual(audit(run.state), []);
      }
      await run.run();
      run.kernel.commit();
      t.deepEqual(log.slice(3), ['one at 7, 0']);
      t.deepEqual([...run.store.entries('q.')], []);
      t.is(run.counter('runQueueLength'), 0);
      t.deepEqual(audit(run.state), []);
    }
  });
}

for (const profile of profiles) {
  test(`${profile}: a dropped crank's wake-ups and cancellations are undone`, async t => {
    const { run, log } = makeRun(profile, (call, crank) => {
      if (crank === 1) {
        for (const time of [5, 6]) tell(call, 'd-70', 'wakeAt', time);
        call('send', 'o+0', message('again'), null);
        return undefined;
      }
      tell(call, 'd-70', 'cancel', 5);
      tell(call, 'd-70', 'wakeAt', 5);
      tell(call, 'd-70', 'cancel', 6);
      tell(call, 'd-70', 'wakeAt', 7);
      tell(call, 'd-70', 'wakeAt', 8);
      tell(call, 'd-70', 'cancel', 8);
      return 'it fails';
    });
    await run.run(1);
    run.kernel.commit();
    const wakes = () => [...run.state.queue.inOrder()].filter(({ kind }) => kind === 'wake');
    const before = wakes();
    await run.run(1);
    t.deepEqual(wakes(), before);
    t.deepEqual(audit(run.state), []);
    await run.run();
    t.deepEqual(log, ['boot at 0, 0', 'boot at 0, 1', 'one at 5, 0', 'one at 6, 0']);
  });

  test(`${profile}: a resumed run has the wake-ups, and can cancel them`, async t => {
    /** @type {(call: Call, crank: number) => void} */
    const act = (call, crank) => {
      if (crank !== 1) return;
      for (const time of [30, 10, 20, 0]) tell(call, 'd-70', 'wakeAt', time);
      tell(call, 'd-71', 'wakeAt', 20);
    };
    const whole = makeRun(profile, act);
    const total = await whole.run.run();
    t.is(total, 6);
    for (let cranks = 0; cranks <= total; cranks += 1) {
      const first = makeRun(profile, act);
      await first.run.run(cranks);
      first.run.kernel.commit();
      const second = makeRun(profile, act, { store: first.run.store, resume: true });
      t.deepEqual(dumpTables(second.run.state), dumpTables(first.run.state));
      t.deepEqual(audit(second.run.state), []);
      t.is(second.run.kernel.nextTimeNs, first.run.kernel.nextTimeNs);
      await second.run.run();
      t.deepEqual([...first.log, ...second.log], whole.log);
      t.deepEqual(dumpTables(second.run.state), dumpTables(whole.run.state));
    }
    const first = makeRun(profile, act);
    await first.run.run(1);
    first.run.kernel.commit();
    const second = makeRun(profile, act, { store: first.run.store, resume: true });
    second.run.kernel.deviceInput('d7', 'cancel 20');
    second.run.kernel.deviceInput('d8', 'cancel 20');
    second.run.kernel.deviceInput('d7', 'wake 30');
    t.deepEqual(audit(second.run.state), []);
    await second.run.run();
    t.deepEqual(second.log, ['one at 0, 1', 'one at 10, 0', 'one at 30, 0']);
    second.run.kernel.commit();
    t.deepEqual([...second.run.store.entries('q.')], []);
  });
}

test('a run up to a time leaves items of later times, and runs those of the time itself', async t => {
  const { run, log } = makeRun('current', (call, crank) => {
    if (crank === 1) for (const time of [10, 20, 30]) tell(call, 'd-70', 'wakeAt', time);
  });
  t.is(await run.run(Infinity, 0), 1);
  t.is(run.kernel.nextTimeNs, 10);
  t.is(await run.run(Infinity, 9), 0);
  t.is(await run.run(Infinity, 10), 1);
  t.deepEqual(run.state.now, { timeNs: 10, microstep: 0 });
  run.send('boot', 'between');
  t.is(run.kernel.nextTimeNs, 10, 'what comes from outside is at the present instant');
  t.is(await run.run(1, 25), 1, 'and the limit holds');
  t.is(await run.run(Infinity, 25), 1);
  t.deepEqual(log, ['boot at 0, 0', 'one at 10, 0', 'boot at 10, 1', 'one at 20, 0']);
  t.false(run.kernel.isQuiet);
  t.deepEqual(audit(run.state), []);
});

test('a run up to a microstep leaves items of later microsteps', async t => {
  const { run, log } = makeRun('current', (call, crank) => {
    if (crank === 1) tell(call, 'd-70', 'wakeAt', 10);
    if (crank <= 3) call('send', 'o+0', message('again'), null);
  });
  /** @param {number} timeNs @param {number} microstep */
  const runUntil = (timeNs, microstep) => run.kernel.pump(Infinity, timeNs, microstep).cranks;
  t.is(runUntil(0, 1), 2);
  t.deepEqual(run.state.now, { timeNs: 0, microstep: 1 });
  t.is(runUntil(0, 1), 0);
  t.is(runUntil(0, 2), 1);
  t.is(runUntil(9, 0), 1, 'what comes before the time runs');
  t.is(run.kernel.nextTimeNs, 10);
  t.is(runUntil(10, 0), 1);
  t.deepEqual(log, [
    'boot at 0, 0',
    'boot at 0, 1',
    'boot at 0, 2',
    'boot at 0, 3',
    'one at 10, 0',
  ]);
});

test('a time is a whole number of nanoseconds from 0', async t => {
  t.plan(5);
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call) => void call('callNow', 'd-70', 'try', data()),
    },
    devices: {
      device: scriptedDevice({
        methods: {
          try: powers => {
            for (const time of [-1, 0.5, NaN, 2 ** 53])
              t.throws(() => powers.wakeAt(time), {
                instanceOf: RangeError,
                message: /is no time; a time is a whole number of ns from 0$/,
              });
          },
        },
      }),
    },
  });
  await run.run();
  t.is(run.state.queue.size, 0);
});

test('a device that is not called cannot ask to be woken', t => {
  const run = makeTestKernel({
    vats: { boot: () => {} },
    devices: { device: scriptedDevice({}) },
  });
  const powers = run.kernel.devicePowers('d7');
  for (const use of [
    () => powers.wakeAt(5),
    () => powers.cancelWake(5),
    () => powers.handOut('x'),
    () => powers.endVat('v1', false, data()),
  ]) {
    t.throws(use, {
      message: 'device d7 can send, wake, make and end only while it is called',
    });
  }
  t.is(powers.now(), 0);
});

/**
 * The steps of the test: things to do with a wake-up of one of two devices, in blocks and cranks that are kept or dropped.
 */
const arbStep = fc.oneof(
  fc.record({
    verb: fc.constantFrom('wake', 'wake', 'cancel'),
    device: fc.constantFrom('d7', 'd8'),
    timeNs: fc.nat(6),
  }),
  fc.constantFrom('keep', 'drop', 'take', 'take', 'commit'),
);

test('the wake-ups of the queue are those of a sorted list', t => {
  fc.assert(
    fc.property(fc.array(arbStep, { maxLength: 60 }), steps => {
      const store = makeMemoryStore();
      const options = {
        vats: { boot: () => {} },
        devices: { one: scriptedDevice({}), two: scriptedDevice({}) },
      };
      let { state, kernel } = makeTestKernel({ ...options, store });
      // Bootstrap's message is out of the way.
      kernel.pump(1);
      /** @typedef {{ device: string, timeNs: number, microstep: number }} Wake */
      /** @type {Wake[]} */
      let wakes = [];
      let kept = wakes;
      /** @type {(left: Wake, right: Wake) => number} */
      const compare = (left, right) =>
        left.timeNs - right.timeNs || left.microstep - right.microstep;
      for (const step of steps) {
        const { timeNs: now, microstep } = state.now;
        if (typeof step === 'object') {
          const { verb, device } = step;
          // As the kernel does before whatever may be undone.
          state.catchUp();
          const timeNs = Math.max(step.timeNs, now);
          const isSame = (/** @type {Wake} */ wake) =>
            wake.device === device && wake.timeNs === timeNs;
          if (verb === 'cancel') {
            state.queue.cancelWake(device, step.timeNs);
            wakes = wakes.filter(wake => !isSame(wake));
          } else {
            state.queue.addWake(device, step.timeNs);
            const at = step.timeNs > now ? 0 : microstep + 1;
            if (!wakes.some(isSame)) wakes = [...wakes, { device, timeNs, microstep: at }];
          }
          continue;
        }
        if (step === 'drop') {
          state.drop();
          wakes = kept;
          continue;
        }
        state.keepBetweenCranks();
        if (step === 'take') {
          const expected = [...wakes].sort(compare)[0];
          const item = state.queue.peek();
          t.is(item?.target, expected?.device);
          kernel.pump(1);
          wakes = wakes.filter(wake => wake !== expected);
        } else if (step === 'commit') {
          kernel.commit();
          t.is([...store.entries('q.')].length, wakes.length);
          ({ state, kernel } = makeTestKernel({ ...options, store, resume: true }));
        }
        kept = wakes;
        t.deepEqual(
          [...state.queue.inOrder()].map(({ target, timeNs, microstep: at }) => ({
            device: target,
            timeNs,
            microstep: at,
          })),
          [...wakes].sort(compare),
        );
        t.deepEqual(audit(state), []);
      }
    }),
    { numRuns: 300 },
  );
});
