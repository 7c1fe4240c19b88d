// A state that an error in the middle of a crank leaves is never committed, and no vat can cause one.

import test from 'ava';
import { createHash } from 'node:crypto';

import { audit, makeKernel } from '#kernel';
import { makeTestKernel, message, presence } from '#testkit';
import { makeMemoryStore } from '#store';

/** @typedef {import('#kernel').Transport} Transport */
/** @typedef {import('#model').Syscall} Syscall */
/** @typedef {import('#testkit').React} React */

/** Sends what is asked for after its promises have been settled. @type {React} */
const subscribesLate = (delivery, call, crank) => {
  if (delivery[0] !== 'message' || delivery[3] === null) return;
  call('resolve', [[delivery[3], false, { body: '#7', slots: [] }]]);
  if (crank > 1) call('subscribe', delivery[3]);
};

for (const lookahead of [0, 1]) {
  test(`a vat that subscribes to the result that it has just settled is ended alone, with lookahead ${lookahead}`, async t => {
    const run = makeTestKernel({
      vats: { boot: () => {}, raw: subscribesLate, other: subscribesLate },
      lookahead,
    });
    for (let i = 0; i < 3; i += 1) {
      if (run.state.vats.isRunning('v2')) run.send('raw', 'go');
      await run.run();
    }
    const result = run.kernel.queueToVatRoot('v3', message('go'));
    await run.run();
    t.deepEqual(run.faults, [['v2', '"p-61" is not in the vat\'s c-list']]);
    t.is(run.kernel.promiseStatus(result).state, 'data');
    t.deepEqual([...audit(run.state)], []);
    await run.kernel.commit();
  });
}

const vat = { source: '', parameters: '#{}', isBuiltIn: true, pipelining: false, options: {} };

test('after an error while a crank is written, nothing runs and nothing is committed', t => {
  let isFailing = false;
  const kernel = makeKernel('current', {
    store: makeMemoryStore(),
    onVatFault: () => {},
    sha256: bytes => {
      if (isFailing) throw Error('the hash fails');
      return createHash('sha256').update(bytes).digest();
    },
  });
  kernel.initialise({ vats: [{ ...vat, name: 'boot' }], devices: [], bootstrap: 'boot' });
  kernel.attachVat('v1', {
    begin: () => {},
    finish: () => ({ fault: null, answers: [], syscalls: [] }),
    close: () => {},
  });
  kernel.pump(10);
  kernel.commit();
  isFailing = true;
  // More than a chunk of the hash, so that one is digested.
  kernel.queueToVatRoot('v1', { body: `#["${'x'.repeat(100_000)}",[]]`, slots: [] });
  t.throws(() => kernel.pump(10), { message: 'the hash fails' });
  isFailing = false;
  const stopped = { message: /^the run was stopped by an error in a crank; take up its state/ };
  t.throws(() => kernel.commit(), stopped);
  t.throws(() => kernel.pump(10), stopped);
  t.throws(() => kernel.queueToVatRoot('v1', message('go')), stopped);
});

test('the kernel is not called from within a crank', t => {
  const kernel = makeKernel('current', {
    store: makeMemoryStore(),
    onVatFault: () => {},
    sha256: bytes => createHash('sha256').update(bytes).digest(),
  });
  kernel.initialise({ vats: [{ ...vat, name: 'boot' }], devices: [], bootstrap: 'boot' });
  /** @type {(string | undefined)[]} */
  const refused = [];
  const tryAll = () => {
    for (const act of [
      () => kernel.commit(),
      () => kernel.pump(1),
      () => kernel.queueToVatRoot('v1', message('go')),
      () => kernel.stopPrograms(),
    ])
      refused.push(t.throws(act)?.message.slice(0, 24));
    t.true(kernel.isBusy);
  };
  kernel.attachVat('v1', {
    begin: tryAll,
    finish: () => ({ fault: null, answers: [], syscalls: [] }),
    close: () => {},
  });
  t.is(kernel.pump(10).cranks, 1);
  t.deepEqual(refused, new Array(4).fill('the kernel is in a crank'));
  kernel.commit();
});

/**
 * Sizes that the kernel's own records could not hold.
 *
 * @type {Record<string, { syscalls: (result: string) => Syscall[], says: RegExp }>}
 */
const oversized = {
  'a reference of two million digits': {
    syscalls: () => [['send', 'o+0', message('m', [`o+${'9'.repeat(2e6)}`]), null]],
    says: /^"o\+9{98}…" is not a vref/,
  },
  'a body of more than 2^26 characters': {
    syscalls: () => [['send', 'o+0', { body: ' '.repeat(2 ** 26 + 1), slots: [] }, null]],
    says: /^a body has 67108865 characters; at most 67108864 are allowed$/,
  },
  'a result of more than 2^26 characters': {
    syscalls: result => [
      ['resolve', [[result, false, { body: ' '.repeat(2 ** 26 + 1), slots: [] }]]],
    ],
    says: /^a body has 67108865 characters/,
  },
  'a value of more than 2^26 characters': {
    syscalls: () => [['vatstoreSet', 'a', ' '.repeat(2 ** 26 + 1)]],
    says: /^a value of the vat's store has 67108865 characters/,
  },
};

for (const [what, { syscalls, says }] of Object.entries(oversized)) {
  test(`a vat that says ${what} is ended alone`, async t => {
    const run = makeTestKernel({
      vats: {
        boot: (delivery, call) => {
          if (delivery[0] === 'message' && delivery[2].slots.length > 1)
            call('send', delivery[2].slots[1], message('go'), 'p+5');
        },
        raw: (delivery, call) => {
          if (delivery[0] !== 'message' || delivery[3] === null) return;
          for (const syscall of syscalls(delivery[3])) call(...syscall);
        },
      },
    });
    await run.run();
    t.is(run.faults.length, 1);
    t.regex(run.faults[0][1], says);
    t.deepEqual([...audit(run.state)], []);
    await run.kernel.commit();
  });
}

test('data refuses a method with a name of ten million characters like any other', async t => {
  const name = 'x'.repeat(10_000_000);
  const run = makeTestKernel({
    vats: {
      boot: (delivery, call) => {
        if (delivery[0] !== 'message') return;
        call('send', 'p+5', { body: `#["${name}",[]]`, slots: [] }, 'p+6');
        call('resolve', [['p+5', false, { body: '#7', slots: [] }]]);
      },
    },
  });
  // The vat names the promise first, so that it is its own to settle.
  await run.run();
  t.deepEqual(run.faults, []);
  const errors = [...run.state.promises.table.entries()].map(([, { data }]) => data?.body ?? '');
  t.true(errors.some(body => body.includes(`has no method ${name}`)));
});

test("the reason of a vat's end has a bounded length", async t => {
  const run = makeTestKernel({ vats: { boot: () => '"'.repeat(300_000_000) } });
  await run.run();
  t.is(run.faults[0][1].length, 10_001);
});

test("an export that fulfils a promise survives its vat's later syscalls", async t => {
  const run = makeTestKernel({
    vats: {
      boot: (delivery, call) => {
        if (delivery[0] !== 'message' || delivery[3] === null) return;
        call('resolve', [[delivery[3], false, presence('o+1')]]);
        call('send', 'o+1', message('m', ['o+1']), null);
      },
    },
  });
  await run.run();
  t.deepEqual(run.faults, []);
  t.deepEqual([...audit(run.state)], []);
});
