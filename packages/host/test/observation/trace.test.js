// The trace of a run: cranks of all vats and the reactions within them, at the right tags, and a run that is not changed
// by being looked at.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation, openTrace } from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

/** @import { ExecutionContext } from 'ava' */

const reactor = `import { Reactor } from 'swingset-runner/reactor';`;
const vats = {
  boot: `
    export const buildRootObject = () => Far('root', { bootstrap: vats => E(vats.sink).hello() });
    import { E, Far } from '@endo/far';
  `,
  source: `${reactor}
    class Source extends Reactor {
      out = this.output();
      tick = this.timer(0, '1 ms');
      count = 0;
      step = this.reaction({ triggers: this.tick }, () => void (this.count += 1));
      emit = this.reaction({ triggers: this.tick, effects: this.out }, () => {
        if (this.count === 4) this.out.set(1);
      });
    }
    export const buildReactor = () => new Source();
  `,
  sink: `${reactor}
    import { Far } from '@endo/far';
    class Inner extends Reactor {
      in = this.input();
      take = this.reaction({ triggers: this.in, deadline: 0 }, () => {});
    }
    class Sink extends Reactor {
      in = this.input();
      inner = new Inner(this);
      c = this.connect(this.in, this.inner.in);
    }
    export const buildReactor = () => new Sink();
    export const buildRootObject = () => Far('root', { hello: () => 'hi' });
  `,
};

/** @param {ExecutionContext} t */
const writeConfig = t => {
  const folder = temporaryDirectory(t, 'trace');
  for (const [name, source] of Object.entries(vats))
    writeFileSync(join(folder, `${name}.js`), source);
  const config = {
    bootstrap: 'boot',
    vats: Object.fromEntries(Object.keys(vats).map(name => [name, { sourceSpec: `./${name}.js` }])),
    connections: [{ from: ['source.out'], to: ['sink.in'] }],
    reactors: { timeout: '5 ms' },
  };
  writeFileSync(join(folder, 'swingset.json'), JSON.stringify(config));
  return loadConfig({ baseDir: folder });
};

/** @typedef {{ ph: string, name: string, pid: number, tid: number, ts: number, dur: number, args: any }} Event */

/**
 * @param {ReturnType<typeof loadConfig>} config
 * @param {{ isTraced?: boolean, resumeAfter?: number }} way
 */
const run = async (config, { isTraced = true, resumeAfter } = {}) => {
  const store = { ...makeMemoryStore(), close: async () => {} };
  let text = '';
  let nowNs = 0;
  const open = async (/** @type {boolean} */ resume) => {
    text = '';
    const trace = await openTrace({
      write: piece => void (text += piece),
      clock: { name: 'performance.now', nowNs: () => (nowNs += 1_000) },
    });
    const { crankObserver, observeReactions, onKernel } = trace;
    const simulation = await makeSimulation(resume ? undefined : config, {
      store,
      resume,
      clock: { nowNs: () => 0, isLate: () => false },
      ...(isTraced && { crankObserver, observeReactions, onKernel }),
    });
    return { trace, simulation };
  };
  let { trace, simulation } = await open(false);
  if (resumeAfter !== undefined) {
    await simulation.run({ blockSize: resumeAfter, maxCranks: resumeAfter });
    await simulation.close();
    ({ trace, simulation } = await open(true));
  }
  await simulation.run();
  trace.close();
  const hash = simulation.activityHash();
  await simulation.close();
  return { hash, events: /** @type {Event[]} */ (JSON.parse(text)) };
};

/**
 * The slices of a process and track, in their order.
 *
 * @param {Event[]} events
 * @param {string} process
 * @param {string} track
 */
const slicesOf = (events, process, track) => {
  const { pid } = /** @type {Event} */ (
    events.find(({ name, args }) => name === 'process_name' && args.name === process)
  );
  const thread = events.find(
    event => event.pid === pid && event.name === 'thread_name' && event.args.name === track,
  );
  return events.filter(({ ph, pid: p, tid }) => ph === 'X' && p === pid && tid === thread?.tid);
};

/** @param {Event[]} slices */
const tell = slices => slices.map(({ name, args }) => `${args.tag} ${name}`);

test.serial(
  'cranks of all vats stand in the trace at their tags, and the reactions in them',
  async t => {
    const { events } = await run(writeConfig(t));
    for (const process of ['logical time', 'physical time']) {
      const slices = (/** @type {string} */ track) => tell(slicesOf(events, process, track));
      t.deepEqual(slices('boot'), ['0ns.0 start', '0ns.0 bootstrap', '0ns.2 notify']);
      t.deepEqual(slices('sink'), [
        '0ns.0 start',
        '0ns.0 react',
        '0ns.1 hello',
        '3000000ns.0 react',
        '5000000ns.0 react',
      ]);
      t.deepEqual(slices('source'), [
        '0ns.0 start',
        ...[0, 1, 2, 3, 4, 5].map(ms => `${ms * 1_000_000}ns.0 react`),
      ]);
      t.deepEqual(
        slices('source: Source').filter(text => text.endsWith('step')),
        [0, 1, 2, 3, 4, 5].map(ms => `${ms * 1_000_000}ns.0 step`),
      );
      t.deepEqual(slices('sink: inner'), ['3000000ns.0 take, late']);
    }
  },
);

test.serial(
  'a crank has its number, also in a run that a vat goes by itself, and holds its reactions',
  async t => {
    const { events } = await run(writeConfig(t));
    const cranks = ['boot', 'source', 'sink'].flatMap(vat =>
      slicesOf(events, 'physical time', vat),
    );
    t.deepEqual(
      cranks.map(({ args }) => args.crank).sort((a, b) => a - b),
      cranks.map((_, i) => i + 1),
    );
    for (const reaction of slicesOf(events, 'physical time', 'source: Source')) {
      const around = slicesOf(events, 'physical time', 'source').filter(
        ({ ts, dur }) => ts <= reaction.ts && reaction.ts + reaction.dur <= ts + dur,
      );
      t.deepEqual(
        around.map(({ args }) => args.tag),
        [reaction.args.tag],
      );
    }
  },
);

test.serial(
  'a run that is traced is the same run; what a vat does to be resumed is not in it',
  async t => {
    const config = writeConfig(t);
    const plain = await run(config, { isTraced: false });
    t.is((await run(config)).hash, plain.hash);
    const resumed = await run(config, { resumeAfter: 9 });
    t.is(resumed.hash, plain.hash);
    const steps = tell(slicesOf(resumed.events, 'physical time', 'source: Source'));
    t.true(steps.length > 0 && steps.length < 12);
    t.false(steps.includes('0ns.0 step'));
  },
);
