// A timer service with a clock that the test turns.

import '#testkit/lockdown.js';

const { Far } = await import('#vat');
const { makeTimerService } = await import('#system-vats/timer/service.js');
const { Wakeups } = await import('#system-vats/timer/wakeups.js');
const { TimeMath } = await import('../../../vat/shims/time-math.js');

export const last = 1_000_000;

/** A service, and a clock that stops at every wake-up on its way. */
export const makeHarness = (isNumeric = false) => {
  let now = 0;
  /** @type {number | undefined} */
  let alarm;
  let changes = 0;
  const wakeups = new Wakeups({
    now: () => now,
    last: () => last,
    set(time) {
      if (alarm !== undefined) throw Error('one at a time');
      if (time <= now) throw Error('a wake-up in the past');
      alarm = time;
      changes += 1;
    },
    clear() {
      alarm = undefined;
    },
  });
  const drain = () => new Promise(resolve => setImmediate(resolve));
  const advanceTo = async (/** @type {number} */ time) => {
    await drain();
    while (alarm !== undefined && alarm <= time) {
      now = alarm;
      alarm = undefined;
      wakeups.wake();
      await drain();
    }
    now = time;
  };
  /** @type {any} */
  const service = makeTimerService({ wakeups, isNumeric });
  return {
    service,
    drain,
    advanceTo,
    /** Time passes, and the wake-up comes late. @param {number} time */
    async jumpTo(time) {
      now = time;
      if (alarm !== undefined && alarm <= now) {
        alarm = undefined;
        wakeups.wake();
      }
      await drain();
    },
    get alarm() {
      return alarm;
    },
    get changes() {
      return changes;
    },
  };
};

/** A handler that writes down when it was woken. @param {() => unknown} [answer] */
export const makeHandler = (answer = () => {}) => {
  /** @type {number[]} */
  const woken = [];
  const handler = Far('handler', {
    wake(/** @type {any} */ time) {
      woken.push(typeof time === 'number' ? time : Number(TimeMath.absValue(time)));
      return answer();
    },
  });
  return { handler, woken };
};
