// The store has what the kernel has: a kernel that loads it is the one that wrote it.

import test from 'ava';

import { audit, inputStream } from '#kernel';
import { ByteReader, ByteWriter } from '#model';
import {
  data,
  dumpTables,
  makeRandom,
  makeRandomProgram,
  makeTestKernel,
  message,
  presence,
  runRandomProgram,
} from '#testkit';
import { readInputs } from '../inputs/inputs.js';

/** @typedef {import('#testkit').React} React */

/** @type {React} Each vat hands on what it is given, to whom it is given, and now and then settles something. */
const passing = (delivery, call, crank) => {
  if (delivery[0] !== 'message') return;
  const [, , { slots }, result] = delivery;
  if (crank < 9) {
    const target = slots.find(slot => slot.startsWith('o-')) ?? 'o+0';
    const passed = [...slots.slice(0, 3), `o+${crank}`, `p+${100 + crank}`].reverse();
    call('send', target, message('on', passed), `p+${200 + crank}`);
    call('send', `p+${200 + crank}`, message('on the result', ['o+0']), null);
    call('subscribe', `p+${200 + crank}`);
    call('vatstoreSet', `crank ${crank}`, `${slots.length}`);
  }
  if (result !== null && crank % 4 !== 0)
    call('resolve', [[result, crank % 3 === 0, crank % 2 === 0 ? presence('o+0') : data(slots)]]);
};

const vats = () => ({
  boot: { react: passing, starts: true },
  zoe: { react: passing, pipelining: true },
  yves: { react: passing },
});

test('a kernel loaded after any number of cranks has the same tables and goes on the same', async t => {
  for (const profile of /** @type {const} */ (['current', '2020-09'])) {
    const whole = makeTestKernel({ profile, vats: vats() });
    const total = await whole.run();
    t.deepEqual(whole.faults, []);
    t.true(total > 20, `${total} cranks`);
    for (let cranks = 0; cranks <= total; cranks += 1) {
      const first = makeTestKernel({ profile, vats: vats() });
      await first.run(cranks);
      first.kernel.commit();
      const second = makeTestKernel({ profile, vats: vats(), store: first.store, resume: true });
      t.deepEqual(dumpTables(second.state), dumpTables(first.state), `after ${cranks} cranks`);
      t.deepEqual(audit(second.state), []);
      await second.run();
      t.deepEqual(dumpTables(second.state), dumpTables(whole.state), `${cranks} cranks, and on`);
    }
  }
});

test('a state from before waiting messages were counted is loaded, and counts them', async t => {
  /** @type {React} */
  const waiting = (_delivery, call, crank) => {
    if (crank !== 1) return;
    call('send', 'o+0', message('later'), 'p+5');
    for (const name of ['one', 'two']) call('send', 'p+5', message(name), null);
  };
  const first = makeTestKernel({ vats: { boot: { react: waiting, starts: true } } });
  await first.run();
  first.kernel.commit();
  t.is(first.counter('promiseQueuesLength'), 2);
  const { store } = first;
  const key = 'kernel.counters.names';
  // A counter of another name is skipped.
  const get = (/** @type {string} */ name) =>
    name === key ? store.get(key)?.replace('promiseQueuesLength', 'unheardOf') : store.get(name);
  const second = makeTestKernel({
    vats: { boot: { react: waiting, starts: true } },
    store: { ...store, get },
    resume: true,
  });
  t.deepEqual(second.kernel.counters.toRecord().promiseQueuesLength, {
    ...{ value: 2, up: 2, down: 0, max: 2 },
  });
  t.deepEqual(audit(second.state), []);
});

test('random programs loaded after every crank have the same tables', async t => {
  for (let seed = 0; seed < 4; seed += 1) {
    const program = makeRandomProgram(`persistence ${seed}`);
    /** @type {unknown} */
    let before;
    await runRandomProgram(program, {
      blockSize: () => 1,
      onBlock: kernel => {
        before = dumpTables(kernel.state);
      },
      reopen: async store => store,
      onResume: kernel => {
        t.deepEqual(dumpTables(kernel.state), /** @type {any} */ (before));
      },
    });
  }
});

test('a commit without cranks since the last one changes nothing in the store', async t => {
  const run = makeTestKernel({ vats: vats() });
  await run.run(9);
  run.kernel.commit();
  const before = [...run.store.entries('')];
  run.kernel.commit();
  t.deepEqual([...run.store.entries('')], before);
});

test('queued items are stored in tag order, and taken ones are deleted', async t => {
  const run = makeTestKernel({ vats: vats() });
  await run.run(5);
  run.kernel.commit();
  const queued = () => [...run.state.queue.inOrder()].map(({ seq }) => seq);
  const stored = () => [...run.store.entries('q.')].map(([key]) => Number(key.slice(2)));
  t.true(queued().length > 1);
  t.deepEqual(stored(), queued());
  const random = makeRandom('queue');
  while (!run.kernel.isQuiet) {
    await run.run(1 + random.below(3));
    run.kernel.commit();
    t.deepEqual(stored(), queued());
  }
  t.deepEqual(stored(), []);
});

test('a dropped item that stays in the queue is stored once, and deleted when it is taken', async t => {
  const run = makeTestKernel({
    profile: '2020-09',
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank === 1) call('send', 'o-50', message('m'), 'p+5');
      },
      zoe: () => 'it ran out of memory',
    },
  });
  await run.run(1);
  run.kernel.commit();
  const key = [...run.store.entries('q.')][0][0];
  await run.run(1);
  run.kernel.commit();
  t.deepEqual(
    [...run.store.entries('q.')].map(([name]) => name),
    [key],
  );
  const resumed = makeTestKernel({
    profile: '2020-09',
    vats: {
      boot: (_delivery, call) => void call('send', 'o-50', message('m'), 'p+5'),
      zoe: () => {},
    },
    store: run.store,
    resume: true,
  });
  t.is(await resumed.run(), 1);
  resumed.kernel.commit();
  t.deepEqual([...run.store.entries('q.')], []);
  t.is(resumed.counter('kpRejected'), 1);
});

test('inputs are recorded with their tags and numbers, and read back', async t => {
  const run = makeTestKernel({ vats: { boot: () => {} } });
  await run.run();
  const result = run.send('boot', 'é \ud83d\ude00', ['ko20']);
  await run.run();
  run.kernel.commit();
  run.kernel.release(result);
  const inputs = [
    { seq: 1, tag: { timeNs: 0, microstep: 0 }, kind: 'start', vat: '', data: 'current' },
    {
      seq: 2,
      tag: { timeNs: 0, microstep: 0 },
      kind: 'message',
      vat: 'v1',
      data: JSON.stringify(['#["é \u{1f600}",["$0"]]', ['ko20']]),
    },
    { seq: 3, tag: { timeNs: 0, microstep: 1 }, kind: 'release', vat: '', data: result },
  ];
  t.deepEqual(run.kernel.inputs(), /** @type {any} */ (inputs), 'with those of this block');
  run.kernel.commit();
  t.deepEqual(readInputs(run.store.readStream(inputStream)), /** @type {any} */ (inputs));
});

test('an input in the middle of an instant is recorded with the crank before it', async t => {
  const run = makeTestKernel({ vats: { boot: () => {} } });
  run.send('boot', 'before');
  await run.run();
  run.send('boot', 'one');
  run.send('boot', 'two');
  run.kernel.pump(1);
  run.kernel.release(run.send('boot', 'three'));
  const places = run.kernel.inputs().map(({ kind, vat, crank }) => [kind, vat, crank]);
  t.deepEqual(places, [
    ['start', '', undefined],
    ['message', 'v1', 0],
    ['message', 'v1', undefined],
    ['message', 'v1', undefined],
    ['message', 'v1', 3],
    ['release', '', 3],
  ]);
});

test('an input of an unknown kind, or a cut one, is an error that says so', t => {
  const writer = new ByteWriter();
  writer.byte(99);
  t.throws(() => readInputs(writer.view()), {
    message: 'byte 99 names no kind of input in schema version 4',
  });
  t.throws(() => readInputs(Uint8Array.of(1, 0)), { instanceOf: RangeError });
});

test('every kind of input has its byte', t => {
  const kinds = [
    ...[
      'start',
      'message',
      'release',
      'clock',
      'deadline',
      'physical',
      'dead',
      'seed',
      'stop',
      'diverged',
      'refused',
    ],
  ];
  kinds.forEach((kind, byte) => {
    const bytes = Uint8Array.of(byte, 7, 3, 2, 0x76, 0x31, 1, 0x78);
    t.deepEqual(readInputs(bytes), [
      {
        seq: 1,
        tag: { timeNs: 7, microstep: 3 },
        kind: /** @type {any} */ (kind),
        vat: 'v1',
        data: 'x',
      },
    ]);
  });
});

test("a transcript has a vat's deliveries, answers and syscalls, and no kernel-only cranks", async t => {
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank !== 1) return;
        call('vatstoreGet', 'key');
        call('send', 'p+5', message('parked'), null);
        call('resolve', [['p+6', false, data()]]);
        call('send', 'o-50', message('exit'), null);
        call('send', 'o-50', message('too late'), null);
      },
      zoe: (_delivery, call) => {
        call('exit', false, data());
      },
    },
  });
  t.is(await run.run(), 3);
  t.deepEqual(
    [...run.kernel.transcript('v1')],
    [
      {
        kind: 'deliver',
        tag: { timeNs: 0, microstep: 0 },
        stage: 0,
        delivery: [
          'message',
          'o+0',
          {
            body: '#["bootstrap",[{"boot":"$0.Alleged: root","zoe":"$1.Alleged: root"},{}]]',
            slots: ['o+0', 'o-50'],
          },
          'p-60',
        ],
        answers: [{ kind: 'value', value: undefined }],
        syscalls: [
          ['vatstoreGet', 'key'],
          ['send', 'p+5', message('parked'), null],
          ['resolve', [['p+6', false, data()]]],
          ['send', 'o-50', message('exit'), null],
          ['send', 'o-50', message('too late'), null],
        ],
      },
    ],
  );
  t.true(new ByteReader(run.state.readStream('t.v1.0')).bytes.length < 200);
});

test("host values are written with the block, and keys with local. are the host's own", async t => {
  const run = makeTestKernel({ vats: vats() });
  run.kernel.setHostValue('host.rounds', '7');
  t.is(run.kernel.getHostValue('host.rounds'), '7');
  t.is(run.store.get('host.rounds'), undefined);
  run.kernel.commit();
  t.is(run.store.get('host.rounds'), '7');
  run.kernel.setHostValue('host.rounds', undefined);
  t.is(run.kernel.getHostValue('host.rounds'), undefined);
  run.kernel.commit();
  t.is(run.store.get('host.rounds'), undefined);
});

test('a host message or a commit in the middle of a crank is refused', async t => {
  /** @type {() => void} */
  let finish = () => {};
  const run = makeTestKernel({
    vats: { boot: () => {} },
    wrapTransport: transport => ({
      ...transport,
      finish: () =>
        new Promise(resolve => {
          finish = () => resolve(transport.finish());
        }),
    }),
  });
  const running = run.run();
  const refused = { name: 'UserError', message: /^the kernel is in a crank/ };
  t.throws(() => run.kernel.commit(), refused);
  t.throws(() => run.send('boot', 'm'), refused);
  t.false(run.kernel.isQuiet);
  finish();
  t.is(await running, 1);
  t.true(run.kernel.isQuiet);
});
