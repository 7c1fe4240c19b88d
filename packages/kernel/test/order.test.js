// The order of cranks: the table and the worked example of docs/design/crank.md. Reactions are not there
// yet, so the example runs without its reactor vats; a plain vat takes the message x in their place.

import test from 'ava';

import { classes } from '#schedule';
import { makeMemoryStore } from '#store';
import { makeTestKernel, message, methodOf, presence } from '#testkit';

/** @typedef {import('#testkit').React} React */

/** @type {React} */
const idle = () => {};

test('the example at tag (0, 5): a message to an unresolved promise waits there, and holds back nothing', async t => {
  /** @type {string[]} */
  const log = [];
  const note = (/** @type {string} */ vat, /** @type {string} */ what) => {
    const { timeNs, microstep } = run.state.now;
    log.push(`(${timeNs}, ${microstep}) ${what} → ${vat}`);
  };
  const nameOf = (/** @type {import('#model').Delivery} */ delivery) =>
    delivery[0] === 'message' ? methodOf(delivery[2]) : delivery[0];

  // As boot sees them: o-50 is A's root, o-51 B's, o-52 C's.
  const run = makeTestKernel({
    vats: {
      '1boot': (delivery, call, crank) => {
        const what = nameOf(delivery);
        note('boot', what);
        if (what !== 'bootstrap' && what !== 'hop') return;
        if (crank <= 4) call('send', 'o+0', message('hop'), null);
        if (crank === 1) {
          // A decides kp (p+5) from now on; B waits for the promise p+6, which boot decides.
          call('send', 'o-50', message('decide'), 'p+5');
          call('subscribe', 'p+5');
          call('send', 'o-51', message('wait', ['p+6']), null);
        } else if (crank === 2) {
          call('send', 'p+5', message('parked'), null);
        } else if (crank === 5) {
          call('send', 'o-50', message('message 1', ['o-51', 'o-52']), null);
          call('send', 'p+5', message('message 2'), null);
          call('resolve', [['p+6', false, presence('o+0')]]);
        }
      },
      A: (delivery, call) => {
        note('A', nameOf(delivery));
        if (nameOf(delivery) !== 'message 1' || delivery[0] !== 'message') return;
        const [b, c] = delivery[2].slots;
        call('resolve', [['p-60', false, presence(b)]]);
        call('send', c, message('x'), null);
      },
      B: (delivery, call) => {
        note('B', nameOf(delivery));
        if (nameOf(delivery) === 'wait' && delivery[0] === 'message')
          call('subscribe', delivery[2].slots[0]);
      },
      C: delivery => note('C', nameOf(delivery)),
    },
  });
  t.is(await run.run(7), 7);
  const kp = run.kref('1boot', 'p+5') ?? '';
  t.deepEqual(run.state.now, { timeNs: 0, microstep: 4 }, 'all of tag (0, 4) has run');
  t.like(run.state.promises.require(kp), { state: 'unresolved', decider: run.vatId('A') });
  t.deepEqual(
    [...run.state.queue.inOrder()].map(({ kind, microstep }) => [kind, microstep]),
    [
      ['send', 5],
      ['notify', 5],
    ],
  );
  t.is(run.state.promises.require(kp).parked.length, 2);
  log.length = 0;
  await run.run();
  t.deepEqual(log, [
    '(0, 5) message 1 → A',
    '(0, 5) notify → B',
    '(0, 6) notify → boot',
    '(0, 6) parked → B',
    '(0, 6) message 2 → B',
    '(0, 6) x → C',
  ]);
});

test('control items come before messages of the same tag, whichever was queued first', async t => {
  const run = makeTestKernel({ vats: { boot: idle, alice: idle } });
  run.state.queue.addControl('start', run.vatId('alice'));
  run.state.keepBetweenCranks();
  t.deepEqual(
    [...run.state.queue.inOrder()].map(item => [item.microstep, item.class, item.kind]),
    [
      [0, classes.message, 'send'],
      [1, classes.control, 'start'],
    ],
  );
  run.send('boot', 'host message');
  run.state.queue.addControl('start', run.vatId('boot'));
  run.state.keepBetweenCranks();
  t.deepEqual(
    [...run.state.queue.inOrder()].map(item => [item.microstep, item.class, item.vatId]),
    [
      [0, classes.message, 'v1'],
      [1, classes.control, 'v2'],
      [1, classes.control, 'v1'],
      [1, classes.message, 'v1'],
    ],
  );
});

test('vats of the config start at tag (0, 0), in the order of their ids, before bootstrap', async t => {
  /** @type {string[]} */
  const log = [];
  const starting = (/** @type {string} */ name) => ({
    starts: true,
    react: /** @type {React} */ (
      delivery => {
        log.push(`${name} ${delivery[0]}`);
      }
    ),
  });
  const run = makeTestKernel({
    vats: { zoe: starting('zoe'), alice: starting('alice'), idle: { react: idle } },
  });
  t.is(await run.run(), 3);
  t.deepEqual(log, ['zoe startVat', 'alice startVat', 'zoe message']);
  t.deepEqual(run.kernel.cranks, { all: 3, control: 2 });
  t.deepEqual(run.state.now, { timeNs: 0, microstep: 0 });
});

test('items that a crank queues come one microstep later, in the order of the calls', async t => {
  /** @type {string[]} */
  const log = [];
  const run = makeTestKernel({
    vats: {
      boot: (delivery, call, crank) => {
        if (delivery[0] === 'message')
          log.push(`${run.state.now.microstep} ${methodOf(delivery[2])}`);
        if (crank > 2) return;
        call('send', 'o+0', message(`${crank}a`), null);
        call('send', 'o+0', message(`${crank}b`), null);
      },
    },
  });
  await run.run();
  t.deepEqual(log, ['0 bootstrap', '1 1a', '1 1b', '2 2a', '2 2b']);
});

test('a host message is queued one microstep after the last item taken', async t => {
  const run = makeTestKernel({ vats: { boot: idle } });
  run.send('boot', 'before anything ran');
  t.deepEqual(
    [...run.state.queue.inOrder()].map(({ microstep }) => microstep),
    [0, 1],
  );
  await run.run();
  run.send('boot', 'next');
  t.is(run.state.queue.peek()?.microstep, 2);
});

test('subscribers are notified by the ids of their vats as text, v10 before v2', async t => {
  for (const profile of /** @type {const} */ (['current', '2020-09'])) {
    /** @type {string[]} */
    const notified = [];
    /** @type {[string, React][]} */
    const others = Array.from({ length: 10 }, (_, i) => [
      `vat${String(i).padStart(2, '0')}`,
      (delivery, call) => {
        if (delivery[0] === 'message') call('subscribe', delivery[2].slots[0]);
        else notified.push(`v${i + 2}`);
      },
    ]);
    const run = makeTestKernel({
      profile,
      vats: {
        '0boot': (_delivery, call, crank) => {
          if (crank > 1) {
            call('resolve', [['p+5', false, { body: '1', slots: [] }]]);
            return;
          }
          // Told in an order that is neither: vats v11, v2, v10, v3.
          for (const vat of [9, 0, 8, 1])
            call('send', `o-${50 + vat}`, message('subscribe', ['p+5']), null);
          call('send', 'o+0', message('settle'), null);
        },
        ...Object.fromEntries(others),
      },
    });
    await run.run();
    t.deepEqual(notified, ['v10', 'v11', 'v2', 'v3'], profile);
  }
});

test('the vat that is sent bootstrap is the first subscriber to be notified, also in a run that is resumed', async t => {
  const store = makeMemoryStore();
  /** @type {string[]} */
  const told = [];
  const make = (/** @type {boolean} */ resume) =>
    makeTestKernel({
      store,
      resume,
      vats: {
        // As zed sees them: o-50 is alice's root, o-51 bob's.
        zed: (_delivery, call, crank) => {
          if (crank !== 1) return;
          call('send', 'o-50', message('wait', ['p+5']), null);
          call('send', 'o-51', message('get'), 'p+5');
          call('subscribe', 'p+5');
        },
        alice: (delivery, call) => {
          if (delivery[0] === 'message') call('subscribe', delivery[2].slots[0]);
        },
        bob: (delivery, call) => {
          if (delivery[0] === 'message' && methodOf(delivery[2]) === 'go')
            call('resolve', [['p-60', false, presence('o+0')]]);
        },
      },
      crankObserver: {
        applied: ({ item, vatId }) => void (item.kind === 'notify' && told.push(vatId)),
      },
    });
  const first = make(false);
  await first.run();
  first.kernel.commit();
  t.deepEqual(told, []);
  const second = make(true);
  second.send('bob', 'go');
  await second.run();
  t.deepEqual(told, [second.vatId('zed'), second.vatId('alice')]);
});
