// Reactors in vats where they meet the rest: devices, the end of a program, the host's clock.

import test from 'ava';
import { run, runAll, write } from './run-reactors.js';

const imports = `
  import { Reactor } from 'swingset-runner/reactor';
  import { E, Far } from '@endo/far';
  const at = reactor => { const { timeNs, microstep } = reactor.util.getCurrentTag(); return timeNs / 1e6 + '.' + microstep; };
`;

test.serial('a reaction calls a device at its own tag, however far its vat may run', async t => {
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
  'what is written at the end of a program comes together at the stage of its reader',
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

test.serial('a physical action comes behind a logical time that is ahead of the clock', async t => {
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
