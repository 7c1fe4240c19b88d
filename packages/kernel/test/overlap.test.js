// Some items may begin before earlier ones are applied, others must not.

import test from 'ava';
import { data, makeTestKernel, message, presence } from '#testkit';
import { make, makerDevice } from './births.js';
import { logging, alice, bob, idle, atFirst, orderOf } from './overlap-programs.js';

/** @typedef {import('#testkit').React} React */

test('items of one tag for different vats begin before the first has finished', async t => {
  const log = await orderOf({
    boot: atFirst(call => {
      call('send', alice, message('a'), null);
      call('send', bob, message('b'), null);
      call('send', alice, message('c'), null);
    }),
    alice: idle,
    bob: idle,
  });
  t.deepEqual(log, [
    ...['v1 begins', 'v1 finishes'],
    // The second message to alice waits for the first: a vat takes one delivery at a time.
    ...['v2 begins', 'v3 begins', 'v2 finishes', 'v2 begins', 'v3 finishes', 'v2 finishes'],
  ]);
});

test('items of a later tag are not begun early', async t => {
  const log = await orderOf({
    boot: (_delivery, call, crank) => {
      if (crank === 1) call('send', 'o+0', message('next'), null);
      if (crank === 1) call('send', alice, message('a'), null);
      if (crank === 2) call('send', bob, message('b'), null);
    },
    alice: idle,
    bob: idle,
  });
  t.deepEqual(log, [
    ...['v1 begins', 'v1 finishes'],
    ...['v1 begins', 'v2 begins', 'v1 finishes', 'v2 finishes'],
    ...['v3 begins', 'v3 finishes'],
  ]);
});

/** Bob's message is behind one to the result of alice's. @type {React} */
const pipelineToAlice = atFirst(call => {
  call('send', 'o-50', { body: '["a",[]]', slots: [] }, 'p+5');
  call('send', 'p+5', { body: '["to the result",[]]', slots: [] }, null);
  call('send', 'o-51', { body: '["b",[]]', slots: [] }, null);
});

test('in 2020-09 a message to an unresolved promise holds back everything behind it', async t => {
  const log = await orderOf(
    { boot: pipelineToAlice, alice: idle, bob: idle },
    { profile: '2020-09' },
  );
  t.deepEqual(log, [
    ...['v1 begins', 'v1 finishes'],
    ...['v2 begins', 'v2 finishes'],
    ...['v3 begins', 'v3 finishes'],
  ]);
});

test('a message to an unresolved promise is parked when it is sent, and holds back nothing', async t => {
  const log = await orderOf({ boot: pipelineToAlice, alice: idle, bob: idle });
  t.deepEqual(log, [
    ...['v1 begins', 'v1 finishes'],
    ...['v2 begins', 'v3 begins', 'v2 finishes', 'v3 finishes'],
  ]);
});

test('a message to a promise that a pipelining vat decides holds back everything behind it', async t => {
  const log = await orderOf(
    {
      boot: (_delivery, call, crank) => {
        if (crank === 1) {
          call('send', 'o-50', message('a'), 'p+5');
          call('send', 'o+0', message('next'), null);
        } else if (crank === 2) {
          call('send', 'o+0', message('first'), null);
          call('send', 'p+5', message('to the result'), null);
          call('send', 'o-51', message('b'), null);
        }
      },
      alice: { react: idle, pipelining: true },
      bob: idle,
    },
    {},
    3,
  );
  t.deepEqual(log, [
    ...['v1 begins', 'v1 finishes'],
    ...['v2 begins', 'v3 begins', 'v2 finishes', 'v3 finishes'],
  ]);
});

test('a message to a settled promise holds back nothing', async t => {
  const log = await orderOf({
    boot: atFirst(call => {
      // The third message goes to p+5 while it is unresolved, and is taken when it is settled.
      call('send', 'o+0', message('a'), null);
      call('send', 'p+5', message('parked'), null);
      call('send', bob, message('b'), null);
      call('resolve', [['p+5', false, presence(alice)]]);
    }),
    alice: idle,
    bob: idle,
  });
  t.deepEqual(log, [
    ...['v1 begins', 'v1 finishes'],
    ...['v1 begins', 'v2 begins', 'v3 begins', 'v1 finishes', 'v2 finishes', 'v3 finishes'],
  ]);
});

/** Alice and bob subscribe to what they are given; boot settles p+5 with `slots`. */
const toldOf = (/** @type {string[]} */ slots) => {
  /** @type {React} */
  const subscribing = (delivery, call) => {
    if (delivery[0] === 'message') call('subscribe', delivery[2].slots[0]);
  };
  /** @type {Record<string, React>} */
  const vats = {
    boot: (_delivery, call, crank) => {
      if (crank === 1) {
        call('send', alice, message('subscribe', ['p+5']), null);
        call('send', bob, message('subscribe', ['p+5']), null);
        call('send', 'o+0', message('settle'), null);
      } else if (crank === 2) {
        call('resolve', [['p+5', false, data(slots)]]);
      }
    },
    alice: subscribing,
    bob: subscribing,
  };
  return vats;
};

test('a notify begins early when everything in its data is settled', async t => {
  const log = await orderOf(toldOf(['o+1']), {}, 4);
  t.deepEqual(log, ['v2 begins', 'v3 begins', 'v2 finishes', 'v3 finishes']);
});

test('a notify begins early when the decider of what its data leads to has nothing to do before', async t => {
  // p+6 is boot's, and only alice and bob are told.
  const log = await orderOf(toldOf(['p+6']), {}, 4);
  t.deepEqual(log, ['v2 begins', 'v3 begins', 'v2 finishes', 'v3 finishes']);
});

/** Alice decides p+6, and bob is told of p+5, whose data names it, in the same tag as alice has a message. */
const makeDecided = () => {
  /** @type {Record<string, React>} */
  const vats = {
    boot: (_delivery, call, crank) => {
      if (crank === 1) {
        call('send', bob, message('subscribe', ['p+5']), null);
        call('send', alice, message('decide'), 'p+6');
        call('send', 'o+0', message('settle'), null);
      } else if (crank === 2) {
        call('send', alice, message('settle'), null);
        call('resolve', [['p+5', false, data(['p+6'])]]);
      }
    },
    alice: idle,
    bob: (delivery, call) => {
      if (delivery[0] === 'message') call('subscribe', delivery[2].slots[0]);
    },
  };
  return { vats };
};

test('a notify whose data leads to a promise that an earlier item may settle does not begin early', async t => {
  const log = await orderOf(makeDecided().vats, {}, 4);
  t.deepEqual(log, ['v2 begins', 'v2 finishes', 'v3 begins', 'v3 finishes']);
});

test('a notify does not begin early behind a vat that may end the decider by a device', async t => {
  const device = () => ({ kind: /** @type {const} */ ('return'), data: data() });
  /** @type {React} */
  const boot = (_delivery, call, crank) => {
    if (crank === 1) {
      call('send', bob, message('subscribe', ['p+5']), null);
      call('send', alice, message('device', ['d-70']), null);
      call('send', 'o+0', message('settle'), null);
    } else if (crank === 2) {
      call('send', alice, message('it holds a device'), null);
      call('resolve', [['p+5', false, data(['p+6'])]]);
    }
  };
  const log = await orderOf({ ...makeDecided().vats, boot }, { devices: { device } }, 4);
  t.deepEqual(log, ['v2 begins', 'v2 finishes', 'v3 begins', 'v3 finishes']);
});

test('a vat with a device begins early where its calls wait, behind all that can begin', async t => {
  const device = () => ({ kind: /** @type {const} */ ('return'), data: data() });
  /** @type {string[]} */
  const log = [];
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank > 2) return;
        call('send', 'o+0', message('again'), null);
        call('send', alice, message('a', crank === 1 ? ['d-70'] : []), null);
        call('send', bob, message('b', crank === 1 ? ['d-70'] : []), null);
        if (crank === 2) call('send', alice, message('c'), null);
      },
      alice: idle,
      bob: idle,
    },
    devices: { device },
    lookahead: 16,
    wrapTransport: (transport, vatId) => ({
      ...logging(log)(transport, vatId),
      waitsForTurn: true,
    }),
  });
  await run.run(4);
  log.length = 0;
  await run.run();
  t.deepEqual(log, [
    ...['v1 begins', 'v2 begins', 'v3 begins', 'v1 finishes', 'v2 finishes'],
    // The second message to alice is begun when the first is applied.
    ...['v2 begins', 'v3 finishes', 'v2 finishes'],
  ]);
});

test('a vat begins behind items that have not begun, if it need not wait there for its turn', async t => {
  const device = () => ({ kind: /** @type {const} */ ('return'), data: data() });
  /** @type {string[]} */
  const log = [];
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank > 2) return;
        call('send', 'o+0', message('again'), null);
        call('send', alice, message('a', crank === 1 ? ['d-70'] : []), null);
        if (crank === 2) call('send', alice, message('it has not begun'), null);
        call('send', bob, message('b', crank === 1 ? ['d-70'] : []), null);
        call('send', 'o-52', message('c'), null);
      },
      alice: idle,
      bob: idle,
      carol: idle,
    },
    devices: { device },
    lookahead: 16,
    wrapTransport: (transport, vatId) => {
      const logged = logging(log)(transport, vatId);
      return {
        ...logged,
        waitsForTurn: true,
        // Carol has waited for a turn before.
        mayOvertake: () => vatId !== 'v4',
        begin(delivery, answer, when) {
          if (when.mustNotWait) log.push(`${vatId} must not wait`);
          logged.begin(delivery, answer, when);
        },
      };
    },
  });
  await run.run(5);
  log.length = 0;
  await run.run();
  t.deepEqual(log, [
    ...['v1 begins', 'v2 begins', 'v3 must not wait', 'v3 begins', 'v1 finishes', 'v2 finishes'],
    // Bob's delivery may have been taken back, and may need the thread, until its turn.
    ...['v2 begins', 'v2 finishes', 'v3 finishes', 'v4 begins', 'v4 finishes'],
  ]);
});

test('a vat that is being made holds back those with devices behind it, as their threads may be one', async t => {
  /** @type {string[]} */
  const log = [];
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank === 1) {
          call('send', 'o+0', message('again'), null);
          call('send', alice, message('of bob', [bob]), null);
          call('send', bob, message('b', ['d-70']), null);
        } else if (crank === 2) {
          call('send', alice, message('a'), null);
          make(call, 'carol');
        }
      },
      // Its message comes behind the start of the new vat.
      alice: atFirst(call => call('send', 'o-50', message('b'), null)),
      bob: idle,
      vatAdmin: idle,
    },
    sources: { carol: idle },
    devices: { maker: makerDevice('#') },
    makesVatsLater: true,
    lookahead: 16,
    wrapTransport: (transport, vatId) => ({
      ...logging(log)(transport, vatId),
      waitsForTurn: true,
    }),
  });
  await run.run(4);
  log.length = 0;
  await run.run(3);
  t.deepEqual(log, [
    ...['v2 begins', 'v2 finishes'],
    // The place of the new vat is there.
    ...['v5 begins', 'v3 begins', 'v5 finishes', 'v3 finishes'],
  ]);
});

test("while it waits for another thread the kernel's own carries out what is behind, once", async t => {
  /** @type {string[]} */
  const log = [];
  let isThere = false;
  const run = makeTestKernel({
    vats: {
      boot: atFirst(call => {
        for (const kref of [alice, bob, 'o-52']) call('send', kref, message('m'), null);
      }),
      alice: idle,
      bob: idle,
      carol: idle,
    },
    lookahead: 16,
    wrapTransport: (transport, vatId) => {
      const logged = logging(log)(transport, vatId);
      if (vatId === 'v2') return { ...logged, isDone: () => isThere };
      const work = () => {
        log.push(`${vatId} works`);
        isThere = true;
      };
      return { ...logged, overlaps: false, ...(vatId !== 'v1' && { work }) };
    },
  });
  await run.run(1);
  log.length = 0;
  await run.run();
  t.deepEqual(log, [
    ...['v2 begins', 'v3 begins', 'v3 works', 'v2 finishes'],
    ...['v3 finishes', 'v4 begins', 'v4 finishes'],
  ]);
});

test('a search among many items is not repeated after each crank', async t => {
  const sent = 128;
  const run = makeTestKernel({
    vats: {
      boot: atFirst(call => {
        for (let i = 0; i < sent; i += 1) call('send', [alice, bob][i % 2], message('a'), null);
      }),
      alice: idle,
      bob: idle,
    },
    ...{ lookahead: 256, wrapTransport: transport => ({ ...transport }) },
  });
  const { queue } = run.kernel.state;
  const ahead = queue.ahead.bind(queue);
  let looked = 0;
  queue.ahead = count => {
    const items = ahead(count);
    looked += items.length;
    return items;
  };
  await run.run();
  t.true(looked < sent * 32, `${looked} items looked at`);
});

test('a pause waits until nothing has begun ahead of its turn', async t => {
  const run = makeTestKernel({
    vats: {
      boot: atFirst(call => {
        for (const to of [alice, bob, alice]) call('send', to, message('a'), null);
      }),
      alice: idle,
      bob: idle,
    },
    lookahead: 16,
    wrapTransport: logging([]),
  });
  const pauses = [];
  for (;;) {
    const { cranks, waiting } = run.kernel.pump(100, Infinity, Infinity, 1);
    if (waiting !== null) await waiting;
    else if (cranks === 0) break;
    else pauses.push(run.kernel.cranks.all);
    t.true(waiting !== null || !run.kernel.hasBegunAhead);
  }
  // While alice is at the head bob has begun, and while bob is, alice has.
  t.deepEqual(pauses, [1, 4]);
});
