// Some items of the next microstep may begin before those of the present one are applied, others must not.
// SWINGSET_RUNNER_NEXT_TAG_SEEDS says how many random programs, and SWINGSET_RUNNER_NEXT_TAG_FIRST which is the first.

import test from 'ava';
import { storeDigest } from '#store';
import {
  data,
  makeRandom,
  makeRandomProgram,
  makeTestKernel,
  message,
  runRandomProgram,
} from '#testkit';
import { alice, atFirst, bob, idle, logging } from './overlap-programs.js';

/** @import { Transport } from '#kernel' */

/** @typedef {import('#testkit').React} React */
/** @typedef {Parameters<typeof makeTestKernel>[0]} Options */

const seeds = Number(process.env.SWINGSET_RUNNER_NEXT_TAG_SEEDS ?? 60);
const first = Number(process.env.SWINGSET_RUNNER_NEXT_TAG_FIRST ?? 0);

const [carol, dave] = ['o-52', 'o-53'];

/** @param {Options} options */
const makeLogged = options => {
  /** @type {string[]} */
  const log = [];
  const run = makeTestKernel({
    lookahead: 16,
    ...options,
    wrapTransport: (transport, vatId) => ({
      ...logging(log)(transport, vatId),
      rewind: () => log.push(`${vatId} is taken back`),
    }),
  });
  return { run, log };
};

/**
 * The order in which vats begin and finish in some cranks behind the first ones.
 *
 * @param {Options} options
 * @param {number} [cranks]
 * @param {number} [first]
 */
const orderOf = async (options, cranks = Infinity, first = 1) => {
  const { run, log } = makeLogged(options);
  await run.run(first);
  log.length = 0;
  await run.run(cranks);
  return log;
};

/** Sends a message to each object that it is given. @type {React} */
const forwarding = (delivery, call) => {
  if (delivery[0] !== 'message') return;
  for (const vref of delivery[2].slots) call('send', vref, message('on'), null);
};

/** Alice tells carol at the next microstep, while bob's crank is still to be applied. */
const boot = atFirst(call => {
  call('send', alice, message('a', [carol]), null);
  call('send', bob, message('b'), null);
});

const plain = { boot, alice: forwarding, bob: idle, carol: idle };

const inOrder = [
  'v2 begins',
  'v3 begins',
  'v2 finishes',
  'v3 finishes',
  'v4 begins',
  'v4 finishes',
];

test('an item of the next microstep begins as soon as nothing in front can reach its vat', async t => {
  t.deepEqual(await orderOf({ vats: plain }), [
    ...['v2 begins', 'v3 begins', 'v2 finishes', 'v4 begins', 'v3 finishes', 'v4 finishes'],
  ]);
});

test('it does not begin where the transport does not want it', async t => {
  /** @type {string[]} */
  const log = [];
  const wrapTransport = (/** @type {Transport} */ transport, /** @type {string} */ vatId) => ({
    ...logging(log)(transport, vatId),
    rewind: () => {},
    beginsNext: false,
  });
  const run = makeTestKernel({ vats: plain, lookahead: 16, wrapTransport });
  await run.run(1);
  log.length = 0;
  await run.run();
  t.deepEqual(log, inOrder);
});

test('it waits for the last item of its vat at the present microstep, and begins then', async t => {
  const log = await orderOf({
    vats: {
      boot: atFirst(call => {
        call('send', alice, message('a', [bob]), null);
        call('send', bob, message('b'), null);
        call('send', carol, message('c'), null);
      }),
      alice: forwarding,
      bob: idle,
      carol: idle,
    },
  });
  t.deepEqual(log, [
    ...['v2 begins', 'v3 begins', 'v4 begins', 'v2 finishes', 'v3 finishes'],
    ...['v3 begins', 'v4 finishes', 'v3 finishes'],
  ]);
});

test('of one vat only the first item of the next microstep begins', async t => {
  const log = await orderOf({
    vats: {
      ...plain,
      boot: atFirst(call => {
        call('send', alice, message('a', [carol, carol]), null);
        call('send', bob, message('b'), null);
      }),
    },
  });
  t.deepEqual(log, [
    ...['v2 begins', 'v3 begins', 'v2 finishes', 'v4 begins', 'v3 finishes', 'v4 finishes'],
    ...['v4 begins', 'v4 finishes'],
  ]);
});

test('it does not begin if the caller runs no crank so far', async t => {
  t.deepEqual(await orderOf({ vats: plain }, 2), inOrder.slice(0, 4));
  const { run, log } = makeLogged({ vats: plain });
  await run.run(1);
  log.length = 0;
  const { timeNs, microstep } = run.kernel.now;
  for (let waiting; waiting !== null; await waiting)
    ({ waiting } = run.kernel.pump(10, timeNs, microstep + 1));
  t.deepEqual(log, inOrder.slice(0, 4));
});

test('it does not begin where a vat in front may become due for object collection', async t => {
  const options = { reapInterval: 1 };
  const log = await orderOf({ vats: { ...plain, bob: { react: idle, options } } });
  t.deepEqual(log.slice(0, 4), inOrder.slice(0, 4));
});

test('it does not begin if it brings a device', async t => {
  const device = () => ({ kind: /** @type {const} */ ('return'), data: data() });
  /** @type {React} */
  const giving = (delivery, call) => {
    if (delivery[0] !== 'message') return;
    const [to, given] = delivery[2].slots;
    call('send', to, message('a device', [given]), null);
  };
  const log = await orderOf({
    devices: { device },
    vats: {
      ...plain,
      boot: atFirst(call => {
        call('send', alice, message('a', [carol, 'd-70']), null);
        call('send', bob, message('b'), null);
      }),
      alice: giving,
    },
  });
  t.deepEqual(log, inOrder);
});

test('a notify begins early if it reaches settled promises only', async t => {
  for (const slots of [[], ['p+9']]) {
    /** @type {string | null} */
    let result = null;
    const log = await orderOf(
      {
        vats: {
          boot: (_delivery, call, crank) => {
            if (crank === 1) {
              call('send', alice, message('decide'), 'p+5');
              call('send', dave, message('subscribe', ['p+5']), null);
              call('send', 'o+0', message('again'), null);
            } else if (crank === 2) {
              call('send', alice, message('settle'), null);
              call('send', bob, message('b'), null);
            }
          },
          alice: (delivery, call) => {
            if (delivery[0] !== 'message') return;
            if (result !== null) call('resolve', [[result, false, data(slots)]]);
            result = delivery[3];
          },
          bob: idle,
          carol: idle,
          dave: (delivery, call) => {
            if (delivery[0] === 'message') call('subscribe', delivery[2].slots[0]);
          },
        },
      },
      Infinity,
      4,
    );
    const early = ['v2 finishes', 'v5 begins', 'v3 finishes', 'v5 finishes'];
    const later = ['v2 finishes', 'v3 finishes', 'v5 begins', 'v5 finishes'];
    t.deepEqual(log, ['v2 begins', 'v3 begins', ...(slots.length === 0 ? early : later)]);
  }
});

test('a vat that is asked for its dead references in front of its item is taken back', async t => {
  const names = Array.from({ length: 120 }, (_, i) => `o+${i + 1}`);
  const vats = {
    boot: /** @type {React} */ (
      (_delivery, call, crank) => {
        if (crank === 1) {
          call('send', 'o+0', message('next'), null);
          call('send', carol, message('one crank'), null);
          for (let i = 0; i < 10_000; i += 1) call('send', bob, message('b'), null);
        } else if (crank === 2) {
          call('send', alice, message('a', [carol]), null);
          // Bob is due for so many imports, and then carol is asked, too.
          call('send', bob, message('many', names), null);
        }
      }
    ),
    alice: forwarding,
    bob: idle,
    carol: { react: idle, options: { reapInterval: 2 } },
  };
  const whole = makeTestKernel({ vats });
  await whole.run();
  const { run, log } = makeLogged({ vats });
  await run.run();
  t.is(log.filter(line => line === 'v4 is taken back').length, 1);
  t.is(run.kernel.lookAheadCounts.takenBack, 1);
  t.is(run.kernel.activityHash(), whole.kernel.activityHash());
});

/**
 * A random program whose vats are seldom asked for their dead references.
 *
 * @param {string} seed
 * @returns {import('#testkit').RandomProgram}
 */
const makeProgram = seed => {
  const program = makeRandomProgram(seed);
  const random = makeRandom(`${seed}/intervals`);
  const intervals = Array.from({ length: 8 }, () => random.pick([100, 'never', 'never']));
  return {
    ...program,
    makeVats: (note, onMade) =>
      Object.fromEntries(
        Object.entries(program.makeVats(note, onMade)).map(([name, vat], i) => [
          name,
          { ...vat, options: { ...vat.options, reapInterval: intervals[i] } },
        ]),
      ),
  };
};

/**
 * A transport that hands its vat the delivery in its turn, as it was when it began.
 *
 * @param {Transport} transport
 * @returns {Transport}
 */
const handLater = transport => {
  /** @type {Parameters<Transport['begin']> | undefined} */
  let begun;
  return {
    waitsForTurn: true,
    mayOvertake: () => true,
    begin(...delivery) {
      if (begun !== undefined) throw Error('a vat takes one delivery at a time');
      begun = delivery;
    },
    finish() {
      if (begun === undefined) throw Error('finish() before begin()');
      transport.begin(...begun);
      begun = undefined;
      return transport.finish();
    },
    rewind() {
      begun = undefined;
    },
    close() {
      begun = undefined;
      transport.close();
    },
  };
};

// This test or one above fails if a part of the condition (`crank/next-tag.js`) is left out: tried with each. Without the guess on
// object collection vats are only taken back.
test('random programs are the same with items of the next microstep begun', async t => {
  let begun = 0;
  for (let seed = first; seed < first + seeds; seed += 1) {
    const program = makeProgram(`next ${seed}`);
    const whole = await runRandomProgram(program);
    const random = makeRandom(`${seed}/blocks`);
    /** @type {import('#kernel').Kernel | undefined} */
    let kernel;
    const other = await runRandomProgram(program, {
      ...{ lookahead: 16, wrapTransport: handLater, blockSize: () => 1 + random.below(60) },
      onBlock: running => {
        kernel = running;
      },
    });
    t.deepEqual(other.outcome, whole.outcome, `program ${seed}`);
    t.is(storeDigest(other.store), storeDigest(whole.store), `program ${seed}`);
    begun += kernel?.lookAheadCounts.begunLater ?? 0;
  }
  t.true(begun > seeds * 3, `${begun} began`);
});
