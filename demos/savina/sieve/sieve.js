import { Reactor } from 'swingset-runner/reactor';
import { benchmark, insist, Runner } from '../common/benchmark.js';

/** Sends odd numbers from 3, one a microstep, and then asks for the number of primes. */
class Producer extends Reactor {
  start = this.input();
  candidate = this.output();
  end = this.output();
  next = this.action();

  constructor(container, { limit }) {
    super(container);
    let candidate = 3;

    this.reaction({ triggers: this.start, effects: this.next }, () => {
      candidate = 3;
      this.next.schedule();
    });

    this.reaction({ triggers: this.next, effects: [this.candidate, this.end, this.next] }, () => {
      if (candidate >= limit) {
        this.end.set(true);
        return;
      }
      this.candidate.set(candidate);
      candidate += 2;
      this.next.schedule();
    });
  }
}

/** Holds so many primes, and makes another filter, which it contains, for those that it has no room for. */
class Filter extends Reactor {
  candidate = this.input();
  end = this.input();
  total = this.output();
  // These lead inwards, to the next filter.
  nextCandidate = this.output();
  nextEnd = this.output();
  grow = this.action();
  tell = this.action();

  constructor(container, { capacity }, prime = 2) {
    super(container);
    const primes = [prime];
    let next = null;

    this.mutation(
      {
        triggers: [this.grow, this.tell],
        effects: [this.nextCandidate, this.nextEnd, this.total],
      },
      () => {
        if (this.tell.isPresent()) {
          this.total.set(primes.length);
          return;
        }
        next = new Filter(this, { capacity }, this.grow.get());
        this.connect([this.nextCandidate, this.nextEnd], [next.candidate, next.end]);
        const sum = new Sum(this, primes.length);
        this.connect([next.total, sum.out], [sum.in, this.total]);
      },
    );

    this.reaction({ triggers: this.candidate, effects: [this.grow, this.nextCandidate] }, () => {
      const candidate = this.candidate.get();
      for (const known of primes) if (candidate % known === 0) return;
      if (primes.length < capacity) primes.push(candidate);
      else if (next === null) this.grow.schedule(0, candidate);
      else this.nextCandidate.set(candidate);
    });

    this.reaction({ triggers: this.end, effects: [this.tell, this.nextEnd] }, () => {
      if (next === null) this.tell.schedule();
      else this.nextEnd.set(true);
    });
  }
}

class Sum extends Reactor {
  in = this.input();
  out = this.output();

  constructor(container, summand) {
    super(container);
    this.reaction({ triggers: this.in, effects: this.out }, () =>
      this.out.set(this.in.get() + summand),
    );
  }
}

/** Begins each iteration with a filter that knows 2. */
class Chain extends Reactor {
  start = this.input();
  candidate = this.input();
  end = this.input();
  total = this.output();

  constructor(container, parameters) {
    super(container);
    let first = null;
    this.mutation({ triggers: this.start, effects: this.total }, () => {
      if (first !== null) {
        this.disconnect(first.total);
        this.delete(first);
      }
      first = new Filter(this, parameters);
      this.connect([this.candidate, this.end], [first.candidate, first.end]);
      this.connect(first.total, this.total);
    });
  }
}

class Sieve extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const producer = new Producer(this, parameters);
    const chain = new Chain(this, parameters);
    this.connect(runner.start, [producer.start, chain.start], { repeat: true });
    this.connect([producer.candidate, producer.end], [chain.candidate, chain.end]);
    this.connect(chain.total, runner.finished);
  }
}

/** By the sieve itself, on an array. */
const countPrimes = limit => {
  const isComposite = new Uint8Array(limit);
  let count = 0;
  for (let number = 2; number < limit; number += 1) {
    if (isComposite[number]) continue;
    count += 1;
    for (let multiple = number ** 2; multiple < limit; multiple += number)
      isComposite[multiple] = 1;
  }
  return count;
};

const check = (total, { limit }) => {
  const expected = countPrimes(limit);
  insist(total === expected, () => `${total} primes were found, not ${expected}`);
  return `${total} primes below ${limit}`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { limit: 100_000, capacity: 1_000 },
  sizes: { limit: { from: 3, to: 2 ** 31 - 1 } },
  check,
  main: Sieve,
  parts: { producer: Producer, chain: Chain },
});
