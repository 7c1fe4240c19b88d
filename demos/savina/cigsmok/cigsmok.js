import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';
import { busyWait, PseudoRandom } from '../common/pseudo-random.js';

/** Lets one smoker smoke at each microstep, as it draws them, and then asks all how often they did. */
class Arbiter extends Reactor {
  start = this.input();
  finished = this.output();
  end = this.output();
  choose = this.action();

  constructor(container, { rounds, smokers }) {
    super(container);
    this.smoke = this.outputs(smokers);
    this.counts = this.inputs(smokers);
    let random = new PseudoRandom();
    let round = 0;

    this.reaction({ triggers: this.start, effects: this.choose }, () => {
      random = new PseudoRandom(rounds * smokers);
      round = 0;
      this.choose.schedule();
    });

    this.reaction({ triggers: this.choose, effects: [this.smoke, this.end, this.choose] }, () => {
      if (round === rounds) {
        this.end.set(true);
        return;
      }
      round += 1;
      const smoker = random.nextBelow(smokers);
      this.smoke.set(smoker, random.nextBelow(1000) + 10);
      this.choose.schedule();
    });

    this.reaction({ triggers: this.counts, effects: this.finished }, () =>
      this.finished.set(this.counts.values()),
    );
  }
}

class Smoker extends Reactor {
  smoke = this.input();
  end = this.input();
  count = this.output();
  smoked = 0;

  wait = this.reaction({ triggers: this.smoke }, () => {
    busyWait(this.smoke.get());
    this.smoked += 1;
  });

  tell = this.reaction({ triggers: this.end, effects: this.count }, () => {
    this.count.set(this.smoked);
    this.smoked = 0;
  });
}

class CigaretteSmokers extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const arbiter = new Arbiter(this, parameters);
    const smokers = this.bank(parameters.smokers, Smoker);
    this.connect([runner.start, arbiter.finished], [arbiter.start, runner.finished]);
    this.connect(arbiter.smoke, smokers.port('smoke'));
    this.connect(arbiter.end, smokers.port('end'), { repeat: true });
    this.connect(smokers.port('count'), arbiter.counts);
  }
}

const check = (counts, { rounds, smokers }) => {
  const random = new PseudoRandom(rounds * smokers);
  const expected = new Array(smokers).fill(0);
  for (let i = 0; i < rounds; i += 1) {
    expected[random.nextBelow(smokers)] += 1;
    random.next();
  }
  insist(
    expected.every((count, smoker) => count === counts[smoker]),
    () => `smokers smoked ${counts.join(', ')} times, not ${expected.join(', ')}`,
  );
  return `${rounds} rounds of ${smokers} smokers`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { rounds: 1_000, smokers: 200 },
  sizes: { smokers: bounds.members },
  check,
  main: CigaretteSmokers,
  parts: { arbiter: Arbiter, smoker: slicesOf(Smoker, ({ smokers }) => smokers) },
});
