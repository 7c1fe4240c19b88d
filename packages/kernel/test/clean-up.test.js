// Entries of ended vats are deleted a hundred at a time: by control cranks in `current`, behind cranks and when nothing
// runs in `2020-09`. Meanwhile no other vat reaches the ended vat.

import test from 'ava';

import { audit, byInput } from '#kernel';
import { makeMemoryStore, storeContents, storeDigest } from '#store';
import { data, dumpTables, makeTestKernel, message, scriptedDevice } from '#testkit';

/** @typedef {import('#testkit').React} React */
/** @typedef {import('#testkit').Call} Call */
/** @typedef {import('#testkit').TestKernelOptions} Options */
/** @typedef {'current' | '2020-09'} Profile */

const profiles = /** @type {const} */ (['current', '2020-09']);

/** More than two steps of entries, and more than two of keys. */
const many = 250;

/**
 * A vat that exports and stores much when it is told to, holds what it is given, and exits.
 *
 * @type {React}
 */
const hoarder = (delivery, call, crank) => {
  if (delivery[0] !== 'message') return;
  if (crank === 2) {
    const slots = Array.from({ length: many }, (_, i) => `o+${i + 1}`);
    call('send', 'p+5', message('keep', slots), null);
    for (let i = 0; i < many; i += 1) call('vatstoreSet', `key ${i}`, 'value');
  } else if (crank === 3) {
    call('exit', false, { body: '"full"', slots: [] });
  }
};

/**
 * Boot makes the hoarder; vatAdmin, which is told of its root, has it gather and exit, and sends to it while it is
 * ending.
 *
 * @param {Profile} profile
 * @param {Partial<Options>} [more]
 */
const makeRun = (profile, more = {}) => {
  /** @type {string[]} */
  const log = [];
  const run = makeTestKernel({
    profile,
    vats: {
      boot: (delivery, call, crank) => {
        if (crank === 1) call('callNow', 'd-70', 'make', data());
        if (delivery[0] === 'notify')
          for (const [, rejected, { body }] of delivery[1]) log.push(`${rejected} ${body}`);
      },
      vatAdmin: (delivery, call) => {
        if (delivery[0] === 'notify') {
          for (const [, rejected, { body }] of delivery[1]) log.push(`${rejected} ${body}`);
          return;
        }
        if (delivery[0] !== 'message') return;
        const [, , { body, slots }] = delivery;
        if (body.includes('newVatCallback')) {
          call('send', slots[0], message('gather'), null);
          call('send', slots[0], message('exit'), 'p+6');
          call('subscribe', 'p+6');
        }
        // While it is ending: a message to it.
        if (body.includes('vatTerminated')) {
          log.push('vatTerminated');
          call('send', 'o-50', message('late'), 'p+7');
          call('subscribe', 'p+7');
        }
      },
    },
    sources: { hoarder },
    devices: {
      maker: scriptedDevice({
        methods: {
          make: powers =>
            void powers.createVat({
              name: 'hoarder',
              source: 'hoarder',
              parameters: data(),
              pipelining: false,
              options: {},
            }),
        },
      }),
    },
    ...more,
  });
  return { run, log };
};

/** @param {ReturnType<typeof makeRun>['run']} run */
const isEnding = ({ state }) => state.vats.ending.has('v3');

/** Names in the store that belong to the hoarder. @param {import('#store').Store} store */
const namesOf = store => {
  const { entries, streams } = storeContents(store);
  return [...entries, ...streams]
    .map(([name]) => name)
    .filter(name => /^(vat\.v3|ending\.v3|n\.v3\.|c\.v3\.|vs\.v3\.|t\.v3)/.test(name));
};

for (const profile of profiles) {
  test(`${profile}: a large vat is deleted in steps, the audit passes after each, and nothing is left`, async t => {
    const { run, log } = makeRun(profile);
    for (let crank = 0; crank < 20 && !isEnding(run); crank += 1) await run.run(1);
    const { size } = run.state.vats.clist('v3');
    const whole = many + 3;
    const cranks = { ...run.kernel.cranks };
    t.deepEqual(audit(run.state), []);
    // 2020 makes one step with the end, and one behind the crank.
    t.is(size, whole - (profile === 'current' ? 100 : 200));
    t.false(run.state.vats.isRunning('v3'));
    t.false(run.kernel.isQuiet);
    run.kernel.commit();
    t.true(namesOf(run.store).length > many);

    let steps = 0;
    while (isEnding(run)) {
      const entries = run.state.vats.clist('v3').size;
      const keys = run.state.vatstore.keys('v3').length;
      await run.run(1);
      t.deepEqual(audit(run.state), []);
      const left = isEnding(run) ? run.state.vats.clist('v3').size : 0;
      const gone = entries - left + keys - run.state.vatstore.keys('v3').length;
      t.true(gone <= 100, `${gone} at a time`);
      steps += 1;
      t.true(steps < 30);
    }
    await run.run();
    // 253 entries and 250 keys: six steps, of which the end took the first (and 2020's crank another).
    const behind = profile === 'current' ? 5 : 0;
    t.is(run.kernel.cranks.control, cranks.control + behind);
    t.true(run.kernel.isQuiet);
    const rejection =
      profile === 'current'
        ? 'true #{"#error":"vat terminated","name":"Error"}'
        : 'true {"@qclass":"error","name":"Error","message":"vat terminated"}';
    t.deepEqual(
      log.sort(),
      [rejection, rejection, 'vatTerminated'],
      'its last result, and that of the message that came late',
    );
    run.kernel.commit();
    t.deepEqual(namesOf(run.store), []);
    t.deepEqual(
      [...run.state.owners.entries()].filter(([, owner]) => owner === 'v3'),
      [],
    );
    t.deepEqual(run.state.vats.vatIds(), ['v1', 'v2']);
    t.is(run.kernel.vatName('v3'), undefined);
    t.deepEqual(audit(run.state), []);
  });

  test(`${profile}: a clean-up is resumed after any block, with the same store in the end`, async t => {
    const whole = makeRun(profile);
    await whole.run.run();
    whole.run.kernel.commit();
    const total = whole.run.kernel.cranks.all;
    t.true(total > 5);
    for (let cranks = 4; cranks <= total; cranks += 1) {
      const first = makeRun(profile);
      await first.run.run(cranks);
      first.run.kernel.commit();
      const second = makeRun(profile, { store: first.run.store, resume: true });
      t.deepEqual(dumpTables(second.run.state), dumpTables(first.run.state), `${cranks} cranks`);
      t.deepEqual(audit(second.run.state), []);
      await second.run.run();
      second.run.kernel.commit();
      t.is(storeDigest(second.run.store), storeDigest(whole.run.store), `${cranks} cranks, and on`);
    }
    // At every step, also those that are no cranks.
    let { run } = makeRun(profile);
    for (let blocks = 0; !run.kernel.isQuiet; blocks += 1) {
      await run.run(1);
      run.kernel.commit();
      ({ run } = makeRun(profile, { store: run.store, resume: true }));
      t.deepEqual(audit(run.state), []);
      t.true(blocks < 60);
    }
    t.is(storeDigest(run.store), storeDigest(whole.run.store));
  });

  test(`${profile}: a notify for a vat that is ending, or was forgotten, is dropped`, async t => {
    /** @type {string[]} */
    const log = [];
    const run = makeRunWithSubscriber(profile, log);
    await run.run();
    t.deepEqual(log, ['p+5 ending', 'p+6 gone']);
    t.deepEqual(run.faults, []);
    t.deepEqual(run.state.vats.vatIds(), ['v1', 'v2']);
    t.deepEqual(audit(run.state), []);
  });

  test(`${profile}: an ended vat of the config leaves only its row`, async t => {
    const run = makeTestKernel({
      profile,
      vats: {
        boot: (_delivery, call, crank) => {
          if (crank === 1) call('send', 'o-50', message('a'), null);
        },
        zoe: (_delivery, call) => {
          const slots = Array.from({ length: 120 }, (_, i) => `o+${i + 1}`);
          call('send', 'p+5', message('keep', slots), null);
          call('exit', false, data());
        },
      },
    });
    await run.run();
    run.kernel.commit();
    const names = storeContents(run.store).entries.map(([name]) => name);
    t.deepEqual(
      names.filter(name => name.includes('v2')),
      ['vat.v2'],
    );
    t.is(run.kernel.vatName('v2'), 'zoe');
    t.deepEqual(audit(run.state), []);
  });
}

/**
 * The vat that boot makes subscribes to two promises of vatAdmin's and exits; vatAdmin settles one while the vat is
 * ending, and one when it is forgotten.
 *
 * @param {Profile} profile
 * @param {string[]} log
 */
const makeRunWithSubscriber = (profile, log) => {
  const { run } = makeRun(profile, {
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank === 1) call('callNow', 'd-70', 'make', data());
      },
      vatAdmin: (delivery, call, crank) => {
        if (delivery[0] !== 'message') return;
        const [, , { body, slots }] = delivery;
        if (body.includes('newVatCallback'))
          call('send', slots[0], message('subscribe', ['p+5', 'p+6']), null);
        const settle = (/** @type {string} */ vref) => {
          log.push(`${vref} ${run.state.vats.ending.has('v3') ? 'ending' : 'gone'}`);
          call('resolve', [[vref, false, data()]]);
        };
        if (body.includes('vatTerminated')) settle('p+5');
        if (crank === 10) settle('p+6');
        if (crank > 1 && crank < 10) call('send', 'o+0', message('later'), null);
      },
    },
    sources: {
      hoarder: (delivery, call) => {
        if (delivery[0] === 'startVat') {
          for (let i = 0; i < many; i += 1) call('vatstoreSet', `key ${i}`, 'value');
        } else if (delivery[0] === 'message') {
          for (const slot of delivery[2].slots) call('subscribe', slot);
          call('exit', false, data());
        } else {
          log.push('notified');
        }
      },
    },
  });
  return run;
};

test("in 2020-09 leftovers of several vats are deleted by the vats' numbers, and no other vat waits", async t => {
  const store = makeMemoryStore();
  const run = makeTestKernel({
    profile: '2020-09',
    store,
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank === 1) for (const to of ['o-50', 'o-51']) call('send', to, message('a'), null);
      },
      yves: (_delivery, call) => {
        for (let i = 0; i < 350; i += 1) call('vatstoreSet', `key ${i}`, '');
        call('exit', false, data());
      },
      zoe: (_delivery, call) => {
        for (let i = 0; i < 350; i += 1) call('vatstoreSet', `key ${i}`, '');
        call('exit', true, data());
      },
    },
  });
  t.is(await run.run(3), 3);
  t.deepEqual([...run.state.vats.ending.keys()], ['v2', 'v3']);
  t.is(await run.run(1), 0, 'steps when nothing runs are no cranks');
  t.deepEqual([...run.state.vats.ending.keys()], ['v3']);
  t.deepEqual(audit(run.state), []);
  await run.run();
  t.true(run.kernel.isQuiet);
  t.is(run.kernel.cranks.all, 3);
  run.kernel.commit();
  t.deepEqual([...store.entries('vs.')], []);
  t.deepEqual(audit(run.state), []);
});

/**
 * Two vats end with much, and one step of the first has been taken: the second has its step at the same tag.
 *
 * @param {boolean} isResumed
 */
const endTwo = async isResumed => {
  const store = makeMemoryStore();
  const make = (/** @type {boolean} */ resume) =>
    makeTestKernel({
      store,
      resume,
      vats: {
        boot: () => {},
        alice: (_, call) => {
          for (let i = 0; i < many; i += 1) call('vatstoreSet', `key ${i}`, 'value');
        },
        bob: (_, call) => {
          for (let i = 0; i < many; i += 1) call('vatstoreSet', `key ${i}`, 'value');
        },
      },
    });
  let run = make(false);
  run.send('alice', 'fill');
  run.send('bob', 'fill');
  await run.run();
  for (const name of ['alice', 'bob']) run.kernel.endVat(run.vatId(name), false, data());
  await run.run(1);
  await run.kernel.commit();
  if (isResumed) run = make(true);
  return { run, store };
};

test('a clean-up budget is recorded after the crank before it, and is the cause of the items that it queues', async t => {
  for (const isResumed of [false, true]) {
    const { run } = await endTwo(isResumed);
    const { kernel } = run;
    const cranks = kernel.cranks.all;
    t.is(run.state.queue.peek()?.microstep, kernel.now.microstep, 'a step of this tag is to come');
    kernel.setCleanupBudget(false);
    t.true(run.state.queue.peek() === undefined, 'no step is queued');
    t.like(kernel.inputs().at(-1), { kind: 'cleanup', data: 'false', crank: cranks });
    t.deepEqual([...audit(run.state)], []);
    kernel.setCleanupBudget(true);
    const [input] = kernel.inputs().slice(-1);
    t.like(input, { kind: 'cleanup', data: 'true' });
    t.deepEqual(
      [...run.state.queue.inOrder()].map(({ kind, causeNumber, causePlace }) => [
        ...[kind, causeNumber, causePlace],
      ]),
      [
        ['cleanUp', input.seq, byInput],
        ['cleanUp', input.seq, byInput],
      ],
    );
    await run.run();
    t.deepEqual([...audit(run.state)], []);
  }
});
