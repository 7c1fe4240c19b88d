// When vats are asked for their dead references, and how many objects they are told of at once.

import test from 'ava';
import { audit } from '#kernel';
import { makeMemoryStore } from '#store';
import { dumpTables, makeOverlappingTransports, makeTestKernel, message } from '#testkit';
import { deliveriesLeft } from '../collection/reaper.js';
import { Holders } from '../tables/holders.js';
import { vatOf, never, ask, tell, makeThree, isRight } from './collection-programs.js';

/** @typedef {import('#testkit').React} React */

/** @typedef {import('#testkit').Call} Call */

test('vats that are asked at one tag share one collection of the kernel, and what was let go of is an input', async t => {
  const dead = (/** @type {Call} */ call) => {
    call('vatstoreGet', 'what a raw vat may ask');
    call('dropImports', ['o-50']);
    call('retireImports', ['o-50']);
  };
  const { run } = await makeThree({ bob: { dead } });
  const cranks = run.kernel.cranks.control;
  await ask(run, 'alice', 'bob', 'carol');
  t.is(
    run.kernel.cranks.control - cranks,
    3 + 1 + 2,
    'three are asked, one collection, alice is told twice',
  );
  t.deepEqual(
    run.kernel
      .inputs()
      .filter(({ kind }) => kind === 'dead')
      .map(({ vat, data: text }) => [vat, text]),
    [
      [run.vatId('alice'), ';;'],
      [run.vatId('bob'), 'o-50;o-50;'],
      [run.vatId('carol'), ';;'],
    ],
  );
});

test('a vat is asked after as many deliveries as its options say, its start among them, whatever others have had', async t => {
  /** @type {string[]} */
  const asked = [];
  const counting = (/** @type {string} */ name) => vatOf({ dead: () => void asked.push(name) });
  const run = makeTestKernel({
    vats: {
      boot: { react: counting('boot'), ...never },
      alice: { react: counting('alice'), options: { reapInterval: 4 } },
      bob: { react: counting('bob'), options: { reapInterval: 4 } },
      carol: { react: counting('carol'), options: { reapInterval: 1 }, starts: true },
      dave: { react: counting('dave'), options: { reapInterval: 1, neverReap: true } },
      erin: { react: counting('erin'), options: { reapInterval: 0 } },
    },
  });
  await run.run();
  t.deepEqual(asked, ['carol'], 'its start is a delivery');
  for (const name of ['bob', 'bob', 'dave', 'erin', 'alice', 'alice']) await tell(run, name, 'm');
  t.is(asked.length, 1);
  await tell(run, 'alice', 'm');
  t.deepEqual(asked, ['carol', 'alice']);
  await tell(run, 'bob', 'm');
  for (const name of ['alice', 'alice', 'alice']) await tell(run, name, 'm');
  t.deepEqual(asked, ['carol', 'alice', 'bob']);
  await tell(run, 'alice', 'm');
  t.deepEqual(asked, ['carol', 'alice', 'bob', 'alice']);
  isRight(t, run);
});

test('a vat that is due is asked before the messages that are left, unless its interval has changed at this tag', async t => {
  /** @type {string[]} */
  const order = [];
  const makeVats = () => ({
    boot: {
      react: vatOf({
        go: (call, delivery) => {
          const [alice, bob] = delivery[0] === 'message' ? delivery[2].slots : [];
          for (const to of [alice, alice, bob]) call('send', to, message('m'), null);
        },
      }),
      options: { reapInterval: 'never' },
    },
    alice: {
      react: vatOf({ m: () => void order.push('m'), dead: () => void order.push('dead') }),
      starts: true,
      options: { reapInterval: 1 },
    },
    bob: { react: vatOf({ m: () => void order.push('bob') }), options: { reapInterval: 'never' } },
  });
  const transports = makeOverlappingTransports('at once');
  for (const more of [{}, { lookahead: 16, wrapTransport: transports.wrap }]) {
    order.length = 0;
    const run = makeTestKernel({ vats: makeVats(), ...more });
    await run.run();
    t.deepEqual(order.splice(0), ['dead']);
    const roots = ['alice', 'bob'].map(name => run.kref(name, 'o+0') ?? '');
    await tell(run, 'boot', 'go', roots);
    if (!('lookahead' in more)) t.deepEqual(order, ['m', 'dead', 'm', 'dead', 'bob']);
    t.is(run.state.vats.clist(run.vatId('alice')).parts?.reaping?.isAsked, false);
    const row = run.state.vats.require(run.vatId('alice'));
    row.reapChange = { ...run.state.now, microstep: run.state.now.microstep + 2 };
    order.length = 0;
    await tell(run, 'boot', 'go', roots);
    if (!('lookahead' in more)) t.deepEqual(order, ['m', 'm', 'bob', 'dead']);
    isRight(t, run);
  }
});

test('deliveries of vats that have ended, or whose making was undone, ask nobody', async t => {
  const options = { reapInterval: 4 };
  const run = makeTestKernel({
    vats: { boot: { react: vatOf({}), options }, alice: { react: vatOf({}), options } },
  });
  await run.run();
  // The vats of this kernel start without a crank, which counts all the same.
  t.is(deliveriesLeft(run.state, run.vatId('alice')), 3);
  run.kernel.endVat(run.vatId('alice'), false, { body: '#"over"', slots: [] });
  t.is(deliveriesLeft(run.state, run.vatId('alice')), Infinity);
  t.is(deliveriesLeft(run.state, 'v99'), Infinity);
});

test('a vat that was told of many objects is asked, twenty if its options do not say, and what was counted is loaded', async t => {
  const names = Array.from({ length: 30 }, (_, i) => `o+${i + 1}`);
  /** @type {string[]} */
  const asked = [];
  const makerOf = (/** @type {string} */ name) =>
    vatOf({
      give: (call, delivery) => {
        const [taker] = delivery[0] === 'message' ? delivery[2].slots : [''];
        call('send', taker, message('take', names), null);
      },
      dead: () => void asked.push(name),
    });
  const letsGo =
    (/** @type {number} */ from, /** @type {number} */ count) => (/** @type {Call} */ call) => {
      const firsts = [50, 80, 110].map(first => first + from);
      const gone = firsts.flatMap(first =>
        Array.from({ length: count }, (_, i) => `o-${first + i}`),
      );
      call('dropImports', gone);
      call('retireImports', gone);
    };
  const taking = {
    one: letsGo(0, 1),
    other: letsGo(1, 1),
    seven: letsGo(2, 7),
    last: letsGo(9, 1),
  };
  const makeVats = () => ({
    boot: { react: vatOf({}), ...never },
    alice: {
      react: makerOf('alice'),
      starts: true,
      options: { reapInterval: 'never', reapGCKrefs: 4 },
    },
    bob: { react: makerOf('bob'), starts: true, options: { reapInterval: 'never' } },
    carol: { react: makerOf('carol'), starts: true, options: { neverReap: true } },
    taker: { react: vatOf(taking), options: { reapInterval: 'never' } },
  });
  const store = makeMemoryStore();
  let run = makeTestKernel({ vats: makeVats(), store });
  await run.run();
  for (const maker of ['alice', 'bob', 'carol'])
    await tell(run, maker, 'give', [run.kref('taker', 'o+0') ?? '']);
  /** The taker lets go of some of each maker's objects. */
  const letGo = async (/** @type {keyof typeof taking} */ which) => {
    await tell(run, 'taker', which);
    await ask(run, 'taker');
  };
  await letGo('one');
  t.deepEqual(asked, [], 'each is told of one object, twice');
  await run.kernel.commit();
  run = makeTestKernel({ vats: makeVats(), store, resume: true });
  await letGo('other');
  t.deepEqual(asked, ['alice']);
  await letGo('seven');
  t.deepEqual(asked, ['alice', 'alice']);
  await letGo('last');
  t.deepEqual(asked, ['alice', 'alice', 'bob']);
  isRight(t, run);
});

test('without an interval, a vat is not asked before it has imported a hundred objects', async t => {
  /** @type {string[]} */
  const asked = [];
  const counting = (/** @type {string} */ name) => vatOf({ dead: () => void asked.push(name) });
  const objects = Array.from({ length: 100 }, (_, i) => `o+${i + 1}`);
  const boot = vatOf({
    bootstrap: call => {
      call('send', 'o-50', message('take', objects.slice(1)), null);
      call('send', 'o-51', message('take', objects), null);
    },
  });
  const run = makeTestKernel({
    vats: {
      '0boot': { react: boot, ...never },
      few: { react: counting('few') },
      many: { react: counting('many') },
    },
  });
  await run.run();
  for (let i = 1; i < 9_999; i += 1)
    for (const name of ['few', 'many']) run.kernel.release(run.send(name, 'm'));
  await run.run();
  t.deepEqual(asked, []);
  await tell(run, 'few', 'm');
  t.deepEqual(asked, []);
  await tell(run, 'many', 'm');
  t.deepEqual(asked, ['many']);
  const last = run.state.vats.clist(run.vatId('0boot')).findKref('o+1');
  await tell(run, 'few', 'take', [last ?? '']);
  t.deepEqual(asked, ['many', 'few']);
  isRight(t, run);
});

test('a program with collection is the same in one go, stopped after every crank, and overlapped', async t => {
  /** A vat that passes on what it has, drops it when it is asked, and gives out new ones. */
  const juggler = () => {
    let made = 0;
    /** @type {Set<string>} */
    const held = new Set();
    /** @type {React} */
    const react = (delivery, call) => {
      if (delivery[0] === 'message') {
        for (const slot of delivery[2].slots) if (slot.startsWith('o-')) held.add(slot);
        const left = Number(JSON.parse(delivery[2].body.slice(1))[0]);
        if (!(left > 0)) return;
        made += 1;
        for (const to of [...held].slice(0, 2))
          call(
            'send',
            to,
            message(String(left - 1), [`o+${made}`, 'o+0', ...[...held].slice(-1)]),
            null,
          );
      } else if (delivery[0] === 'bringOutYourDead') {
        const gone = [...held].filter((_, i) => i % 2 === 1);
        for (const vref of gone) held.delete(vref);
        call('dropImports', gone);
        call(
          'retireImports',
          gone.filter((_, i) => i % 2 === 0),
        );
      } else if (delivery[0] === 'retireImports') {
        for (const vref of delivery[1]) held.delete(vref);
      }
    };
    return react;
  };
  const makeVats = () => ({
    boot: { react: bootWith(juggler()), options: { reapInterval: 3 } },
    alice: { react: juggler(), options: { reapInterval: 2 } },
    bob: { react: juggler(), options: { reapInterval: 2 } },
    carol: { react: juggler(), options: { reapInterval: 5 } },
  });
  /** @param {React} react @returns {React} */
  const bootWith = react => (delivery, call, crank) => {
    if (crank > 1) return react(delivery, call, crank);
    for (const to of ['o-50', 'o-51', 'o-52'])
      call('send', to, message('5', ['o-50', 'o-51', 'o-52']), null);
    return undefined;
  };
  const whole = makeTestKernel({ vats: makeVats() });
  await whole.run();
  t.true(whole.counter('dispatchRetireExports') > 5);
  isRight(t, whole);

  const store = makeMemoryStore();
  let stopped = makeTestKernel({ vats: makeVats(), store });
  while ((await stopped.run(1)) > 0) {
    t.deepEqual(audit(stopped.state), []);
    await stopped.kernel.commit();
    stopped = makeTestKernel({ vats: makeVats(), store, resume: true });
  }
  t.is(stopped.kernel.activityHash(), whole.kernel.activityHash());
  t.deepEqual(dumpTables(stopped.state), dumpTables(whole.state));

  const transports = makeOverlappingTransports('collection');
  const overlapped = makeTestKernel({
    vats: makeVats(),
    lookahead: 16,
    wrapTransport: transports.wrap,
  });
  await overlapped.run();
  transports.insistReordered();
  t.is(overlapped.kernel.activityHash(), whole.kernel.activityHash());
  t.deepEqual(dumpTables(overlapped.state), dumpTables(whole.state));
});

test('a crank gives a vat a thousand verdicts at most, and the run may be resumed between', async t => {
  const count = 2_500;
  const names = Array.from({ length: count }, (_, i) => `o+${i + 1}`);
  /** @type {number[]} */
  const told = [];
  const makeVats = () => ({
    boot: {
      react: /** @type {React} */ (
        (delivery, call, crank) => {
          if (crank === 1) call('send', 'o-50', message('take', names), null);
          if (delivery[0] === 'dropExports' || delivery[0] === 'retireExports')
            told.push(delivery[1].length);
        }
      ),
      ...never,
    },
    taker: {
      react: /** @type {React} */ (
        (delivery, call) => {
          if (delivery[0] !== 'bringOutYourDead') return;
          const taken = names.map((_, i) => `o-${50 + i}`);
          call('dropImports', taken);
          call('retireImports', taken);
        }
      ),
      ...never,
    },
  });
  const whole = makeTestKernel({ vats: makeVats() });
  await whole.run();
  await ask(whole, 'taker');
  t.deepEqual(told, [1_000, 1_000, 500, 1_000, 1_000, 500]);
  t.deepEqual(audit(whole.state), []);

  const store = makeMemoryStore();
  let stopped = makeTestKernel({ vats: makeVats(), store });
  await stopped.run();
  stopped.state.queue.addControl('bringOutYourDead', stopped.vatId('taker'));
  stopped.state.keepBetweenCranks();
  while ((await stopped.run(1)) > 0) {
    await stopped.kernel.commit();
    stopped = makeTestKernel({ vats: makeVats(), store, resume: true });
  }
  t.is(stopped.kernel.activityHash(), whole.kernel.activityHash());
});

test('a collection judges only objects that may have lost a holder', async t => {
  const count = 300;
  const names = Array.from({ length: count }, (_, i) => `o+${i + 1}`);
  const run = makeTestKernel({
    vats: {
      boot: {
        react: (_delivery, call, crank) => {
          if (crank === 1) call('send', 'o-50', message('take', names), null);
        },
        ...never,
      },
      taker: {
        react: (delivery, call) => {
          if (delivery[0] === 'bringOutYourDead') call('dropImports', ['o-60']);
        },
        ...never,
      },
    },
  });
  await run.run();
  const { holders } = run.state;
  t.not(holders, null);
  // All are new.
  await ask(run, 'boot');
  /** @type {number[]} */
  const asked = [];
  const holding = /** @type {Holders} */ (holders);
  holding.takeSuspects = () => {
    const taken = Holders.prototype.takeSuspects.call(holding);
    asked.push(taken.length);
    return taken;
  };
  for (const name of ['boot', 'taker', 'boot', 'boot']) await ask(run, name);
  // The one that was dropped, and once more when its vat has been told.
  t.deepEqual(asked, [0, 1, 1, 0]);
  t.deepEqual(audit(run.state), []);
});

test('a vat that answers a verdict with dead references causes no new search', async t => {
  const count = 40;
  const held = Array.from({ length: count }, (_, i) => `o-${50 + i}`);
  let lookedThrough = 0;
  const run = makeTestKernel({
    vats: {
      // Each gives it an object, which it lets go of.
      taker: {
        react: (delivery, call) => {
          if (delivery[0] !== 'bringOutYourDead') return;
          const [, ...taken] = [...new Set(seen)];
          call('dropImports', taken);
        },
        ...never,
      },
      ...Object.fromEntries(
        held.map((_, i) => [
          `giver${i}`,
          {
            react: /** @type {React} */ (
              (delivery, call) => {
                if (delivery[0] === 'message') call('send', 'o-50', message('take', ['o+1']), null);
                else if (delivery[0] === 'dropExports')
                  call('send', 'o-50', message('answer', []), null);
              }
            ),
            ...never,
          },
        ]),
      ),
    },
  });
  /** @type {string[]} */
  const seen = [];
  await run.run();
  const taker = run.vatId('taker');
  for (let i = 0; i < count; i += 1)
    run.kernel.release(
      run.kernel.queueToVatRoot(run.vatId(`giver${i}`), {
        body: '#["give",["$0"]]',
        slots: [run.state.vats.clist(taker).findKref('o+0') ?? ''],
      }),
    );
  await run.run();
  for (const { vref } of run.state.vats.clist(taker).pairs())
    if (vref.startsWith('o-')) seen.push(vref);
  const { inOrder } = run.state.queue;
  run.state.queue.inOrder = function count() {
    lookedThrough += 1;
    return inOrder.call(this);
  };
  await ask(run, 'taker');
  t.true(run.counter('dispatchDropExports') > count / 2);
  t.is(lookedThrough, 1);
  t.deepEqual(audit(run.state), []);
});

test('what a raw vat lets go of in a message is collected, at once by the rule of SwingSet', async t => {
  /** @param {'never' | undefined} interval  of the config @param {object} [more] */
  const run = async (interval, more = {}) => {
    /** @type {string[]} */
    const order = [];
    const heard = /** @type {string[]} */ ({ push: (/** @type {string} */ it) => order.push(it) });
    const made = makeTestKernel({
      vats: {
        boot: {
          react: vatOf({
            go: (call, delivery) => {
              const [alice, bob] = delivery[0] === 'message' ? delivery[2].slots : [];
              call('send', bob, message('drop'), null);
              call('send', alice, message('m'), null);
            },
          }),
          ...never,
        },
        alice: {
          react: vatOf(
            {
              give: (call, delivery) =>
                call(
                  'send',
                  delivery[0] === 'message' ? delivery[2].slots[0] : '',
                  message('take', ['o+1']),
                  null,
                ),
              m: () => void order.push('m'),
            },
            heard,
          ),
          ...never,
        },
        bob: {
          react: vatOf({
            drop: call => {
              call('dropImports', ['o-50']);
              call('retireImports', ['o-50']);
            },
            dead: () => void order.push('bob is asked'),
          }),
          options: { reapInterval: interval === undefined ? 'never' : 3, enableSetup: true },
          starts: true,
        },
      },
      ...more,
    });
    if (interval !== undefined) made.kernel.setReapInterval(interval);
    await made.run();
    const [alice, bob] = ['alice', 'bob'].map(name => made.kref(name, 'o+0') ?? '');
    await tell(made, 'alice', 'give', [bob]);
    await tell(made, 'boot', 'go', [alice, bob]);
    isRight(t, made);
    return { order, hash: made.kernel.activityHash() };
  };
  const transports = makeOverlappingTransports('at once');
  const ahead = { lookahead: 16, wrapTransport: transports.wrap };
  for (const [interval, order] of /** @type {const} */ ([
    [undefined, ['m', 'dropExports o+1', 'retireExports o+1']],
    // Bob is due, too.
    ['never', ['bob is asked', 'dropExports o+1', 'retireExports o+1', 'm']],
  ])) {
    const one = await run(interval);
    t.deepEqual(one.order, order);
    t.is((await run(interval, ahead)).hash, one.hash, 'deliveries do not run ahead of it');
  }
});
