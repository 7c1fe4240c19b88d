// The vat whose calls are measured. `mark` notes the processor's counters; the host that measures gives it to the vat.

import { E, Far } from '@endo/far';

export const buildRootObject = ({ mark, D }) => {
  let right;
  let still;

  /** A plain object of this vat, for the cost of a direct call. */
  let calls = 0;
  const plain = harden({
    call() {
      calls += 1;
      return calls;
    },
  });

  // Two objects of this vat that send to each other.
  const makePlayer = name => {
    let other;
    return Far(name, {
      meet(player) {
        other = player;
      },
      hop(left) {
        mark();
        if (left > 0) E(other).hop(left - 1);
      },
    });
  };
  const ping = makePlayer('ping');
  const pong = makePlayer('pong');
  ping.meet(pong);
  pong.meet(ping);

  return Far('left', {
    bootstrap(vats, devices) {
      ({ right } = vats);
      ({ still } = devices);
      E(right).meet(vats.left);
    },

    plain(times, together) {
      for (let i = 0; i < times; i += 1) {
        mark();
        for (let k = 0; k < together; k += 1) plain.call();
        mark();
      }
    },

    near(hops) {
      ping.hop(hops);
    },

    // The measurement marks the beginning of each crank.
    hop(left) {
      if (left > 0) E.sendOnly(right).hop(left - 1);
    },

    async call(times) {
      mark();
      for (let i = 0; i < times; i += 1) {
        await E(right).answer();
        mark();
      }
    },

    device(times) {
      for (let i = 0; i < times; i += 1) {
        mark();
        D(still).nothing();
        mark();
      }
    },
  });
};
