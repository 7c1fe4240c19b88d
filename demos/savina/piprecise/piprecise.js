import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';

/** Bits behind the point: those of the digits, and some that are lost by rounding. */
const bitsOf = digits => BigInt(Math.ceil(digits * Math.log2(10)) + 64);

/** A term of the series of Bailey, Borwein and Plouffe. */
const termOf = (k, bits) => {
  const eight = 8n * BigInt(k);
  const one = 1n << bits;
  const sum =
    (4n * one) / (eight + 1n) - (2n * one) / (eight + 4n) - one / (eight + 5n) - one / (eight + 6n);
  return sum >> BigInt(4 * k);
};

/** Asks each worker for a term at a microstep, until the terms are too small to count. */
class Manager extends Reactor {
  start = this.input();
  finished = this.output();
  next = this.action();

  constructor(container, { workers, digits }) {
    super(container);
    this.request = this.outputs(workers);
    this.term = this.inputs(workers);
    const bits = bitsOf(digits);
    const scale = 10n ** BigInt(digits);
    const tolerance = (1n << bits) / scale;
    let sum = 0n;
    let requested = 0;

    this.reaction({ triggers: this.start, effects: this.next }, () => {
      sum = 0n;
      requested = 0;
      this.next.schedule();
    });

    this.reaction({ triggers: this.next, effects: this.request }, () => {
      for (let i = 0; i < workers; i += 1) this.request.set(i, requested + i);
      requested += workers;
    });

    this.reaction({ triggers: this.term, effects: [this.next, this.finished] }, () => {
      let isDone = false;
      this.term.forEachPresent(term => {
        sum += term;
        // A few digits more than are asked for, so that none is rounded away.
        if (term < tolerance >> 32n) isDone = true;
      });
      if (isDone) this.finished.set(String((sum * scale) >> bits));
      else this.next.schedule();
    });
  }
}

class Worker extends Reactor {
  request = this.input();
  term = this.output();

  constructor(container, { digits }) {
    super(container);
    const bits = bitsOf(digits);
    this.reaction({ triggers: this.request, effects: this.term }, () =>
      this.term.set(termOf(this.request.get(), bits)),
    );
  }
}

class PiPrecision extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const manager = new Manager(this, parameters);
    const workers = this.bank(parameters.workers, Worker, parameters);
    this.connect([runner.start, manager.finished], [manager.start, runner.finished]);
    this.connect(manager.request, workers.port('request'));
    this.connect(workers.port('term'), manager.term);
  }
}

/** The digits by another formula, that of Machin: pi = 16 arctan(1/5) - 4 arctan(1/239). */
const digitsOfPi = digits => {
  const guard = 10n ** 10n;
  const one = 10n ** BigInt(digits) * guard;
  const arctan = x => {
    let power = one / x;
    let sum = power;
    for (let n = 3n, sign = -1n; power > 0n; n += 2n, sign = -sign) {
      power /= x * x;
      sum += (sign * power) / n;
    }
    return sum;
  };
  return String((16n * arctan(5n) - 4n * arctan(239n)) / guard);
};

const check = (result, { digits }) => {
  const expected = digitsOfPi(digits);
  insist(result === expected, () => {
    const at = [...expected].findIndex((digit, i) => digit !== result[i]);
    return `digit ${at} of pi is ${result[at]}, not ${expected[at]}`;
  });
  return `pi to ${digits} digits, the last ones ${result.slice(-5)}`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { workers: 20, digits: 5_000 },
  sizes: { workers: bounds.members, digits: { to: 1_000_000 } },
  check,
  main: PiPrecision,
  parts: { manager: Manager, worker: slicesOf(Worker, ({ workers }) => workers) },
});
