// Eratosthenes' sieve, a program with mutations: each prime adds a filter after the last one.
// Lingua Franca's compiler generates no mutations, but reactor-ts has them. `node
// packages/reactor-ts/examples/sieve.js [LIMIT]`.

import { pathToFileURL } from 'node:url';
import * as reactorTs from 'swingset-runner/reactor-ts';

/**
 * @param {typeof reactorTs} names  of reactor-ts, here or elsewhere
 * @returns the class of the main reactor
 */
export const makeSieve = names => {
  const { Action, App, InPort, Origin, OutPort, Parameter, Reactor, State, TimeValue } = names;

  class Numbers extends Reactor {
    constructor(/** @type {any} */ parent, limit = 100) {
      super(parent);
      this.limit = new Parameter(limit);
      this.next = new Action(this, Origin.logical, TimeValue.nsec(1));
      this.out = new OutPort(this);
      this.addReaction(
        [this.startup, this.next],
        [this.schedulable(this.next), this.limit, this.writable(this.out)],
        function (next, limit, out) {
          const number = next.get() ?? 2;
          out.set(number);
          if (number < limit.get()) next.schedule(0, number + 1);
        },
      );
    }
  }

  class Filter extends Reactor {
    constructor(/** @type {any} */ parent, /** @type {(prime: number) => void} */ found) {
      super(parent);
      this.prime = new State(0);
      this.hasNext = new State(false);
      this.inp = new InPort(this);
      this.out = new OutPort(this);
      this.addMutation(
        [this.inp],
        [this.inp, this.writable(this.out), this.out.asConnectable(), this.prime, this.hasNext],
        function (inp, out, connectable, prime, hasNext) {
          const number = inp.get();
          if (prime.get() === 0) {
            prime.set(number);
            found(number);
          } else if (number % prime.get() !== 0) {
            if (!hasNext.get()) {
              hasNext.set(true);
              const filter = new Filter(this.getReactor(), found);
              this.connect(connectable, filter.inp.asConnectable());
            }
            out.set(number);
          }
        },
      );
    }
  }

  return class Sieve extends App {
    constructor(
      /** @type {number} */ limit,
      success = undefined,
      /** @type {number[]} */ primes = [],
    ) {
      super(undefined, false, true, success);
      this.numbers = new Numbers(this, limit);
      this.filter = new Filter(this, prime => primes.push(prime));
      this._connect(this.numbers.out, this.filter.inp);
      this.addReaction([this.shutdown], [], () => console.log(primes.join(' ')));
    }
  };
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const Sieve = makeSieve(reactorTs);
  new Sieve(Number(process.argv[2] ?? 100))._start();
}
