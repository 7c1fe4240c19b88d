// Reactions of one stage, of different vats, begin before those in front of them are applied.

import test from 'ava';
import { makeMemoryStore, makeSimulation } from '#host';
import { imports } from './reactor-runs.js';
import { write } from './run-reactors.js';

/** A timer that writes, and an input that is read. */
const source = `${imports}
  class Source extends Reactor {
    tick = this.timer(0, 10);
    in = this.input();
    out = this.output();
    writes = this.reaction({ triggers: this.tick, effects: this.out }, () => this.out.set(1));
    reads = this.reaction({ triggers: this.in }, () => {});
  }
  export const buildReactor = () => new Source();
`;

const sink = `${imports}
  class Sink extends Reactor {
    in = this.inputs(3);
    counts = this.reaction({ triggers: this.in }, () => console.log(this.in.values().length));
  }
  export const buildReactor = () => new Sink();
`;

/**
 * The order in which vats begin and finish at the second instant of their timers.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {{ from: string | string[], to: string | string[] }[]} connections
 */
const orderOf = async (t, connections) => {
  /** @type {[vatId: string, what: string][]} */
  const log = [];
  let timeNs = 0;
  const vats = { a: source, b: source, c: source, z: sink };
  const config = write(t, { vats, connections, timeout: '15 ns' });
  const run = async (/** @type {number} */ lookahead) => {
    log.length = 0;
    const simulation = await makeSimulation(config, {
      ...{ store: makeMemoryStore(), lookahead },
      wrapTransport: (transport, vatId) => {
        /** @type {ReturnType<typeof transport.finish>} */
        let result;
        return {
          begin(delivery, answer, when) {
            ({ timeNs } = when);
            if (timeNs === 10) log.push([vatId, 'begins']);
            // Vats of one thread share its jobs, so each runs to its end at once.
            transport.begin(delivery, answer, when);
            result = transport.finish();
          },
          finish() {
            if (timeNs === 10) log.push([vatId, 'finishes']);
            return result;
          },
          close: transport.close,
        };
      },
    });
    await simulation.run();
    const { kernel } = simulation;
    const order = log.map(([vatId, what]) => `${kernel.vatName(vatId)} ${what}`);
    const hash = simulation.activityHash();
    await simulation.close();
    return { hash, order };
  };
  const { hash } = await run(0);
  const early = await run(16);
  t.is(early.hash, hash);
  return early.order;
};

test.serial(
  'vats of one stage begin together, and one of a later stage when they are done',
  async t => {
    const order = await orderOf(t, [{ from: ['a.out', 'b.out', 'c.out'], to: ['z.in'] }]);
    t.deepEqual(order, [
      ...['a begins', 'b begins', 'c begins', 'a finishes', 'b finishes', 'c finishes'],
      ...['z begins', 'z finishes'],
    ]);
  },
);

test.serial('a vat that reads what another one writes runs once for each stage', async t => {
  const order = await orderOf(t, [{ from: 'a.out', to: 'b.in' }]);
  t.deepEqual(order, [
    ...['a begins', 'b begins', 'c begins', 'a finishes', 'b finishes', 'c finishes'],
    ...['b begins', 'b finishes'],
  ]);
});
