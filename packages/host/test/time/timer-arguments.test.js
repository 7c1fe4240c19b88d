// The timer service's arguments: what it refuses, and in whose words.

import '#testkit/lockdown.js';
import test from 'ava';
import { last, makeHandler, makeHarness } from './timer-harness.js';

test("a wrong argument is refused in the words of SwingSet's timer", async t => {
  const { service, advanceTo } = makeHarness();
  const { handler } = makeHandler();
  const other = makeHarness().service;
  await advanceTo(5);
  const timerBrand = service.getTimerBrand();
  /** @param {any} when @param {string} error */
  const isRefused = (when, error) => {
    t.is(String(t.throws(() => service.setWakeup(harden(when), handler))), error);
  };
  isRefused(NaN, 'RangeError: NaN is not a safe integer');
  isRefused(1.5, 'RangeError: 1.5 is not a safe integer');
  isRefused(2 ** 53, 'RangeError: 9007199254740992 is not a safe integer');
  isRefused(-1, 'RangeError: -1 is negative');
  isRefused(-1n, 'Error: timestamp: absValue: (a bigint) - Must be non-negative');
  const pattern = '- Must be a copyRecord to match a copyRecord pattern: (a string)';
  isRefused('5', `Error: timestamp: (a string) ${pattern}`);
  isRefused([], `Error: timestamp: (an object) ${pattern}`);
  isRefused(
    {},
    'Error: timestamp: (an object) - Must have missing properties ["timerBrand","absValue"]',
  );
  isRefused(
    { timerBrand, relValue: 1n },
    'Error: timestamp: (an object) - Must have missing properties ["absValue"]',
  );
  isRefused(
    { timerBrand, absValue: 1n, more: 1 },
    'Error: timestamp: (an object) - Must not have unexpected properties: ["more"]',
  );
  isRefused(
    { timerBrand, absValue: 1 },
    'Error: timestamp: absValue: number (a number) - Must be a bigint',
  );
  isRefused(
    { timerBrand: 'x', absValue: 1n },
    'Error: timestamp: timerBrand: (a string) - Must be a remotable TimerBrand, not string',
  );
  isRefused(
    other.getCurrentTimestamp(),
    'Error: TimerBrands must match: "[Alleged: timerBrand]" vs "[Alleged: timerBrand]"',
  );
  // SwingSet's own words say less of these.
  for (const [when, got] of [
    [2n ** 60n, '1152921504606846976n'],
    [undefined, 'undefined'],
    [null, 'null'],
  ])
    isRefused(
      when,
      `RangeError: setWakeup: the time must be a time of this timer, a whole number from 0 to 2^53-1 or { absValue, timerBrand }, got ${got}`,
    );
  t.throws(() => service.setWakeup(last + 1, handler), {
    instanceOf: RangeError,
    message: /^setWakeup: 1000001 is behind the end of time, which is 1000000 on this timer/,
  });
  t.throws(() => service.delay(last), { message: /^delay: 1000005 is behind the end/ });
  t.throws(() => service.delay(-1n), {
    message: 'relative: relValue: (a bigint) - Must be non-negative',
  });
  t.throws(() => service.delay(harden({ timerBrand, relValue: -1n })), {
    message: 'relativeTime: relValue: (a bigint) - Must be non-negative',
  });
  for (const make of ['makeRepeater', 'makeNotifier'])
    t.throws(() => service[make](0, 0), { message: 'interval must be nonzero' });
  t.throws(() => service.repeatAfter(0, 0, handler), { message: 'interval must be positive' });
});

test("a wrong handler or token is refused in the words of SwingSet's timer", async t => {
  const { service } = makeHarness();
  const { handler } = makeHandler();
  const repeater = service.makeRepeater(1n, 1n);
  for (const bad of [undefined, null, 5, {}, Promise.resolve()]) {
    harden(bad);
    t.throws(() => service.setWakeup(9n, bad), {
      instanceOf: RangeError,
      message: 'bad setWakeup() handler',
    });
    t.throws(() => repeater.schedule(bad), { message: 'bad repeater.schedule() handler' });
    if (!bad) continue;
    const message = 'bad cancel token';
    t.throws(() => service.setWakeup(9n, handler, bad), { instanceOf: RangeError, message });
    t.throws(() => service.makeNotifier(9n, 9n, bad), { instanceOf: RangeError, message });
  }
  for (const [bad, style, shown] of [
    [{}, 'copyRecord', 'an object'],
    [[], 'copyArray', 'an object'],
    [Error('e'), 'error', 'an Error'],
  ]) {
    const message = `invalid key type for collection "cancels": A "${style}" cannot be a scalar key: (${shown})`;
    t.throws(() => service.wakeAt(9n, harden(bad)), { message });
    t.throws(() => service.delay(9n, harden(bad)), { message });
    t.throws(() => service.repeatAfter(9n, 1n, handler, harden(bad)), { message });
    // A time that has come needs no token.
    t.deepEqual(await service.wakeAt(0n, harden(bad)), service.getCurrentTimestamp());
  }
  t.throws(() => service.wakeAt(9n, harden(Promise.resolve())), {
    message: 'value for (a string) is not durable: slot 0 of (an object)',
  });
});

test('a string or a number can be the token of a promise or a repeater', async t => {
  const { service, advanceTo } = makeHarness();
  const { handler, woken } = makeHandler();
  for (const token of ['x', 5, 7n, true]) {
    const waiting = service.wakeAt(9n, token);
    service.repeatAfter(5n, 5n, handler, token);
    service.cancel(token);
    await t.throwsAsync(waiting, { message: 'TimerCancelled' });
  }
  const kept = service.delay(4n, 'y');
  service.cancel('x');
  await advanceTo(20);
  t.is((await kept).absValue, 4n);
  t.deepEqual(woken, []);
});

test('a series whose handler is no object ends at its first wake-up', async t => {
  const harness = makeHarness();
  t.is(harness.service.repeatAfter(5n, 5n), undefined);
  t.is(harness.service.repeatAfter(5n, 5n, 7), undefined);
  await harness.advanceTo(30);
  t.is(harness.alarm, undefined);
});
