// Programs whose work is `n` of one thing: what a vat sends, drops, settles, stores, subscribes to, and vats that end.

import { Fail } from '#model';
import { data, makeTestKernel, message, presence, scriptedDevice } from '#testkit';

/** @typedef {import('#testkit').React} React */
/** @typedef {import('#testkit').Call} Call */
/** @typedef {import('#testkit').TestKernelOptions} Options */
/** @typedef {import('#store').Store} Store */

/** @param {number} n @param {(i: number) => string} name */
const names = (n, name) => Array.from({ length: n }, (_, i) => name(i));

/** @type {React} */
const idle = () => {};

/**
 * A vat whose `acts` are called in its first cranks, one in each.
 *
 * @param {...((call: Call) => void)} acts
 * @returns {React}
 */
const acting =
  (...acts) =>
  (_delivery, call, crank) => {
    acts[crank - 1]?.(call);
  };

/**
 * Boot acts in its cranks, one after the other, and holds o-50 of a vat that does nothing, and d-70.
 *
 * @param {((call: Call) => void)[]} acts
 * @param {Partial<Options>} [more]
 */
const bootRun = (acts, more = {}) =>
  makeTestKernel({ vats: { boot: acting(...acts), sink: idle }, ...more });

/**
 * Each act in a block of its own.
 *
 * @param {ReturnType<typeof makeTestKernel>} run
 * @param {number} blocks
 * @param {number} [every]  acts in a block
 */
const runBlocks = async (run, blocks, every = 1) => {
  await run.run();
  run.kernel.commit();
  for (let i = 1; i < blocks; i += 1) {
    run.send('boot', 'next');
    await run.run();
    if (i % every === 0) run.kernel.commit();
  }
  run.kernel.commit();
  run.faults.length === 0 || Fail`${run.faults[0]}`;
};

/** A device that makes vats, ends them, and wakes itself. */
const maker = () =>
  scriptedDevice({
    methods: {
      make: (powers, { slots }) => ({
        body: powers.createVat({
          name: 'made',
          source: 'made',
          parameters: data(slots),
          pipelining: false,
          options: {},
        }),
        slots: [],
      }),
      end: (powers, { body }) => void powers.endVat(body, false, { body: '#"ended"', slots: [] }),
      send: (powers, { slots }) => void powers.sendOnly(slots[0], message('told')),
      wakeAt: (powers, { body }) => powers.wakeAt(Number(body)),
      cancel: (powers, { body }) => powers.cancelWake(Number(body)),
    },
    wake: () => {},
  });

/** @param {Call} call @param {string} method @param {string} body @param {string[]} [slots] */
const callDevice = (call, method, body, slots = []) => {
  const answer = call('callNow', 'd-70', method, { body, slots });
  return answer?.kind === 'return' ? answer.data.body : '';
};

/** @typedef {(n: number, store: Store) => Promise<void>} GrowthProgram */

/** @type {Record<string, GrowthProgram>} */
export const growthPrograms = {
  'messages parked on a promise, one in each block': async (n, store) => {
    const park = (/** @type {Call} */ call) => call('send', 'p+5', message('x'), null);
    const settle = (/** @type {Call} */ call) => call('resolve', [['p+5', false, data()]]);
    await runBlocks(bootRun([...Array(n - 1).fill(park), settle], { store }), n);
  },

  'messages parked on a promise, all in one block': async (n, store) => {
    const park = (/** @type {Call} */ call) => {
      for (let i = 0; i < n; i += 1) call('send', 'p+5', message('x'), null);
    };
    const settle = (/** @type {Call} */ call) => call('resolve', [['p+5', false, data()]]);
    await runBlocks(bootRun([park, settle], { store }), 2);
  },

  'parked messages whose vat breaks a rule in each crank': async (n, store) => {
    const run = makeTestKernel({
      store,
      vats: {
        boot: acting(call => {
          for (let i = 0; i < n; i += 1) call('send', 'p+5', message('x'), null);
        }),
        ...Object.fromEntries(
          names(n / 8, i => `bad${i}`).map(name => [
            name,
            acting(call => call('subscribe', 'o-99')),
          ]),
        ),
      },
    });
    await run.run();
    for (const name of names(n / 8, i => `bad${i}`)) run.send(name, 'go');
    await run.run();
    run.kernel.commit();
  },

  'promises settled in one resolve': async (n, store) => {
    const act = (/** @type {Call} */ call) => {
      call(
        'send',
        'o-50',
        message(
          'x',
          names(n, i => `p+${i + 1}`),
        ),
        null,
      );
      call(
        'resolve',
        names(n, i => `p+${i + 1}`).map(vref => [vref, false, data()]),
      );
    };
    await runBlocks(bootRun([act], { store }), 1);
  },

  'imports dropped in one call, the last of them twice': async (n, store) => {
    const run = bootRun(
      [call => call('dropImports', [...names(n, i => `o-${2 * n - i}`), `o-${n + 1}`])],
      { store },
    );
    await run.run();
    run.kernel.commit();
    run.faults.length === 1 || Fail`the vat was not ended`;
  },

  'imports dropped, then retired': async (n, store) => {
    const run = makeTestKernel({
      store,
      vats: {
        boot: acting(call => {
          call(
            'send',
            'o-50',
            message(
              'x',
              names(n, i => `o+${i + 1}`),
            ),
            null,
          );
          call('send', 'o-50', message('x'), null);
        }),
        sink: acting(
          () => {},
          call => {
            const vrefs = names(n, i => `o-${50 + n - i}`);
            call('dropImports', vrefs);
            call('retireImports', vrefs);
          },
        ),
      },
    });
    await run.run();
    run.kernel.commit();
  },

  'keys of the store walked through behind the writes of a crank': async (n, store) => {
    const act = (/** @type {Call} */ call) => {
      for (let i = 0; i < n; i += 1) call('vatstoreSet', `k${(i * 7919) % n}`, 'v');
      let key = '';
      for (let i = 0; i < n; i += 1) {
        const answer = call('vatstoreGetNextKey', key);
        key = answer?.kind === 'value' ? (answer.value ?? '') : '';
      }
    };
    await runBlocks(bootRun([act, act], { store }), 2);
  },

  'keys of the store deleted from the front': async (n, store) => {
    const fill = (/** @type {Call} */ call) => {
      for (let i = 0; i < n; i += 1) call('vatstoreSet', `k${i}`, 'v');
    };
    const empty = (/** @type {Call} */ call) => {
      for (let i = 0; i < n / 4; i += 1) {
        const answer = call('vatstoreGetNextKey', '');
        if (answer?.kind === 'value' && answer.value !== undefined)
          call('vatstoreDelete', answer.value);
      }
    };
    await runBlocks(bootRun([fill, empty, empty, empty, empty], { store }), 5, 4);
  },

  'keys deleted from the front, one in each crank': async (n, store) => {
    const fill = (/** @type {Call} */ call) => {
      for (let i = 0; i < n; i += 1) call('vatstoreSet', `k${i}`, 'v');
    };
    const empty = (/** @type {Call} */ call) => {
      const answer = call('vatstoreGetNextKey', '');
      if (answer?.kind === 'value' && answer.value !== undefined)
        call('vatstoreDelete', answer.value);
    };
    await runBlocks(bootRun([fill, ...Array(n).fill(empty)], { store }), n + 1, n);
  },

  'a chain of settled promises of which a vat is told': async (n, store) => {
    const run = makeTestKernel({
      store,
      vats: {
        boot: acting(call => {
          call('send', 'o-50', message('x', ['p+1']), null);
          for (let i = 1; i <= n; i += 1)
            call('resolve', [[`p+${i}`, false, data(i < n ? [`p+${i + 1}`] : [])]]);
        }),
        sink: (delivery, call) => {
          if (delivery[0] === 'message') {
            for (const slot of delivery[2].slots) call('subscribe', slot);
            return;
          }
          if (delivery[0] !== 'notify') return;
          const told = new Set(delivery[1].map(([vref]) => vref));
          for (const [, , { slots }] of delivery[1])
            for (const slot of slots) if (!told.has(slot)) call('subscribe', slot);
        },
      },
    });
    await run.run();
    run.kernel.commit();
    run.state.promises.table.size < 10 || Fail`the chain is still there`;
  },

  'the head of a long chain of settled promises named again and again': async (n, store) => {
    const hold = (/** @type {Call} */ call) => {
      // A vat that is never told holds them.
      call('send', 'p+0', message('x', ['p+1']), null);
      for (let i = 1; i <= n; i += 1) {
        call('resolve', [[`p+${i}`, false, data(i < n ? [`p+${i + 1}`] : [])]]);
      }
    };
    const run = makeTestKernel({
      store,
      vats: {
        boot: acting(hold),
        sink: idle,
      },
    });
    await run.run();
    const kref = names(1, () => 'kp42')[0];
    const head =
      [...run.state.promises.table.entries()].find(([, row]) => row.data !== null)?.[0] ?? kref;
    for (let i = 0; i < n; i += 1) run.send('sink', 'x', [head]);
    await run.run();
    run.kernel.commit();
  },

  'a ring of promises': async (n, store) => {
    const act = (/** @type {Call} */ call) => {
      call(
        'resolve',
        names(n, i => `p+${i}`).map((vref, i) => [vref, false, data([`p+${(i + 1) % n}`])]),
      );
    };
    const run = bootRun([act], { store });
    await run.run();
    for (let i = 0; i < n; i += 1) run.send('sink', 'x');
    await run.run();
    run.kernel.commit();
    // The results that the host holds.
    run.state.promises.table.size <= n + 1 || Fail`the ring is still there`;
  },

  'rings of two promises, one in each crank': async (n, store) => {
    const act = (/** @type {Call} */ call) =>
      call('resolve', [
        ['p+1', false, data(['p+2'])],
        ['p+2', false, data(['p+1'])],
      ]);
    const run = bootRun(Array(n).fill(act), { store });
    await runBlocks(run, n, 16);
    run.state.promises.table.size <= n + 1 || Fail`rings are still there`;
  },

  'subscribers of a promise': async (n, store) => {
    const vats = Math.ceil(n / 8);
    const run = makeTestKernel({
      store,
      vats: {
        boot: acting(
          call => {
            for (let i = 0; i < vats; i += 1)
              call('send', `o-${50 + i}`, message('x', ['p+5']), null);
          },
          call => call('resolve', [['p+5', false, data()]]),
        ),
        ...Object.fromEntries(
          names(vats, i => `vat${String(i).padStart(6, '0')}`).map(name => [
            name,
            acting(call => call('subscribe', 'p-60')),
          ]),
        ),
      },
    });
    while ((await run.run(4)) > 0) run.kernel.commit();
    run.send('boot', 'settle');
    await run.run();
    run.kernel.commit();
  },

  'vats that are made and ended, each in a block': async (n, store) => {
    const vats = Math.ceil(n / 8);
    const act = (/** @type {Call} */ call) => callDevice(call, 'end', callDevice(call, 'make', ''));
    await runBlocks(
      bootRun(Array(vats).fill(act), {
        store,
        devices: { maker: maker() },
        sources: { made: idle },
      }),
      vats,
    );
  },

  'vats that are made, and end together': async (n, store) => {
    const vats = Math.ceil(n / 8);
    /** @type {string[]} */
    const made = [];
    const make = (/** @type {Call} */ call) => {
      for (let i = 0; i < vats; i += 1) made.push(callDevice(call, 'make', ''));
    };
    const end = (/** @type {Call} */ call) => {
      for (const vatId of made) callDevice(call, 'end', vatId);
    };
    await runBlocks(
      bootRun([make, end], { store, devices: { maker: maker() }, sources: { made: idle } }),
      2,
    );
  },

  'vats of 2020 that end together': async (n, store) => {
    const vats = Math.ceil(n / 8);
    /** @type {string[]} */
    const made = [];
    const make = (/** @type {Call} */ call) => {
      for (let i = 0; i < vats; i += 1) made.push(callDevice(call, 'make', ''));
    };
    const end = (/** @type {Call} */ call) => {
      for (const vatId of made) callDevice(call, 'end', vatId);
    };
    await runBlocks(
      bootRun([make, end], {
        store,
        profile: '2020-09',
        devices: { maker: maker() },
        sources: {
          made: acting(call =>
            call(
              'send',
              'p+5',
              message(
                'x',
                names(100, i => `o+${i + 1}`),
              ),
              null,
            ),
          ),
        },
      }),
      2,
    );
  },

  'a vat that is cleaned up while others break rules': async (n, store) => {
    const bad = Math.ceil(n / 100);
    const run = makeTestKernel({
      store,
      vats: {
        boot: acting(call => {
          call(
            'send',
            'o-50',
            message(
              'x',
              names(n, i => `o+${i + 1}`),
            ),
            null,
          );
          call('exit', false, data());
        }),
        sink: idle,
        ...Object.fromEntries(
          names(bad, i => `bad${i}`).map(name => [name, acting(call => call('subscribe', 'o-99'))]),
        ),
      },
    });
    // Clean-up and the others take turns.
    for (const name of names(bad, i => `bad${i}`)) {
      run.send(name, 'go');
      await run.run(2);
    }
    await run.run();
    run.kernel.commit();
  },

  'wake-ups asked for and cancelled': async (n, store) => {
    const ask = (/** @type {Call} */ call) => {
      for (let i = 0; i < n; i += 1) callDevice(call, 'wakeAt', String(1000 + i));
    };
    const cancel = (/** @type {Call} */ call) => {
      for (let i = 0; i < n; i += 1) callDevice(call, 'cancel', String(1000 + ((i * 7919) % n)));
    };
    const run = bootRun([ask, cancel], { store, devices: { maker: maker() } });
    await run.run(Infinity, 0);
    run.kernel.commit();
    run.send('boot', 'next');
    await run.run();
    run.kernel.commit();
  },

  'device calls that send, in one crank': async (n, store) => {
    const act = (/** @type {Call} */ call) => {
      for (let i = 0; i < n; i += 1) callDevice(call, 'send', '', ['o-50']);
    };
    await runBlocks(bootRun([act], { store, devices: { maker: maker() } }), 1);
  },

  'an export that is abandoned and named anew, again and again': async (n, store) => {
    const act = (/** @type {Call} */ call) => {
      for (let i = 0; i < n; i += 1) {
        call('send', 'o-50', message('x', ['o+7']), null);
        call('abandonExports', ['o+7']);
      }
    };
    await runBlocks(bootRun([act], { store }), 1);
  },

  'references in one message': async (n, store) => {
    const slots = names(n, i => (i % 2 === 0 ? `o+${i + 1}` : `p+${i + 1}`));
    const act = (/** @type {Call} */ call) => {
      call('send', 'o-50', message('x', slots), null);
      call('send', 'o-50', message('x', slots.toReversed()), null);
    };
    await runBlocks(bootRun([act], { store }), 1);
  },

  'messages to a promise that is settled to an object': async (n, store) => {
    const act = (/** @type {Call} */ call) => {
      for (let i = 0; i < n; i += 1) call('send', 'p+5', message('x'), `p+${i + 10}`);
      call('resolve', [['p+5', false, presence('o-50')]]);
    };
    await runBlocks(bootRun([act], { store }), 1);
  },
};
