import { E, Far } from '@endo/far';

/** Whole seconds: a timestamp is a record today, and was a number in 2020. */
const seconds = time => Number(time.absValue ?? time);

const say = (time, what) => console.log(`${seconds(time)} s: ${what}`);

export const buildRootObject = () => {
  let timer;

  // Promises: the longer delay is asked for first, and comes second.
  const delays = () =>
    Promise.all([
      E(timer)
        .delay(60n)
        .then(time => say(time, 'a minute is over')),
      E(timer)
        .delay(5n)
        .then(time => say(time, 'five seconds are over')),
    ]);

  // A handler that is woken again and again, and cancels itself with the token that it was registered with.
  const repeater = async () => {
    const token = Far('token', {});
    let ticks = 0;
    const ticker = Far('ticker', {
      wake(time) {
        ticks += 1;
        say(time, `tick ${ticks}`);
        if (ticks === 3) return E(timer).cancel(token);
      },
    });
    await E(timer).repeatAfter(10n, 20n, ticker, token);
  };

  // A notifier: who asks gets the latest time, or waits for one that it has not seen.
  const notifier = async () => {
    const quarters = await E(timer).makeNotifier(15n, 15n);
    let update = {};
    for (let i = 0; i < 3; i += 1) {
      update = await E(quarters).getUpdateSince(update.updateCount);
      say(update.value, `update ${update.updateCount}`);
    }
  };

  return Far('bootstrap', {
    async bootstrap(vats, devices) {
      timer = await E(vats.timer).createTimerService(devices.timer);
      await Promise.all([delays(), repeater(), notifier()]);
      return 'all is over';
    },
  });
};
