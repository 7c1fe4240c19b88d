// A host sees all outputs of a main reactor with modes and mutations, each at the right stage.

import test from 'ava';
import { Federate, Reactor } from '../index.js';
import { testClock } from './helpers.js';

/** @import { InPort } from '../index.js' */

class Double extends Reactor {
  /** @type {InPort<any>} */
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () =>
    this.out.set(2 * this.in.get()),
  );
}

/** @param {Reactor} main @param {number} [stage] of the inputs */
const federateOf = (main, stage = 3) => {
  const federate = new Federate(main, { clock: testClock() });
  return { federate, stages: federate.setStages(() => stage) };
};

/** Run a tag with a value at the first input. @param {Federate} federate @param {number} timeNs @param {any} value */
const runTag = (federate, timeNs, value) => {
  federate.beginTag(timeNs, 0);
  federate.setInput(0, value);
  const known = federate.runStage(3);
  federate.endTag();
  return known;
};

test('an output that a connection of a mode leads to depends on what is behind the connection', t => {
  class Main extends Reactor {
    in = this.input();
    out = this.output();
    through = this.output();
    one = this.mode({ initial: true });
    inner = new Double(this.one);
    wires = this.connect(
      [this.in, this.inner.out, this.in],
      [this.inner.in, this.out, this.through],
      { mode: this.one },
    );
  }
  const { federate, stages } = federateOf(new Main());
  t.deepEqual(stages, [3, 3]);
  t.deepEqual(federate.dependencies(), [[0], [0]]);
  t.deepEqual(runTag(federate, 0, 21), [
    [0, 42],
    [1, 21],
  ]);
});

test('a channel that a reaction does not write does not depend on it', t => {
  class Main extends Reactor {
    in = this.input();
    out = this.outputs(2);
    r0 = this.reaction({ triggers: this.startup, effects: this.out.channel(1) }, () => {});
    r1 = this.reaction({ triggers: this.in, effects: this.out.channel(0) }, () => {});
  }
  const { federate, stages } = federateOf(new Main());
  t.deepEqual(stages, [3, 0]);
  t.deepEqual(federate.dependencies(), [[0], []]);
});

test('an output is seen by the host when a mutation has connected it anew, and when it leads to an input that is there', t => {
  class Main extends Reactor {
    in = this.input();
    out = this.output();
    m = this.mutation({ triggers: this.in, effects: this.out }, () => {
      if (this.in.get() === 1) {
        const inner = new Double(this);
        this.connect(this.in, inner.in);
        this.connect(inner.out, this.out);
      }
      if (this.in.get() === 3) {
        this.disconnect(this.node.children[0].ports[1]);
        this.connect(this.in, this.out);
      }
    });
  }
  const { federate } = federateOf(new Main());
  t.deepEqual(
    [1, 2, 3, 4].map(value => runTag(federate, value - 1, value)),
    [[[0, 2]], [[0, 4]], [[0, 3]], [[0, 4]]],
  );
});

for (const modal of [false, true])
  test(`outputs that a mutation cuts off at the tag of their values are absent${modal ? ', in a mode' : ''}`, t => {
    class Main extends Reactor {
      in = this.input();
      out = this.outputs(2);
      on = this.mode({ initial: true });
      how = modal ? { mode: this.on } : {};
      wires = [0, 1].map(i => this.connect(this.in, this.out.channel(i), this.how));
      m = this.mutation({ triggers: this.in, effects: this.out }, () => {
        const count = this.in.get();
        if (count === 2 || count === 3) this.disconnect(this.in, this.out.channel(count - 2));
        if (count === 4) this.connect(this.in, this.out.channel(1), this.how);
      });
    }
    const { federate } = federateOf(new Main());
    t.deepEqual(
      [1, 2, 3, 4].map(value => runTag(federate, value - 1, value)),
      [
        [
          [0, 1],
          [1, 1],
        ],
        [[1, 2]],
        [],
        [[1, 4]],
      ],
    );
  });

test('ports may have more channels than a call has arguments', t => {
  const width = 150_000;
  class Main extends Reactor {
    in = this.inputs(width);
    out = this.outputs(width);
    r = this.reaction({ triggers: this.in.channel(7), effects: this.out }, () => {});
  }
  const federate = new Federate(new Main(), { clock: { nowNs: () => 0 } });
  const dependencies = federate.dependencies();
  t.is(dependencies.length, width);
  t.true(dependencies.every(inputs => inputs.length === 1 && inputs[0] === 7));
  const stages = federate.setStages(input => (input === 7 ? 2 : 5));
  t.is(stages.length, width);
  t.true(stages.every(stage => stage === 2));
  t.is(federate.lastStage, 5);
});
