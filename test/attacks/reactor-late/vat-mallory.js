// Calls of the API at wrong times, and sizes that are too large: the vat ends, or is told, and the others go on.

import { Reactor } from 'swingset-runner/reactor';

class Child extends Reactor {
  in = this.input();
  out = this.output();
  act = this.action();
  wires = this.connect(this.in, this.out);
}

const largest = Number.MAX_SAFE_INTEGER;

const tricks = {
  job: m => Promise.resolve().then(() => m.out.set('late')),
  timerJob: m =>
    Promise.resolve()
      .then(() => m.act.schedule(0))
      .then(() => m.act.scheduleAt({ timeNs: 0 })),
  method: m => m.child.act.schedule(0),
  otherReactor: m => m.child.out.set(1),
  deep: m => {
    let inner = m;
    for (let i = 0; i < 100_000; i += 1) inner = new Child(inner);
  },
  width: m =>
    new (class extends Reactor {
      in = this.inputs(2 ** 31);
    })(m),
  bank: m => m.bank(2 ** 40, Child),
  delay: m => m.act.schedule(largest),
  period: m =>
    new (class extends Reactor {
      t = this.timer(1, largest);
      r = this.reaction({ triggers: this.t }, () => {});
    })(m),
  after: m => m.connect(m.child.out, m.child.in, { after: largest }),
  after0: m => m.connect(m.child.out, m.child.in, { after: -1 }),
  tag: m => m.act.scheduleAt({ timeNs: largest, microstep: 2 ** 31 - 1 }),
  zeno: m => m.act.schedule(largest - 1e9),
  watch: m => m.dog.start(largest),
  spawn: m => m.kid.spawn(m),
  grow: m => {
    for (let i = 0; i < 300; i += 1) m.connect(m.child.out, new Child(m).in);
  },
  names: m => Object.assign(m, { 'a\u001b[2J\nbob: tick 99': m.child, ['x'.repeat(1e6)]: m.act }),
  promise: m => m.out.set(new Promise(() => {})),
  delete: m => {
    m.delete(m.child);
    m.delete(m.child);
    m.child.out.get();
  },
  connect: m => {
    m.connect(m.child.out, m.child.in);
  },
  newLate: m => Promise.resolve().then(() => new Child(m)),
  cycle: m => {
    try {
      m.connect(m.child.out, m.child.in);
    } catch {
      m.connect(m.child.out, m.child.in);
    }
  },
};

class Kid extends Reactor {
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(this.in.get()));
}

class Mallory extends Reactor {
  out = this.output();
  tick = this.timer(0, '1 ms');
  act = this.action();
  child = new Child(this);
  kid = this.transient(Kid, ['out']);
  dog = this.watchdog(5, () => {});
  m = this.mutation(
    { triggers: [this.tick, this.act], effects: [this.out, this.act, this.kid, this.dog] },
    () => {
      this.out.set('honest');
      if (this.util.getElapsedLogicalTime() > 0) tricks[this.trick](this);
    },
  );
}

export const buildReactor = (_powers, { trick }) => {
  const mallory = new Mallory();
  mallory.trick = trick;
  return mallory;
};
