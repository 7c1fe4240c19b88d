import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner, slicesOf } from '../common/benchmark.js';
import { busyWait, PseudoRandom } from '../common/pseudo-random.js';

/** A turn of work takes a microsecond of logical time, so that the room fills and empties. */
const durationOf = turns => turns * 1_000;

/** Sends customers to the waiting room, and again when it was full. */
class Factory extends Reactor {
  start = this.input();
  finished = this.output();
  customer = this.output();
  create = this.action();
  again = this.action();

  constructor(container, { haircuts, productionRate }) {
    super(container);
    this.returned = this.inputs(haircuts);
    this.done = this.inputs(haircuts);
    let random = new PseudoRandom();
    let made = 0;
    let done = 0;
    let attempts = 0;

    this.reaction({ triggers: this.start, effects: this.create }, () => {
      random = new PseudoRandom();
      made = 0;
      done = 0;
      attempts = 0;
      this.create.schedule();
    });

    this.reaction({ triggers: this.create, effects: [this.customer, this.create] }, () => {
      const turns = random.nextBelow(productionRate) + 10;
      busyWait(turns);
      this.customer.set(made);
      attempts += 1;
      made += 1;
      if (made < haircuts) this.create.schedule(durationOf(turns));
    });

    this.reaction({ triggers: this.again, effects: this.customer }, () => {
      attempts += 1;
      this.customer.set(this.again.get());
    });

    this.reaction({ triggers: this.returned, effects: this.again }, () =>
      // Always between two customers that are made, so that the room sees one at a tag: a customer that came again is
      // between two already.
      this.returned.forEachPresent((_, customer) =>
        this.again.schedule(this.again.isPresent() ? 1_000 : 500, customer),
      ),
    );

    this.reaction({ triggers: this.done, effects: this.finished }, () => {
      done += this.done.present().length;
      if (done === haircuts) this.finished.set({ done, attempts });
    });
  }
}

class WaitingRoom extends Reactor {
  reset = this.input();
  customer = this.input();
  next = this.input();
  enter = this.output();
  sleep = this.output();

  constructor(container, { haircuts, chairs }) {
    super(container);
    this.full = this.outputs(haircuts);
    this.wait = this.outputs(haircuts);
    let queue = [];
    let isAsleep = true;

    this.reaction({ triggers: this.reset }, () => {
      queue = [];
      isAsleep = true;
    });

    this.reaction({ triggers: this.customer, effects: [this.full, this.wait, this.enter] }, () => {
      const customer = this.customer.get();
      if (queue.length === chairs) {
        this.full.set(customer, true);
      } else if (isAsleep) {
        isAsleep = false;
        this.enter.set(customer);
      } else {
        queue.push(customer);
        this.wait.set(customer, true);
      }
    });

    this.reaction({ triggers: this.next, effects: [this.enter, this.sleep] }, () => {
      if (queue.length === 0) {
        isAsleep = true;
        this.sleep.set(true);
      } else {
        this.enter.set(queue.shift());
      }
    });
  }
}

class Barber extends Reactor {
  reset = this.input();
  enter = this.input();
  sleep = this.input();
  next = this.output();
  done = this.action();

  constructor(container, { haircuts, haircutRate }) {
    super(container);
    this.startCutting = this.outputs(haircuts);
    this.doneCutting = this.outputs(haircuts);
    let random = new PseudoRandom();
    this.naps = 0;

    this.reaction({ triggers: this.reset }, () => {
      random = new PseudoRandom();
    });

    this.reaction({ triggers: this.done, effects: [this.doneCutting, this.next] }, () => {
      this.doneCutting.set(this.done.get(), true);
      this.next.set(true);
    });

    this.reaction({ triggers: this.enter, effects: [this.startCutting, this.done] }, () => {
      const customer = this.enter.get();
      this.startCutting.set(customer, true);
      const turns = random.nextBelow(haircutRate) + 10;
      busyWait(turns);
      this.done.schedule(durationOf(turns), customer);
    });

    this.reaction({ triggers: this.sleep }, () => {
      this.naps += 1;
    });
  }
}

class Customer extends Reactor {
  full = this.input();
  wait = this.input();
  startCutting = this.input();
  doneCutting = this.input();
  returned = this.output();
  done = this.output();
  isWaiting = false;
  isServed = false;

  leave = this.reaction({ triggers: this.full, effects: this.returned }, () =>
    this.returned.set(true),
  );

  sit = this.reaction({ triggers: this.wait }, () => {
    this.isWaiting = true;
  });

  begin = this.reaction({ triggers: this.startCutting }, () => {
    this.isWaiting = false;
    this.isServed = true;
  });

  end = this.reaction({ triggers: this.doneCutting, effects: this.done }, () => {
    insist(this.isServed && !this.isWaiting, () => 'a haircut ended that did not begin');
    this.isServed = false;
    this.done.set(true);
  });
}

class SleepingBarber extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const factory = new Factory(this, parameters);
    const room = new WaitingRoom(this, parameters);
    const barber = new Barber(this, parameters);
    const customers = this.bank(parameters.haircuts, Customer);
    this.connect(runner.start, [factory.start, room.reset, barber.reset], { repeat: true });
    this.connect(factory.finished, runner.finished);
    this.connect([factory.customer, barber.next], [room.customer, room.next]);
    this.connect([room.enter, room.sleep], [barber.enter, barber.sleep]);
    this.connect([room.full, room.wait], [customers.port('full'), customers.port('wait')]);
    this.connect(barber.startCutting, customers.port('startCutting'));
    this.connect(barber.doneCutting, customers.port('doneCutting'));
    this.connect(customers.port('returned'), factory.returned);
    this.connect(customers.port('done'), factory.done);
  }
}

const check = ({ done, attempts }, { haircuts }) => {
  insist(done === haircuts, () => `${done} of ${haircuts} haircuts were given`);
  insist(attempts >= haircuts, () => `${attempts} attempts for ${haircuts} haircuts`);
  return `${done} haircuts of ${attempts} attempts`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { haircuts: 2_000, chairs: 1_000, productionRate: 1_000, haircutRate: 1_000 },
  sizes: { chairs: bounds.members, haircuts: bounds.members },
  check,
  main: SleepingBarber,
  parts: {
    factory: Factory,
    room: WaitingRoom,
    barber: Barber,
    customer: slicesOf(Customer, ({ haircuts }) => haircuts),
  },
});
