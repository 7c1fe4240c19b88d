// Vats with reactors on threads run ahead of items of earlier tags that cannot reach them. If something that nobody could
// foresee reaches such a vat after all, it is taken back, and the run is that of one thread.

import test from 'ava';
import { makeReport, makeSimulation } from '#host';
import { makeMemoryStore, storeDigest } from '#store';
import { imports } from './reactor-runs.js';
import { write } from './run-reactors.js';

/** Ticks every 10 ms and sends its number on. @param {string} [body]  of its reaction */
const source = (body = '') => `${imports}
  class Source extends Reactor {
    tick = this.timer('0 ms', '10 ms');
    out = this.output();
    count = 0;
    r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
      this.count += 1;
      ${body}
      this.out.set(this.count);
    });
  }
  export const buildReactor = () => new Source();`;

/** Ticks between the source's ticks, and gets its numbers. @param {string} [options]  of its reaction */
const sink = (options = '') => `${imports}
  class Sink extends Reactor {
    tick = this.timer('5 ms', '10 ms');
    in = this.input();
    poke = this.physicalAction();
    r = this.reaction({ triggers: [this.tick, this.in, this.poke]${options} }, () =>
      console.log(at(this), this.in.get(), this.poke.get()));
  }
  export const buildReactor = () => new Sink();`;

/** @type {(after: string, vats?: Partial<Record<'source' | 'sink', string>>) => import('./run-reactors.js').Program} */
const pair = (after, vats = {}) => ({
  vats: {
    source: source(),
    sink: sink(),
    ...vats,
  },
  connections: [{ from: 'source.out', to: 'sink.in', after }],
  timeout: '200 ms',
  creationOptions: { source: { managerType: 'worker' }, sink: { managerType: 'worker' } },
});

/**
 * @param {ReturnType<typeof write>} config
 * @param {number} workers
 * @param {(simulation: any, block: number) => void} [between]  called after each block
 */
const run = async (config, workers, between = () => {}) => {
  const store = makeMemoryStore();
  /** @type {string[]} */
  const said = [];
  const simulation = await makeSimulation(config, {
    ...{ store, workers },
    clock: {
      nowNs: (_vat, timeNs) => timeNs + 1,
      isLate: (_vat, timeNs) => timeNs % 20_000_000 === 5_000_000,
    },
    observer: {
      onConsole: (vat, _level, text) => said.push(`${vat} ${text}`),
      onVatError: vat => said.push(`${vat} ended`),
    },
  });
  let blocks = 0;
  while (!simulation.isQuiet) {
    await simulation.run({ blockSize: 1, maxCranks: 1 });
    blocks += 1;
    between(simulation, blocks);
  }
  const counts = simulation.kernel.lookAheadCounts;
  const { ns: _ns, machine: _machine, ...report } = makeReport(simulation.kernel);
  await simulation.close();
  return { counts, outcome: { report, said, digest: storeDigest(store) } };
};

test.serial('a vat runs ahead of what a connection with a delay brings', async t => {
  const config = write(t, pair('12 ms'));
  const { outcome } = await run(config, 0);
  const { outcome: other, counts } = await run(config, 3);
  t.deepEqual(other, outcome);
  t.is(outcome.said.length, 39);
  t.true(counts.begunLater > 5, `${counts.begunLater} began ahead`);
  t.is(counts.takenBack, 0);
});

test.serial('a vat does not run ahead of what a connection may bring before', async t => {
  const config = write(t, pair('4 ms'));
  const { outcome } = await run(config, 0);
  const { outcome: other, counts } = await run(config, 3);
  t.deepEqual(other, outcome);
  t.is(counts.takenBack, 0);
});

test.serial(
  'a vat that ran ahead is taken back when the host schedules an action before',
  async t => {
    const config = write(t, pair('15 ms'));
    const poke = (/** @type {any} */ simulation, /** @type {number} */ block) => {
      if (block > 9 && block % 9 === 8) simulation.physicalInput('sink', 'poke', block);
    };
    const { outcome } = await run(config, 0, poke);
    const { outcome: other, counts } = await run(config, 3, poke);
    t.deepEqual(other, outcome);
    t.true(counts.takenBack > 0);
  },
);

test.serial('a vat that ran ahead is taken back when its program is stopped', async t => {
  const config = write(t, pair('15 ms'));
  const stop = (/** @type {any} */ simulation, /** @type {number} */ block) => {
    if (block === 20) simulation.stopPrograms();
  };
  const { outcome } = await run(config, 0, stop);
  const { outcome: other, counts } = await run(config, 3, stop);
  t.deepEqual(other, outcome);
  t.true(counts.begunLater > 0);
});

test.serial('a vat that asks for the clock ahead of its turn does not keep its thread', async t => {
  const config = write(
    t,
    pair('15 ms', { sink: sink(`, deadline: '1 ms', late: () => console.log(at(this), 'late')`) }),
  );
  const { outcome } = await run(config, 0);
  for (const workers of [1, 2, 3]) {
    const { outcome: other, counts } = await run(config, workers);
    t.deepEqual(other, outcome, `${workers} threads`);
    if (workers === 3) t.true(counts.begunLater > 0);
  }
});

test.serial('a stop request reaches the other vats of the program a microstep later', async t => {
  const stopping = source(`if (this.count === 7) this.requestStop();`).replace(
    'count = 0;',
    'count = 0; mayRequestStop = true;',
  );
  const config = write(t, pair('15 ms', { source: stopping }));
  const { outcome } = await run(config, 0);
  const { outcome: other, counts } = await run(config, 3);
  t.deepEqual(other, outcome);
  t.is(counts.takenBack, 0);
});

test.serial('the end of a vat changes nothing for a vat that ran ahead', async t => {
  const failing = source(`if (this.count === 7) throw Error('failed');`);
  const config = write(t, pair('15 ms', { source: failing }));
  const { outcome } = await run(config, 0);
  const { outcome: other, counts } = await run(config, 3);
  t.deepEqual(other, outcome);
  t.true(outcome.said.includes('source ended'));
  t.true(counts.begunLater > 0);
});

test.serial('a vat that ran ahead is taken back when the host has it collected', async t => {
  const vat = { managerType: 'worker', reapInterval: 4 };
  const creationOptions = { source: vat, sink: { ...vat, reapInterval: 6 } };
  const config = write(t, { ...pair('15 ms'), creationOptions });
  const collect = (/** @type {any} */ { kernel }, /** @type {number} */ block) => {
    if (block <= 9 || block % 9 !== 8) return;
    for (const { vatId, name } of kernel.vats()) if (name === 'sink') kernel.reap(vatId);
  };
  const { outcome } = await run(config, 0, collect);
  const { outcome: other, counts } = await run(config, 3, collect);
  t.deepEqual(other, outcome);
  t.true(counts.begunLater > 0 && counts.takenBack > 0);
});
