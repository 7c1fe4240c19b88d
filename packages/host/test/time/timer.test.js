// Timer vat, timer device and kernel together. The vat's own rules are in timer-service.test.js.

import test from 'ava';

import { UserError } from '#host';
import { runTimedVats, startTimedVats, timedVat, writeTimedVats } from './timed-vats.js';

const profiles = /** @type {const} */ (['current', '2020-09']);

for (const profile of profiles) {
  test.serial(
    `${profile}: time leaps to the next wake-up, and nothing comes out of order`,
    async t => {
      const source = timedVat(`
      await E(timer).setWakeup(30, handler('late'));
      await E(timer).setWakeup(10, handler('early'));
      say('now', seconds(await E(timer).getCurrentTimestamp()));
      say('delay', seconds(await E(timer).delay(20n)));
      say('now', seconds(await E(timer).getCurrentTimestamp()));
    `);
      const { printed, result, nowNs } = await runTimedVats(t, source, { profile });
      t.deepEqual(printed, ['now 0', 'early 10', 'delay 20', 'now 20', 'late 30']);
      t.regex(result, /^data /);
      t.is(nowNs, 30_000_000_000);
    },
  );

  test.serial(`${profile}: cancelling, in a wake-up and outside`, async t => {
    const source = timedVat(`
      const token = Far('token', {});
      const ticker = handler('tick', time => (seconds(time) >= 25 ? E(timer).cancel(token) : undefined));
      await E(timer).repeatAfter(5n, 10n, ticker, token);
      const other = Far('other', {});
      const waiting = E(timer).wakeAt(100n, other).catch(error => say(error.message));
      await E(timer).cancel(other);
      await waiting;
    `);
    const { printed, nowNs } = await runTimedVats(t, source, { profile });
    t.deepEqual(printed, ['TimerCancelled', 'tick 5', 'tick 15', 'tick 25']);
    t.is(nowNs, 25_000_000_000);
  });

  test.serial(`${profile}: what was removed does not move time`, async t => {
    const source = timedVat(`
      const gone = handler('gone');
      await E(timer).setWakeup(1000, gone);
      await E(timer).setWakeup(2000, gone);
      say((await E(timer).removeWakeup(gone)).map(seconds));
      say((await E(timer).removeWakeup(gone)).map(seconds));
    `);
    const { printed, nowNs } = await runTimedVats(t, source, { profile });
    t.deepEqual(printed, ['[ 1000, 2000 ]', '[]']);
    t.is(nowNs, 0);
  });

  test.serial(`${profile}: a notifier can be read until it is over`, async t => {
    const source = timedVat(`
      const token = Far('token', {});
      const notifier = await E(timer).makeNotifier(5n, 10n, token);
      let update = await E(notifier).getUpdateSince();
      while (update.updateCount !== undefined) {
        say(seconds(update.value), String(update.updateCount));
        if (seconds(update.value) === 25) E(timer).cancel(token);
        update = await E(notifier).getUpdateSince(update.updateCount);
      }
      say('over at', seconds(update.value));
    `);
    const { printed } = await runTimedVats(t, source, { profile });
    t.deepEqual(printed, ['5 1', '15 2', '25 3', 'over at 25']);
  });

  test.serial(`${profile}: mistakes are reported, and end no vat`, async t => {
    const source = timedVat(`
      const told = async p => say(await p.then(() => 'fine', error => error.name + ': ' + error.message));
      const h = handler('h');
      await told(E(timer).setWakeup(-1, h));
      await told(E(timer).setWakeup(NaN, h));
      await told(E(timer).setWakeup(2 ** 53, h));
      await told(E(timer).setWakeup(9_007_200, h));
      await told(E(timer).setWakeup(5, 'h'));
      await told(E(timer).setWakeup(5, Far('no wake', {})));
      await told(E(timer).setWakeup(6, handler('fails', () => { throw Error('no'); })));
      await told(E(timer).removeWakeup(h));
      await told(E(timer).cancel(h));
      await told(E(timer).delay(7n));
    `);
    const { printed, result } = await runTimedVats(t, source, { profile });
    t.regex(result, /^data /);
    const isNumeric = profile === '2020-09';
    t.regex(
      printed[0],
      isNumeric
        ? /^RangeError: setWakeup: the delay must be .*, got -1$/
        : /^RangeError: -1 is negative$/,
    );
    t.regex(printed[1], isNumeric ? /got NaN$/ : /^RangeError: NaN is not/);
    t.regex(
      printed[2],
      isNumeric ? /got 9007199254740992$/ : /^RangeError: 9007199254740992 is not/,
    );
    t.regex(
      printed[3],
      /^RangeError: setWakeup: 9007200 is behind the end of time, which is 9007199 /,
    );
    t.regex(
      printed[4],
      isNumeric
        ? /^TypeError: setWakeup: the handler must be an object with methods, got string/
        : /^RangeError: bad setWakeup\(\) handler$/,
    );
    t.deepEqual(printed.slice(5), ['fine', 'fine', 'fine', 'fine', 'fails 6', 'fine']);
  });

  test.serial(`${profile}: the device can be called without the vat`, async t => {
    const isNumeric = profile === '2020-09';
    const source = timedVat(`
      const n = number => ${isNumeric ? 'number' : 'BigInt(number)'};
      await E(timer).delay(10n);
      const one = handler('one');
      say(D(device).getLastPolled() === n(10), D(device).setWakeup(n(${isNumeric ? 5 : 15}), one) === n(15));
      D(device).setWakeup(n(50), one);
      const index = D(device).${isNumeric ? 'createRepeater' : 'makeRepeater'}(n(3), n(10));
      let ticks = 0;
      const many = handler('many', () => {
        ticks += 1;
        if (ticks === 2) D(device).deleteRepeater(index);
      });
      say(String(D(device).schedule(index, many)));
      await E(timer).delay(7n);
      say(D(device).removeWakeup(one).map(String).join());
      say(D(device).removeWakeup(one).length);
      for (const wrong of [
        () => D(device).schedule(7, one),
        () => D(device).setWakeup(n(5), 5),
        () => D(device).setWakeup(n(5), [one]),
        () => D(device).setWakeup(-1, one),
        () => D(device).makeRepeater(0, 0),
        () => D(device).poll(5),
      ]) {
        try { wrong(); say('fine'); } catch (error) { say(error.message); }
      }
    `);
    const { printed, result } = await runTimedVats(t, source, { profile });
    t.regex(result, /^data /, printed.join('\n'));
    t.deepEqual(printed.slice(0, 6), [
      'true true',
      '13',
      'many 13',
      'one 15',
      isNumeric ? '60' : '50',
      '0',
    ]);
    if (isNumeric) {
      t.is(printed[6], 'schedule: there is no repeater 7');
      t.is(printed[7], 'setWakeup: the handler must be an object with methods, got number');
      t.is(printed[8], 'setWakeup: the handler must be an object with methods, got object');
      t.regex(printed[9], /^setWakeup: the (time|delay) must be a whole number from 0 .*got -1$/);
      t.is(printed[10], 'makeRepeater: the interval must be above 0, got 0');
      t.regex(printed[11], /device timer has no method "poll"; it has "getLastPolled"/);
    } else {
      const hidden = 'syscall.callNow failed: device.invoke failed, see logs for details';
      t.deepEqual(printed.slice(6, 12), Array(6).fill(hidden));
    }
    // Deleted while it waited for 33: it wakes once more.
    t.deepEqual(printed.slice(12), ['many 23', 'many 33']);
  });
}

test.serial('times of today are records, and those of the start of the run are 0', async t => {
  const source = timedVat(`
    const now = await E(timer).getCurrentTimestamp();
    const brand = await E(timer).getTimerBrand();
    say(now.absValue === 0n, now.timerBrand === brand);
    say(await E(brand).isMyTimerService(timer), await E(brand).isMyClock(await E(timer).getClock()));
    const iterator = await E(await E(timer).makeNotifier(5n, 5n))[Symbol.asyncIterator]();
    say(seconds((await E(iterator).next()).value), seconds((await E(iterator).next()).value));
  `);
  const { printed, result } = await runTimedVats(t, source);
  t.deepEqual(printed, ['true true', 'true true', '5 10'], result);
});

test.serial(
  '2020: a wake-up counts from now on, and a repeater of the service has its phase',
  async t => {
    const source = timedVat(`
    say(await E(timer).setWakeup(4, handler('first')));
    await E(timer).delay(6n);
    say(await E(timer).setWakeup(4, handler('second')));
    const repeater = await E(timer).createRepeater(3, 5);
    let ticks = 0;
    say(await E(repeater).schedule(handler('tick', () => {
      ticks += 1;
      if (ticks === 2) return E(repeater).disable();
    })));
  `);
    const { printed } = await runTimedVats(t, source, { profile: '2020-09' });
    t.deepEqual(printed, ['4', 'first 4', '10', '8', 'tick 8', 'second 10', 'tick 13', 'tick 18']);
  },
);

test.serial('the unit is the device’s parameter', async t => {
  const source = timedVat(`
    await E(timer).delay(3n);
    say(seconds(await E(timer).getCurrentTimestamp()));
  `);
  for (const [unit, nowNs] of /** @type {[string | undefined, number][]} */ ([
    [undefined, 3_000_000_000],
    ['1 ms', 3_000_000],
    ['20 us', 60_000],
    ['1.5 h', 16_200_000_000_000],
  ])) {
    const parameters = unit === undefined ? {} : { unit };
    const run = await runTimedVats(t, source, { parameters });
    t.deepEqual(run.printed, ['3']);
    t.is(run.nowNs, nowNs);
  }
});

test.serial('errors name an invalid unit and an invalid parameter', async t => {
  const start = (/** @type {Record<string, unknown>} */ parameters) =>
    startTimedVats(writeTimedVats(t, timedVat(''), parameters));
  for (const unit of ['1 week', '0 s', 5, '5', -1, null]) {
    await t.throwsAsync(start({ unit }), {
      instanceOf: UserError,
      message: `devices.timer: parameters.unit must be a duration above 0, like "1 s" or "1 ms", got ${JSON.stringify(unit)}`,
    });
  }
  await t.throwsAsync(start({ units: '1 s' }), {
    instanceOf: UserError,
    message:
      'devices.timer has the unknown parameter "units"; it takes "unit", a duration like "1 ms"',
  });
});

test.serial('a service needs the device, and a device has one service', async t => {
  const source = timedVat(`
    say(timer === await E(vats.timer).createTimerService(device));
    await E(vats.timer).createTimerService(undefined).catch(error => say(error.message));
  `);
  const { printed } = await runTimedVats(t, source);
  t.is(printed[0], 'true');
  t.regex(
    printed[1],
    /^createTimerService\(device\) needs the timer device: devices\.timer of bootstrap/,
  );
});
