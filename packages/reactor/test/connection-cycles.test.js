// Cycles of connections on which no reaction lies: there is no reaction to order, and a value would go round for ever.

import test from 'ava';
import { Reactor, runFast } from '../index.js';

class Pass extends Reactor {
  in = this.input();
  out = this.output();
  wires = this.connect(this.in, this.out);
}

class WidePass extends Reactor {
  in = this.inputs(2);
  out = this.outputs(2);
  wires = this.connect(this.in, this.out);
}

const hint = 'break it with an "after" delay';

for (const [name, Main, message] of /** @type {[string, new () => Reactor, string][]} */ ([
  [
    'a reactor that is connected to itself',
    class extends Reactor {
      a = new Pass(this);
      wires = this.connect(this.a.out, this.a.in);
    },
    `zero-delay cycle of connections: a.in → a.out → a.in; ${hint}`,
  ],
  [
    'a cycle behind which something lies',
    class extends Reactor {
      last = new Pass(this);
      a = new Pass(this);
      b = new Pass(this);
      wires = [
        this.connect(this.a.out, [this.b.in, this.last.in], { repeat: true }),
        this.connect(this.b.out, this.a.in),
      ];
    },
    `zero-delay cycle of connections: a.in → a.out → b.in → b.out → a.in; ${hint}`,
  ],
  [
    'a cycle through a bank',
    class extends Reactor {
      stages = this.bank(3, Pass);
      wires = this.connect(this.stages.port('out'), [
        ...this.stages.port('in').slice(1),
        this.stages.get(0).in,
      ]);
    },
    'zero-delay cycle of connections: stages[0].in → stages[0].out → stages[1].in → stages[1].out → stages[2].in → ' +
      `stages[2].out → stages[0].in; ${hint}`,
  ],
  [
    'a cycle through two channels of a multiport',
    class extends Reactor {
      a = new WidePass(this);
      wires = this.connect([this.a.out.channel(1), this.a.out.channel(0)], this.a.in);
    },
    `zero-delay cycle of connections: a.in[0] → a.out[0] → a.in[1] → a.out[1] → a.in[0]; ${hint}`,
  ],
  [
    'a cycle through a connection of a mode',
    class extends Reactor {
      A = this.mode({ initial: true });
      a = new Pass(this);
      wires = this.connect(this.a.out, this.a.in, { mode: this.A });
    },
    `zero-delay cycle of connections: a.in → a.out → a.in; ${hint}`,
  ],
  [
    'a cycle through connections of two modes',
    class extends Reactor {
      A = this.mode({ initial: true });
      B = this.mode();
      a = new Pass(this);
      b = new Pass(this);
      wires = [
        this.connect(this.a.out, this.b.in, { mode: this.A }),
        this.connect(this.b.out, this.a.in, { mode: this.B }),
      ];
    },
    `zero-delay cycle of connections: a.in → a.out → b.in → b.out → a.in; ${hint}`,
  ],
])) {
  test(name, t => {
    t.throws(() => runFast(new Main()), { message, name: 'UserError' });
  });
}

test('a cycle of thousands of ports is reported in one line', t => {
  class Main extends Reactor {
    ring = this.bank(5_000, Pass);
    wires = this.connect(this.ring.port('out'), [
      ...this.ring.port('in').slice(1),
      this.ring.get(0).in,
    ]);
  }
  const error = t.throws(() => runFast(new Main()), { name: 'UserError' });
  t.true(error.message.length < 1_000);
  t.true(error.message.includes('9980 more'));
});

test('a delay breaks a cycle of connections', t => {
  class Main extends Reactor {
    a = new Pass(this);
    wires = this.connect(this.a.out, this.a.in, { after: 1 });
  }
  t.notThrows(() => runFast(new Main(), { timeout: 3 }));
});

test('a long chain of connections is resolved in one walk', t => {
  class Main extends Reactor {
    chain = this.bank(20_000, Pass);
    // The reactor that was made first is the last one of the chain.
    wires = this.connect(this.chain.port('out').slice(1), this.chain.port('in').slice(0, -1));
  }
  t.notThrows(() => runFast(new Main()));
});

for (const [name, make] of /** @type {[string, (options: any) => any][]} */ ([
  ['a connection', () => ({})],
  ['a connection of a mode', ({ mode }) => ({ mode })],
])) {
  test(`a mutation closes no cycle by ${name}, and may go on without it`, t => {
    /** @type {string[]} */
    const seen = [];
    class Source extends Reactor {
      out = this.output();
      tick = this.timer(0, 1);
      r = this.reaction({ triggers: this.tick, effects: this.out }, () => this.out.set(7));
    }
    class Main extends Reactor {
      A = this.mode({ initial: true });
      source = new Source(this);
      a = new Pass(this);
      t = this.timer(1);
      m = this.mutation({ triggers: this.t }, () => {
        const { message } = t.throws(() =>
          this.connect(this.a.out, this.a.in, make({ mode: this.A })),
        );
        seen.push(message);
        this.connect(this.source.out, this.a.in);
      });
      r = this.reaction({ triggers: this.a.out }, () => seen.push(`got ${this.a.out.get()}`));
    }
    runFast(new Main(), { timeout: 2 });
    t.deepEqual(seen, [
      `zero-delay cycle of connections: a.in → a.out → a.in; ${hint}`,
      'got 7',
      'got 7',
    ]);
  });
}
