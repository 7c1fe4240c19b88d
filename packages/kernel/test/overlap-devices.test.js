// Devices, stores and promises that settle hold items back.

import test from 'ava';
import { endVat } from '../lifecycle/termination.js';
import {
  data,
  dumpTables,
  makeOverlappingTransports,
  makeTestKernel,
  message,
  methodOf,
  presence,
} from '#testkit';
import { alice, bob, idle, atFirst, orderOf } from './overlap-programs.js';

/** @typedef {import('#testkit').React} React */

/** @typedef {Parameters<typeof makeTestKernel>[0]} Options */

/**
 * Runs the same plainly and overlapped, and compares everything.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {() => Options & { use?: (state: ReturnType<typeof makeTestKernel>['state']) => void }} makeOptions
 */
const holdEqual = async (t, makeOptions) => {
  const options = makeOptions();
  const plain = makeTestKernel(options);
  options.use?.(plain.state);
  await plain.run();
  let reordered = 0;
  for (let seed = 0; seed < 20; seed += 1) {
    const overlapping = makeOverlappingTransports(seed);
    const again = makeOptions();
    const run = makeTestKernel({ ...again, lookahead: 16, wrapTransport: overlapping.wrap });
    again.use?.(run.state);
    await run.run();
    t.deepEqual(dumpTables(run.state), dumpTables(plain.state));
    t.deepEqual(run.faults, plain.faults);
    reordered += overlapping.counts.reordered;
  }
  return { plain, reordered };
};

test('a notify that an earlier item of its tag may extend does not begin before that item', async t => {
  const { plain } = await holdEqual(t, () => {
    /** @type {React} */
    const subscribing = (delivery, call) => {
      if (delivery[0] === 'message') call('subscribe', delivery[2].slots[0]);
    };
    return {
      vats: {
        boot: (_delivery, call, crank) => {
          if (crank === 1) {
            call('send', bob, message('subscribe', ['p+5']), null);
            call('send', 'o+0', message('settle'), null);
          } else if (crank === 2) {
            // Alice is to settle p+6, in the crank before bob is told of p+5, whose data names it.
            call('send', alice, message('settle'), 'p+6');
            call('resolve', [['p+5', false, data(['p+6'])]]);
          }
        },
        alice: (delivery, call) => {
          if (delivery[0] === 'message' && delivery[3] !== null)
            call('resolve', [[delivery[3], false, data()]]);
        },
        bob: subscribing,
      },
    };
  });
  t.is(plain.counter('dispatchNotify'), 1);
  t.is(plain.counter('dispatchNotifyFulfillToData'), 2);
});

test('if an earlier item ends a vat, an item that it has begun is routed again', async t => {
  const makeOptions = () => {
    /** @type {ReturnType<typeof makeTestKernel>['state']} */
    let state;
    return {
      /** @param {typeof state} own */
      use: own => {
        state = own;
      },
      vats: {
        boot: /** @type {React} */ (
          (_delivery, call, crank) => {
            if (crank === 1) {
              call('send', alice, message('device', ['d-70']), null);
              call('send', 'o+0', message('next'), null);
            } else if (crank === 2) {
              call('send', alice, message('end bob'), null);
              call('send', bob, message('too late'), 'p+5');
              call('subscribe', 'p+5');
            }
          }
        ),
        alice: /** @type {React} */ (
          (_delivery, call, crank) => {
            if (crank === 2) call('callNow', 'd-70', 'terminate', data());
          }
        ),
        bob: /** @type {React} */ (
          (_delivery, call) => {
            call('vatstoreSet', 'key', 'value');
            call('send', 'o+0', message('never seen'), null);
          }
        ),
      },
      devices: {
        admin: () => {
          endVat(state, 'v3', false, data());
          return { kind: /** @type {const} */ ('return'), data: data() };
        },
      },
    };
  };
  const { plain, reordered } = await holdEqual(t, makeOptions);
  t.true(reordered > 0);
  t.is(plain.counter('dispatchReject'), 1);
  t.is(plain.counter('syscallVatstoreSet'), 0);
});

test('a vat that holds a device, or is given one with the item, is not begun early', async t => {
  const device = () => ({ kind: /** @type {const} */ ('return'), data: data() });
  const log = await orderOf(
    {
      boot: (_delivery, call, crank) => {
        if (crank > 2) return;
        call('send', 'o+0', message('again'), null);
        call('send', alice, message('device', crank === 1 ? ['d-70'] : []), null);
        call('send', bob, message('b'), null);
      },
      alice: idle,
      bob: idle,
    },
    { devices: { device } },
  );
  t.deepEqual(log, [
    ...['v1 begins', 'v1 finishes'],
    // Bob does not wait for alice, who may call the device once boot's crank is applied.
    ...['v1 begins', 'v3 begins', 'v1 finishes', 'v2 begins', 'v2 finishes', 'v3 finishes'],
    ...['v1 begins', 'v3 begins', 'v1 finishes', 'v2 begins', 'v2 finishes', 'v3 finishes'],
  ]);
});

test('a vat given its first device by a notify is not begun early, then or later', async t => {
  /** @type {string[]} */
  const calls = [];
  const makeOptions = () => ({
    vats: {
      boot: /** @type {React} */ (
        (_delivery, call, crank) => {
          if (crank === 1) {
            call('send', alice, message('subscribe', ['p+5']), null);
            call('send', 'o+0', message('settle'), null);
          } else if (crank === 2) {
            call('send', 'o+0', message('again'), null);
            call('resolve', [['p+5', false, data(['d-70'])]]);
          } else {
            call('callNow', 'd-70', 'boot', data());
            if (crank === 3) {
              call('send', 'o+0', message('again'), null);
              call('send', alice, message('again'), null);
            }
          }
        }
      ),
      alice: /** @type {React} */ (
        (delivery, call) => {
          if (delivery[0] === 'message' && methodOf(delivery[2]) === 'subscribe')
            call('subscribe', delivery[2].slots[0]);
          else call('callNow', 'd-70', 'alice', data());
        }
      ),
      bob: idle,
    },
    devices: {
      device: (/** @type {string} */ method) => {
        calls.push(method);
        return { kind: /** @type {const} */ ('return'), data: data() };
      },
    },
  });
  await holdEqual(t, makeOptions);
  const order = ['boot', 'alice', 'boot', 'alice'];
  t.deepEqual(calls, Array.from({ length: 21 }, () => order).flat(), 'in each of the 21 runs');
});

test('calling a device that the vat does not hold is the same fault whether it was begun early or not', async t => {
  const { plain, reordered } = await holdEqual(t, () => ({
    vats: {
      boot: atFirst(call => {
        call('send', alice, message('a'), null);
        call('send', bob, message('b'), 'p+5');
        call('subscribe', 'p+5');
      }),
      alice: idle,
      bob: (_delivery, call) => {
        call('send', 'o-9999', message('no such object'), null);
        call('callNow', 'd-70', 'm', data());
      },
    },
  }));
  t.true(reordered > 0);
  t.deepEqual(plain.faults, [['v3', `"d-70" is not a device of the vat's c-list`]]);
});

test('writes of a crank before its device call do not route other items, since the crank may be dropped', async t => {
  const { plain } = await holdEqual(t, () => ({
    vats: {
      boot: atFirst(call => {
        call('send', alice, message('device', ['d-70', bob]), 'p+5');
        call('send', 'p+5', message('to the result'), 'p+6');
        call('subscribe', 'p+6');
      }),
      alice: (delivery, call) => {
        if (delivery[0] !== 'message' || delivery[3] === null) return undefined;
        // Settled to an object of bob, as far as this crank goes.
        call('resolve', [[delivery[3], false, presence(delivery[2].slots[1])]]);
        call('callNow', 'd-70', 'm', data());
        return 'it ran out of memory';
      },
      bob: (_delivery, call) => {
        call('send', 'o+0', message('never'), null);
      },
    },
    devices: { device: () => ({ kind: 'return', data: data() }) },
  }));
  t.is(plain.counter('dispatchReject'), 1);
  t.is(plain.counter('dispatchDeliver'), 1, 'bob is never reached');
});

test('each of two vats sees its own store when they are executed in another order', async t => {
  const { reordered } = await holdEqual(t, () => {
    /** @type {React} */
    const counting = (delivery, call) => {
      const answer = call('vatstoreGet', 'count');
      const count = Number((answer?.kind === 'value' && answer.value) || '0') + 1;
      call('vatstoreSet', 'count', String(count));
      if (delivery[0] === 'message' && count < 5)
        call('send', delivery[2].slots[0] ?? 'o-50', message(`${count}`), null);
    };
    return {
      vats: {
        boot: atFirst(call => {
          call('send', alice, message('start', [bob]), null);
          call('send', bob, message('start', [alice]), null);
        }),
        alice: counting,
        bob: counting,
      },
    };
  });
  t.true(reordered > 0);
});

test('readings of the clock by a vat that began early are recorded with its own crank', async t => {
  /** @type {NonNullable<Options['wrapTransport']>} */
  const asking = (transport, vatId) => {
    let ask = () => {};
    return {
      ...transport,
      begin(delivery, answer, when) {
        ask = () => void answer(['clock', when.timeNs, when.microstep], []);
        // Alice asks at the end of her crank, and bob, who is behind her, at its beginning.
        if (vatId === 'v3') ask();
        transport.begin(delivery, answer, when);
      },
      async finish() {
        if (vatId === 'v2') ask();
        return transport.finish();
      },
    };
  };
  const read = async (/** @type {number} */ lookahead) => {
    const run = makeTestKernel({
      vats: {
        boot: atFirst(call => {
          call('send', alice, message('a'), null);
          call('send', bob, message('b'), null);
        }),
        alice: idle,
        bob: idle,
      },
      clock: { nowNs: () => 7, isLate: () => false },
      wrapTransport: asking,
      lookahead,
    });
    await run.run();
    return run.kernel.inputs();
  };
  const inputs = await read(0);
  t.deepEqual(
    inputs.flatMap(({ kind, vat }) => (kind === 'clock' ? [vat] : [])),
    ['v2', 'v3'],
  );
  t.deepEqual(await read(16), inputs);
});
