// Reactors in vats: ports and connections between vats, tags and stages, objects and reactors together, ends, and what
// may make no difference.

import test from 'ava';
import { run, runAll, write } from './run-reactors.js';
import { imports, source, sink } from './reactor-runs.js';

test.serial(
  'a value goes from vat to vat within a tag, and the program ends at its timeout',
  async t => {
    const { printed, counters } = await runAll(t, {
      vats: { source, sink },
      connections: [{ from: 'source.out', to: 'sink.in' }],
      timeout: '20 ms',
    });
    t.deepEqual(printed, [
      'sink: 0.0 begin',
      'sink: 0.0 { n: 1 }',
      'sink: 10.0 { n: 2 }',
      'source: 20.0 end',
      'sink: 20.0 { n: 3 }',
      'sink: 20.0 end true',
    ]);
    t.is(counters.portWrites.value, 3);
    t.is(counters.reactions.value, 3 + 1 + 1 + 3 + 1);
    t.is(counters.tags.value, 6);
  },
);

test.serial('a delay moves a value, and one of 0 to the next microstep', async t => {
  const { printed } = await runAll(t, {
    vats: { source, now: sink, later: sink },
    connections: [
      { from: 'source.out', to: 'now.in', after: 0 },
      { from: 'source.out', to: 'later.in', after: '15 ms' },
    ],
    timeout: '20 ms',
  });
  t.deepEqual(
    printed.filter(line => line.startsWith('later')),
    ['later: 0.0 begin', 'later: 15.0 { n: 1 }', 'later: 20.0 end false'],
  );
  t.deepEqual(
    printed.filter(line => line.startsWith('now')),
    ['now: 0.0 begin', 'now: 0.1 { n: 1 }', 'now: 10.1 { n: 2 }', 'now: 20.0 end false'],
  );
});

const pass = `${imports}
  class Pass extends Reactor {
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(this.in.get()));
  }
  export const buildReactor = () => new Pass();
`;

const join3 = `${imports}
  class Join extends Reactor {
    in = this.inputs(3);
    r = this.reaction({ triggers: this.in }, () => console.log(at(this), this.in.values().map(v => v?.n ?? '-').join(' ')));
  }
  export const buildReactor = () => new Join();
`;

test.serial('a vat reacts behind all vats that its inputs depend on at the tag', async t => {
  const { printed } = await runAll(t, {
    // The join has the lowest number, and still comes last.
    vats: { join: join3, b2: pass, b1: pass, source },
    connections: [
      { from: ['source.out', 'b2.out', 'b1.out'], to: 'join.in' },
      { from: 'source.out', to: 'b1.in' },
      { from: 'b1.out', to: 'b2.in' },
    ],
    timeout: '10 ms',
  });
  t.deepEqual(printed, ['join: 0.0 1 1 1', 'source: 10.0 end', 'join: 10.0 2 2 2']);
});

test.serial(
  'a vat with nothing but its own events is one run of quiet cranks, and costs no queue',
  async t => {
    const { cranks, counters } = await runAll(t, {
      vats: {
        alone: `${imports}
        class Alone extends Reactor {
          tick = this.timer(0, 10);
          n = 0;
          r = this.reaction({ triggers: this.tick }, () => { this.n += 1; });
          end = this.reaction({ triggers: this.shutdown }, () => console.log(at(this), this.n));
        }
        export const buildReactor = () => new Alone();
      `,
      },
      timeout: '1 us',
    });
    t.is(counters.dispatchReact.value, 101);
    t.is(cranks, 101 + 2);
    t.is(counters.syscallSetPort.value, 0);
  },
);

test.serial(
  'in a vat with an object and reactors methods schedule actions, and reactions send',
  async t => {
    const { printed, counters } = await runAll(t, {
      vats: {
        boot: `${imports}
        export const buildRootObject = () => Far('root', {
          async bootstrap({ mixed }) {
            console.log(await E(mixed).ask('first', 0));
            console.log(await E(mixed).ask('second', 5_000_000));
          },
          told(what) { console.log('told', what); },
        });
      `,
        mixed: `${imports}
        let main;
        class Mixed extends Reactor {
          asked = this.action();
          waiting = [];
          r = this.reaction({ triggers: this.asked }, () => {
            const { what, resolve } = this.asked.get();
            console.log(at(this), 'asked', what);
            resolve('answer to ' + what + ' at ' + at(this));
          });
        }
        export const buildReactor = () => (main = new Mixed());
        export const buildRootObject = () => Far('root', {
          ask: (what, delay) => new Promise(resolve => main.asked.schedule(delay, { what, resolve })),
        });
      `,
      },
    });
    t.deepEqual(printed, [
      'mixed: 0.2 asked first',
      'boot: answer to first at 0.2',
      'mixed: 5.0 asked second',
      'boot: answer to second at 5.0',
    ]);
    t.is(counters.reactions.value, 2);
  },
);

test.serial('object references go through ports, and their holder can send to them', async t => {
  const { printed } = await runAll(t, {
    vats: {
      giver: `${imports}
        class Giver extends Reactor {
          out = this.output();
          r = this.reaction({ triggers: this.startup, effects: this.out }, () => {
            this.out.set({ counter: Far('counter', { add: n => { console.log('add', n); return n + 1; } }), later: Promise.resolve('kept') });
          });
        }
        export const buildReactor = () => new Giver();
      `,
      taker: `${imports}
        class Taker extends Reactor {
          in = this.input();
          r = this.reaction({ triggers: this.in }, () => {
            const { counter, later } = this.in.get();
            E(counter).add(41).then(sum => console.log('sum', sum));
            later.then(what => console.log('later', what));
          });
        }
        export const buildReactor = () => new Taker();
      `,
    },
    connections: [{ from: 'giver.out', to: 'taker.in', after: '1 ms' }],
  });
  t.deepEqual(printed, ['taker: later kept', 'giver: add 41', 'taker: sum 42']);
});

test.serial(
  'a vat whose reaction throws ends alone; its outputs are absent from then on',
  async t => {
    const { printed, errors } = await runAll(t, {
      vats: {
        source,
        fragile: `${imports}
        class Fragile extends Reactor {
          in = this.input();
          out = this.output();
          r = this.reaction({ triggers: this.in, effects: this.out }, () => {
            if (this.in.get().n === 2) throw Error('two is too many');
            this.out.set(this.in.get());
          });
        }
        export const buildReactor = () => new Fragile();
      `,
        sink,
        other: sink,
      },
      connections: [
        { from: 'source.out', to: 'fragile.in' },
        { from: 'fragile.out', to: 'sink.in' },
        { from: 'source.out', to: 'other.in' },
      ],
      timeout: '20 ms',
    });
    t.deepEqual(
      printed.filter(line => line.startsWith('sink')),
      ['sink: 0.0 begin', 'sink: 0.0 { n: 1 }', 'sink: 20.0 end false'],
    );
    t.is(printed.filter(line => line.startsWith('other')).length, 5);
    t.true(
      errors.some(line => line.includes('two is too many')),
      errors.join('\n'),
    );
    t.true(errors.some(line => line.startsWith('fragile: vat fragile was ended')));
  },
);

test.serial('a reaction that throws after quiet cranks ends only its vat', async t => {
  const fragile = `${imports}
    class Fragile extends Reactor {
      tick = this.timer(0, '1 ms');
      n = 0;
      r = this.reaction({ triggers: this.tick }, () => { if ((this.n += 1) === 4) throw Error('four is too many'); });
    }
    export const buildReactor = () => new Fragile();
  `;
  const { printed, errors, counters } = await runAll(t, {
    vats: { fragile, source, sink },
    connections: [{ from: 'source.out', to: 'sink.in' }],
    timeout: '20 ms',
  });
  t.is(printed.length, 6);
  t.is(errors.filter(line => line.includes('four is too many')).length, 2, errors.join('\n'));
  t.is(counters.reactions.value, 3 + (3 + 1) + (1 + 3 + 1));
});

test.serial('cranks of a vat before the one in which it ends are counted', async t => {
  const quitter = `${imports}
    class Quitter extends Reactor {
      tick = this.timer(0, '1 ms');
      n = 0;
      constructor(giveUp) {
        super();
        this.reaction({ triggers: this.tick }, () => { if ((this.n += 1) === 4) giveUp('four'); });
      }
    }
    export const buildReactor = ({ exitVatWithFailure }) => new Quitter(exitVatWithFailure);
  `;
  const { counters } = await runAll(t, { vats: { quitter } });
  t.is(counters.tags.value, 3);
  t.is(counters.dispatchReact.value, 3);
});

test.serial('requestStop ends the whole program at the next microstep, and no other', async t => {
  const stopper = `${imports}
    class Stopper extends Reactor {
      mayRequestStop = true;
      in = this.input();
      r = this.reaction({ triggers: this.in }, () => { if (this.in.get().n === 2) this.requestStop(); });
      end = this.reaction({ triggers: this.shutdown }, () => console.log(at(this), 'end'));
    }
    export const buildReactor = () => new Stopper();
  `;
  const { printed } = await runAll(t, {
    vats: {
      source,
      stopper,
      sink,
      lone: source
        .replace("'10 ms'", "'10 ms', undefined")
        .replace("this.timer(0, '10 ms', undefined)", "this.timer('15 ms', 0)"),
    },
    connections: [
      { from: 'source.out', to: 'stopper.in' },
      { from: 'source.out', to: 'sink.in' },
    ],
  });
  t.deepEqual(printed, [
    'sink: 0.0 begin',
    'sink: 0.0 { n: 1 }',
    'sink: 10.0 { n: 2 }',
    'source: 10.1 end',
    'stopper: 10.1 end',
    'sink: 10.1 end false',
    'lone: 15.1 end',
  ]);
});

test.serial('requestStop without its declaration is a fault of the vat', async t => {
  const { errors } = await runAll(t, {
    vats: {
      alone: `${imports}
        class Alone extends Reactor {
          r = this.reaction({ triggers: this.startup }, () => this.requestStop());
        }
        export const buildReactor = () => new Alone();
      `,
    },
  });
  t.true(
    errors.some(line => line.includes('mayRequestStop = true')),
    errors.join('\n'),
  );
});

test.serial(
  'a physical action of the root reactor is scheduled by the host, at the time of the clock',
  async t => {
    const config = write(t, {
      vats: {
        sensor: `${imports}
        class Sensor extends Reactor {
          touched = this.physicalAction();
          slow = this.physicalAction({ minDelay: '2 ms' });
          r = this.reaction({ triggers: [this.touched, this.slow] }, () =>
            console.log(at(this), this.touched.get(), this.slow.get()));
        }
        export const buildReactor = () => new Sensor();
      `,
      },
    });
    const way = {
      clock: [7_000_000, 7_000_000, 9_000_000, 9_000_000],
      between(/** @type {any} */ simulation, /** @type {number} */ block) {
        if (block === 0) {
          simulation.physicalInput('sensor', 'touched', 'a');
          simulation.physicalInput('sensor', 'touched', 'b');
          simulation.physicalInput('sensor', 'slow', 'c');
        }
      },
    };
    const plain = await run(config, way);
    t.deepEqual(plain.printed, [
      'sensor: 7.0 a undefined',
      'sensor: 7.1 b undefined',
      'sensor: 11.0 undefined c',
    ]);
    t.deepEqual(plain.audit, []);
    t.deepEqual(
      plain.inputs.filter(({ kind }) => kind === 'physical').map(({ data }) => JSON.parse(data)[0]),
      ['touched', 'touched', 'slow'],
    );
  },
);

test.serial("a vat's readings of the clock are recorded and given again", async t => {
  const { printed, inputs } = await runAll(
    t,
    {
      vats: {
        late: `${imports}
          class Late extends Reactor {
            tick = this.timer(0, '1 ms');
            r = this.reaction({ triggers: this.tick, deadline: '2 ms', late: () => console.log(at(this), 'late') }, () =>
              console.log(at(this), 'in time', this.util.getElapsedPhysicalTime()));
          }
          export const buildReactor = () => new Late();
        `,
      },
      timeout: '2 ms',
    },
    { clock: [1, 2, 3_500_000, 1_500_000, 4] },
  );
  t.deepEqual(printed, ['late: 0.0 in time 2', 'late: 1.0 late', 'late: 2.0 in time 4']);
  t.deepEqual(
    inputs.filter(({ kind }) => kind !== 'start').map(({ kind, data }) => `${kind} ${data}`),
    ['deadline 0', 'clock 2', 'deadline 1', 'deadline 0', 'clock 4'],
  );
});
