// Programs whose diagrams are tested.

import { Reactor, interleaved } from '#reactor';

class Source extends Reactor {
  out = this.output();
  tick = this.timer('1 ms', '10 ms');
  emit = this.reaction({ triggers: this.tick, effects: this.out }, () => {});
}

class Filter extends Reactor {
  in = this.input();
  out = this.output();
  apply = this.reaction({ triggers: this.in, effects: this.out }, () => {});
}

class Sink extends Reactor {
  in = this.input();
  take = this.reaction({ triggers: this.in, deadline: '5 ms' }, () => {});
  report = this.reaction({ triggers: this.shutdown }, () => {});
}

export class Pipeline extends Reactor {
  source = new Source(this);
  smooth = new Filter(this);
  scale = new Filter(this);
  sink = new Sink(this);
  wires = this.connect(
    [this.source.out, this.smooth.out, this.scale.out],
    [this.smooth.in, this.scale.in, this.sink.in],
  );
}

class Twice extends Reactor {
  in = this.input();
  out = this.output();
  first = new Filter(this);
  second = new Filter(this);
  inwards = this.connect(this.in, this.first.in);
  between = this.connect(this.first.out, this.second.in, { after: '2 ms' });
  outwards = this.connect(this.second.out, this.out);
}

class FourTimes extends Reactor {
  in = this.input();
  out = this.output();
  left = new Twice(this);
  right = new Twice(this);
  wires = this.connect(
    [this.in, this.left.out, this.right.out],
    [this.left.in, this.right.in, this.out],
  );
}

export class Nested extends Reactor {
  source = new Source(this);
  chain = new FourTimes(this);
  sink = new Sink(this);
  wires = this.connect([this.source.out, this.chain.out], [this.chain.in, this.sink.in]);
}

class Worker extends Reactor {
  task = this.input();
  done = this.output();
  later = this.action({ minDelay: '3 ms' });
  begin = this.reaction({ triggers: this.task, effects: this.later }, () => {});
  finish = this.reaction({ triggers: this.later, effects: this.done }, () => {});
}

class Spread extends Reactor {
  tasks = this.outputs(8);
  first = this.reaction({ triggers: this.startup, effects: this.tasks }, () => {});
}

class Gather extends Reactor {
  results = this.inputs(8);
  count = this.reaction({ triggers: this.results }, () => {});
}

export class ForkJoin extends Reactor {
  spread = new Spread(this);
  workers = this.bank(8, Worker);
  gather = new Gather(this);
  out = this.connect(this.spread.tasks, this.workers.port('task'));
  back = this.connect(this.workers.port('done'), this.gather.results);
}

class Peer extends Reactor {
  in = this.inputs(100);
  out = this.outputs(100);
  talk = this.reaction({ triggers: this.in, effects: this.out }, () => {});
}

export class Everybody extends Reactor {
  peers = this.bank(100, Peer);
  wires = this.connect(interleaved(this.peers.port('out')), this.peers.port('in'), {
    after: '1 ms',
  });
}

export class TrafficLight extends Reactor {
  button = this.input();
  light = this.output();
  red = this.mode({ initial: true });
  green = this.mode();
  redTime = this.timer('30 s', 0, this.red);
  greenTime = this.timer('20 s', 0, this.green);
  stop = this.reaction({ mode: this.red, triggers: this.reset, effects: this.light }, () => {});
  go = this.reaction(
    { mode: this.red, triggers: [this.redTime, this.button], effects: this.green.reset },
    () => {},
  );
  free = this.reaction({ mode: this.green, triggers: this.reset, effects: this.light }, () => {});
  halt = this.reaction(
    { mode: this.green, triggers: this.greenTime, effects: this.red.history },
    () => {},
  );
}

class Controller extends Reactor {
  measured = this.input();
  command = this.output();
  control = this.reaction({ triggers: this.measured, effects: this.command }, () => {});
}

class Plant extends Reactor {
  command = this.input();
  measured = this.output();
  move = this.reaction(
    { triggers: [this.startup, this.command], effects: this.measured },
    () => {},
  );
}

export class Loop extends Reactor {
  plant = new Plant(this);
  controller = new Controller(this);
  sense = this.connect(this.plant.measured, this.controller.measured);
  act = this.connect(this.controller.command, this.plant.command, { after: '1 ms' });
}

class Sum extends Reactor {
  low = this.input();
  high = this.input();
  sum = this.output();
  left = this.transient(Sum, ['sum']);
  right = this.transient(Sum, ['sum']);
  split = this.reaction(
    { triggers: [this.low, this.high], effects: [this.sum, this.left, this.right] },
    () => {},
  );
  add = this.reaction({ triggers: [this.left.sum, this.right.sum], effects: this.sum }, () => {});
}

export class Recursion extends Reactor {
  all = new Sum(this);
  press = this.physicalAction({ minSpacing: '10 ms', policy: 'drop' });
  asked = this.reaction({ triggers: this.press, effects: [this.all.low, this.all.high] }, () => {});
  told = this.reaction({ triggers: this.all.sum, sources: [] }, () => {});
  grow = this.mutation({ triggers: this.startup }, () => {});
}

/** Ten chains of ten reactors, with crossing connections. */
export class Hundred extends Reactor {
  constructor() {
    super();
    /** @type {Filter[][]} */
    this.rows = Array.from({ length: 10 }, () =>
      Array.from({ length: 10 }, () => new Filter(this)),
    );
    for (let row = 0; row < 10; row += 1) {
      for (let i = 1; i < 10; i += 1) {
        const from =
          this.rows[
            (row * 3 + (i === 5 ? 1 : 0)) % 10 === row ? row : (row + (i % 3 === 0 ? 1 : 0)) % 10
          ];
        this.connect(from[i - 1].out, this.rows[row][i].in, i === 5 ? { after: '1 ms' } : {});
      }
    }
  }
}

/** A mode with a cycle and a transition to itself. */
export class SelfTransition extends Reactor {
  only = this.mode({ initial: true });
  tick = this.timer(0, '1 s', this.only);
  again = this.reaction(
    { mode: this.only, triggers: this.tick, effects: this.only.reset },
    () => {},
  );
}

export { Twice };
