// Reactors in vats where they meet the rest: devices, the end of a program, the host's clock.

import test from 'ava';
import { run, runAll, write } from './run-reactors.js';

const imports = `
  import { Reactor } from 'swingset-runner/reactor';
  import { E, Far } from '@endo/far';
  const at = reactor => { const { timeNs, microstep } = reactor.util.getCurrentTag(); return timeNs / 1e6 + '.' + microstep; };
`;

test.serial("a reaction calls a device at its own tag, whatever the vat's grant", async t => {
  const device = `
    export const buildRootDeviceNode = tools => harden({
      now: () => tools.now() / 1e6,
      say(listener) { tools.SO(listener).said(tools.now() / 1e6); },
    });
  `;
  const main = `${imports}
    let D;
    let device;
    class Main extends Reactor {
      tick = this.timer(0, '10 ms');
      n = 0;
      r = this.reaction({ triggers: this.tick }, () => {
        this.n += 1;
        if (this.n % 3 !== 0) return;
        console.log(at(this), D(device).now());
        D(device).say(self);
      });
    }
    const self = Far('root', {
      bootstrap(_vats, devices) { device = devices.own; },
      said: time => console.log('said at', time),
    });
    export const buildReactor = powers => {
      D = powers.D;
      return new Main();
    };
    export const buildRootObject = () => self;
  `;
  const { printed, errors } = await runAll(t, {
    vats: { main },
    devices: { own: device },
    timeout: '60 ms',
  });
  t.deepEqual(printed, ['main: 20.0 20', 'main: said at 20', 'main: 50.0 50', 'main: said at 50']);
  t.deepEqual(errors, []);
});

test.serial(
  'ports written at the end of a program come together at the stage of their reader',
  async t => {
    const writer = `${imports}
      class Writer extends Reactor {
        in = this.input();
        out = this.output();
        end = this.reaction({ triggers: this.shutdown, effects: this.out }, () => this.out.set(1));
        r = this.reaction({ triggers: this.in }, () => {});
      }
      export const buildReactor = () => new Writer();
    `;
    const reader = `${imports}
      class Reader extends Reactor {
        a = this.input();
        b = this.input();
        r = this.reaction({ triggers: [this.a, this.b] }, () => console.log(at(this), this.a.get(), this.b.get()));
      }
      export const buildReactor = () => new Reader();
    `;
    const { printed } = await runAll(t, {
      // The second writer is given a value at the tag at which it ends.
      vats: { first: writer, reader, second: writer },
      connections: [
        { from: 'first.out', to: ['second.in', 'reader.a'], repeat: true },
        { from: 'second.out', to: 'reader.b' },
      ],
      timeout: '10 ms',
    });
    t.deepEqual(printed, ['reader: 10.0 1 1']);
  },
);

test.serial('a physical action comes after a logical time that is ahead of the clock', async t => {
  const ticker = `${imports}
    class Ticker extends Reactor {
      out = this.output();
      tick = this.timer(0, '10 ms');
      r = this.reaction({ triggers: this.tick, effects: this.out }, () => this.out.set(1));
    }
    export const buildReactor = () => new Ticker();
  `;
  const sensor = `${imports}
    class Sensor extends Reactor {
      touched = this.physicalAction();
      spaced = this.physicalAction({ minSpacing: '1 ms' });
      r = this.reaction({ triggers: this.touched }, () => console.log(at(this), this.touched.get()));
      s = this.reaction({ triggers: this.spaced }, () => console.log(at(this), this.spaced.get()));
    }
    export const buildReactor = () => new Sensor();
  `;
  const config = write(t, { vats: { ticker, sensor }, timeout: '100 ms' });
  const { printed, audit } = await run(config, {
    blockSize: 5,
    clock: [1000],
    between: (simulation, block) => {
      if (block !== 1) return;
      simulation.physicalInput('sensor', 'touched', 'a');
      simulation.physicalInput('sensor', 'touched', 'b');
      simulation.physicalInput('sensor', 'spaced', 'c');
    },
  });
  t.deepEqual(printed, ['sensor: 50.1 a', 'sensor: 50.1 c', 'sensor: 50.2 b']);
  t.deepEqual(audit, []);
});

test.serial(
  'an open tag that asks for the time as it ends is a crank, whose answer is kept',
  async t => {
    const outer = `${imports}
    class Outer extends Reactor {
      out = this.output();
      tick = this.timer('1 ms', '20 ms');
      r = this.reaction({ triggers: this.tick, effects: this.out }, () => this.out.set(1));
    }
    export const buildReactor = () => new Outer();
  `;
    const inner = `${imports}
    class Source extends Reactor {
      out = this.output();
      tick = this.timer(0, '10 ms');
      r = this.reaction({ triggers: this.tick, effects: this.out }, () => this.out.set(at(this)));
    }
    class Sink extends Reactor {
      in = this.input();
      r = this.reaction({ triggers: this.in }, () => console.log(at(this), this.in.get()));
    }
    class Inner extends Reactor {
      in = this.input();
      source = new Source(this);
      sink = new Sink(this);
      r = this.reaction({ triggers: this.in }, () => {});
      constructor() {
        super();
        this.connect(this.source.out, this.sink.in, { physical: true });
      }
    }
    export const buildReactor = () => new Inner();
  `;
    const { printed } = await runAll(
      t,
      {
        vats: { outer, inner },
        connections: [{ from: 'outer.out', to: 'inner.in' }],
        timeout: '30 ms',
      },
      { clock: [3e6, 15e6, 27e6] },
    );
    t.deepEqual(printed, ['inner: 3.0 0.0', 'inner: 15.0 10.0', 'inner: 27.0 20.0']);
  },
);

/** @param {string} body */
const prepares = body =>
  `Object.defineProperty(s, 'prepareTag', { value: () => { ${body} return true; } });`;

/** The things that a vat may do to its own scheduler, `s`, and outputs. */
const tricks = {
  'it wants to go back': prepares('s.nextTimeNs = 0; s.nextMicrostep = 0;'),
  'it wants a time that is none': prepares('s.nextTimeNs = 0.5; s.nextMicrostep = 0;'),
  'it wants a microstep that is none': prepares('s.nextTimeNs = 9e7; s.nextMicrostep = NaN;'),
  'it wants a time too late': prepares('s.nextTimeNs = 2 ** 60; s.nextMicrostep = 0;'),
  'it says what it does at no channel':
    "for (const { end } of this.node.outlets) if (end) end.number = 'map';",
};

for (const [name, trick] of Object.entries(tricks)) {
  test.serial(`only the vat that reaches for its scheduler ends: ${name}`, async t => {
    const odd = `${imports}
      class Odd extends Reactor {
        out = this.output();
        tick = this.timer(0, '10 ms');
        r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
          const s = this.node.region.scheduler;
          this.out.set(1);
          if (this.util.getElapsedLogicalTime() > 1.5e7) { ${trick} }
        });
      }
      export const buildReactor = () => new Odd();
    `;
    const sink = `${imports}
      class Sink extends Reactor {
        in = this.input();
        n = 0;
        r = this.reaction({ triggers: this.in }, () => { this.n += 1; });
        end = this.reaction({ triggers: this.shutdown }, () => console.log(at(this), this.n));
      }
      export const buildReactor = () => new Sink();
    `;
    const { printed, errors } = await runAll(t, {
      vats: { odd, sink },
      connections: [{ from: 'odd.out', to: 'sink.in' }],
      timeout: '50 ms',
    });
    t.deepEqual(printed, ['sink: 50.0 2']);
    t.true(
      errors.some(line => line.startsWith('odd: vat odd was ended')),
      errors.join('\n'),
    );
  });
}

test.serial('counts changed by a vat do not reach the counters', async t => {
  const odd = `${imports}
    class Odd extends Reactor {
      tick = this.timer(0, '10 ms');
      r = this.reaction({ triggers: this.tick }, () => { this.node.region.scheduler.tags = NaN; });
    }
    export const buildReactor = () => new Odd();
  `;
  const { counters } = await runAll(t, { vats: { odd }, timeout: '50 ms' });
  t.is(counters.tags.value, 0);
  t.is(counters.reactions.value, 6);
});

test.serial(
  'a member of a bank that is never made leaves its place to no other reactor',
  async t => {
    const main = `${imports}
    class Bad extends Reactor {
      constructor(container) {
        if (container !== null) throw Error('no');
        super(container);
      }
    }
    class Main extends Reactor {
      constructor() {
        super();
        try { this.bank(2, Bad); } catch { console.log(new Bad(null).getBankIndex()); }
      }
    }
    export const buildReactor = () => new Main();
  `;
    const { printed } = await runAll(t, { vats: { main }, timeout: '1 ms' });
    t.deepEqual(printed, ['main: -1']);
  },
);

test.serial('a value that would come after the end of time ends its vat', async t => {
  const writer = `${imports}
    class Writer extends Reactor {
      out = this.output();
      tick = this.timer('10 d', '10 d');
      r = this.reaction({ triggers: this.tick, effects: this.out }, () => this.out.set(1));
    }
    export const buildReactor = () => new Writer();
  `;
  const reader = `${imports}
    class Reader extends Reactor {
      in = this.input();
      r = this.reaction({ triggers: this.in }, () => console.log(this.util.getElapsedLogicalTime() / 864e11));
    }
    export const buildReactor = () => new Reader();
  `;
  const { printed, errors } = await runAll(t, {
    vats: { writer, reader },
    connections: [{ from: 'writer.out', to: 'reader.in', after: '90 d' }],
  });
  t.deepEqual(printed, ['reader: 100']);
  t.deepEqual(errors, [
    'writer: vat writer was ended: a value would come after the end of time, 2^53-1 ns (104 days)',
  ]);
});

test.serial(
  'a vat of reactors alone, which bootstrap was sent to, calls a device that a port brings at its own tag',
  async t => {
    const giver = `${imports}
    let device;
    class Giver extends Reactor {
      out = this.output();
      then = this.timer('5 ms', 0);
      r = this.reaction({ triggers: this.then, effects: this.out }, () => this.out.set({ device }));
    }
    export const buildReactor = () => new Giver();
    export const buildRootObject = () => Far('root', { take(given) { device = given; } });
  `;
    const boot = `${imports}
    export const buildRootObject = () =>
      Far('root', { bootstrap: ({ giver, taker }, { own }) => { E(giver).take(own); E(taker).bootstrap(own); } });
  `;
    const taker = `${imports}
    let D;
    class Taker extends Reactor {
      in = this.input();
      tick = this.timer(0, '10 ms');
      device = undefined;
      n = 0;
      got = this.reaction({ triggers: this.in }, () => { ({ device: this.device } = this.in.get()); });
      r = this.reaction({ triggers: this.tick }, () => {
        this.n += 1;
        if (this.n % 3 === 0) console.log(at(this), D(this.device).now());
      });
    }
    export const buildReactor = powers => { D = powers.D; return new Taker(); };
  `;
    const { printed, errors } = await runAll(t, {
      vats: { boot, giver, taker },
      connections: [{ from: 'giver.out', to: 'taker.in' }],
      devices: {
        own: 'export const buildRootDeviceNode = tools => harden({ now: () => tools.now() / 1e6 });',
      },
      timeout: '60 ms',
    });
    t.deepEqual(printed, ['taker: 20.0 20', 'taker: 50.0 50']);
    t.deepEqual(errors, []);
  },
);

test.serial('a vat cannot continue after an error of the clock', async t => {
  const config = write(t, {
    vats: {
      main: `${imports}
        class Main extends Reactor {
          r = this.reaction({ triggers: this.startup }, () => {
            try { this.util.getCurrentPhysicalTime(); } catch { console.log('caught'); }
          });
        }
        export const buildReactor = () => new Main();
      `,
    },
  });
  const error = await t.throwsAsync(() => run(config, { clock: [0.5] }), { name: 'UserError' });
  t.regex(error.message, /^the run was stopped by an error of the clock; /);
});
