import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner } from '../common/benchmark.js';
import { makePointSource, placeOf, unpackPoint, wholePlane } from './plane.js';

/** Sends customers, one a microstep, and then asks for the numbers. */
class Producer extends Reactor {
  start = this.input();
  customer = this.output();
  end = this.output();
  next = this.action();

  constructor(container, { points, seed }) {
    super(container);
    let draw = makePointSource(seed);
    let sent = 0;

    this.reaction({ triggers: this.start, effects: this.next }, () => {
      draw = makePointSource(seed);
      sent = 0;
      this.next.schedule();
    });

    this.reaction({ triggers: this.next, effects: [this.customer, this.end, this.next] }, () => {
      if (sent === points) {
        this.end.set(true);
        return;
      }
      sent += 1;
      this.customer.set(draw());
      this.next.schedule();
    });
  }
}

/** A part of the plane. When its customers cost too much it opens a facility, and is split. */
class Quadrant extends Reactor {
  customer = this.input();
  facility = this.input();
  end = this.input();
  opened = this.output();
  confirm = this.output();
  open = this.action();

  constructor(container, parameters, quarter) {
    super(container);
    const { grid, alpha } = parameters;
    const threshold = alpha * Math.SQRT2 * grid;
    let isOpen = false;

    this.mutation({ triggers: [this.open, this.end], effects: [this.opened, this.confirm] }, () => {
      if (this.open.isPresent()) {
        isOpen = true;
        const inner = new OpenQuadrant(this, parameters, quarter);
        this.connect(
          [this.customer, this.facility, this.end],
          [inner.customer, inner.facility, inner.end],
        );
        this.connect([inner.opened, inner.confirm], [this.opened, this.confirm]);
      } else if (!isOpen) {
        this.confirm.set({ facilities: 0, customers: quarter.count });
      }
    });

    this.reaction({ triggers: [this.customer, this.facility], effects: this.open }, () => {
      if (isOpen) return;
      if (this.facility.isPresent()) quarter.facilities.push(this.facility.get());
      if (!this.customer.isPresent()) return;
      quarter.add(unpackPoint(this.customer.get(), grid));
      if (quarter.cost > threshold) this.open.schedule();
    });
  }
}

/** The four quadrants of one that has opened its facility. */
class OpenQuadrant extends Reactor {
  customer = this.input();
  facility = this.input();
  end = this.input();
  opened = this.output();
  confirm = this.output();

  constructor(container, parameters, quarter) {
    super(container);
    const { grid } = parameters;
    const quarters = quarter.split();
    const quadrants = quarters.map(part => new Quadrant(this, parameters, part));
    const portsOf = name => quadrants.map(quadrant => quadrant[name]);
    this.connect(this.end, portsOf('end'), { repeat: true });

    this.reaction({ triggers: this.startup, effects: this.opened }, () =>
      this.opened.set(quarter.centre),
    );

    // A facility that was opened in a quadrant is told to the one across, and upwards.
    this.reaction(
      { triggers: portsOf('opened'), effects: [this.opened, portsOf('facility')] },
      () =>
        quadrants.forEach(({ opened }, i) => {
          if (!opened.isPresent()) return;
          quadrants[3 - i].facility.set(opened.get());
          this.opened.set(opened.get());
        }),
    );

    this.reaction({ triggers: this.customer, effects: portsOf('customer') }, () => {
      const customer = this.customer.get();
      const place = placeOf(quarters, unpackPoint(customer, grid));
      quadrants[quarters.indexOf(place)].customer.set(customer);
    });

    this.reaction({ triggers: this.facility, effects: portsOf('facility') }, () => {
      for (const { facility } of quadrants) facility.set(this.facility.get());
    });

    this.reaction({ triggers: portsOf('confirm'), effects: this.confirm }, () => {
      const confirmed = portsOf('confirm').map(port => port.get());
      this.confirm.set({
        facilities: confirmed.reduce((sum, { facilities }) => sum + facilities, 1),
        customers: confirmed.reduce((sum, { customers }) => sum + customers, 0),
      });
    });
  }
}

/** Begins each iteration with a plane without facilities. */
class Plane extends Reactor {
  start = this.input();
  customer = this.input();
  end = this.input();
  confirm = this.output();

  constructor(container, parameters) {
    super(container);
    let root = null;
    // The reactors that the mutation makes lead from these inputs to the output. A vat must say so when it starts.
    const sources = [this.customer, this.end];
    this.mutation({ triggers: this.start, sources, effects: this.confirm }, () => {
      if (root !== null) {
        this.disconnect(root.confirm);
        this.delete(root);
      }
      root = new Quadrant(this, parameters, wholePlane(parameters.grid));
      this.connect([this.customer, this.end], [root.customer, root.end]);
      this.connect(root.confirm, this.confirm);
    });
  }
}

class FacilityLocation extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const producer = new Producer(this, parameters);
    const plane = new Plane(this, parameters);
    this.connect(runner.start, [producer.start, plane.start], { repeat: true });
    this.connect([producer.customer, producer.end], [plane.customer, plane.end]);
    this.connect(plane.confirm, runner.finished);
  }
}

/** Counts the facilities, customer after customer, in a tree of quarters. */
const countFacilities = ({ grid, alpha, points, seed }) => {
  const threshold = alpha * Math.SQRT2 * grid;
  const draw = makePointSource(seed);
  const root = { quarter: wholePlane(grid), inner: null, above: null, place: 0 };
  const tell = (node, facility) => {
    if (node.inner === null) node.quarter.facilities.push(facility);
    else for (const inner of node.inner) tell(inner, facility);
  };
  let facilities = 0;
  for (let i = 0; i < points; i += 1) {
    const point = unpackPoint(draw(), grid);
    let node = root;
    while (node.inner !== null) node = node.inner.find(({ quarter }) => quarter.contains(point));
    node.quarter.add(point);
    if (node.quarter.cost <= threshold) continue;
    // The last customer's facility would open at the tag at which the numbers are asked for.
    const above = node;
    const quarters = node.quarter.split();
    node.inner = quarters.map((quarter, place) => ({ quarter, inner: null, above, place }));
    facilities += 1;
    for (let one = node; one.above !== null; one = one.above) {
      tell(one.above.inner[3 - one.place], node.quarter.centre);
    }
  }
  return facilities;
};

const check = ({ facilities, customers }, parameters) => {
  const expected = countFacilities(parameters);
  insist(customers === parameters.points, () => `${customers} of ${parameters.points} are there`);
  insist(facilities === expected, () => `${facilities} facilities were opened, not ${expected}`);
  return `${facilities} facilities for ${customers} customers`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { points: 100_000, grid: 500, alpha: 2, seed: 123_456 },
  sizes: { alpha: { from: 0.001, to: 1_000, isReal: true }, seed: bounds.seed },
  check,
  main: FacilityLocation,
  parts: { producer: Producer, plane: Plane },
});
