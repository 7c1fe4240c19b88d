// Vats that are made in the run: by a device, in a crank.

import test from 'ava';
import { audit } from '#kernel';
import {
  data,
  dumpTables,
  makeOverlappingTransports,
  makeTestKernel,
  message,
  runLater,
  scriptedDevice,
} from '#testkit';
import { startOf, profiles, makerDevice, makeRun, make, withoutBoot, idle } from './births.js';

/** @typedef {import('#testkit').React} React */

/** @typedef {import('#testkit').TestKernelOptions} Options */

test('current: a vat that a crank makes gets its root after the last syscall, starts in a crank of its own, and then its root goes to vatAdmin', async t => {
  const { run, log } = makeRun(
    'current',
    call => {
      t.is(make(call, 'alice', ['o+5']), 'v3');
      call('send', 'o-50', message('behind', ['o+6']), null);
    },
    {
      alice: (_delivery, call) => {
        call('send', 'o-50', message('of alice', ['o+0', 'o+1']), null);
      },
    },
  );
  await run.run(1);
  t.is(run.kref('boot', 'o+6'), 'ko23');
  t.deepEqual(
    [...run.state.vats.clist('v3').pairs()].map(({ kref, vref }) => [kref, vref]),
    [['ko24', 'o+0']],
  );
  const queued = [...run.state.queue.inOrder()].map(({ kind, class: itemClass }) => [
    kind,
    itemClass,
  ]);
  t.deepEqual(
    queued,
    [
      ['send', 1],
      ['start', 1],
    ],
    'in turn, behind the message',
  );
  t.like(run.kernel.vat('v3'), { name: 'a alice', isStatic: false, state: 'running' });
  t.deepEqual(audit(run.state), []);

  await run.run(2);
  t.deepEqual(run.kernel.cranks, { all: 3, control: 1 });
  t.is(run.counter('dispatchStartVat'), 1);
  t.is(run.counter('dispatches'), 2, 'a start is not one of them');
  await run.run();
  t.deepEqual(withoutBoot(log), [
    'vatAdmin: #["behind",["$0"]] o-50',
    'alice starts #["$0"] o-50',
    'boot: #["of alice",["$0","$1"]] o-51,o-52',
    'vatAdmin: #["newVatCallback",["v3",{"rootObject":"$0.Alleged: undefined"}]] o-51',
  ]);
  t.deepEqual(audit(run.state), []);
});

test('2020-09: a vat that a crank makes starts within it, behind its last syscall', async t => {
  const { run, log } = makeRun(
    '2020-09',
    call => {
      make(call, 'alice');
      call('send', 'o-50', message('behind', ['o+6']), null);
    },
    {
      alice: (delivery, call) => {
        if (delivery[0] !== 'startVat') return;
        call('send', 'o-50', message('never'), null);
      },
      bob: (_delivery, call) => {
        call('send', 'p+5', message('to itself', ['o+0', 'o+1']), null);
        call('subscribe', 'p+5');
      },
    },
  );
  // Alice has no import to send to: her start breaks a rule.
  await run.run(1);
  t.deepEqual(run.faults, [['v3', `"o-50" is not in the vat's c-list`]]);
  t.deepEqual(run.kernel.cranks, { all: 1, control: 0 });
  t.deepEqual(withoutBoot(log), ['alice starts #[]']);
  t.deepEqual(audit(run.state), []);
  await run.run();
  t.deepEqual(withoutBoot(log), [
    'alice starts #[]',
    'vatAdmin: #["behind",["$0"]] o-50',
    `vatAdmin: ["newVatCallback",["v3",{"error":"\\"o-50\\" is not in the vat's c-list"}]]`,
  ]);
  t.deepEqual(audit(run.state), []);
});

test("2020-09: syscalls of a vat's start are in the crank that made it, before its root and the callback", async t => {
  const { run, log } = makeRun('2020-09', call => void make(call, 'alice', ['o+5']), {
    alice: (delivery, call) => {
      if (delivery[0] !== 'startVat') return;
      call('send', 'o-50', message('hello', ['o+1']), 'p+5');
      call('vatstoreSet', 'key', 'value');
    },
  });
  await run.run(1);
  t.is(run.kref('boot', 'o+5'), 'ko22');
  const clist = run.state.vats.clist('v3');
  t.deepEqual([...clist.pairs()].map(({ kref, vref }) => [kref, vref]).sort(), [
    ['ko22', 'o-50'],
    ['ko23', 'o+1'],
    ['ko24', 'o+0'],
    ['kp41', 'p+5'],
  ]);
  t.is(run.state.vatstore.get('v3', 'key'), 'value');
  t.deepEqual(
    [...run.kernel.transcript('v3')].map(entry => entry.kind === 'deliver' && entry.delivery[0]),
    ['startVat'],
  );
  await run.run();
  t.deepEqual(withoutBoot(log), [
    'alice starts #["$0"] o-50',
    'boot: #["hello",["$0"]] o-51',
    'vatAdmin: ["newVatCallback",["v3",{"rootObject":{"@qclass":"slot","index":0}}]] o-50',
  ]);
  t.deepEqual(audit(run.state), []);
});

for (const profile of profiles) {
  test(`${profile}: a vat may pass its root on while it starts`, async t => {
    const { run } = makeRun(profile, call => void make(call, 'alice', ['o+5']), {
      alice: (delivery, call) => {
        if (delivery[0] === 'startVat') call('send', 'o-50', message('me', ['o+0']), null);
      },
    });
    await run.run();
    t.is(run.state.vats.clist('v3').size, 2, 'its root, and the object of its parameters');
    t.deepEqual(run.faults, []);
    t.deepEqual(audit(run.state), []);
  });

  test(`${profile}: a vat that is made in a dropped crank leaves no trace`, async t => {
    let resets = 0;
    /** @type {string[]} */
    const closed = [];
    const { run, log } = makeRun(
      profile,
      call => {
        t.is(make(call, 'alice'), 'v3');
        t.is(run.state.vatstore.get('d7', 'last'), 'v3');
        call('subscribe', 'o+0');
      },
      { alice: idle },
      {
        devices: { maker: makerDevice('', () => void (resets += 1)) },
        wrapTransport: (transport, vatId) => ({ ...transport, close: () => closed.push(vatId) }),
      },
    );
    await run.run();
    t.deepEqual(run.faults, [['v1', 'cannot subscribe to "o+0", which is not a promise']]);
    t.deepEqual(run.state.vats.vatIds(), ['v1', 'v2']);
    t.is(run.state.vatstore.get('d7', 'last'), undefined, 'the device does not know it');
    t.is(resets, 1);
    t.false(log.some(line => line.includes('newVatCallback')));
    t.deepEqual(
      closed.filter(vatId => vatId === 'v3'),
      profile === 'current' ? [] : ['v3'],
      'it had a place to run only where it starts within the crank',
    );
    t.throws(() => run.state.vats.clist('v3'), { message: 'there is no c-list of "v3"' });
    t.deepEqual(audit(run.state), []);
  });

  test(`${profile}: a vat that is made and ended in one crank never starts`, async t => {
    const { run, log } = makeRun(
      profile,
      call => {
        const vatId = make(call, 'alice');
        const end = { body: `${vatId} well`, slots: [] };
        t.like(call('callNow', 'd-70', 'end', end), { data: { body: 'true' } });
        t.like(call('callNow', 'd-70', 'end', end), { data: { body: 'false' } }, 'only once');
        t.is(make(call, 'bob'), 'v4');
      },
      { alice: idle, bob: idle },
    );
    await run.run();
    t.deepEqual(
      log.filter(line => line.includes('starts') || line.includes('v3')),
      profile === 'current'
        ? ['vatAdmin: #["vatTerminated",["v3",false,"well"]]', 'bob starts #[]']
        : ['bob starts #[]', 'vatAdmin: ["vatTerminated",["v3",false,"well"]]'],
    );
    t.deepEqual(run.state.vats.vatIds(), ['v1', 'v2', 'v4'], 'nothing is left of it');
    t.deepEqual(audit(run.state), []);
  });

  test(`${profile}: a start that breaks a rule is reported to vatAdmin, and leaves no trace`, async t => {
    for (const fault of ['its module is empty', undefined]) {
      const { run, log } = makeRun(profile, call => void make(call, 'alice', ['o+5']), {
        alice: (_delivery, call) => {
          call('vatstoreSet', 'key', 'value');
          call('send', 'o-50', message('lost', ['o+1']), 'p+5');
          if (fault === undefined) call('subscribe', 'o+0');
          return fault;
        },
      });
      await run.run();
      const why = fault ?? 'cannot subscribe to "o+0", which is not a promise';
      t.deepEqual(run.faults, [['v3', why]]);
      const told = log.filter(line => line.startsWith('vatAdmin'));
      t.is(told.length, 1);
      t.true(told[0].includes(profile === 'current' ? 'vatTerminated' : 'newVatCallback'));
      t.true(told[0].includes('error'));
      t.false(log.some(line => line.includes('rootObject')));
      t.deepEqual(run.state.vats.vatIds(), ['v1', 'v2']);
      t.is(run.state.vatstore.nextKey('v3', ''), undefined);
      t.deepEqual([...run.kernel.transcript('v3')], []);
      t.deepEqual(audit(run.state), []);
      run.kernel.commit();
      t.deepEqual([...run.store.entries('c.v3')], []);
      t.deepEqual([...run.store.entries('vat.v3')], []);
    }
  });

  test(`${profile}: a vat that exits while it starts ${profile === 'current' ? 'did not start' : 'has started, and then ends'}`, async t => {
    const { run, log } = makeRun(profile, call => void make(call, 'alice'), {
      alice: (_delivery, call) => void call('exit', false, { body: '#"enough"', slots: [] }),
    });
    await run.run();
    const told = log.filter(line => line.startsWith('vatAdmin'));
    t.is(told.length, profile === 'current' ? 1 : 2);
    if (profile === '2020-09') t.regex(told[0], /rootObject/);
    else t.regex(told[0], /"enough"/);
    t.regex(told.at(-1) ?? '', /vatTerminated",\["v3",false/);
    t.deepEqual(run.faults, []);
    t.deepEqual(run.state.vats.vatIds(), ['v1', 'v2']);
    t.deepEqual([...run.kernel.transcript('v3')], []);
    t.deepEqual(audit(run.state), []);
  });

  test(`${profile}: a vat that exits with a failure while it starts ${profile === 'current' ? 'did not start' : 'has started, and then ends'}`, async t => {
    const { run, log } = makeRun(profile, call => void make(call, 'alice'), {
      alice: (_delivery, call) => void call('exit', true, { body: '#"broken"', slots: [] }),
    });
    await run.run();
    const told = log.filter(line => line.startsWith('vatAdmin'));
    t.is(told.length, profile === 'current' ? 1 : 2);
    if (profile === '2020-09') t.regex(told[0], /rootObject/);
    else t.regex(told[0], /"broken"/);
    t.regex(told.at(-1) ?? '', /vatTerminated",\["v3",true/);
    t.deepEqual(run.state.vats.vatIds(), ['v1', 'v2']);
    t.deepEqual(audit(run.state), []);
  });

  test(`${profile}: a vat that was made makes another`, async t => {
    const { run, log } = makeRun(profile, call => void make(call, 'alice', ['d-70']), {
      alice: (delivery, call) => {
        // In 2020 a device can be called once the vat has started.
        const acts = profile === 'current' ? 'startVat' : 'message';
        if (delivery[0] === acts) make(call, 'bob');
      },
      bob: idle,
    });
    await run.run();
    t.deepEqual(run.state.vats.vatIds().length, profile === 'current' ? 4 : 3);
    if (profile === '2020-09') {
      const root = run.state.vats.clist('v3').findKref('o+0') ?? '';
      t.true(run.kernel.vat('v3').holdsDevice);
      run.send('boot', 'x');
      run.state.queue.addSend(root, { methargs: message('go'), result: null });
      run.state.keepBetweenCranks();
      await run.run();
    }
    t.deepEqual(run.state.vats.vatIds(), ['v1', 'v2', 'v3', 'v4']);
    t.true(log.some(line => line.startsWith('bob starts')));
    t.is(log.filter(line => line.includes('newVatCallback')).length, 2);
    t.deepEqual(run.faults, []);
    t.deepEqual(audit(run.state), []);
  });

  test(`${profile}: births are the same with transports that overlap or answer later`, async t => {
    /** @type {Record<string, React>} */
    const sources = {
      alice: (delivery, call, crank) => {
        if (delivery[0] === 'startVat' && profile === 'current') make(call, 'bob');
        if (crank < 4) {
          call('send', 'p+5', message('self'), null);
          if (crank === 1) call('subscribe', 'p+5');
        }
        if (crank === 3) call('exit', false, data());
      },
      bob: delivery => (delivery[0] === 'startVat' ? 'it does not start' : undefined),
    };
    const makeOne = (/** @type {Partial<Options>} */ more) => {
      const { run } = makeRun(
        profile,
        call => {
          for (const source of ['alice', 'bob', 'alice']) make(call, source, ['d-70', 'o-50']);
          call('send', 'o-50', message('a'), 'p+5');
          call('send', 'o+0', message('b'), null);
        },
        sources,
        more,
      );
      return run;
    };
    const plain = makeOne({});
    await plain.run();
    t.true(plain.faults.length > 0);
    for (let seed = 0; seed < 8; seed += 1) {
      const { wrap } = makeOverlappingTransports(seed);
      const wrapTransport = seed < 2 ? runLater : wrap;
      const run = makeOne({ lookahead: 8, wrapTransport, makesVatsLater: seed % 2 === 0 });
      await run.run();
      t.deepEqual(dumpTables(run.state), dumpTables(plain.state));
      t.deepEqual(run.faults, plain.faults);
    }
  });

  test(`${profile}: a run with births is resumed after any crank`, async t => {
    /** @type {Record<string, React>} */
    const sources = {
      alice: (delivery, call, crank) => {
        if (delivery[0] === 'startVat') return;
        if (crank === 2) call('send', 'o+0', message('again'), null);
        if (crank === 3) call('exit', false, data());
      },
    };
    /** @type {React} */
    const boot = (_delivery, call, crank) => {
      if (crank === 1) make(call, 'alice', ['o+0']);
      if (crank === 1) make(call, 'alice', ['o+0']);
      if (crank < 3) call('send', 'o+0', message('on'), null);
    };
    /** @type {React} */
    const vatAdmin = (delivery, call) => {
      if (delivery[0] !== 'message' || !delivery[2].body.includes('newVatCallback')) return;
      for (const slot of delivery[2].slots) call('send', slot, message('go'), null);
    };
    const options = () => ({
      profile,
      vats: { boot, vatAdmin },
      sources,
      devices: { maker: makerDevice(startOf(profile)) },
    });
    const whole = makeTestKernel(options());
    const total = await whole.run();
    t.deepEqual(whole.faults, []);
    t.deepEqual(whole.state.vats.vatIds(), ['v1', 'v2']);
    for (let cranks = 0; cranks <= total; cranks += 1) {
      const first = makeTestKernel(options());
      await first.run(cranks);
      first.kernel.commit();
      t.deepEqual(audit(first.state), []);
      const second = makeTestKernel({ ...options(), store: first.store, resume: true });
      t.deepEqual(dumpTables(second.state), dumpTables(first.state), `after ${cranks} cranks`);
      await second.run();
      t.deepEqual(dumpTables(second.state), dumpTables(whole.state), `${cranks} cranks, and on`);
    }
  });

  test(`${profile}: a device that is woken makes a vat in that crank`, async t => {
    const { run, log } = makeRun(
      profile,
      call => void call('callNow', 'd-70', 'later', data()),
      { alice: idle },
      {
        devices: {
          maker: scriptedDevice({
            methods: { later: powers => powers.wakeAt(5) },
            wake: powers =>
              void powers.createVat({
                name: 'woken',
                source: 'alice',
                parameters: data(),
                pipelining: false,
                options: {},
              }),
          }),
        },
      },
    );
    await run.run();
    t.deepEqual(run.state.vats.vatIds(), ['v1', 'v2', 'v3']);
    t.true(log.includes('alice starts #[]'));
    t.is(log.filter(line => line.includes('rootObject')).length, 1);
    t.deepEqual(audit(run.state), []);
  });
}
