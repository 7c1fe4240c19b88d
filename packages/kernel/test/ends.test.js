// Dropped cranks and the ends of vats, in both profiles.

import test from 'ava';

import { audit } from '#kernel';
import { data, makeTestKernel, message, methodOf } from '#testkit';

/** @typedef {import('#testkit').React} React */
/** @typedef {import('#model').Syscall} Syscall */

const endless = 'it did not end its crank';

/**
 * Boot sends zoe a message, behind which another vat's message waits at the same tag. Zoe decides p+6 and exports
 * o+1 before her last crank.
 *
 * @param {'current' | '2020-09'} profile
 * @param {Syscall[]} last  what zoe does in her last crank
 * @param {string} [fault]
 */
const makeRun = (profile, last, fault) => {
  /** @type {string[]} */
  const log = [];
  /** @type {React} */
  const logging = delivery => {
    if (delivery[0] === 'message') log.push(methodOf(delivery[2]));
    if (delivery[0] === 'notify')
      for (const [vref, rejected, { body, slots }] of delivery[1])
        log.push(`${vref} ${rejected ? 'rejected' : 'fulfilled'} ${body} ${slots.join()}`);
  };
  const run = makeTestKernel({
    profile,
    // Boot has zoe's root as o-53: the roots' order is alice, boot, other, vatAdmin, zoe.
    vats: {
      boot: (delivery, call, crank) => {
        logging(delivery, call, crank);
        if (crank === 1) {
          call('send', 'o-53', message('decide', ['o+0']), 'p+5');
          call('subscribe', 'p+5');
          call('send', 'o+0', message('now'), null);
        } else if (crank === 2) {
          call('send', 'o-53', message('last'), 'p+6');
          call('subscribe', 'p+6');
          call('send', 'o-51', message('behind'), null);
        }
      },
      zoe: (delivery, call) => {
        if (delivery[0] !== 'message') return undefined;
        if (methodOf(delivery[2]) === 'decide') {
          call('vatstoreSet', 'a', '1');
          call('send', delivery[2].slots[0], message('export', ['o+1']), null);
          return undefined;
        }
        for (const syscall of last) call(...syscall);
        return fault;
      },
      alice: logging,
      other: logging,
      vatAdmin: delivery => {
        if (delivery[0] === 'message') log.push(`${delivery[2].body} ${delivery[2].slots.join()}`);
      },
    },
  });
  return { run, log };
};

/** @type {(profile: 'current' | '2020-09', text: string) => string} */
const errorBody = (profile, text) =>
  profile === 'current'
    ? `#{"#error":"${text}","name":"Error"}`
    : `{"@qclass":"error","name":"Error","message":"${text}"}`;

/** @type {(profile: 'current' | '2020-09') => string} */
const start = profile => (profile === 'current' ? '#' : '');

test('current: a dropped crank consumes its item, rejects its result, ends the vat and reports it, in one crank', async t => {
  const { run, log } = makeRun('current', [['send', 'o-50', message('lost'), null]], endless);
  await run.run(4);
  const before = run.kernel.counters.toRecord();
  const queued = run.state.queue.size;
  t.is(methodOf(run.state.queue.peek()?.message?.methargs ?? data()), 'last');
  log.length = 0;

  t.is(await run.run(1), 1);
  t.deepEqual(log, []);
  t.is(run.kernel.cranks.all, 5);
  t.is(run.state.queue.size, queued - 1 + 3);
  t.deepEqual(
    [...run.state.queue.inOrder()].map(({ kind, vatId, microstep }) => [kind, vatId, microstep]),
    [
      ['send', 'v4', 2], // behind
      ['notify', 'v1', 3], // of what zoe decided
      ['send', 'v5', 3], // the report to vatAdmin
      ['notify', 'v1', 3], // of the dropped message's result, as if the message came once more
    ],
  );
  const after = run.kernel.counters.toRecord();
  t.is(after.dispatches.value, before.dispatches.value, 'counters are rolled back');
  t.is(after.syscallSend.value, before.syscallSend.value + 1, 'the report alone');
  t.is(after.kpRejected.value, 2);
  t.deepEqual(audit(run.state), []);

  await run.run();
  t.deepEqual(log.sort(), [
    `#["vatTerminated",["v2",true,{"#error":"${endless}","name":"Error"}]] `,
    'behind',
    `p+5 rejected ${errorBody('current', 'vat terminated')} `,
    `p+6 rejected ${errorBody('current', 'vat terminated')} `,
  ]);
  t.deepEqual(run.faults, [['v2', endless]]);
  t.deepEqual(audit(run.state), []);
});

test('2020-09: a dropped crank ends the vat; its item keeps its place and is rejected by the next crank', async t => {
  const { run, log } = makeRun('2020-09', [['send', 'o-50', message('lost'), null]], endless);
  await run.run(4);
  const before = run.kernel.counters.toRecord();
  const item = run.state.queue.peek();
  t.is(methodOf(item?.message?.methargs ?? data()), 'last');

  t.is(await run.run(1), 1);
  t.is(run.kernel.cranks.all, 5, 'the dropped crank counts');
  t.is(run.state.queue.peek(), item, 'its item is first again');
  t.deepEqual(run.state.now, { timeNs: item?.timeNs, microstep: item?.microstep });
  const dropped = run.kernel.counters.toRecord();
  t.is(dropped.dispatches.value, before.dispatches.value);
  t.is(dropped.kpRejected.value, 1, 'p+5, which zoe decided; p+6 is not decided yet');
  t.is(dropped.syscallSend.value, before.syscallSend.value + 1, 'the report');
  t.deepEqual(audit(run.state), []);

  log.length = 0;
  t.is(await run.run(1), 1);
  const rejected = run.kernel.counters.toRecord();
  t.is(rejected.kpRejected.value, 2);
  t.is(rejected.dispatches.value, before.dispatches.value, 'rejected without a dispatch');
  t.is(rejected.runQueueLength.value, dropped.runQueueLength.value, 'one taken, one notify added');
  t.deepEqual(log, []);

  await run.run();
  t.deepEqual(log.slice().sort(), [
    `["vatTerminated",["v2",true,${errorBody('2020-09', endless)}]] `,
    'behind',
    `p+5 rejected ${errorBody('2020-09', 'vat terminated')} `,
    `p+6 rejected ${errorBody('2020-09', 'vat terminated')} `,
  ]);
  t.deepEqual(audit(run.state), []);
});

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test(`${profile}: an exit without failure keeps its crank`, async t => {
    const { run, log } = makeRun(profile, [
      ['exit', false, { body: `${start(profile)}"done"`, slots: [] }],
      ['vatstoreSet', 'b', '2'],
      ['send', 'o-50', message('after the exit'), null],
    ]);
    await run.run();
    t.deepEqual(run.faults, [], 'to exit is no fault');
    t.true(log.includes('after the exit'), 'what comes behind the exit in the same crank counts');
    t.true(log.includes(`${start(profile)}["vatTerminated",["v2",false,"done"]] `));
    t.deepEqual(
      log.filter(line => line.startsWith('p+')).sort(),
      [5, 6].map(n => `p+${n} rejected ${errorBody(profile, 'vat terminated')} `),
    );
    t.is(run.state.vatstore.nextKey('v2', ''), undefined, 'its store is deleted');
    t.deepEqual([...run.kernel.transcript('v2')], [], 'and its transcript');
    t.is(run.state.owners.get('ko25'), undefined, 'its objects have no owner');
    t.deepEqual(audit(run.state), []);
  });

  test(`${profile}: an exit with failure ${profile === 'current' ? 'drops' : 'keeps'} its crank`, async t => {
    const { run, log } = makeRun(profile, [
      ['send', 'o-50', message('of the last crank'), null],
      ['exit', true, { body: `${start(profile)}"broken"`, slots: [] }],
    ]);
    await run.run();
    t.is(log.includes('of the last crank'), profile === '2020-09');
    t.true(log.includes(`${start(profile)}["vatTerminated",["v2",true,"broken"]] `));
    t.deepEqual(
      log.filter(line => line.startsWith('p+')).sort(),
      [5, 6].map(n => `p+${n} rejected ${errorBody(profile, 'vat terminated')} `),
    );
    t.deepEqual(run.faults, []);
    t.deepEqual(audit(run.state), []);
  });
}

test("the reason of a vat's end is passed on with its references", async t => {
  const { run, log } = makeRun('current', [['exit', false, data(['o-50', 'o+1'])]]);
  await run.run();
  const report = log.find(line => line.includes('vatTerminated'));
  // Its own object goes along, though nobody answers for it any more.
  t.is(report, '#["vatTerminated",["v2",false,["$0","$1"]]] o-50,o-51');
  t.deepEqual(audit(run.state), []);
});

test('a failure that names an object of its dropped crank is reported without it', async t => {
  const { run, log } = makeRun('current', [['exit', true, data(['o+77'])]]);
  await run.run();
  const report = log.find(line => line.includes('vatTerminated'));
  t.is(report, '#["vatTerminated",["v2",true,{"#error":"vat terminated","name":"Error"}]] ');
  t.deepEqual(audit(run.state), []);
});

test("the promises of an ended vat are rejected in the order of the vat's names for them, as texts", async t => {
  for (const profile of /** @type {const} */ (['current', '2020-09'])) {
    /** @type {string[]} */
    const rejected = [];
    const run = makeTestKernel({
      profile,
      vats: {
        boot: (_delivery, call, crank) => {
          if (crank === 1) call('send', 'o-50', message('x', ['p+9', 'p+10', 'p+11']), null);
          if (crank === 1) call('send', 'o+0', message('y'), null);
          if (crank === 2) call('exit', false, data());
        },
        zoe: (delivery, call) => {
          if (delivery[0] === 'message')
            for (const slot of delivery[2].slots) call('subscribe', slot);
          if (delivery[0] === 'notify') rejected.push(delivery[1][0][0]);
        },
      },
    });
    await run.run();
    const names = { 'p-60': 'p+9', 'p-61': 'p+10', 'p-62': 'p+11' };
    t.deepEqual(
      rejected.map(vref => names[/** @type {keyof typeof names} */ (vref)]),
      ['p+10', 'p+11', 'p+9'],
    );
  }
});

test('in current the c-list of an ended vat is emptied; in 2020-09 its counts stay', async t => {
  for (const profile of /** @type {const} */ (['current', '2020-09'])) {
    const { run } = makeRun(profile, [['exit', false, data()]]);
    await run.run(4);
    const entries = run.counter('clistEntries');
    const own = run.state.vats.clist('v2').size;
    t.true(own > 3);
    await run.run(1);
    t.is(run.state.vats.clist('v2').size, 0);
    // Its last delivery added the result.
    t.is(run.counter('clistEntries'), profile === 'current' ? entries - own : entries + 1);
    t.deepEqual(audit(run.state), []);
  }
});

test('a vat of the config that fails to start ends alone, and its crank leaves no trace', async t => {
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call) => void call('send', 'o-50', message('x'), 'p+5'),
      zoe: {
        starts: true,
        react: (_delivery, call) => {
          call('vatstoreSet', 'key', 'lost');
          return 'its module does not export buildRootObject';
        },
      },
    },
  });
  t.is(await run.run(), 2, 'the start, and bootstrap, whose message is rejected when it is sent');
  t.deepEqual(run.faults, [['v2', 'its module does not export buildRootObject']]);
  t.false(run.state.vats.isRunning('v2'));
  t.is(run.state.vatstore.get('v2', 'key'), undefined);
  t.deepEqual(audit(run.state), []);
});

test('in current a rejected bootstrap stops the queue, even after a resume', async t => {
  /** @type {string[]} */
  const reached = [];
  for (const profile of /** @type {const} */ (['current', '2020-09'])) {
    const run = makeTestKernel({
      profile,
      vats: {
        boot: (delivery, call) => {
          if (delivery[0] !== 'message') return;
          call('send', 'o-50', message('before'), null);
          call('resolve', [[delivery[3] ?? '', true, data()]]);
        },
        zoe: () => void reached.push(profile),
      },
    });
    const { kernel } = run;
    kernel.insistOnBootstrap('boot', 'kp40');
    t.is(await run.run(), profile === 'current' ? 1 : 2);
    t.is(kernel.isStopped, profile === 'current');
    t.true(kernel.isQuiet);
    if (profile === 'current')
      t.throws(() => kernel.queueToVatRoot('v1', message('more')), {
        message: 'bootstrap has failed, so that nothing runs any more',
      });
    t.deepEqual(audit(run.state), []);
  }
  t.deepEqual(reached, ['2020-09']);
});

test('if the vat that gets bootstrap does not start, the run ends and nothing of its start is kept', async t => {
  const run = makeTestKernel({
    vats: {
      boot: {
        starts: true,
        react: (_delivery, call) => {
          call('vatstoreSet', 'key', 'lost');
          return 'its module does not export buildRootObject';
        },
      },
    },
  });
  run.kernel.insistOnBootstrap('boot', 'kp40');
  const before = run.kernel.counters.toRecord();
  await t.throwsAsync(() => run.run(), {
    name: 'VatStartError',
    message: 'vat boot did not start: its module does not export buildRootObject',
  });
  t.deepEqual(run.kernel.counters.toRecord(), before);
  t.is(run.kernel.cranks.all, 0);
  t.is(run.state.vatstore.get('v1', 'key'), undefined);
  t.like(run.state.queue.peek(), { kind: 'start' });
  t.deepEqual(audit(run.state), []);
});

test('the host cannot send to a vat that has ended', async t => {
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call) => {
        call('exit', false, data());
      },
    },
  });
  await run.run();
  const queued = run.state.queue.size;
  t.throws(() => run.kernel.queueToVatRoot('v1', message('m')), {
    name: 'UserError',
    message: 'vat "boot" has ended; nothing can be sent to it any more',
  });
  t.is(run.state.queue.size, queued);
  t.deepEqual(audit(run.state), []);
});
