// Device calls: they are answered inside the crank, after everything before them is applied.

import test from 'ava';

import { audit } from '#kernel';
import { data, makeTestKernel, message, presence } from '#testkit';

/** @typedef {import('#testkit').React} React */
/** @typedef {import('#testkit').TestDevice} TestDevice */

/** @type {React} */
const idle = () => {};

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

test('what a device throws reaches the vat, and the crank goes on', async t => {
  const run = makeRun(
    (_delivery, call, crank) => {
      if (crank > 1) return;
      t.deepEqual(call('callNow', 'd-70', 'm', data()), { kind: 'throw', data: data(['o+0']) });
      call('send', 'o-50', message('after'), null);
    },
    () => ({ kind: 'throw', data: data(['o-50']) }),
  );
  run.state.vats.clist('d7').provideVref('ko20');
  run.state.keepBetweenCranks();
  t.is(await run.run(), 2);
  t.deepEqual(run.faults, []);
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

test('a result may be settled to what a device gave', async t => {
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
