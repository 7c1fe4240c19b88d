// Reference counts of promises: who holds one, and when it goes.

import test from 'ava';

import { audit } from '#kernel';
import { data, makeTestKernel, message, presence } from '#testkit';

/** @typedef {import('#testkit').React} React */
/** @typedef {import('#testkit').Call} Call */

/** @type {React} */
const idle = () => {};

/** @param {(call: Call) => void} act */
const atFirst =
  act =>
  /** @type {React} */
  (_delivery, call, crank) => {
    if (crank === 1) act(call);
  };

/**
 * @param {ReturnType<typeof makeTestKernel>} run
 * @param {string} kref
 */
const count = (run, kref) => run.state.promises.find(kref)?.refCount;

test('a promise in a message is counted for c-list, target, arguments and result', async t => {
  const run = makeTestKernel({
    vats: {
      boot: atFirst(call => {
        call('send', 'p+5', message('m', ['p+6', 'p+6', 'p+5']), 'p+7');
      }),
    },
  });
  await run.run(1);
  // It is parked when it is sent.
  t.is(count(run, 'kp41'), 2, 'parked on itself: no target any more, but the argument');
  t.is(count(run, 'kp42'), 3, 'c-list and two arguments');
  t.is(count(run, 'kp43'), 2, 'c-list and result');
  t.deepEqual(audit(run.state), []);
});

test('in 2020-09 a message to a promise counts its target until it is parked', async t => {
  const run = makeTestKernel({
    profile: '2020-09',
    vats: {
      boot: atFirst(call => {
        call('send', 'p+5', { body: '["m",[]]', slots: ['p+6', 'p+6', 'p+5'] }, 'p+7');
      }),
    },
  });
  await run.run(1);
  t.is(count(run, 'kp41'), 3, 'c-list, target, argument');
  t.is(count(run, 'kp42'), 3, 'c-list and two arguments');
  t.is(count(run, 'kp43'), 2, 'c-list and result');
  await run.run(1);
  t.is(count(run, 'kp41'), 2, 'parked on itself: no target any more, but the argument');
  t.is(count(run, 'kp42'), 3);
  t.is(count(run, 'kp43'), 2);
  t.deepEqual(audit(run.state), []);
});

test('a promise in the data of a settled one lives as long as that does', async t => {
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank === 1) {
          call('send', 'o-50', message('hold', ['p+5']), null);
          call('resolve', [['p+5', false, data(['p+6'])]]);
        } else if (crank === 2) {
          call('resolve', [['p+6', false, data()]]);
        }
      },
      // Zoe never subscribes, so she holds the promise for good.
      zoe: idle,
    },
  });
  await run.run(1);
  t.is(count(run, 'kp41'), 1, 'the queued message');
  t.is(count(run, 'kp42'), 2, "kp41's data, and boot's c-list");
  await run.run();
  t.is(count(run, 'kp41'), 1, "zoe's c-list");
  run.send('boot', 'settle');
  await run.run();
  t.is(count(run, 'kp42'), 1, "kp41's data alone");
  t.like(run.state.promises.find('kp42'), { state: 'data' });
});

test('deleting a settled promise deletes what only its data held, in the same crank', async t => {
  const run = makeTestKernel({
    vats: {
      boot: atFirst(call => {
        call('resolve', [
          ['p+5', false, data(['p+6'])],
          ['p+6', false, data(['p+7'])],
          ['p+7', true, data()],
        ]);
      }),
    },
  });
  await run.run();
  t.is(run.kernel.counters.toRecord().kernelPromises.up, 4);
  t.is(run.counter('kernelPromises'), 1, "bootstrap's result");
  t.is(run.counter('kpFulfilledToData'), 0);
  t.is(run.counter('kpRejected'), 0);
  t.deepEqual(audit(run.state), []);
});

test('a promise whose count falls to 0 only within a crank stays', async t => {
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank === 1) call('send', 'o-50', message('give'), 'p+5');
        if (crank === 1) call('subscribe', 'p+5');
      },
      zoe: (delivery, call) => {
        if (delivery[0] !== 'message' || delivery[3] === null) return;
        // The result leaves zoe's c-list; the notify that is queued holds it.
        call('resolve', [[delivery[3], false, data()]]);
      },
    },
  });
  await run.run(2);
  t.is(count(run, 'kp41'), 2, "boot's c-list and the notify");
  await run.run();
  t.is(count(run, 'kp41'), undefined);
});

test('a result that the host holds stays until it is released, and goes at the end of the next crank', async t => {
  const run = makeTestKernel({
    vats: {
      boot: (delivery, call) => {
        if (delivery[0] === 'message' && delivery[3] !== null)
          call('resolve', [[delivery[3], false, presence('o+1')]]);
      },
    },
  });
  const result = run.send('boot', 'm');
  t.is(count(run, result), 2, 'the queue and the host');
  await run.run();
  t.deepEqual(run.kernel.promiseStatus(result), { state: 'presence', data: presence('ko21') });
  t.is(count(run, result), 1);
  run.kernel.release(result);
  t.is(count(run, result), 0);
  t.deepEqual(run.state.promises.due, [result]);
  t.is(run.kernel.promiseStatus(result).state, 'presence', 'still there between cranks');
  t.deepEqual(audit(run.state), []);
  run.send('boot', 'next');
  await run.run(1);
  t.deepEqual(run.kernel.promiseStatus(result), { state: 'unknown', data: null });
  t.throws(() => run.kernel.release(result), { message: `the host does not hold "${result}"` });
});

test('a released promise that gets a reference before the next crank ends stays', async t => {
  const run = makeTestKernel({
    vats: {
      boot: (delivery, call, crank) => {
        if (crank === 2 && delivery[0] === 'message' && delivery[3] !== null)
          call('resolve', [[delivery[3], false, data()]]);
      },
    },
  });
  await run.run();
  const result = run.send('boot', 'm');
  await run.run();
  run.kernel.release(result);
  run.send('boot', 'with it', [result]);
  t.is(count(run, result), 1);
  await run.run();
  t.is(count(run, result), 1, "boot's c-list");
  t.deepEqual(audit(run.state), []);
});

test('in a ring of promises each is settled, notified once, and forgotten by all vats', async t => {
  const run = makeTestKernel({
    vats: {
      boot: atFirst(call => {
        call('send', 'o-50', message('look', ['p+5', 'p+6', 'p+7']), null);
        call('resolve', [
          ['p+5', false, data(['p+6'])],
          ['p+6', false, data(['p+7', 'p+5'])],
          ['p+7', true, data(['p+5', 'p+7'])],
        ]);
      }),
      zoe: (delivery, call) => {
        if (delivery[0] === 'message') call('subscribe', delivery[2].slots[1]);
      },
    },
  });
  await run.run();
  t.is(run.counter('dispatchNotify'), 1);
  t.is(run.counter('dispatchNotifyFulfillToData'), 2);
  t.is(run.counter('dispatchReject'), 1);
  t.is(run.counter('syscallResolve'), 1);
  t.is(run.counter('syscalls'), 4, 'bootstrap, send, resolve, subscribe');
  t.deepEqual(
    ['boot', 'zoe'].map(name => run.state.vats.clist(run.vatId(name)).size),
    [3, 1],
    "boot has both roots and bootstrap's result",
  );
  t.deepEqual(audit(run.state), []);
});

/** @param {'current' | '2020-09'} profile */
const runRing = async profile => {
  const run = makeTestKernel({
    profile,
    vats: {
      boot: atFirst(call => {
        call('resolve', [['p+5', false, data(['p+5'])]]);
        call('resolve', [
          ['p+6', false, data(['p+7'])],
          ['p+7', false, data(['p+6'])],
        ]);
      }),
    },
  });
  await run.run();
  return run;
};

test('promises that only refer to each other are deleted, whichever vats knew them', async t => {
  const run = await runRing('current');
  t.deepEqual(audit(run.state), []);
  // That of bootstrap, which the host holds.
  t.is(run.counter('kernelPromises'), 1);
});

test('in 2020-09 promises that only refer to each other stay: counts do not find rings', async t => {
  const run = await runRing('2020-09');
  t.is(run.counter('kernelPromises'), 4);
  t.is(count(run, 'kp41'), 2, 'that of the c-list and its own');
});

test('after a long search for rings that found nothing, the next one waits until cranks have paid for it', async t => {
  const length = 640;
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank === 1) {
          // A parked message holds a chain.
          call('send', 'p+0', message('x', ['p+1']), null);
          /** @type {import('#model').Resolution[]} */
          const chain = Array.from({ length }, (_, i) => [
            `p+${i + 1}`,
            false,
            data([`p+${i + 2}`]),
          ]);
          call('resolve', [...chain, [`p+${length + 1}`, false, data()]]);
        } else if (crank === 2) {
          call('resolve', [['p+5000', false, data(['p+5000'])]]);
        }
      },
      idle: () => {},
    },
  });
  await run.run();
  run.send('boot', 'make a ring');
  await run.run();
  const { promises } = run.state;
  t.is(promises.suspects.size, 1);
  t.deepEqual(audit(run.state), []);
  const before = run.counter('kernelPromises');
  for (let i = 0; i < length / 16; i += 1) run.kernel.release(run.send('idle', 'x'));
  await run.run();
  t.is(promises.suspects.size, 0);
  t.is(run.counter('kernelPromises'), before - 1 + length / 16);
  t.deepEqual(audit(run.state), []);
});

test('in 2020-09 a promise settled with promises stays in every c-list, and keeps them', async t => {
  const run = makeTestKernel({
    profile: '2020-09',
    vats: {
      boot: atFirst(call => {
        call('resolve', [['p+5', false, data(['p+6'])]]);
        call('resolve', [['p+6', false, data()]]);
      }),
    },
  });
  await run.run();
  t.deepEqual(run.state.vats.clist('v1').byVref.keys(), ['o+0', 'p+5', 'p-60']);
  t.is(count(run, 'kp42'), 1);
  t.deepEqual(audit(run.state), []);
});
