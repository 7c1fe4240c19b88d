// An observer of cranks is called for each in the order in which they are applied, and changes nothing.

import test from 'ava';

import {
  data,
  makeOverlappingTransports,
  makeRandomProgram,
  makeTestKernel,
  message,
  runRandomProgram,
} from '#testkit';

/** @import { CrankObserver, Flight } from '#kernel' */

/** @param {Flight} flight */
const show = ({ plan, vatId, found, result, applied }) => ({
  vatId,
  delivery: plan === null ? found.step : [plan.kernelDelivery, plan.vatDelivery],
  asked: result?.syscalls,
  applied: [...applied],
});

/** @param {unknown[]} log @returns {CrankObserver} */
const watch = log => ({
  begins: (flight, number) => log.push(['begins', number, flight.vatId, flight.applied.length]),
  delivered: flight => log.push(['delivered', flight.vatId, flight.result?.syscalls.length]),
  applied: flight => log.push([flight.outcome, flight.fault, show(flight)]),
  commits: () => log.push(['commits']),
  committed: () => log.push(['committed']),
});

test('a crank begins, is delivered and is applied; one that reaches no vat is not delivered', async t => {
  /** @type {any[]} */
  const log = [];
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank > 1) return;
        call('send', 'o-50', message('a'), 'p+5');
        call('send', 'o-50', message('b'), null);
      },
      alice: (_delivery, call) => {
        call('exit', false, data());
      },
    },
    crankObserver: watch(log),
  });
  await run.run();
  t.deepEqual(
    log.map(([what, first, second]) => [what, first, typeof second === 'string' ? second : '']),
    [
      ['begins', 1, 'v1'],
      ['delivered', 'v1', ''],
      ['kept', null, ''],
      ['begins', 2, 'v2'],
      ['delivered', 'v2', ''],
      ['exit', null, ''],
      ['begins', 3, ''],
      ['kept', null, ''],
    ],
    'the second message reaches nobody',
  );
  t.like(log[2][2], {
    asked: [
      ['send', 'o-50', message('a'), 'p+5'],
      ['send', 'o-50', message('b'), null],
    ],
    applied: [
      ['send', 'ko20', message('a'), 'kp41'],
      ['send', 'ko20', message('b'), null],
    ],
  });
  t.is(log[7][2].delivery, 'reject');
});

test('a dropped crank is observed with its fault, and with nothing applied', async t => {
  for (const profile of /** @type {const} */ (['current', '2020-09'])) {
    /** @type {any[]} */
    const log = [];
    const run = makeTestKernel({
      profile,
      vats: {
        boot: (_delivery, call) => {
          call('send', 'o-50', message('a'), null);
          call('subscribe', 'o+0');
        },
        alice: () => {},
      },
      crankObserver: watch(log),
    });
    await run.run();
    const [, , [outcome, fault, shown]] = log;
    t.is(outcome, 'dropped');
    t.is(fault, run.faults[0][1]);
    t.is(shown.asked.length, 2);
    t.deepEqual(shown.applied, []);
    // 2020 takes the item again, and rejects it in a crank of its own.
    t.is(log.length, profile === 'current' ? 3 : 5);
  }
});

test('an observer sees the same whether cranks overlap or not, and changes nothing', async t => {
  for (let seed = 0; seed < 10; seed += 1) {
    const program = makeRandomProgram(`observer ${seed}`);
    const plain = await runRandomProgram(program);
    /** @type {unknown[]} */
    const seen = [];
    const watched = await runRandomProgram(program, { crankObserver: watch(seen) });
    /** @type {unknown[]} */
    const overlapped = [];
    await runRandomProgram(program, {
      lookahead: 16,
      wrapTransport: makeOverlappingTransports(seed).wrap,
      crankObserver: watch(overlapped),
    });
    t.true(seen.length > 0);
    t.deepEqual(overlapped, seen);
    t.deepEqual(watched.outcome, plain.outcome);
  }
});
