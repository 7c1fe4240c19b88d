// Object collection in the kernel alone: vats say themselves what they let go of, when they are asked.

import test from 'ava';

import { audit } from '#kernel';
import { makeMemoryStore } from '#store';
import {
  data,
  dumpTables,
  makeOverlappingTransports,
  makeTestKernel,
  message,
  presence,
} from '#testkit';
import { Holders } from '../tables/holders.js';

/** @typedef {import('#testkit').React} React */
/** @typedef {import('#testkit').Call} Call */
/** @typedef {import('#model').Delivery} Delivery */
/** @typedef {import('#testkit').TestKernel} TestKernel */

/** What a vat does when it is sent a method. @typedef {Record<string, (call: Call, delivery: Delivery) => void>} Deeds */

/**
 * A vat that does as its methods say, and writes down what it is told of objects. `dead` is done when it is asked.
 *
 * @param {Deeds} deeds
 * @param {string[]} [heard]
 * @returns {React}
 */
const vatOf =
  (deeds, heard = []) =>
  (delivery, call) => {
    if (delivery[0] === 'message')
      deeds[JSON.parse(delivery[2].body.slice(1))[0]]?.(call, delivery);
    else if (delivery[0] === 'bringOutYourDead') deeds.dead?.(call, delivery);
    else if (delivery[0] === 'notify') deeds.notify?.(call, delivery);
    else if (delivery[0] !== 'startVat') heard.push(`${delivery[0]} ${String(delivery[1])}`);
  };

/** Asked by the test alone. */
const never = { options: { reapInterval: 'never' } };

/**
 * Ask vats for their dead, and let the kernel collect.
 *
 * @param {TestKernel} run
 * @param {...string} names
 */
const ask = async (run, ...names) => {
  for (const name of names) run.state.queue.addControl('bringOutYourDead', run.vatId(name));
  run.state.keepBetweenCranks();
  await run.run();
};

/** @param {TestKernel} run @param {string} name @param {string} method @param {string[]} [slots] */
const tell = async (run, name, method, slots = []) => {
  run.kernel.release(run.send(name, method, slots));
  await run.run();
};

/**
 * Alice makes o+1 for bob, who has it as o-50; carol is there too. Each does as it is told.
 *
 * @param {{ alice?: Deeds, bob?: Deeds, carol?: Deeds }} [more]
 * @param {object} [options]
 */
const makeThree = async (more = {}, options = {}) => {
  /** @type {Record<'alice' | 'bob' | 'carol', string[]>} */
  const heard = { alice: [], bob: [], carol: [] };
  const drop = (/** @type {Call} */ call) => void call('dropImports', ['o-50']);
  const forget = (/** @type {Call} */ call) => {
    call('dropImports', ['o-50']);
    call('retireImports', ['o-50']);
  };
  const boot = vatOf({
    bootstrap: call => call('send', 'o-50', message('give', ['o-51']), null),
  });
  const run = makeTestKernel({
    vats: {
      '0boot': { react: boot, ...never },
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
            ...more.alice,
          },
          heard.alice,
        ),
        ...never,
      },
      bob: { react: vatOf({ drop, forget, ...more.bob }, heard.bob), ...never },
      carol: { react: vatOf({ drop, forget, ...more.carol }, heard.carol), ...never },
    },
    ...options,
  });
  await run.run();
  const thing = run.kref('alice', 'o+1') ?? '';
  return { run, heard, thing };
};

/** @param {import('ava').ExecutionContext} t @param {TestKernel} run */
const isRight = (t, run) => {
  t.deepEqual(audit(run.state), []);
  t.deepEqual(run.faults, []);
};

test('what nobody reaches or recognises is dropped and retired, everywhere', async t => {
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

test('what is recognised only is dropped, and retired by its vat or its recogniser', async t => {
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

test('an object that is sent while the vat is about to be told is not dropped', async t => {
  // Bob lets go; the verdict is queued; before it is taken alice sends the object again.
  const { run, heard } = await makeThree({
    alice: { again: call => call('send', 'o-50', message('take', ['o+1']), null) },
  });
  await tell(run, 'bob', 'forget');
  run.state.queue.addControl('collect', '');
  run.state.keepBetweenCranks();
  run.kernel.release(run.send('alice', 'again'));
  await run.run();
  t.deepEqual(heard.alice, []);
  t.is(run.kref('bob', 'o-51'), run.kref('alice', 'o+1'));
  isRight(t, run);
});

/** Ways in which nothing but what is named holds an object, and how it is let go of. */
const holders = {
  'a message in the queue': {
    alice: {
      hold: (/** @type {Call} */ call) => call('send', 'o+0', message('later', ['o+1']), null),
    },
    release: () => {},
    isShort: true,
  },
  'a message parked on a promise': {
    alice: {
      hold: (/** @type {Call} */ call) => call('send', 'p+5', message('later', ['o+1']), null),
      release: (/** @type {Call} */ call) => call('resolve', [['p+5', true, data()]]),
    },
  },
  'a message parked on the result of a message that is parked': {
    alice: {
      hold: (/** @type {Call} */ call) => {
        call('send', 'p+5', message('later'), 'p+6');
        call('send', 'p+6', message('later', ['o+1']), null);
      },
      release: (/** @type {Call} */ call) => call('resolve', [['p+5', true, data()]]),
    },
  },
  'the data of a promise that another promise names': {
    alice: {
      hold: (/** @type {Call} */ call) => {
        call('send', 'p+9', message('later', ['p+5']), null);
        call('resolve', [['p+5', false, data(['p+6'])]]);
        call('resolve', [['p+6', false, data(['o+1'])]]);
      },
      release: (/** @type {Call} */ call) => call('resolve', [['p+9', true, data()]]),
    },
  },
  'a promise that is fulfilled to it': {
    alice: {
      hold: (/** @type {Call} */ call) => {
        call('send', 'p+9', message('later', ['p+5']), null);
        call('resolve', [['p+5', false, presence('o+1')]]);
      },
      release: (/** @type {Call} */ call) => call('resolve', [['p+9', true, data()]]),
    },
  },
};

for (const [what, { alice, ...how }] of Object.entries(holders)) {
  test(`${what} holds an object`, async t => {
    const { run, heard, thing } = await makeThree({ alice });
    await tell(run, 'bob', 'forget');
    if ('isShort' in how) {
      run.state.queue.addControl('collect', '');
      run.kernel.release(run.send('alice', 'hold'));
      await run.run();
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

test('a result that is released between two vats that are told counts from then on, resumed or not', async t => {
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

test('of an ended vat imports are let go of, and what others recognise of its exports is retired', async t => {
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

test('a vat that ends before it is told is not told', async t => {
  const { run, heard } = await makeThree({ alice: { exit: call => call('exit', false, data()) } });
  await tell(run, 'bob', 'forget');
  run.state.queue.addControl('collect', '');
  run.kernel.release(run.send('alice', 'exit'));
  await run.run();
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

test('an export is retired twice in one call by no vat', async t => {
  const { run } = await makeThree({
    alice: { dead: call => call('retireExports', ['o+1', 'o+1']) },
  });
  await tell(run, 'bob', 'drop');
  await ask(run, 'carol');
  await ask(run, 'alice');
  t.regex(run.faults[0][1], /cannot retire "o\+1" twice in one call/);
  t.deepEqual(audit(run.state), []);
});

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

test('a vat is asked after as many deliveries as its options say, and those half way come along', async t => {
  /** @type {string[]} */
  const asked = [];
  const counting = (/** @type {string} */ name) => vatOf({ dead: () => void asked.push(name) });
  const run = makeTestKernel({
    vats: {
      boot: { react: counting('boot'), ...never },
      alice: { react: counting('alice'), options: { reapInterval: 4 } },
      bob: { react: counting('bob'), options: { reapInterval: 4 } },
      carol: { react: counting('carol'), options: { reapInterval: 4 } },
      dave: { react: counting('dave'), options: { reapInterval: 1, neverReap: true } },
    },
  });
  await run.run();
  for (const name of ['bob', 'bob', 'carol', 'dave', 'alice', 'alice', 'alice'])
    await tell(run, name, 'm');
  t.deepEqual(asked, []);
  await tell(run, 'alice', 'm');
  t.deepEqual(asked, ['alice', 'bob']);
  await tell(run, 'carol', 'm');
  t.is(asked.length, 2);
  isRight(t, run);
});

test('where nothing says how often, a vat is not asked before it has imported a hundred objects', async t => {
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

test('a vat is told of a thousand objects in a crank, and the run may be resumed between', async t => {
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

test('a collection asks about objects that may have lost a holder, and about no others', async t => {
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

test('vats that answer when they are told of objects make nothing be looked through again', async t => {
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
