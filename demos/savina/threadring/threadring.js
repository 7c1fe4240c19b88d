import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, rangesOf, Runner } from '../common/benchmark.js';

/** Passes the token on, one less; the one who gets 0 tells its place in the ring. */
class Member extends Reactor {
  token = this.input();
  next = this.output();
  finished = this.output();

  constructor(container, { first = 1 }) {
    super(container);
    const place = first + this.getBankIndex();
    this.reaction({ triggers: this.token, effects: [this.next, this.finished] }, () => {
      const left = this.token.get();
      if (left > 0) this.next.set(left - 1);
      else this.finished.set(place);
    });
  }
}

/** The member in place 0, which sends the token round once more at the next microstep. */
class LoopOpener extends Reactor {
  start = this.input();
  token = this.input();
  next = this.output();
  finished = this.output();
  send = this.action();

  pass = this.reaction({ triggers: this.send, effects: this.next }, () =>
    this.next.set(this.send.get()),
  );

  take = this.reaction(
    { triggers: [this.start, this.token], effects: [this.send, this.finished] },
    () => {
      const left = this.start.isPresent() ? this.start.get() : this.token.get();
      if (left > 0) this.send.schedule(0, left - 1);
      else this.finished.set(0);
    },
  );
}

class Initializer extends Reactor {
  start = this.input();
  finished = this.output();
  token = this.output();

  constructor(container, { members, hops }) {
    super(container);
    this.ended = this.inputs(members);
    this.reaction({ triggers: this.start, effects: this.token }, () => this.token.set(hops));
    this.reaction({ triggers: this.ended, effects: this.finished }, () =>
      this.ended.forEachPresent(place => this.finished.set(place)),
    );
  }
}

/** Members that stand one behind the other. */
class Segment extends Reactor {
  token = this.input();
  next = this.output();

  constructor(container, { first, count }) {
    super(container);
    const bank = this.bank(count, Member, { first: first + 1 });
    this.finished = this.outputs(count);
    this.connect([this.token, ...bank.port('next')], [...bank.port('token'), this.next]);
    this.connect(bank.port('finished'), this.finished);
  }
}

class ThreadRing extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const initializer = new Initializer(this, parameters);
    const opener = new LoopOpener(this);
    const members = this.bank(parameters.members - 1, Member, {});
    this.connect([runner.start, initializer.finished], [initializer.start, runner.finished]);
    this.connect(initializer.token, opener.start);
    this.connect([opener.next, ...members.port('next')], [...members.port('token'), opener.token]);
    this.connect([opener.finished, ...members.port('finished')], initializer.ended);
  }
}

const check = (place, { members, hops }) => {
  insist(place === hops % members, () => `the token ended at ${place}, not ${hops % members}`);
  return `${hops} hops, the last one to member ${place}`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { members: 100, hops: 100_000 },
  sizes: { members: bounds.members, hops: bounds.fromZero },
  check,
  main: ThreadRing,
  parts: {
    initializer: Initializer,
    opener: LoopOpener,
    segment: rangesOf(Segment, ({ members }) => members - 1),
  },
});
