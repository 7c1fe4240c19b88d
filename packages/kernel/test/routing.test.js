// Where items go: one test for each way that an item can take.

import test from 'ava';

import { audit } from '#kernel';
import { data, makeTestKernel, message, methodOf, presence } from '#testkit';

/** @typedef {import('#testkit').React} React */
/** @typedef {import('#testkit').Call} Call */
/** @typedef {import('#model').Delivery} Delivery */

/** @type {React} */
const idle = () => {};

/**
 * A vat that writes down what it is given, by method or kind.
 *
 * @param {string[]} log
 * @param {React} [act]
 * @returns {React}
 */
const logging =
  (log, act = idle) =>
  (delivery, call, crank) => {
    log.push(
      delivery[0] === 'message' ? `${methodOf(delivery[2])} to ${delivery[1]}` : delivery[0],
    );
    return act(delivery, call, crank);
  };

/** @param {(call: Call) => void} act */
const atFirst =
  act =>
  /** @type {React} */
  (_delivery, call, crank) => {
    if (crank === 1) act(call);
  };

/** Wraps a vat, so that its notifies are added to `told`, newest last. @param {Delivery[]} told */
const listening =
  told =>
  /** @type {(act: React) => React} */
  act =>
  (delivery, call, crank) => {
    if (delivery[0] === 'notify') told.push(delivery);
    return act(delivery, call, crank);
  };

test('a message to an object goes to the vat that exports it', async t => {
  /** @type {string[]} */
  const log = [];
  const run = makeTestKernel({
    vats: {
      boot: atFirst(call => call('send', 'o-50', message('hello', ['o+1', 'o+0', 'o-50']), 'p+5')),
      zoe: logging(log, (delivery, call) => {
        // Its own object comes back as what it is, others as imports.
        t.deepEqual(delivery, [
          'message',
          'o+0',
          message('hello', ['o-50', 'o-51', 'o+0']),
          'p-60',
        ]);
        call('send', 'o-50', message('back'), null);
      }),
    },
  });
  await run.run();
  t.deepEqual(log, ['hello to o+0']);
  t.is(run.counter('dispatchDeliver'), 3);
  t.deepEqual(audit(run.state), []);
});

test('a message to a promise fulfilled to an object goes to that object', async t => {
  /** @type {string[]} */
  const log = [];
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank !== 1) return;
        call('send', 'o-50', message('answer'), 'p+5');
        call('send', 'o+0', message('wait a crank'), null);
        call('send', 'p+5', message('to the result'), null);
      },
      zoe: logging(log, (delivery, call) => {
        if (delivery[0] === 'message' && delivery[3] !== null)
          call('resolve', [[delivery[3], false, presence('o+7')]]);
      }),
    },
  });
  await run.run();
  t.deepEqual(log, ['answer to o+0', 'to the result to o+7']);
});

test('a message to a promise fulfilled to data is rejected with the name of the method', async t => {
  /** @type {Delivery[]} */
  const told = [];
  const run = makeTestKernel({
    vats: {
      boot: listening(told)((_delivery, call, crank) => {
        if (crank !== 1) return;
        call('subscribe', 'p+5');
        call('send', 'p+5', message('increment'), 'p+6');
        call('subscribe', 'p+6');
        call('resolve', [['p+5', false, { body: '#7', slots: [] }]]);
      }),
    },
  });
  t.is(await run.run(), 3, 'bootstrap, the notify of the rejected result, and one without news');
  t.deepEqual(told, [
    [
      'notify',
      [
        [
          'p+6',
          true,
          {
            body: '#{"#error":"data is not callable, has no method increment","name":"Error"}',
            slots: [],
          },
        ],
      ],
    ],
  ]);
  t.is(run.counter('dispatchDeliver'), 1, 'a message that reaches no vat is not dispatched');
});

test('a promise fulfilled to a promise or a device is data, not callable', async t => {
  for (const slot of ['p+7', 'd-70']) {
    const run = makeTestKernel({
      vats: {
        boot: atFirst(call => {
          call('send', 'p+5', message('increment'), 'p+6');
          call('subscribe', 'p+6');
          const body = slot === 'p+7' ? '#"&0"' : '#"$0.Alleged: device"';
          call('resolve', [['p+5', false, { body, slots: [slot] }]]);
        }),
      },
      devices: { clock: () => ({ kind: 'return', data: data() }) },
    });
    await run.run();
    t.is(run.counter('syscallFulfillToData'), 1);
    t.is(run.counter('dispatchReject'), 1);
  }
});

test('a message to a rejected promise is rejected with the same data, its references too', async t => {
  /** @type {Delivery[]} */
  const told = [];
  const reason = { body: '#{"#error":"no","name":"Error","of":"$0"}', slots: ['o+3'] };
  const run = makeTestKernel({
    vats: {
      boot: listening(told)(
        atFirst(call => {
          call('send', 'p+5', message('increment'), 'p+6');
          call('subscribe', 'p+6');
          call('resolve', [['p+5', true, reason]]);
        }),
      ),
    },
  });
  await run.run();
  t.deepEqual(told, [['notify', [['p+6', true, reason]]]]);
});

test('a message to an unresolved promise is parked when it is sent, and sent again when it settles', async t => {
  /** @type {string[]} */
  const log = [];
  const run = makeTestKernel({
    vats: {
      boot: atFirst(call => {
        call('send', 'o-50', message('decide'), 'p+5');
        call('send', 'p+5', message('one'), null);
        call('send', 'p+5', message('two'), null);
        call('send', 'o-50', message('settle'), null);
      }),
      zoe: logging(log, (delivery, call) => {
        if (delivery[0] === 'message' && methodOf(delivery[2]) === 'settle')
          call('resolve', [['p-60', false, presence('o+1')]]);
      }),
    },
  });
  await run.run(2);
  const kp = run.kref('boot', 'p+5') ?? '';
  t.deepEqual(
    run.state.promises.require(kp).parked.map(({ methargs }) => methodOf(methargs)),
    ['one', 'two'],
  );
  t.is(run.counter('runQueueLength'), 1);
  t.deepEqual(log, ['decide to o+0']);
  const sends = run.counter('syscallSend');
  await run.run();
  t.deepEqual(log, ['decide to o+0', 'settle to o+0', 'one to o+1', 'two to o+1']);
  t.is(run.counter('syscallSend'), sends + 2, 'a parked message counts again as a send');
  t.deepEqual(audit(run.state), []);
});

test('a message to the result of a message that is parked is parked', async t => {
  const run = makeTestKernel({
    vats: {
      boot: atFirst(call => {
        // Nobody decides the result as long as the first one waits.
        call('send', 'p+5', message('x'), 'p+6');
        call('send', 'p+6', message('to the result'), null);
      }),
    },
  });
  await run.run();
  const kp = run.kref('boot', 'p+6') ?? '';
  t.like(run.state.promises.require(kp), { decider: '', state: 'unresolved' });
  t.is(run.state.promises.require(kp).parked.length, 1);
});

test('a pipelining vat is given messages to promises that it decides', async t => {
  /** @type {string[]} */
  const log = [];
  const run = makeTestKernel({
    vats: {
      boot: {
        react: atFirst(call => {
          call('send', 'o-50', message('answer'), 'p+5');
          call('send', 'p+5', message('early'), 'p+6');
          call('send', 'p+6', message('earlier'), null);
        }),
      },
      zoe: { react: logging(log), pipelining: true },
    },
  });
  await run.run();
  t.deepEqual(log, ['answer to o+0', 'early to p-60', 'earlier to p-61']);
});

test('a message to an object of an ended vat is rejected without a dispatch', async t => {
  for (const profile of /** @type {const} */ (['current', '2020-09'])) {
    /** @type {Delivery[]} */
    const told = [];
    const run = makeTestKernel({
      profile,
      vats: {
        boot: listening(told)(
          atFirst(call => {
            call('send', 'o-50', message('exit'), null);
            call('send', 'o-50', message('too late'), 'p+5');
            call('subscribe', 'p+5');
          }),
        ),
        zoe: (_delivery, call) => {
          call('exit', false, data());
        },
      },
    });
    await run.run();
    t.regex(JSON.stringify(told), /"p\+5",true.*vat terminated/);
    t.is(told.length, 1);
    t.is(run.counter('dispatchDeliver'), 2);
  }
});

/**
 * Zoe subscribes to p+5 and p+6 of boot, which settles both at once.
 *
 * @param {'current' | '2020-09'} profile
 * @param {(first: string, second: string) => [string, string][]} slots  of the two promises' data
 * @param {React} onNotify
 */
const settleTwo = (profile, slots, onNotify) =>
  makeTestKernel({
    profile,
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank === 1) {
          call('send', 'o-50', message('subscribe', ['p+5', 'p+6']), null);
          call('send', 'o+0', message('settle'), null);
        } else if (crank === 2) {
          call(
            'resolve',
            slots('p+5', 'p+6').map(([promise, slot]) => [
              promise,
              false,
              slot === '' ? data() : data([slot]),
            ]),
          );
        }
      },
      zoe: (delivery, call, crank) => {
        if (delivery[0] === 'message')
          for (const slot of delivery[2].slots) call('subscribe', slot);
        else onNotify(delivery, call, crank);
      },
    },
  });

test('a notify for an ended vat is dropped; 2020-09 counts it as a dispatch', async t => {
  for (const [profile, dispatches] of /** @type {const} */ ([
    ['current', 4],
    ['2020-09', 5],
  ])) {
    /** @type {Delivery[]} */
    const told = [];
    const run = settleTwo(
      profile,
      (first, second) => [
        [first, ''],
        [second, ''],
      ],
      (delivery, call) => {
        told.push(delivery);
        call('exit', false, data());
      },
    );
    t.is(await run.run(), 5);
    t.is(told.length, 1);
    t.is(run.counter('dispatches'), dispatches);
    t.is(run.counter('dispatchNotifyFulfillToData'), 1);
    t.deepEqual(audit(run.state), []);
  }
});

test('settled promises that lead to each other come in one notify, and the second notify is dropped', async t => {
  /** @type {Delivery[]} */
  const told = [];
  const run = settleTwo(
    'current',
    (first, second) => [
      [first, second],
      [second, first],
    ],
    delivery => {
      told.push(delivery);
    },
  );
  t.is(await run.run(), 5);
  t.deepEqual(told, [
    [
      'notify',
      [
        ['p-60', false, data(['p-61'])],
        ['p-61', false, data(['p-60'])],
      ],
    ],
  ]);
  t.deepEqual([run.kref('zoe', 'p-60'), run.kref('zoe', 'p-61')], [undefined, undefined]);
  t.is(run.counter('dispatchNotify'), 1);
  t.is(run.counter('dispatchNotifyFulfillToData'), 2);
  t.deepEqual(audit(run.state), []);
});

test('in 2020-09 each promise has its notify, and those whose data names promises stay', async t => {
  /** @type {Delivery[]} */
  const told = [];
  const run = settleTwo(
    '2020-09',
    (first, second) => [
      [first, second],
      [second, ''],
    ],
    delivery => {
      told.push(delivery);
    },
  );
  await run.run();
  t.deepEqual(told, [
    ['notify', [['p-60', false, data(['p-61'])]]],
    ['notify', [['p-61', false, data()]]],
  ]);
  t.deepEqual([run.kref('zoe', 'p-60'), run.kref('zoe', 'p-61')], ['kp41', undefined]);
  t.is(run.kref('boot', 'p+5'), 'kp41', 'the resolver keeps it too');
  t.is(run.kref('boot', 'p+6'), undefined);
  t.deepEqual(audit(run.state), []);
});

test('a promise deep in the data of settled ones is notified with them, under its own vref', async t => {
  /** @type {Delivery[]} */
  const told = [];
  const run = makeTestKernel({
    vats: {
      boot: atFirst(call => {
        call('send', 'o-50', message('subscribe', ['p+5']), null);
        call('resolve', [
          ['p+7', true, { body: '#"deepest"', slots: [] }],
          ['p+6', false, data(['p+7', 'p+8'])],
        ]);
        call('resolve', [['p+5', false, data(['p+9'])]]);
        call('resolve', [['p+9', false, data(['p+10', 'o+1', 'p+10'])]]);
        call('resolve', [['p+10', false, data()]]);
      }),
      zoe: listening(told)((delivery, call) => {
        if (delivery[0] === 'message') call('subscribe', delivery[2].slots[0]);
      }),
    },
  });
  await run.run();
  t.deepEqual(told, [
    [
      'notify',
      [
        ['p-60', false, data(['p-61'])],
        ['p-61', false, data(['p-62', 'o-50', 'p-62'])],
        ['p-62', false, data()],
      ],
    ],
  ]);
  t.deepEqual(
    [...run.state.vats.clist(run.vatId('zoe')).byVref.keys()].sort(),
    ['o+0', 'o-50'],
    'all of them leave the c-list',
  );
  t.deepEqual(audit(run.state), []);
});

test('subscribing to a settled promise queues a notify at once', async t => {
  /** @type {Delivery[]} */
  const told = [];
  const run = makeTestKernel({
    vats: {
      boot: atFirst(call => {
        call('send', 'o-50', message('subscribe', ['p+5']), null);
        call('resolve', [['p+5', false, presence('o+1')]]);
      }),
      zoe: listening(told)((delivery, call) => {
        if (delivery[0] === 'message') call('subscribe', delivery[2].slots[0]);
      }),
    },
  });
  await run.run(2);
  t.like(run.state.queue.peek(), { kind: 'notify', vatId: run.vatId('zoe'), microstep: 2 });
  await run.run();
  t.deepEqual(told, [['notify', [['p-60', false, presence('o-50')]]]]);
});

test('subscribing twice to an unresolved promise gives one notify; the settler gets none', async t => {
  /** @type {Delivery[]} */
  const told = [];
  const run = makeTestKernel({
    vats: {
      boot: listening(told)((_delivery, call, crank) => {
        if (crank === 1) {
          call('send', 'o-50', message('subscribe', ['p+5']), null);
          call('subscribe', 'p+5');
          call('send', 'o+0', message('settle'), null);
        } else if (crank === 2) call('resolve', [['p+5', false, data()]]);
      }),
      zoe: listening(told)((delivery, call) => {
        if (delivery[0] !== 'message') return;
        call('subscribe', 'p-60');
        call('subscribe', 'p-60');
      }),
    },
  });
  await run.run();
  t.deepEqual(told, [['notify', [['p-60', false, data()]]]]);
  t.is(run.counter('syscallSubscribe'), 3);
});
