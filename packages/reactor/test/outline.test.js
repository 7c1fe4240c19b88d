import test from 'ava';
import fc from 'fast-check';
import { Federate, Program, Reactor, interleaved, outlineOf } from '../index.js';
import { testClock } from './helpers.js';

/** @param {Reactor} main @param {object} [options] */
const outline = (main, options) => outlineOf(new Program(main, { fast: true }), options);

class Stage extends Reactor {
  in = this.input();
  out = this.output();
  forward = this.reaction({ triggers: this.in, effects: this.out }, () => {});
}

test('an outline has reactors, their parts, reactions with levels, and connections', t => {
  class Main extends Reactor {
    first = new Stage(this);
    second = new Stage(this);
    tick = this.timer('1 ms', '10 ms');
    wake = this.physicalAction({ minDelay: '2 ms', minSpacing: '5 ms', policy: 'drop' });
    wires = this.connect(this.first.out, this.second.in, { after: '3 ms' });
    start = this.reaction(
      { triggers: [this.startup, this.tick], effects: [this.first.in, this.wake] },
      () => {},
    );
    end = this.reaction(
      { triggers: [this.wake], sources: this.second.out, deadline: '4 ms' },
      () => {},
    );
  }
  const made = outline(new Main());
  t.deepEqual(made, JSON.parse(JSON.stringify(made)));
  const [main, first, second] = made.reactors;
  t.deepEqual(
    made.reactors.map(({ id, parent, path, class: type, width }) => [
      id,
      parent,
      path,
      type,
      width,
    ]),
    [
      [0, null, 'Main', 'Main', 1],
      [1, 0, 'first', 'Stage', 1],
      [2, 0, 'second', 'Stage', 1],
    ],
  );
  t.deepEqual(main.timers, [{ name: 'tick', mode: null, offsetNs: 1e6, periodNs: 1e7 }]);
  t.deepEqual(main.actions, [
    {
      name: 'wake',
      mode: null,
      isPhysical: true,
      minDelayNs: 2e6,
      minSpacingNs: 5e6,
      policy: 'drop',
    },
  ]);
  t.deepEqual(first.ports, [
    { name: 'in', isInput: true, width: 1, isMulti: false },
    { name: 'out', isInput: false, width: 1, isMulti: false },
  ]);
  const [start, end] = main.reactions;
  t.deepEqual(start.triggers, [
    { kind: 'startup', name: 'startup' },
    { kind: 'timer', name: 'tick' },
  ]);
  t.deepEqual(start.effects, [
    { kind: 'port', name: 'in', reactor: 1 },
    { kind: 'action', name: 'wake' },
  ]);
  t.deepEqual(end.sources, [{ kind: 'port', name: 'out', reactor: 2 }]);
  t.is(end.deadlineNs, 4e6);
  t.is(start.deadlineNs, null);
  t.deepEqual(
    [start, end, ...first.reactions, ...second.reactions].map(({ name, level }) => [name, level]),
    [
      ['start', 0],
      ['end', 1],
      ['forward', 1],
      ['forward', 0],
    ],
  );
  t.deepEqual(made.connections, [
    {
      container: 0,
      mode: null,
      from: { reactor: 1, port: 'out' },
      to: { reactor: 2, port: 'in' },
      channels: 1,
      runs: [[0, 0, 1]],
      delayNs: 3e6,
      isPhysical: false,
    },
  ]);
});

class Member extends Reactor {
  constructor(/** @type {Reactor} */ container, /** @type {number} */ width) {
    super(container);
    this.in = this.inputs(width);
    this.out = this.outputs(width);
    this.inner = new Stage(this);
    this.reaction({ triggers: this.in, effects: [this.out, this.inner.in] }, () => {});
  }
}

class Everybody extends Reactor {
  constructor(/** @type {number} */ width) {
    super();
    this.members = this.bank(width, Member, width);
    this.connect(interleaved(this.members.port('out')), this.members.port('in'), { after: 0 });
  }
}

test('a bank of many equal reactors is one, with a width; unless asked otherwise', t => {
  const many = outline(new Everybody(10));
  t.deepEqual(
    many.reactors.map(({ path, width, bankIndex }) => [path, width, bankIndex]),
    [
      ['Everybody', 1, null],
      ['members[0..9]', 10, null],
      ['members[0..9].inner', 1, null],
    ],
  );
  t.is(many.connections.length, 1);
  t.like(many.connections[0], { channels: 100, runs: null, delayNs: 0 });
  const each = outline(new Everybody(10), { maxBank: Infinity });
  t.is(each.reactors.length, 21);
  t.is(each.reactors[3].bankIndex, 1);
  t.is(each.connections.length, 100);
  t.deepEqual(each.connections[1].from, { reactor: 3, port: 'out' });
  t.deepEqual(each.connections[1].runs, [[0, 1, 1]]);
});

test('members of a bank that differ are listed one by one', t => {
  class Odd extends Reactor {
    constructor(/** @type {Reactor} */ container) {
      super(container);
      this.in = this.inputs(this.getBankIndex() === 7 ? 2 : 1);
    }
  }
  class Main extends Reactor {
    odd = this.bank(10, Odd);
  }
  t.deepEqual(
    outline(new Main()).reactors.map(({ path }) => path),
    ['Main', 'odd[0..6]', 'odd[7]', 'odd[8]', 'odd[9]'],
  );
});

test('the levels of a cascade that is a bank are listed from the lowest to the highest', t => {
  class Cascade extends Reactor {
    stages = this.bank(10, Stage);
    wires = this.connect(this.stages.port('out').slice(0, -1), this.stages.port('in').slice(1));
  }
  const { reactors, connections } = outline(new Cascade());
  t.like(reactors[1].reactions[0], { level: 0, lastLevel: 9 });
  t.like(connections[0], { from: { reactor: 1, port: 'out' }, to: { reactor: 1, port: 'in' } });
  t.is(connections[0].channels, 9);
});

test('an outline has modes, transitions and the parts in them', t => {
  class Main extends Reactor {
    slow = this.mode({ initial: true });
    fast = this.mode();
    stage = new Stage(/** @type {any} */ (this.fast));
    tick = this.timer(0, '1 s', this.slow);
    step = this.reaction(
      { mode: this.slow, triggers: [this.tick, this.reset], effects: this.fast.history },
      () => {},
    );
  }
  const { reactors } = outline(new Main());
  t.deepEqual(reactors[0].modes, [
    { name: 'slow', isInitial: true },
    { name: 'fast', isInitial: false },
  ]);
  t.is(reactors[1].mode, 'fast');
  t.is(reactors[0].timers[0].mode, 'slow');
  t.like(reactors[0].reactions[0], {
    mode: 'slow',
    triggers: [{ kind: 'timer' }, { kind: 'reset' }],
    effects: [{ kind: 'mode', name: 'fast', transition: 'history' }],
  });
  t.deepEqual(reactors[0].reactions[0].triggers.map(({ name }) => name).sort(), ['reset', 'tick']);
});

test('an outline has transient children with their results', t => {
  class Child extends Reactor {
    in = this.input();
    sum = this.output();
    r = this.reaction({ triggers: this.in, effects: this.sum }, () => {});
  }
  class Main extends Reactor {
    child = this.transient(Child, ['sum']);
    spawns = this.reaction({ triggers: this.startup, effects: this.child }, () => {});
    reads = this.reaction({ triggers: this.child.sum }, () => {});
  }
  const [main] = outline(new Main()).reactors;
  t.deepEqual(main.transients, [{ name: 'child', class: 'Child', results: ['sum'], mode: null }]);
  t.deepEqual(main.ports, []);
  t.deepEqual(main.reactions[0].effects, [{ kind: 'transient', name: 'child' }]);
  t.deepEqual(main.reactions[1].triggers, [{ kind: 'transient', name: 'child', result: 'sum' }]);
});

test('a part without a field has the name that error messages give it', t => {
  class Main extends Reactor {
    constructor() {
      super();
      const stage = new Stage(this);
      const port = this.output();
      this.reaction({ triggers: stage.out, effects: port }, () => {});
    }
  }
  const { reactors } = outline(new Main());
  t.is(reactors[0].reactions[0].name, 'r0');
  t.is(reactors[0].ports[0].name, 'output0');
  t.is(reactors[1].path, 'Stage');
});

test('an outline of a running program has what mutations have made of it', t => {
  class Main extends Reactor {
    first = new Stage(this);
    grow = this.mutation({ triggers: this.startup }, () => {
      this.second = new Stage(this);
      this.connect(this.first.out, this.second.in);
    });
  }
  const program = new Program(new Main(), { fast: true });
  t.is(outlineOf(program).reactors.length, 2);
  program.step();
  const { reactors, connections } = outlineOf(program);
  t.deepEqual(
    reactors.map(({ path }) => path),
    ['Main', 'first', 'second'],
  );
  t.like(connections[0], { from: { reactor: 1 }, to: { reactor: 2 } });
});

test('an outline of a federate has its stages', t => {
  class Vat extends Reactor {
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: this.in, effects: this.out }, () => {});
  }
  const federate = new Federate(new Vat(), { clock: testClock() });
  federate.setStages(() => 3);
  t.is(outlineOf(federate).reactors[0].reactions[0].stage, 3);
});

test('an outline is made of a program only', t => {
  t.throws(() => outlineOf(/** @type {any} */ ({ main: new Stage() })), {
    message: /^an outline is made of a program, got an Object; give a Program/,
  });
});

test("no form of a bank's outline loses a connection", t => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(1, 4, Infinity),
      (width, maxBank) => {
        const { connections, reactors } = outline(new Everybody(width), { maxBank });
        t.is(
          connections.reduce((sum, { channels }) => sum + channels, 0),
          width * width,
        );
        t.is(
          reactors.reduce((sum, { name, width: each }) => sum + (name === 'inner' ? 0 : each), 0),
          width + 1,
        );
      },
    ),
  );
});
