// A vat's own store: what it reads in a crank is what it wrote there, in this block, or in blocks before.

import test from 'ava';
import fc from 'fast-check';

import { compareTexts } from '#model';
import { data, makeTestKernel, message } from '#testkit';

/** @typedef {import('#model').Answer} Answer */

/**
 * A kernel with one vat that does in each crank what it is told.
 */
const makeOne = () => {
  /** @type {(call: import('#testkit').Call) => string | void} */
  let next = () => {};
  const run = makeTestKernel({ vats: { boot: (_delivery, call) => next(call) } });
  return {
    run,
    store: run.store,
    /** @param {typeof next} act  in a crank of its own */
    async crank(act) {
      if (run.kernel.isQuiet) run.send('boot', 'crank');
      next = act;
      await run.run(1);
    },
  };
};

/** @param {Answer | undefined} answer */
const valueOf = answer => (answer?.kind === 'value' ? answer.value : 'not a value');

test('a value is found in the next crank, in the next block, and in a kernel made anew', async t => {
  const { run, store, crank } = makeOne();
  await crank(call => {
    call('vatstoreSet', 'a', '1');
    call('vatstoreSet', 'b', '2');
  });
  await crank(call => {
    t.is(valueOf(call('vatstoreGet', 'a')), '1');
    call('vatstoreDelete', 'b');
    t.is(valueOf(call('vatstoreGet', 'absent')), undefined);
  });
  run.kernel.commit();
  t.is(store.get('vs.v1.a'), '1');
  t.is(store.get('vs.v1.b'), undefined);
  await crank(call => {
    t.is(valueOf(call('vatstoreGet', 'a')), '1');
  });
  await crank(call => {
    t.is(valueOf(call('vatstoreGet', 'b')), undefined);
    call('vatstoreSet', 'a', '3');
    call('vatstoreSet', 'é/\0', 'any text');
  });
  run.kernel.commit();
  /** @type {(string | undefined)[]} */
  const found = [];
  const resumed = makeTestKernel({
    vats: {
      boot: (_delivery, call, number) => {
        if (number <= 4) {
          // Replayed: the answers come from the transcript.
          if (number === 1) {
            call('vatstoreSet', 'a', '1');
            call('vatstoreSet', 'b', '2');
          } else if (number === 2) {
            t.is(valueOf(call('vatstoreGet', 'a')), '1');
            call('vatstoreDelete', 'b');
            call('vatstoreGet', 'absent');
          } else if (number === 3) call('vatstoreGet', 'a');
          else {
            call('vatstoreGet', 'b');
            call('vatstoreSet', 'a', '3');
            call('vatstoreSet', 'é/\0', 'any text');
          }
          return;
        }
        found.push(valueOf(call('vatstoreGet', 'a')), valueOf(call('vatstoreGet', 'é/\0')));
        found.push(valueOf(call('vatstoreGetNextKey', '')));
      },
    },
    store,
    resume: true,
  });
  resumed.send('boot', 'look');
  await resumed.run();
  t.deepEqual(found, ['3', 'any text', 'a']);
});

test("a dropped crank's writes are undone", async t => {
  const { run, crank } = makeOne();
  await crank(call => void call('vatstoreSet', 'a', '1'));
  run.kernel.commit();
  run.state.vatstore.set('v1', 'a', '2');
  run.state.vatstore.delete('v1', 'a');
  run.state.vatstore.set('v1', 'b', '2');
  run.state.drop();
  t.is(run.state.vatstore.get('v1', 'a'), '1');
  t.is(run.state.vatstore.get('v1', 'b'), undefined);
  t.is(run.state.vatstore.nextKey('v1', 'a'), undefined);
});

test('the stores of two vats are separate', async t => {
  const { run } = makeOne();
  const { vatstore } = run.state;
  vatstore.set('v1', 'a', 'of v1');
  vatstore.set('v10', 'a', 'of v10');
  vatstore.set('v2', '0.a', 'of v2');
  run.state.keepBetweenCranks();
  for (const committed of [false, true]) {
    if (committed) run.kernel.commit();
    t.is(vatstore.get('v1', 'a'), 'of v1');
    t.is(vatstore.nextKey('v1', ''), 'a');
    t.is(vatstore.nextKey('v1', 'a'), undefined);
    t.is(vatstore.nextKey('v10', ''), 'a');
    t.deepEqual([...vatstore.keys('v2')], ['0.a']);
    t.is(vatstore.get('v3', 'a'), undefined);
  }
});

test('reads are counted and answered in the transcript; the order is that of the calls', async t => {
  const { run, crank } = makeOne();
  await crank(call => {
    call('vatstoreSet', 'a', '1');
    call('vatstoreGet', 'a');
    call('vatstoreGetNextKey', '');
    call('vatstoreDelete', 'a');
  });
  const [entry] = [...run.kernel.transcript('v1')];
  t.like(entry, {
    // The kernel answers with what is kept; a supervisor adds what its crank has written.
    answers: [
      { kind: 'value', value: undefined },
      { kind: 'value', value: undefined },
    ],
    syscalls: [
      ['vatstoreSet', 'a', '1'],
      ['vatstoreGet', 'a'],
      ['vatstoreGetNextKey', ''],
      ['vatstoreDelete', 'a'],
    ],
  });
  for (const name of ['Get', 'Set', 'Delete', 'GetNextKey'])
    t.is(run.counter(`syscallVatstore${name}`), 1);
});

/** Few enough to meet again, and in an order of their own: U+FFFF comes before U+1F600 in UTF-8, not in UTF-16. */
const arbKey = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom('a', 'b', 'aa', '\uffff', '\u{1f600}', '\u{1f600}a', 'é', '\0'),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }).filter(key => key.isWellFormed()),
  },
);

test('get, set, delete and next key are those of a sorted map, wherever cranks and blocks end', t => {
  const arbStep = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant('set'), arbKey) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('delete'), arbKey) },
    { weight: 4, arbitrary: fc.tuple(fc.constant('next'), arbKey) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('keep', 'drop', 'commit'), fc.constant('')) },
  );
  fc.assert(
    fc.property(fc.array(arbStep, { maxLength: 60 }), steps => {
      const { run } = makeOne();
      const { state } = run;
      const { vatstore } = state;
      let kept = new Map();
      let model = new Map();
      const keep = () => {
        kept = new Map(model);
        state.keepBetweenCranks();
      };
      steps.forEach(([step, key], i) => {
        if (step === 'set') {
          vatstore.set('v1', key, `${i}`);
          model.set(key, `${i}`);
        } else if (step === 'delete') {
          vatstore.delete('v1', key);
          model.delete(key);
        } else if (step === 'next') {
          const after = [...model.keys()].filter(other => compareTexts(other, key) > 0);
          t.is(vatstore.nextKey('v1', key), after.sort(compareTexts)[0]);
          t.is(vatstore.get('v1', key), model.get(key));
        } else if (step === 'drop') {
          state.drop();
          model = new Map(kept);
        } else {
          keep();
          if (step === 'commit') run.kernel.commit();
        }
      });
      keep();
      t.deepEqual(
        [...vatstore.keys('v1')],
        [...model.keys()].filter(key => key !== '').sort(compareTexts),
      );
    }),
    { numRuns: 300 },
  );
});

test('a vat that ends takes its keys with it, committed or not', async t => {
  const { run, store, crank } = makeOne();
  await crank(call => void call('vatstoreSet', 'old', '1'));
  run.kernel.commit();
  t.is(store.get('vs.v1.old'), '1');
  await crank(call => {
    call('vatstoreSet', 'new', '2');
    call('send', 'o+0', message('x'), null);
    call('exit', false, data());
  });
  run.kernel.commit();
  t.deepEqual([...store.entries('vs.')], []);
});
