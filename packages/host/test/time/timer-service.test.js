// The timer vat's own logic, with a clock that the test turns. What it does in a run is in timer.test.js.

import '#testkit/lockdown.js';
import test from 'ava';
import { last, makeHandler, makeHarness } from './timer-harness.js';

const { E, Far } = await import('#vat');
const { TimeMath } = await import('../../../vat/shims/time-math.js');

const makeToken = () => Far('token', {});

test('times are records with the timer’s brand, and TimeMath takes them', async t => {
  const { service, advanceTo } = makeHarness();
  await advanceTo(7);
  const now = service.getCurrentTimestamp();
  const timerBrand = service.getTimerBrand();
  t.deepEqual(now, { absValue: 7n, timerBrand });
  t.is(TimeMath.coerceTimestampRecord(now, timerBrand), now);
  t.deepEqual(TimeMath.addAbsRel(now, 3n), { timerBrand, absValue: 10n });
  t.deepEqual(service.getClock().getCurrentTimestamp(), now);
  t.is(service.getClock().getTimerBrand(), timerBrand);
  t.true(timerBrand.isMyTimerService(service));
  t.true(timerBrand.isMyClock(service.getClock()));
  t.false(timerBrand.isMyClock(service));
});

test('a time may be a record, a bigint or a number', async t => {
  const { service, advanceTo } = makeHarness();
  const { handler, woken } = makeHandler();
  const timerBrand = service.getTimerBrand();
  t.deepEqual(service.setWakeup(5n, handler), { absValue: 5n, timerBrand });
  t.deepEqual(service.setWakeup(6, handler), { absValue: 6n, timerBrand });
  t.deepEqual(service.setWakeup(harden({ absValue: 7n, timerBrand }), handler), {
    absValue: 7n,
    timerBrand,
  });
  const waited = service.delay(harden({ relValue: 8n, timerBrand }));
  await advanceTo(20);
  t.deepEqual(woken, [5, 6, 7]);
  t.deepEqual(await waited, { absValue: 8n, timerBrand });
});

test('handlers are woken once, in the order of times and then of calls', async t => {
  const { service, advanceTo } = makeHarness();
  /** @type {string[]} */
  const order = [];
  const named = (/** @type {string} */ name) =>
    Far(name, { wake: (/** @type {any} */ { absValue }) => order.push(`${name}${absValue}`) });
  service.setWakeup(9n, named('a'));
  service.setWakeup(3n, named('b'));
  service.setWakeup(9n, named('c'));
  service.setWakeup(3n, named('d'));
  await advanceTo(100);
  t.deepEqual(order, ['b3', 'd3', 'a9', 'c9']);
});

test('a handler woken late gets the present time', async t => {
  const { service, jumpTo } = makeHarness();
  const { handler, woken } = makeHandler();
  service.setWakeup(5n, handler);
  const at = service.wakeAt(6n);
  await jumpTo(50);
  t.deepEqual(woken, [50]);
  t.is((await at).absValue, 50n);
});

test('a past time wakes at once, with the present time', async t => {
  const { service, advanceTo, drain } = makeHarness();
  const { handler, woken } = makeHandler();
  await advanceTo(10);
  t.is(service.setWakeup(3n, handler).absValue, 3n);
  service.setWakeup(10n, handler);
  await drain();
  t.deepEqual(woken, [10, 10]);
  t.is((await service.wakeAt(2n)).absValue, 10n);
  t.is((await service.delay(0n)).absValue, 10n);
});

test('the device is asked for one wake-up, that of the earliest', async t => {
  const harness = makeHarness();
  const { service } = harness;
  const { handler } = makeHandler();
  service.setWakeup(10n, handler);
  service.setWakeup(20n, handler);
  t.deepEqual([harness.alarm, harness.changes], [10, 1]);
  const token = makeToken();
  service.setWakeup(5n, handler, token);
  t.deepEqual([harness.alarm, harness.changes], [5, 2]);
  service.cancel(token);
  t.deepEqual([harness.alarm, harness.changes], [10, 3]);
  service.removeWakeup(handler);
  t.is(harness.alarm, undefined);
});

test('the error of a handler stops only its own repeater', async t => {
  const { service, advanceTo } = makeHarness();
  const failing = makeHandler(() => {
    throw Error('no');
  });
  const well = makeHandler();
  service.setWakeup(5n, failing.handler);
  service.setWakeup(5n, Far('no wake', {}));
  service.setWakeup(5n, well.handler);
  service.repeatAfter(10n, 10n, failing.handler);
  service.repeatAfter(10n, 10n, well.handler);
  await advanceTo(45);
  t.deepEqual(failing.woken, [5, 10]);
  t.deepEqual(well.woken, [5, 10, 20, 30, 40]);
});

test('a repeater keeps in step with its start, however late it is woken', async t => {
  const { service, jumpTo } = makeHarness();
  const { handler, woken } = makeHandler();
  service.repeatAfter(3n, 10n, handler);
  await jumpTo(3);
  await jumpTo(14);
  await jumpTo(22);
  await jumpTo(23);
  await jumpTo(71);
  await jumpTo(73);
  t.deepEqual(woken, [3, 14, 23, 71, 73]);
});

test('a repeater waits for its handler, and skips the times that pass meanwhile', async t => {
  const { service, advanceTo, drain } = makeHarness();
  /** @type {(() => void)[]} */
  const answers = [];
  const { handler, woken } = makeHandler(
    () => new Promise(resolve => answers.push(() => resolve(0))),
  );
  service.repeatAfter(10n, 10n, handler);
  await advanceTo(35);
  t.deepEqual(woken, [10]);
  answers[0]();
  await drain();
  await advanceTo(45);
  t.deepEqual(woken, [10, 40]);
});

test('a repeater without a delay wakes at once', async t => {
  const { service, advanceTo } = makeHarness();
  const { handler, woken } = makeHandler();
  await advanceTo(5);
  t.is(service.repeatAfter(0n, 10n, handler), undefined);
  await advanceTo(26);
  t.deepEqual(woken, [5, 15, 25]);
});

test('cancelling ends everything with the token, in any state', async t => {
  const { service, advanceTo, drain } = makeHarness();
  const token = makeToken();
  const one = makeHandler();
  const many = makeHandler();
  const slow = makeHandler(() => new Promise(() => {}));
  service.setWakeup(50n, one.handler, token);
  service.repeatAfter(10n, 10n, many.handler, token);
  service.repeatAfter(10n, 10n, slow.handler, token);
  const waits = [service.wakeAt(50n, token), service.delay(50n, token)];
  const other = service.delay(50n);
  await advanceTo(25);
  service.cancel(token);
  for (const waiting of waits) await t.throwsAsync(waiting, { message: 'TimerCancelled' });
  service.cancel(token);
  await drain();
  await advanceTo(100);
  t.deepEqual(one.woken, []);
  t.deepEqual(many.woken, [10, 20]);
  t.deepEqual(slow.woken, [10]);
  t.is((await other).absValue, 50n);
});

test('an unused cancel token is not an error', t => {
  const { service } = makeHarness();
  t.is(service.cancel(makeToken()), undefined);
  t.is(service.cancel(undefined), undefined);
  t.is(service.cancel(3), undefined);
});

test('a token can be used again once what it cancels is over', async t => {
  const { service, advanceTo } = makeHarness();
  const token = makeToken();
  const { handler, woken } = makeHandler();
  service.setWakeup(5n, handler, token);
  service.cancel(token);
  service.setWakeup(6n, handler, token);
  await advanceTo(7);
  service.cancel(token);
  t.deepEqual(woken, [6]);
});

test('removing a handler cancels its wake-ups, and returns their times', async t => {
  const { service, advanceTo } = makeHarness();
  const { handler, woken } = makeHandler();
  const timerBrand = service.getTimerBrand();
  service.setWakeup(30n, handler);
  service.setWakeup(10n, handler);
  service.repeatAfter(20n, 5n, handler);
  t.deepEqual(
    service.removeWakeup(handler),
    [10n, 20n, 30n].map(absValue => ({ absValue, timerBrand })),
  );
  t.deepEqual(service.removeWakeup(handler), []);
  t.deepEqual(service.removeWakeup(makeHandler().handler), []);
  await advanceTo(100);
  t.deepEqual(woken, []);
});

test('a repeater object is scheduled once at a time, and can be disabled and scheduled again', async t => {
  const { service, advanceTo } = makeHarness();
  const { handler, woken } = makeHandler();
  const repeater = service.makeRepeater(5n, 10n);
  t.is(repeater.schedule(handler), undefined);
  t.throws(() => repeater.schedule(handler), { message: 'repeater already scheduled' });
  await advanceTo(17);
  repeater.disable();
  repeater.disable();
  await advanceTo(40);
  t.deepEqual(woken, [5, 15]);
  repeater.schedule(handler);
  await advanceTo(50);
  service.removeWakeup(handler);
  repeater.schedule(handler);
  await advanceTo(60);
  t.deepEqual(woken, [5, 15, 45, 55]);
});

test('a repeater object whose handler has failed is scheduled until it is disabled', async t => {
  const { service, advanceTo } = makeHarness();
  const { handler, woken } = makeHandler();
  const failing = Far('failing', { wake: () => Promise.reject(Error('no')) });
  const repeater = service.makeRepeater(5n, 10n);
  repeater.schedule(failing);
  await advanceTo(20);
  t.throws(() => repeater.schedule(handler), { message: 'repeater already scheduled' });
  repeater.disable();
  repeater.schedule(handler);
  await advanceTo(30);
  t.deepEqual(woken, [25]);
});

test('today, all objects of the service have the methods of objects of kinds', async t => {
  /** @param {any} service */
  const makeAll = service => ({
    timerService: service,
    timerClock: service.getClock(),
    timerBrand: service.getTimerBrand(),
    'timerRepeater repeater': service.makeRepeater(5n, 10n),
    'timerNotifier notifier': service.makeNotifier(5n, 10n),
    timerIterator: service.makeNotifier(5n, 10n)[Symbol.asyncIterator](),
  });
  for (const [tag, object] of Object.entries(makeAll(makeHarness().service))) {
    t.is(object.__getInterfaceGuard__(), undefined, tag);
    t.is(object[Symbol.toStringTag], `Alleged: ${tag}`);
  }
  for (const object of Object.values(makeAll(makeHarness(true).service)))
    t.false('__getInterfaceGuard__' in object);
});

test('a notifier gives the latest time, and the next one to who has the latest', async t => {
  const { service, advanceTo, drain } = makeHarness();
  const notifier = service.makeNotifier(5n, 10n);
  const first = notifier.getUpdateSince();
  const mistaken = notifier.getUpdateSince(77n);
  await advanceTo(12);
  t.deepEqual(await first, {
    value: { absValue: 5n, timerBrand: service.getTimerBrand() },
    updateCount: 1n,
  });
  t.is((await mistaken).updateCount, 1n);
  t.is((await notifier.getUpdateSince()).value.absValue, 5n);
  const second = notifier.getUpdateSince(1n);
  await drain();
  await advanceTo(30);
  t.is((await second).value.absValue, 15n);
  t.is((await notifier.getUpdateSince(2n)).updateCount, 3n);
});

test('a count of another type than the counts given out is an old one', async t => {
  const { service, advanceTo } = makeHarness();
  const notifier = service.makeNotifier(5n, 10n);
  await advanceTo(7);
  t.is((await notifier.getUpdateSince(1)).updateCount, 1n);
  t.is((await notifier.getUpdateSince('1')).updateCount, 1n);
});

test('of what one wake-up settles, a promise for a time comes before an update of a notifier', async t => {
  const { service, jumpTo } = makeHarness();
  /** @type {string[]} */
  const order = [];
  // A vat's results are promises that are resolved to what its methods return.
  const note = (/** @type {string} */ name, /** @type {Promise<unknown>} */ promise) =>
    void new Promise(resolve => resolve(promise)).then(() => order.push(name));
  const notifier = service.makeNotifier(5n, 10n);
  note('update', notifier.getUpdateSince());
  note('wakeAt', service.wakeAt(6n));
  note('delay', service.delay(7n));
  await jumpTo(8);
  t.deepEqual(order, ['wakeAt', 'delay', 'update']);
});

test('a cancelled notifier finishes with the time of the cancellation', async t => {
  const { service, advanceTo } = makeHarness();
  const token = makeToken();
  const notifier = service.makeNotifier(5n, 10n, token);
  await advanceTo(7);
  const waiting = notifier.getUpdateSince(1n);
  service.cancel(token);
  const end = { value: service.getCurrentTimestamp(), updateCount: undefined };
  t.deepEqual(await waiting, end);
  await advanceTo(50);
  t.deepEqual(await notifier.getUpdateSince(), end);
});

test('a notifier is an async iterable', async t => {
  const { service, advanceTo, drain } = makeHarness();
  const token = makeToken();
  const iterator = service.makeNotifier(5n, 10n, token)[Symbol.asyncIterator]();
  const first = iterator.next();
  await t.throwsAsync(iterator.next(), { message: 'timer iterator dislikes overlapping next()' });
  await advanceTo(5);
  t.is((await first).value.absValue, 5n);
  const second = iterator.next();
  await drain();
  await advanceTo(15);
  t.like(await second, { value: { absValue: 15n }, done: false });
  service.cancel(token);
  t.like(await iterator.next(), { value: { absValue: 15n }, done: true });
});

test('a refused call of the timer leaves nothing behind', t => {
  const harness = makeHarness();
  const { handler } = makeHandler();
  t.throws(() => harness.service.setWakeup(5n, handler, 'x'));
  t.throws(() => harness.service.repeatAfter(5n, 0n, handler));
  t.is(harness.alarm, undefined);
  t.deepEqual(harness.service.removeWakeup(handler), []);
});

test('a repeater ends with time itself', async t => {
  const { service, advanceTo } = makeHarness();
  const { handler, woken } = makeHandler();
  await advanceTo(last - 15);
  service.repeatAfter(0n, 10n, handler);
  await advanceTo(last + 50);
  t.deepEqual(woken, [last - 15, last - 5]);
});

test('times of 2020 are numbers', async t => {
  const { service, advanceTo } = makeHarness(true);
  const { handler, woken } = makeHandler();
  t.is(service.setWakeup(5, handler), 5);
  const waited = service.delay(7n);
  const notified = service.makeNotifier(3, 10).getUpdateSince();
  await advanceTo(8);
  t.deepEqual(woken, [5]);
  t.is(await waited, 7);
  t.deepEqual(await notified, { value: 3, updateCount: 1 });
  t.is(service.getCurrentTimestamp(), 8);
  t.is(await E(service).getCurrentTimestamp(), 8);
});
