// A vat with a line of reactors: a value goes from port to port through all of them at one tag,
// repeatedly.

import { Far } from '@endo/far';
import { Reactor } from 'swingset-runner/reactor';

class Relay extends Reactor {
  in = this.input();
  out = this.output();
  pass = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(this.in.get()));
}

/** Sends a value into the line, and marks the beginning; another at the next microstep. */
class Head extends Reactor {
  out = this.output();
  again = this.action();

  constructor(container, mark) {
    super(container);
    this.reaction({ triggers: this.again, effects: [this.out, this.again] }, () => {
      const left = this.again.get() - 1;
      if (left > 0) this.again.schedule(0, left);
      mark();
      this.out.set(left);
    });
  }
}

/** Marks the end. */
class Tail extends Reactor {
  in = this.input();

  constructor(container, mark) {
    super(container);
    this.reaction({ triggers: this.in }, () => mark());
  }
}

class Line extends Reactor {
  constructor(hops, mark) {
    super();
    this.head = new Head(this, mark);
    this.relays = this.bank(hops - 1, Relay);
    this.tail = new Tail(this, mark);
    const relays = [...this.relays];
    this.connect(
      [this.head.out, ...relays.map(relay => relay.out)],
      [...relays.map(relay => relay.in), this.tail.in],
    );
  }
}

let main;

export const buildReactor = ({ mark }, { hops }) => {
  main = new Line(hops, mark);
  return main;
};

export const buildRootObject = () =>
  Far('reactors', {
    line(times) {
      main.head.again.schedule(0, times);
    },
  });
