// A clock and a counter of its ticks, until a limit of logical time, in the form that Lingua
// Franca's compiler gives a TypeScript program: `node packages/reactor-ts/examples/time-limit.js
// [TICKS]`.

import { pathToFileURL } from 'node:url';
import * as reactorTs from 'swingset-runner/reactor-ts';

/**
 * @param {typeof reactorTs} names  of reactor-ts, here or elsewhere
 * @returns the class of the main reactor
 */
export const makeTimeLimit = names => {
  const {
    App: __App,
    InPort: __InPort,
    OutPort: __OutPort,
    Parameter: __Parameter,
    Reactor: __Reactor,
    State: __State,
    TimeValue,
    Timer: __Timer,
  } = names;

  class Clock extends __Reactor {
    constructor(/** @type {any} */ parent, offset = TimeValue.zero(), period = TimeValue.usec(1)) {
      super(parent);
      this.t = new __Timer(this, offset, period);
      this.offset = new __Parameter(offset);
      this.period = new __Parameter(period);
      this.count = new __State(0);
      this.y = new __OutPort(this);
      this.addReaction(
        [this.t],
        [this.t, this.writable(this.y), this.offset, this.period, this.count],
        function (__t, __y, __offset, __period, __count) {
          let y = __y.get();
          let count = __count.get();
          try {
            count += 1;
            y = count;
          } finally {
            if (y !== undefined) {
              __y.set(y);
            }
            if (count !== undefined) {
              __count.set(count);
            }
          }
        },
      );
    }
  }

  class Destination extends __Reactor {
    constructor(/** @type {any} */ parent, expected = 0) {
      super(parent);
      this.expected = new __Parameter(expected);
      this.s = new __State(1);
      this.x = new __InPort(this);
      this.addReaction([this.x], [this.x, this.expected, this.s], function (__x, __expected, __s) {
        const util = this.util;
        let x = __x.get();
        let s = __s.get();
        try {
          if (x !== s) util.requestErrorStop(`Expected ${s} and got ${x}.`);
          s += 1;
        } finally {
          if (s !== undefined) {
            __s.set(s);
          }
        }
      });
      this.addReaction([this.shutdown], [this.expected, this.s], function (__expected, __s) {
        const util = this.util;
        let expected = __expected.get();
        let s = __s.get();
        if (s - 1 !== expected)
          util.reportError(`Expected ${expected} ticks and counted ${s - 1}.`);
        else console.log(`Counted ${expected} ticks.`);
      });
    }
  }

  return class TimeLimit extends __App {
    constructor(
      timeout = /** @type {any} */ (undefined),
      keepAlive = false,
      fast = false,
      federationID = 'Unidentified Federation',
      ticks = 0,
      success = /** @type {any} */ (undefined),
      fail = /** @type {any} */ (undefined),
    ) {
      super(timeout, keepAlive, fast, success, fail);
      this.c = new Clock(this);
      this.d = new Destination(this, ticks);
      this._connect(this.c.y, this.d.x);
    }
  };
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const ticks = Number(process.argv[2] ?? 1000);
  const TimeLimit = makeTimeLimit(reactorTs);
  const __app = new TimeLimit(
    reactorTs.TimeValue.usec(ticks - 1),
    false,
    true,
    '',
    ticks,
    () => true,
    () => process.exit(1),
  );
  __app._start();
}
