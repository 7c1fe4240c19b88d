// Two reactors that send each other a number, in the form that Lingua Franca's compiler gives a TypeScript program:
// `node packages/reactor-ts/examples/ping-pong.js [PINGS]`.

import { pathToFileURL } from 'node:url';
import * as reactorTs from 'swingset-runner/reactor-ts';

/**
 * @param {typeof reactorTs} names  of reactor-ts, here or elsewhere
 * @returns the class of the main reactor
 */
export const makePingPong = names => {
  const {
    Action: __Action,
    App: __App,
    InPort: __InPort,
    Origin: __Origin,
    OutPort: __OutPort,
    Parameter: __Parameter,
    Reactor: __Reactor,
    State: __State,
  } = names;

  class Ping extends __Reactor {
    constructor(/** @type {any} */ parent, count = 1000000) {
      super(parent);
      this.count = new __Parameter(count);
      this.pingsLeft = new __State(count);
      this.serve = new __Action(this, __Origin.logical);
      this.receive = new __InPort(this);
      this.send = new __OutPort(this);
      this.addReaction(
        [this.startup, this.serve],
        [this.serve, this.writable(this.send), this.count, this.pingsLeft],
        function (__serve, __send, __count, __pingsLeft) {
          let send = __send.get();
          let pingsLeft = __pingsLeft.get();
          try {
            send = pingsLeft;
            pingsLeft -= 1;
          } finally {
            if (send !== undefined) {
              __send.set(send);
            }
            if (pingsLeft !== undefined) {
              __pingsLeft.set(pingsLeft);
            }
          }
        },
      );
      this.addReaction(
        [this.receive],
        [this.receive, this.schedulable(this.serve), this.count, this.pingsLeft],
        function (__receive, __serve, __count, __pingsLeft) {
          const util = this.util;
          let receive = __receive.get();
          let serve = __serve.get();
          let actions = { serve: __serve };
          let pingsLeft = __pingsLeft.get();
          try {
            if (pingsLeft > 0) actions.serve.schedule(0, null);
            else util.requestStop();
          } finally {
            if (pingsLeft !== undefined) {
              __pingsLeft.set(pingsLeft);
            }
          }
        },
      );
    }
  }

  class Pong extends __Reactor {
    constructor(/** @type {any} */ parent, expected = 1000000) {
      super(parent);
      this.expected = new __Parameter(expected);
      this.count = new __State(0);
      this.receive = new __InPort(this);
      this.send = new __OutPort(this);
      this.addReaction(
        [this.receive],
        [this.receive, this.writable(this.send), this.expected, this.count],
        function (__receive, __send, __expected, __count) {
          let receive = __receive.get();
          let send = __send.get();
          let count = __count.get();
          try {
            count += 1;
            send = receive;
          } finally {
            if (send !== undefined) {
              __send.set(send);
            }
            if (count !== undefined) {
              __count.set(count);
            }
          }
        },
      );
      this.addReaction(
        [this.shutdown],
        [this.expected, this.count],
        function (__expected, __count) {
          const util = this.util;
          let expected = __expected.get();
          let count = __count.get();
          if (count !== expected)
            util.requestErrorStop(`Pong received ${count} pings, and ${expected} were sent.`);
          else console.log(`Pong received ${count} pings.`);
        },
      );
    }
  }

  return class PingPong extends __App {
    constructor(
      timeout = /** @type {any} */ (undefined),
      keepAlive = false,
      fast = false,
      federationID = 'Unidentified Federation',
      count = 1000000,
      success = /** @type {any} */ (undefined),
      fail = /** @type {any} */ (undefined),
    ) {
      super(timeout, keepAlive, fast, success, fail);
      this.ping = new Ping(this, count);
      this.pong = new Pong(this, count);
      this.count = new __Parameter(count);
      this._connect(this.ping.send, this.pong.receive);
      this._connect(this.pong.send, this.ping.receive);
    }
  };
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const PingPong = makePingPong(reactorTs);
  const count = Number(process.argv[2] ?? 1000);
  const __app = new PingPong(
    undefined,
    false,
    true,
    '',
    count,
    () => true,
    () => process.exit(1),
  );
  __app._start();
}
