import { Reactor, interleaved } from 'swingset-runner/reactor';
import { benchmark, insist, mostMembers, Runner, slicesOf } from '../common/benchmark.js';

/** Red, yellow and blue are 0, 1 and 2: two that differ become the third, two that are equal stay. */
const complement = (one, other) => (one === other ? one : 3 - one - other);

/** Sends the chameneos that wait to each other, two by two, until there were enough meetings. */
class Mall extends Reactor {
  start = this.input();
  finished = this.output();
  pair = this.action();

  constructor(container, { meetings, chameneos }) {
    super(container);
    this.begin = this.output();
    this.meet = this.outputs(chameneos);
    this.end = this.outputs(chameneos);
    this.colour = this.inputs(chameneos);
    this.count = this.inputs(chameneos);
    let left = 0;
    let ended = 0;
    let met = 0;
    /** Colours of those that wait, by their place; -1 for one that does not. */
    const waiting = new Array(chameneos).fill(-1);

    this.reaction({ triggers: this.start, effects: this.begin }, () => {
      left = meetings;
      ended = 0;
      met = 0;
      this.begin.set(true);
    });

    this.reaction({ triggers: this.pair, effects: [this.meet, this.end] }, () => {
      let first = -1;
      for (let i = 0; i < chameneos; i += 1) {
        if (waiting[i] < 0) continue;
        if (left === 0) {
          this.end.set(i, true);
          waiting[i] = -1;
        } else if (first < 0) {
          first = i;
        } else {
          left -= 1;
          // The chameneos that is met, and its colour, as one number.
          this.meet.set(first, 3 * i + waiting[i]);
          waiting[first] = -1;
          waiting[i] = -1;
          first = -1;
        }
      }
      // With the last meeting gone, the one that is left over learns it when others come.
    });

    this.reaction({ triggers: this.colour, effects: this.pair }, () => {
      this.colour.forEachPresent((colour, i) => {
        waiting[i] = colour;
      });
      this.pair.schedule();
    });

    this.reaction({ triggers: this.count, effects: this.finished }, () => {
      this.count.forEachPresent(count => {
        ended += 1;
        met += count;
      });
      if (ended === chameneos) this.finished.set(met);
    });
  }
}

class Chameneo extends Reactor {
  begin = this.input();
  meet = this.input();
  end = this.input();
  colour = this.output();
  count = this.output();

  constructor(container, { chameneos, first = 0 }) {
    super(container);
    this.change = this.outputs(chameneos);
    this.changed = this.inputs(chameneos);
    const place = first + this.getBankIndex();
    let own = 0;
    let meetings = 0;

    this.reaction({ triggers: this.begin, effects: this.colour }, () => {
      own = place % 3;
      meetings = 0;
      this.colour.set(own);
    });

    this.reaction({ triggers: this.meet, effects: [this.change, this.colour] }, () => {
      const met = this.meet.get();
      const other = met % 3;
      own = complement(own, other);
      meetings += 1;
      this.change.set((met - other) / 3, own);
      this.colour.set(own);
    });

    this.reaction({ triggers: this.changed, effects: this.colour }, () => {
      this.changed.forEachPresent(colour => {
        own = colour;
        meetings += 1;
      });
      this.colour.set(own);
    });

    this.reaction({ triggers: this.end, effects: this.count }, () => this.count.set(meetings));
  }
}

class Chameneos extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const mall = new Mall(this, parameters);
    const chameneos = this.bank(parameters.chameneos, Chameneo, parameters);
    this.connect([runner.start, mall.finished], [mall.start, runner.finished]);
    this.connect(mall.begin, chameneos.port('begin'), { repeat: true });
    this.connect(mall.meet, chameneos.port('meet'));
    this.connect(mall.end, chameneos.port('end'));
    this.connect(chameneos.port('colour'), mall.colour);
    this.connect(chameneos.port('count'), mall.count);
    this.connect(chameneos.port('change'), interleaved(chameneos.port('changed')));
  }
}

const check = (sum, { meetings }) => {
  insist(sum === 2 * meetings, () => `the chameneos counted ${sum}, not twice ${meetings}`);
  return `${meetings} meetings`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { meetings: 200_000, chameneos: 100 },
  sizes: { chameneos: { from: 2, to: mostMembers } },
  check,
  main: Chameneos,
  parts: {
    mall: Mall,
    chameneo: slicesOf(Chameneo, ({ chameneos }) => chameneos, [['change', 'changed']]),
  },
});
