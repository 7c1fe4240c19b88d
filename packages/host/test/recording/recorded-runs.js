// Runs that are recorded, and run again.

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, makeMemoryStore, makeSimulation, replayRecording } from '#host';
import { inputStream } from '#kernel';
import { ByteWriter } from '#model';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

/** @import { ExecutionContext } from 'ava' */
/** @import { Store } from '#store' */

/** @typedef {Awaited<ReturnType<typeof makeSimulation>>} Simulation */

export const demos = join(import.meta.dirname, '../../../../demos');

export const cacheDir = join(tmpdir(), 'swingset-runner-test-cache');

/** @param {ExecutionContext} t @param {Record<string, string>} sources  by file @param {object} [config] */
export const makeProgram = (t, sources, config = {}) => {
  const folder = temporaryDirectory(t, 'recording');
  for (const [name, source] of Object.entries(sources))
    writeFileSync(join(folder, `${name}.js`), source);
  const [bootstrap] = Object.keys(sources);
  const vats = Object.fromEntries(
    Object.keys(sources).map(name => [name, { sourceSpec: `./${name}.js` }]),
  );
  writeFileSync(join(folder, 'swingset.json'), JSON.stringify({ bootstrap, vats, ...config }));
  return folder;
};

/**
 * @param {string | ReturnType<typeof loadConfig>} program  its directory, or a config
 * @param {Partial<Parameters<typeof makeSimulation>[1]>} [options]
 */
export const begin = async (program, options = {}) => {
  const store = makeMemoryStore();
  const open = { ...store, close: async () => {} };
  const config = typeof program === 'string' ? loadConfig({ baseDir: program }) : program;
  const simulation = await makeSimulation(config, {
    store: open,
    cacheDir,
    ...options,
  });
  return { store, simulation };
};

/** @param {Simulation} simulation */
export const end = async simulation => {
  await simulation.commit();
  await simulation.close();
};

/**
 * The run is the same again.
 *
 * @param {ExecutionContext} t
 * @param {Store} store
 * @param {Simulation} simulation  that made it
 */
export const isSame = async (t, store, simulation) => {
  await end(simulation);
  const replayed = await replayRecording(store, { cacheDir });
  t.deepEqual(replayed, {
    cranks: simulation.cranks.all,
    inputs: simulation.kernel.inputCount,
    activityHash: simulation.activityHash(),
    changed: [],
    overruled: [],
  });
  return replayed;
};

export const imports = `import { E, Far } from '@endo/far';\n`;

export const counter = `${imports}
  export const buildRootObject = () => {
    let n = 0;
    return Far('root', {
      bootstrap: async vats => { for (let i = 0; i < 4; i += 1) await E(vats.other).add(1); },
      add(by) { n += by; return n; },
    });
  };
`;

/** @param {Store} store @param {any[]} inputs  that it has in place of its own @returns {Store} */
export const withInputs = (store, inputs) => {
  /** @type {string[]} */
  const kinds = [
    'start',
    'message',
    'release',
    'clock',
    'deadline',
    'physical',
    'dead',
    'seed',
    'stop',
  ];
  const writer = new ByteWriter();
  for (const { kind, tag, vat, crank, data } of inputs) {
    writer.byte(kinds.indexOf(kind));
    writer.varint(tag.timeNs);
    writer.varint(tag.microstep);
    writer.text(crank === undefined ? vat : `${vat}@${crank}`);
    writer.text(data);
  }
  return {
    ...store,
    readStream: name => (name === inputStream ? writer.view() : store.readStream(name)),
  };
};

/** Shows one time after the other, and the last for ever. @param {number[]} times */
export const makeScriptedClock = times => {
  const left = [...times];
  const nowNs = () => /** @type {number} */ (left.length > 1 ? left.shift() : left[0]);
  return {
    nowNs,
    isLate: (/** @type {string} */ _vat, /** @type {number} */ timeNs, /** @type {number} */ ns) =>
      nowNs() - timeNs > ns,
  };
};

export const reactors = {
  sensor: `
    import { Reactor } from 'swingset-runner/reactor';
    class Sensor extends Reactor {
      out = this.output();
      touched = this.physicalAction();
      tick = this.timer(0, '10 ms');
      n = 0;
      r1 = this.reaction({ triggers: this.tick, effects: this.out, deadline: '3 ms', late: () => { this.n += 100; } },
        () => { if ((this.n += 1) > 30) this.n = 0; if (this.n % 3 === 0) this.out.set(this.n); });
      r2 = this.reaction({ triggers: this.touched, effects: this.out }, () => this.out.set([this.touched.get(), this.n]));
      r3 = this.reaction({ triggers: this.shutdown }, () => {});
    }
    export const buildReactor = () => new Sensor();
  `,
  sink: `
    import { Reactor } from 'swingset-runner/reactor';
    class Sink extends Reactor {
      in = this.input();
      sum = [];
      later = this.timer('7 ms', '15 ms');
      r1 = this.reaction({ triggers: this.in }, () => { this.sum.push(this.in.get()); console.log(this.util.getElapsedPhysicalTime()); });
      r2 = this.reaction({ triggers: this.later }, () => {});
    }
    export const buildReactor = () => new Sink();
  `,
};

export const reactorConfig = {
  connections: [{ from: ['sensor.out'], to: ['sink.in'], after: '1 ms' }],
  reactors: { timeout: '400 ms' },
};
