// The device's half of a timer whose time the host says (../timer.js). Whoever waits is in the device's state, so a crank
// that is dropped takes back what it asked for.

import { Far } from '@endo/far';

const asTime = (value, what) => {
  const isWhole =
    typeof value === 'bigint' ? value >= 0n : Number.isSafeInteger(value) && value >= 0;
  if (!isWhole) throw RangeError(`${what}: a time is a whole number from 0`);
  return BigInt(value);
};

// The first time after `now` that is `start` and some intervals.
const nextTime = ({ start, interval }, now) => now + interval - ((now - start) % interval);

export const buildRootDeviceNode = ({ SO, getDeviceState, setDeviceState, endowments }) => {
  const read = () => getDeviceState() ?? { now: 0n, waiting: [], repeaters: [] };
  const write = state => setDeviceState(harden(state));

  // In the order of times; of one time, in the order in which they came.
  const insert = (waiting, entry) => {
    const at = waiting.findIndex(({ time }) => time > entry.time);
    return at < 0 ? [...waiting, entry] : [...waiting.slice(0, at), entry, ...waiting.slice(at)];
  };

  endowments.registerDevicePollFunction(now => {
    const state = read();
    if (now < state.now)
      throw RangeError(`Time is monotonic. ${now} cannot be less than ${state.now}`);
    const due = state.waiting.filter(({ time }) => time <= now);
    let waiting = state.waiting.filter(({ time }) => time > now);
    for (const { handler, index } of due) {
      const repeater = index === undefined ? undefined : state.repeaters[index];
      if (repeater) waiting = insert(waiting, { time: nextTime(repeater, now), handler, index });
    }
    write({ ...state, now, waiting });
    for (const { time, handler } of due) SO(handler).wake(time);
    return due.length > 0;
  });

  return Far('root', {
    getLastPolled: () => read().now,
    setWakeup(when, handler) {
      const time = asTime(when, 'setWakeup');
      const state = read();
      write({ ...state, waiting: insert(state.waiting, { time, handler }) });
      return time;
    },
    removeWakeup(handler) {
      const state = read();
      const gone = state.waiting.filter(entry => entry.handler === handler);
      write({ ...state, waiting: state.waiting.filter(entry => entry.handler !== handler) });
      return harden(gone.map(({ time }) => time));
    },
    makeRepeater(startTime, step) {
      const state = read();
      const start = asTime(startTime, 'makeRepeater');
      const interval = asTime(step, 'makeRepeater');
      if (interval === 0n) throw RangeError('makeRepeater: the interval must be above 0');
      write({ ...state, repeaters: [...state.repeaters, { start, interval }] });
      return state.repeaters.length;
    },
    deleteRepeater(index) {
      const state = read();
      write({ ...state, repeaters: state.repeaters.map((each, i) => (i === index ? null : each)) });
      return index;
    },
    schedule(index, handler) {
      const state = read();
      const repeater = state.repeaters[index];
      if (!repeater) throw RangeError(`schedule: there is no repeater ${index}`);
      const time = nextTime(repeater, state.now);
      write({ ...state, waiting: insert(state.waiting, { time, handler, index }) });
      return time;
    },
  });
};
