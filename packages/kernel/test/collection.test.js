// Object collection in the kernel alone: the vats' scripts say which references are dead, when they are asked.

import test from 'ava';
import { audit } from '#kernel';
import { makeMemoryStore } from '#store';
import { data, makeTestKernel, message } from '#testkit';
import {
  vatOf,
  never,
  ask,
  tell,
  makeThree,
  isRight,
  holders,
  queueVerdicts,
} from './collection-programs.js';

/** @typedef {import('#testkit').Call} Call */

/** @typedef {import('#model').Delivery} Delivery */

test('an object that nobody reaches or recognises is dropped and retired, everywhere', async t => {
  const { run, heard, thing } = await makeThree();
  const before = run.counter('kernelObjects');
  await ask(run, 'bob');
  t.deepEqual(heard.alice, [], 'bob holds it');
  await tell(run, 'bob', 'forget');
  t.deepEqual(heard.alice, [], 'and alice is told when somebody was asked');
  await ask(run, 'bob');
  t.deepEqual(heard.alice, ['dropExports o+1', 'retireExports o+1']);
  t.false(run.state.owners.has(thing));
  t.is(run.counter('kernelObjects'), before - 1);
  t.is(run.kref('alice', 'o+1') ?? run.kref('bob', 'o-50'), undefined);
  isRight(t, run);
});

test('an object that is only recognised is dropped, and retired by its vat or its recogniser', async t => {
  for (const first of ['alice', 'bob']) {
    const { run, heard, thing } = await makeThree({
      alice: { retire: call => call('retireExports', ['o+1']) },
      bob: { retire: call => call('retireImports', ['o-50']) },
    });
    await tell(run, 'bob', 'drop');
    await ask(run, 'carol');
    t.deepEqual(heard.alice, ['dropExports o+1']);
    await ask(run, 'carol');
    t.is(heard.alice.length, 1, 'told once');
    await tell(run, first, 'retire');
    await ask(run, 'carol');
    if (first === 'alice') t.deepEqual(heard.bob, ['retireImports o-50']);
    else t.deepEqual(heard.alice, ['dropExports o+1', 'retireExports o+1']);
    t.false(run.state.owners.has(thing));
    t.is(run.kref('bob', 'o-50'), undefined);
    isRight(t, run);
  }
});

test('an object that is sent again keeps its kref as long as it is recognised, and gets another afterwards', async t => {
  const { run, heard, thing } = await makeThree({
    alice: { again: call => call('send', 'o-50', message('take', ['o+1']), null) },
  });
  await tell(run, 'bob', 'drop');
  await ask(run, 'bob');
  await tell(run, 'alice', 'again');
  t.is(run.kref('bob', 'o-50'), thing);
  t.true(run.state.vats.clist(run.vatId('alice')).isReachable(thing));
  t.true(run.state.vats.clist(run.vatId('bob')).isReachable(thing));
  await ask(run, 'bob');
  t.deepEqual(heard.alice, ['dropExports o+1'], 'it is held again');
  await tell(run, 'bob', 'forget');
  await ask(run, 'bob');
  t.deepEqual(heard.alice.slice(1), ['dropExports o+1', 'retireExports o+1']);
  await tell(run, 'alice', 'again');
  t.not(run.kref('alice', 'o+1'), thing);
  t.is(run.kref('bob', 'o-51'), run.kref('alice', 'o+1'), 'a new one in every way');
  isRight(t, run);
});

test('an object that is sent before its verdict is taken is not dropped', async t => {
  // Bob lets go; alice sends the object again, and the verdict comes before that message.
  const { run, heard, thing } = await makeThree({
    alice: {
      again: call => {
        call('send', 'o-50', message('take', ['o+1']), null);
        queueVerdicts(run, thing);
      },
    },
  });
  await tell(run, 'bob', 'forget');
  await tell(run, 'alice', 'again');
  t.deepEqual(heard.alice, []);
  t.is(run.kref('bob', 'o-51'), run.kref('alice', 'o+1'));
  isRight(t, run);
});

for (const [what, { alice, ...how }] of Object.entries(holders)) {
  test(`${what} holds an object`, async t => {
    const { run, heard, thing } = await makeThree({
      alice: {
        ...alice,
        hold: (call, delivery) => {
          /** @type {(call: Call, delivery: Delivery) => void} */ (alice.hold)(call, delivery);
          if ('isShort' in how) queueVerdicts(run, thing);
        },
      },
    });
    await tell(run, 'bob', 'forget');
    if ('isShort' in how) {
      await tell(run, 'alice', 'hold');
      t.deepEqual(heard.alice, []);
    } else {
      await tell(run, 'alice', 'hold');
      await ask(run, 'bob');
      t.deepEqual(heard.alice, []);
      t.true(run.state.owners.has(thing));
      await tell(run, 'alice', 'release');
      isRight(t, run);
    }
    await ask(run, 'bob');
    t.deepEqual(heard.alice, ['dropExports o+1', 'retireExports o+1']);
    isRight(t, run);
  });
}

test('a result that the host holds holds its objects, until it is released', async t => {
  const { run, heard } = await makeThree({
    alice: {
      show: (call, delivery) =>
        call('resolve', [
          [delivery[0] === 'message' ? (delivery[3] ?? '') : '', false, data(['o+1'])],
        ]),
    },
  });
  await tell(run, 'bob', 'forget');
  const result = run.send('alice', 'show');
  await run.run();
  await ask(run, 'bob');
  t.deepEqual(heard.alice, []);
  run.kernel.release(result);
  await ask(run, 'bob');
  t.deepEqual(heard.alice, ['dropExports o+1', 'retireExports o+1']);
  isRight(t, run);
});

test('the release of a result between verdicts to two vats takes effect at once, resumed or not', async t => {
  // The promise goes with the crank in which the first is told; the second must see it gone.
  const hashes = [];
  for (const resumes of [false, true]) {
    const heard = /** @type {string[]} */ ([]);
    const store = makeMemoryStore();
    const show = (/** @type {Call} */ call, /** @type {Delivery} */ delivery) =>
      call('resolve', [
        [delivery[0] === 'message' ? (delivery[3] ?? '') : '', false, data(['o+1', 'o+2'])],
      ]);
    const vats = {
      boot: { react: vatOf({}), ...never },
      alice: { react: vatOf({ show }, heard), ...never },
      bob: { react: vatOf({ show }, heard), ...never },
    };
    let run = makeTestKernel({ vats, store });
    await run.run();
    const [one, two] = ['alice', 'bob'].map(name => run.send(name, 'show'));
    await run.run();
    run.kernel.release(one);
    run.kernel.release(two);
    await tell(run, 'boot', 'nothing');
    run.state.queue.addControl('collect', '');
    const three = run.send('bob', 'show');
    for (let crank = 0; crank < 6; crank += 1) {
      await run.run(1);
      // Behind the collection bob has shown his objects again; now nobody holds them, once a crank has passed.
      if (crank === 1) run.kernel.release(three);
      await run.kernel.commit();
      if (resumes) run = makeTestKernel({ vats, store, resume: true });
    }
    if (!resumes) t.is(heard.length, 4);
    hashes.push(run.kernel.activityHash());
    isRight(t, run);
  }
  t.is(hashes[0], hashes[1]);
});

test('an object that a device was given stays', async t => {
  const boot = vatOf({
    bootstrap: call => void call('callNow', 'd-70', 'keep', data(['o+1'])),
  });
  const run = makeTestKernel({
    vats: { boot: { react: boot, ...never } },
    devices: { shelf: () => ({ kind: 'return', data: data() }) },
  });
  await run.run();
  await ask(run, 'boot');
  t.is(run.state.owners.get(run.kref('boot', 'o+1') ?? ''), run.vatId('boot'));
  isRight(t, run);
});

test("the roots of the config's vats stay, whether anybody holds them or not", async t => {
  const heard = /** @type {string[]} */ ([]);
  const drop = (/** @type {Call} */ call) => void call('retireImports', ['o-50']);
  const run = makeTestKernel({
    vats: {
      boot: { react: vatOf({ dead: drop }), ...never },
      alice: { react: vatOf({}, heard), ...never },
    },
  });
  await run.run();
  await ask(run, 'boot', 'alice');
  t.deepEqual(heard, []);
  await tell(run, 'alice', 'nothing');
  isRight(t, run);
});

test('a vat that ends releases its imports, and its exports that others recognise are retired', async t => {
  const { run, heard } = await makeThree({
    alice: { exit: call => call('exit', false, data()) },
    bob: { exit: call => call('exit', true, data()) },
  });
  await tell(run, 'bob', 'exit');
  await ask(run, 'carol');
  t.deepEqual(heard.alice, ['dropExports o+1', 'retireExports o+1']);
  t.deepEqual(audit(run.state), []);

  const other = await makeThree({ alice: { exit: call => call('exit', false, data()) } });
  await tell(other.run, 'alice', 'exit');
  await ask(other.run, 'carol');
  t.deepEqual(other.heard.bob, [], 'what he reaches he is not told of');
  await tell(other.run, 'bob', 'drop');
  await ask(other.run, 'carol');
  t.deepEqual(other.heard.bob, ['retireImports o-50']);
  t.is(other.run.kref('bob', 'o-50'), undefined);
  t.deepEqual(audit(other.run.state), []);
});

test('an object of an ended vat stays recognised while another vat reaches it', async t => {
  const { run, heard, thing } = await makeThree({
    alice: { exit: call => call('exit', false, data()) },
  });
  await tell(run, 'carol', 'take', [thing]);
  await tell(run, 'bob', 'drop');
  await tell(run, 'alice', 'exit');
  await ask(run, 'bob', 'carol');
  t.deepEqual(heard.bob, []);
  await tell(run, 'bob', 'take', [thing]);
  t.is(run.kref('bob', 'o-50'), thing, 'carol may send it to him again');
  await tell(run, 'bob', 'drop');
  await tell(run, 'carol', 'forget');
  await ask(run, 'carol');
  t.deepEqual(heard.bob, ['retireImports o-50'], 'nobody reaches it any more');
  t.is(run.kref('bob', 'o-50'), undefined);
  isRight(t, run);

  const other = await makeThree({ alice: { exit: call => call('exit', false, data()) } });
  other.run.kernel.hold(other.thing);
  await tell(other.run, 'bob', 'drop');
  await tell(other.run, 'alice', 'exit');
  await ask(other.run, 'carol');
  t.deepEqual(other.heard.bob, [], 'the host may send it');
  other.run.kernel.release(other.thing);
  await ask(other.run, 'carol');
  t.deepEqual(other.heard.bob, ['retireImports o-50']);
  isRight(t, other.run);
});

test('a vat that ends before its verdict gets none', async t => {
  const { run, heard, thing } = await makeThree({
    alice: {
      exit: call => {
        call('exit', false, data());
        queueVerdicts(run, thing);
      },
    },
  });
  await tell(run, 'bob', 'forget');
  await tell(run, 'alice', 'exit');
  t.deepEqual(heard.alice, []);
  t.deepEqual(audit(run.state), []);
});

/** @type {Record<string, [deed: (call: Call) => void, says: RegExp]>} */
const offences = {
  'drops an import twice in one call': [
    call => call('dropImports', ['o-50', 'o-50']),
    /cannot drop "o-50" twice in one call/,
  ],
  'drops an import twice': [
    call => {
      call('dropImports', ['o-50']);
      call('dropImports', ['o-50']);
    },
    /cannot drop "o-50", which was dropped before/,
  ],
  'retires an import twice in one call': [
    call => call('retireImports', ['o-50', 'o-50']),
    /cannot retire "o-50" twice in one call/,
  ],
  'uses what it dropped': [
    call => {
      call('dropImports', ['o-50']);
      call('send', 'o-50', message('m'), null);
    },
    /"o-50" was dropped by the vat, which cannot use it any more/,
  ],
  'drops its own object': [
    call => call('dropImports', ['o+0']),
    /cannot drop "o\+0", which is not an import/,
  ],
  'retires its own object while others reach it': [
    call => {
      call('send', 'o-50', message('m', ['o+1']), null);
      call('retireExports', ['o+1']);
    },
    /cannot retire "o\+1", which others still reach/,
  ],
  'retires what it never gave away': [
    call => call('retireExports', ['o+7']),
    /cannot retire "o\+7", which is not an export/,
  ],
  'drops a promise': [
    call => {
      call('send', 'o-50', message('m'), 'p+5');
      call('dropImports', ['p+5']);
    },
    /cannot drop "p\+5", which is not an import/,
  ],
};

for (const [what, [deed, says]] of Object.entries(offences)) {
  test(`a vat that ${what} is ended, and its crank is dropped`, async t => {
    const { run, heard } = await makeThree({ bob: { dead: deed } });
    await ask(run, 'bob');
    t.is(run.faults.length, 1);
    t.regex(run.faults[0][1], says);
    t.false(run.state.vats.isRunning(run.vatId('bob')));
    t.deepEqual(audit(run.state), []);
    await ask(run, 'carol');
    t.deepEqual(heard.alice, ['dropExports o+1', 'retireExports o+1'], 'what it held is free');
    t.deepEqual(audit(run.state), []);
  });
}

test('retiring an export twice in one call is a fault', async t => {
  const { run } = await makeThree({
    alice: { dead: call => call('retireExports', ['o+1', 'o+1']) },
  });
  await tell(run, 'bob', 'drop');
  await ask(run, 'carol');
  await ask(run, 'alice');
  t.regex(run.faults[0][1], /cannot retire "o\+1" twice in one call/);
  t.deepEqual(audit(run.state), []);
});
