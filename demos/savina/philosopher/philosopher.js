import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';

/** Hands out the forks; who is asked first changes from tag to tag, so that nobody starves. */
class Arbitrator extends Reactor {
  start = this.input();
  finished = this.output();
  send = this.action();

  constructor(container, { philosophers }) {
    super(container);
    this.hungry = this.inputs(philosophers);
    this.done = this.inputs(philosophers);
    this.ended = this.inputs(philosophers);
    this.meals = this.inputs(philosophers);
    this.eat = this.outputs(philosophers);
    this.denied = this.outputs(philosophers);
    /** Whether a fork is taken; philosopher i needs i and the next one. */
    const forks = new Array(philosophers).fill(false);
    /** 1 to eat, 2 if denied, 0 for who did not ask */
    const replies = new Array(philosophers).fill(0);
    const behind = i => (i + 1 === philosophers ? 0 : i + 1);
    let turn = 0;
    let ended = 0;
    let retries = 0;
    let meals = 0;

    this.reaction({ triggers: this.start }, () => {
      forks.fill(false);
      replies.fill(0);
      turn = 0;
      ended = 0;
      retries = 0;
      meals = 0;
    });

    this.reaction({ triggers: this.send, effects: [this.eat, this.denied] }, () => {
      for (let i = 0; i < philosophers; i += 1) {
        if (replies[i] === 1) this.eat.set(i, true);
        else if (replies[i] === 2) this.denied.set(i, true);
        replies[i] = 0;
      }
    });

    this.reaction({ triggers: this.done }, () =>
      this.done.forEachPresent((_, i) => {
        forks[i] = false;
        forks[behind(i)] = false;
      }),
    );

    this.reaction({ triggers: this.hungry, effects: this.send }, () => {
      for (let i = 0; i < philosophers; i += 1) {
        const at = i + turn < philosophers ? i + turn : i + turn - philosophers;
        if (!this.hungry.isPresent(at)) continue;
        if (forks[at] || forks[behind(at)]) {
          replies[at] = 2;
        } else {
          forks[at] = true;
          forks[behind(at)] = true;
          replies[at] = 1;
        }
      }
      turn = behind(turn);
      this.send.schedule();
    });

    this.reaction({ triggers: this.ended, sources: this.meals, effects: this.finished }, () => {
      this.ended.forEachPresent((denied, i) => {
        retries += denied;
        meals += this.meals.get(i);
        ended += 1;
      });
      if (ended === philosophers) this.finished.set({ meals, retries });
    });
  }
}

class Philosopher extends Reactor {
  start = this.input();
  eat = this.input();
  denied = this.input();
  hungry = this.output();
  done = this.output();
  ended = this.output();
  meals = this.output();

  constructor(container, { rounds }) {
    super(container);
    let eaten = 0;
    let retries = 0;

    this.reaction({ triggers: this.start, effects: this.hungry }, () => {
      eaten = 0;
      retries = 0;
      this.hungry.set(true);
    });

    this.reaction(
      { triggers: this.eat, effects: [this.hungry, this.done, this.ended, this.meals] },
      () => {
        eaten += 1;
        this.done.set(true);
        if (eaten < rounds) {
          this.hungry.set(true);
        } else {
          this.ended.set(retries);
          this.meals.set(eaten);
        }
      },
    );

    this.reaction({ triggers: this.denied, effects: this.hungry }, () => {
      retries += 1;
      this.hungry.set(true);
    });
  }
}

class DiningPhilosophers extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const arbitrator = new Arbitrator(this, parameters);
    const philosophers = this.bank(parameters.philosophers, Philosopher, parameters);
    this.connect(runner.start, [arbitrator.start, philosophers.port('start')], { repeat: true });
    this.connect(arbitrator.finished, runner.finished);
    this.connect(arbitrator.eat, philosophers.port('eat'));
    this.connect(arbitrator.denied, philosophers.port('denied'));
    for (const name of ['hungry', 'done', 'ended', 'meals']) {
      this.connect(philosophers.port(name), arbitrator[name]);
    }
  }
}

const check = ({ meals, retries }, { philosophers, rounds }) => {
  insist(
    meals === philosophers * rounds,
    () => `${meals} of ${philosophers * rounds} meals were eaten`,
  );
  return `${meals} meals, ${retries} retries`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { philosophers: 20, rounds: 10_000 },
  sizes: { philosophers: bounds.members },
  check,
  main: DiningPhilosophers,
  parts: {
    arbitrator: Arbitrator,
    philosopher: slicesOf(Philosopher, ({ philosophers }) => philosophers),
  },
});
