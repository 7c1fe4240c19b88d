// Device calls: they are answered inside the crank, after everything before them is applied.

import test from 'ava';
import { audit } from '#kernel';
import { data, dumpTables, makeTestKernel, message, presence, scriptedDevice } from '#testkit';
import { idle } from './device-programs.js';

/** @typedef {import('#testkit').React} React */

/** @typedef {import('#testkit').TestDevice} TestDevice */

/**
 * Boot acts in its first crank, and holds the device d-70.
 *
 * @param {React} act
 * @param {TestDevice} device
 * @param {'current' | '2020-09'} [profile]
 */
const makeRun = (act, device, profile = 'current') =>
  makeTestKernel({ profile, vats: { boot: act, zoe: idle }, devices: { device } });

test('a device call sees what the crank has done before it, and not what comes after', async t => {
  t.plan(6);
  const run = makeRun(
    (_delivery, call, crank) => {
      if (crank > 1) return;
      call('send', 'o-50', message('before', ['o+1']), 'p+5');
      call('vatstoreSet', 'key', 'before');
      call('callNow', 'd-70', 'look', data());
      call('vatstoreSet', 'key', 'after');
      call('send', 'o-50', message('after', ['o+2']), null);
    },
    () => {
      t.is(run.kref('boot', 'o+1'), 'ko22');
      t.is(run.kref('boot', 'o+2'), undefined);
      t.is(run.state.vatstore.get('v1', 'key'), 'before');
      t.is(run.counter('dispatchDeliver'), 1, 'the delivery itself is counted');
      return { kind: 'return', data: data() };
    },
  );
  await run.run();
  t.is(run.state.vatstore.get('v1', 'key'), 'after');
  t.is(run.counter('syscallCallNow'), 1);
});

test('arguments and answer are translated by both c-lists', async t => {
  /** @type {import('#model').Answer[]} */
  const answers = [];
  /** @type {string[][]} */
  const given = [];
  const run = makeRun(
    (_delivery, call, crank) => {
      if (crank > 1) return;
      for (const slots of [['o+1', 'o-50'], ['o+1']]) {
        const answer = call('callNow', 'd-70', 'echo', data(slots));
        if (answer) answers.push(answer);
      }
    },
    (method, args) => {
      t.is(method, 'echo');
      given.push(args.slots);
      return { kind: 'return', data: data(['d+0', ...args.slots]) };
    },
  );
  await run.run();
  t.deepEqual(given, [['o-50', 'o-51'], ['o-50']], "the device's own names, the same ones again");
  t.deepEqual(answers, [
    { kind: 'return', data: data(['d-70', 'o+1', 'o-50']) },
    { kind: 'return', data: data(['d-70', 'o+1']) },
  ]);
  t.deepEqual(audit(run.state), []);
});

/** The text that vats of `current` get for any error of a device. */
const hidden = {
  kind: 'throw',
  data: {
    body: '#{"#error":"device.invoke failed, see logs for details","name":"Error"}',
    slots: [],
  },
};

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test(`${profile}: the crank goes on after a device throws, and only a vat of 2020 sees the error`, async t => {
    t.plan(4);
    const run = makeRun(
      (_delivery, call, crank) => {
        if (crank > 1) return;
        const thrown = { kind: 'throw', data: data(['o+0']) };
        const answer = call('callNow', 'd-70', 'm', data());
        t.deepEqual(answer, profile === 'current' ? hidden : thrown);
        call('send', 'o-50', message('after'), null);
      },
      () => ({ kind: 'throw', data: data(['o-50']) }),
      profile,
    );
    run.state.vats.clist('d7').provideVref('ko20');
    run.state.keepBetweenCranks();
    t.is(await run.run(), 2);
    t.deepEqual(run.faults, []);
    t.deepEqual(run.deviceFaults, [['d7', data(['o-50']).body]]);
  });
}

test("the reason why a device's answer is refused goes to the host, and not to the vat", async t => {
  t.plan(2);
  const run = makeRun(
    (_delivery, call, crank) => {
      if (crank > 1) return;
      t.deepEqual(call('callNow', 'd-70', 'm', data()), hidden);
    },
    () => ({ kind: 'return', data: data(['o-99']) }),
  );
  await run.run();
  const why = 'which is neither its own nor something that it was given';
  t.deepEqual(run.deviceFaults, [['d7', `device device named "o-99", ${why}`]]);
});

test('a device call whose crank breaks a rule is undone with it', async t => {
  for (const profile of /** @type {const} */ (['current', '2020-09'])) {
    const calls = { count: 0 };
    const run = makeRun(
      (_delivery, call) => {
        call('callNow', 'd-70', 'm', data(['o+5']));
        call('subscribe', 'o+0');
      },
      () => {
        calls.count += 1;
        return { kind: 'return', data: data(['o-50']) };
      },
      profile,
    );
    await run.run();
    t.is(calls.count, 1);
    t.deepEqual(run.faults, [['v1', 'cannot subscribe to "o+0", which is not a promise']]);
    t.is(run.state.vats.clist('d7').size, 1, 'the device has only its root');
    t.is(run.counter('syscallCallNow'), 0);
    t.is(run.kernel.counters.toRecord().kernelObjects.up, 2);
    t.deepEqual(audit(run.state), []);
  }
});

test('after a fault the device is not called any more in that crank', async t => {
  /** @type {string[]} */
  const called = [];
  const run = makeRun(
    (_delivery, call) => {
      t.deepEqual(call('callNow', 'd-99', 'one', data()), {
        kind: 'throw',
        data: {
          body: `#{"#error":"!\\"d-99\\" is not a device of the vat's c-list","name":"Error"}`,
          slots: [],
        },
      });
      call('callNow', 'd-70', 'two', data());
    },
    method => {
      called.push(method);
      return { kind: 'return', data: data() };
    },
  );
  await run.run();
  t.deepEqual(called, []);
  t.deepEqual(run.faults, [['v1', `"d-99" is not a device of the vat's c-list`]]);
});

test('a device call stands in the transcript with its answer, and in the hash in krefs', async t => {
  const makeOne = (/** @type {string} */ body) =>
    makeRun(
      (_delivery, call, crank) => {
        if (crank === 1) call('callNow', 'd-70', 'm', { body, slots: ['o+1'] });
      },
      () => ({ kind: 'return', data: data(['d+0']) }),
    );
  const run = makeOne('#["$0"]');
  await run.run();
  const [entry] = [...run.kernel.transcript('v1')];
  t.like(entry, {
    kind: 'deliver',
    answers: [{ kind: 'return', data: data(['d-70']) }],
    syscalls: [['callNow', 'd-70', 'm', data(['o+1'])]],
  });
  const other = makeOne('#["$0" ]');
  await other.run();
  t.not(run.kernel.activityHash(), other.kernel.activityHash());
});

test('a result may be settled to a reference that a device gave', async t => {
  const run = makeRun(
    (delivery, call) => {
      if (delivery[0] !== 'message' || delivery[3] === null) return;
      const answer = call('callNow', 'd-70', 'm', data());
      if (answer?.kind === 'return')
        call('resolve', [[delivery[3], false, presence(answer.data.slots[0])]]);
    },
    () => ({ kind: 'return', data: data(['d+0']) }),
  );
  await run.run();
  t.deepEqual(run.kernel.promiseStatus('kp40'), { state: 'data', data: presence('kd30') });
});

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test(`${profile}: a dropped crank undoes a device's writes to its store, and resets the device`, async t => {
    /** @type {string[]} */
    const resets = [];
    /** @type {(name: string) => TestDevice} */
    const makeDevice = name =>
      scriptedDevice({
        methods: {
          set: (powers, { body }) => {
            powers.set('kept', body);
            powers.set(`key ${body}`, '');
            powers.delete('first');
          },
          get: powers => ({ body: powers.get('kept') ?? 'nothing', slots: [] }),
        },
        reset: () => void resets.push(name),
      });
    const body = (/** @type {string} */ text) => ({ body: text, slots: [] });
    const run = makeTestKernel({
      profile,
      vats: {
        boot: (_delivery, call, crank) => {
          if (crank === 1) {
            call('callNow', 'd-70', 'set', body('one'));
            call('callNow', 'd-71', 'set', body('one'));
            call('send', 'o+0', message('again'), null);
            return undefined;
          }
          call('callNow', 'd-70', 'set', body('two'));
          t.like(call('callNow', 'd-70', 'get', data()), { data: { body: 'two' } });
          return 'it fails';
        },
      },
      devices: { one: makeDevice('one'), two: makeDevice('two') },
    });
    run.state.vatstore.set('d7', 'first', 'value');
    run.state.keepBetweenCranks();
    await run.run(1);
    t.deepEqual(run.state.vatstore.keys('d7'), ['kept', 'key one']);
    run.kernel.commit();
    await run.run();
    t.is(run.state.vatstore.get('d7', 'kept'), 'one');
    t.deepEqual(run.state.vatstore.keys('d7'), ['kept', 'key one']);
    t.deepEqual(resets, ['one'], 'the other was not called in that crank');
    t.deepEqual(audit(run.state), []);
  });

  test(`${profile}: messages of a device are in order among the vat's own sends, in queue and hash`, async t => {
    const makeOne = (/** @type {boolean} */ sendsFirst) => {
      /** @type {string[]} */
      const told = [];
      const run = makeTestKernel({
        profile,
        vats: {
          boot: (_delivery, call, crank) => {
            if (crank > 1) return;
            call('send', 'o-50', message('a'), null);
            if (sendsFirst) call('callNow', 'd-70', 'tell', data(['o-50', 'o+1']));
            call('send', 'o-50', message('b', ['o+2']), null);
            if (!sendsFirst) call('callNow', 'd-70', 'tell', data(['o-50', 'o+1']));
          },
          zoe: delivery => {
            if (delivery[0] === 'message')
              told.push(`${delivery[2].body} ${delivery[2].slots.join()} ${delivery[3]}`);
          },
        },
        devices: {
          device: scriptedDevice({
            methods: {
              tell: (powers, { slots }) =>
                powers.sendOnly(slots[0], message('c', [slots[1], 'd+0', 'd+1'])),
            },
          }),
        },
      });
      return { run, told };
    };
    const { run, told } = makeOne(true);
    await run.run(1);
    t.is(run.kref('boot', 'o+1'), 'ko22', 'the call comes before the second send');
    t.is(run.kref('boot', 'o+2'), 'ko23');
    t.is(run.counter('syscallSend'), 4, "bootstrap's, the vat's and the device's");
    t.is(run.counter('kernelDevices'), 2, 'its new node is one');
    t.deepEqual(audit(run.state), []);
    await run.run();
    t.deepEqual(told, [
      '#["a",[]]  null',
      '#["c",["$0","$1","$2"]] o-50,d-70,d-71 null',
      '#["b",["$0"]] o-51 null',
    ]);
    t.deepEqual(audit(run.state), []);
    const other = makeOne(false);
    await other.run.run();
    t.deepEqual(
      other.told.map(line => line.slice(3, 4)),
      ['a', 'b', 'c'],
    );
    t.not(other.run.kernel.activityHash(), run.kernel.activityHash());
  });

  test(`${profile}: a value that a device hands out waits until it is taken, once; a dropped crank undoes it`, async t => {
    const run = makeTestKernel({
      profile,
      takesHandedOut: true,
      vats: {
        boot: (_delivery, call, crank) => {
          call('callNow', 'd-70', 'hand', { body: `${crank}`, slots: [] });
          if (crank < 3) call('send', 'o+0', message('again'), null);
          t.deepEqual(run.kernel.takeHandedOut().slice(crank - 1), [], 'not of this crank yet');
          return crank === 3 ? 'it fails' : undefined;
        },
      },
      devices: {
        device: scriptedDevice({
          methods: { hand: (powers, { body }) => powers.handOut(`crank ${body}`) },
          input: (powers, said) => powers.handOut(said),
        }),
      },
    });
    const taken = () => {
      t.deepEqual(run.kernel.takeHandedOut(), [], 'not before the block');
      run.kernel.commit();
      const what = run.kernel.takeHandedOut();
      t.deepEqual(run.kernel.takeHandedOut(), []);
      return what;
    };
    await run.run(1);
    t.deepEqual(taken(), [{ number: 1, deviceId: 'd7', data: 'crank 1' }]);
    run.kernel.deviceInput('d7', 'echo');
    t.deepEqual(taken(), [{ number: 2, deviceId: 'd7', data: 'echo' }]);
    t.deepEqual(
      [...run.store.entries('local.outbox.')].map(([, text]) => text),
      ['["d7","crank 1"]', '["d7","echo"]'],
    );
    run.kernel.noteTaken(1);
    t.throws(() => run.kernel.noteTaken(1), {
      message: /nothing of the number 1 is in the outbox/,
    });
    await run.run(1);
    t.deepEqual(taken(), [{ number: 3, deviceId: 'd7', data: 'crank 2' }]);
    await run.run();
    t.deepEqual(taken(), []);
    t.is([...run.store.entries('local.outbox.')].length, 2);
  });

  test(`${profile}: a critical vat that fails, in whatever way, stops the run at the last block`, async t => {
    /** @type {Record<string, { zoe: React, way?: 'vat' | 'wake' | 'input' }>} */
    const ways = {
      'an exit with failure': {
        zoe: (_delivery, call) => void call('exit', true, { body: '"why"', slots: [] }),
      },
      'a fault': { zoe: () => 'it ran out of memory' },
      'a fault that is found when it is applied': {
        zoe: (_delivery, call) => void call('subscribe', 'o+0'),
      },
      'a device that a vat calls': { zoe: idle, way: 'vat' },
      'a device that is woken': { zoe: idle, way: 'wake' },
      'a device that the host calls': { zoe: idle, way: 'input' },
    };
    for (const [name, { zoe, way }] of Object.entries(ways)) {
      const end = (/** @type {import('#kernel').DevicePowers} */ powers) =>
        void powers.endVat('v2', true, data());
      const run = makeTestKernel({
        profile,
        vats: {
          boot: (_delivery, call, crank) => {
            if (crank === 1) call('send', 'o+0', message('again'), null);
            if (crank !== 2) return;
            call('send', 'o-51', message('lost'), 'p+5');
            if (way === 'vat') call('callNow', 'd-70', 'end', data());
            if (way === 'wake') call('callNow', 'd-70', 'wake', data());
          },
          zoe: { react: zoe, options: { critical: true } },
          yves: idle,
        },
        devices: {
          device: scriptedDevice({
            methods: { end, wake: powers => powers.wakeAt(5) },
            wake: end,
            input: end,
          }),
        },
      });
      await run.run(1);
      run.kernel.commit();
      const kept = dumpTables(run.state);
      const onDisk = [...run.store.entries('')];
      const act = async () => {
        if (way === 'input') run.kernel.deviceInput('d7', 'now');
        await run.run();
      };
      await t.throwsAsync(
        act,
        { name: 'CriticalVatError', message: 'the critical vat zoe ended' },
        name,
      );
      t.true(run.state.vats.isRunning('v2'), 'its end is not kept');
      t.throws(() => run.kernel.commit(), {
        message: /^the run was stopped by the end of a critical vat or a wrong connection;/,
      });
      await t.throwsAsync(() => run.run(), {
        message: /^the run was stopped by the end of a critical vat or a wrong connection;/,
      });
      t.deepEqual([...run.store.entries('')], onDisk);
      const resumed = makeTestKernel({
        profile,
        vats: {
          boot: (_delivery, call, crank) =>
            void (crank === 1 && call('send', 'o+0', message('again'), null)),
          zoe: idle,
          yves: idle,
        },
        devices: { device: scriptedDevice({}) },
        store: run.store,
        resume: true,
      });
      t.deepEqual(dumpTables(resumed.state), kept);
      t.deepEqual(audit(resumed.state), []);
    }
  });

  test(`${profile}: a critical vat that ends without failure, by itself or by a device, stops the run too`, async t => {
    for (const way of ['exit', 'device']) {
      const run = makeTestKernel({
        profile,
        vats: {
          boot: (_delivery, call, crank) => {
            if (crank === 1) call('send', 'o-50', message('end'), null);
            if (crank === 1 && way === 'device') call('callNow', 'd-70', 'end', data());
          },
          zoe: {
            react: (_delivery, call) => void call('exit', false, data()),
            options: { critical: true },
          },
        },
        devices: {
          device: scriptedDevice({
            methods: { end: powers => void powers.endVat('v2', false, data()) },
          }),
        },
      });
      const error = { name: 'CriticalVatError', message: 'the critical vat zoe ended' };
      await t.throwsAsync(() => run.run(), error, way);
      t.true(run.state.vats.isRunning('v2'), 'its end is not kept');
    }
  });
}
