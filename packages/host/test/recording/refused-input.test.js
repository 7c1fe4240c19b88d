// A vat that the machine has no memory for is ended as an input of the run, so that a repetition ends it in the same crank
// on a machine that has the memory: there it is not asked at all.

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { audit } from '#kernel';
import { storeContents } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { loadConfig, makeMemoryStore, makeSimulation, openLmdbStore, replayRecording } from '#host';
import { noteMemoryRefusal } from '#loader/memory-refusal.js';

/** @import { ExecutionContext } from 'ava' */

const cacheDir = join(tmpdir(), 'swingset-runner-test-cache');

/** A machine that has no memory for the vat that asks with this number. @param {number} when */
const refusing = when => ({
  /** @param {number} n */
  refuse: n => {
    if (n === when)
      throw noteMemoryRefusal(RangeError('Array buffer allocation failed'), { isByEngine: true });
  },
});

const bob = `
  import { Far } from '@endo/far';
  let heard = 0;
  export const buildRootObject = () => Far('bob', { hear() { heard += 1; return heard; } });
`;

const rounds = `
  import { E, Far } from '@endo/far';
  let vats;
  let devices;
  export const buildRootObject = () => Far('bootstrap', {
    bootstrap(allVats, allDevices) { vats = allVats; devices = allDevices; },
    async runBenchmarkRound() {
      const said = await E(vats.alice).say(vats.bob, devices.timer).catch(error => error.message ?? error);
      console.log(said, await E(vats.bob).hear());
    },
  });
`;

/** A vat whose third request is refused. A machine that has the memory never reaches the code behind it. */
const speaker = (/** @type {string} */ act) => `
  import { E, Far } from '@endo/far';
  let n = 0;
  export const buildRootObject = ({ refuse = () => {}, D, VatData }) => Far('alice', {
    async say(bob, timer) {
      n += 1;
      ${act}
    },
  });
`;

/** @param {string} body  of the reaction */
const reacting = body => `
  import { E, Far } from '@endo/far';
  import { Reactor } from 'swingset-runner/reactor';
  let refuse;
  class Main extends Reactor {
    tick = this.timer(0, '1 ms');
    n = 0;
    r = this.reaction({ triggers: this.tick }, () => {
      this.n += 1;
      ${body}
    });
  }
  export const buildReactor = powers => { refuse = powers.refuse ?? (() => {}); return new Main(); };
  export const buildRootObject = () => Far('alice', { say: () => 'alive' });
`;

const maker = `
  import { E, Far } from '@endo/far';
  let bundles;
  let n = 0;
  export const buildRootObject = ({ D }) => Far('alice', {
    async say(bob, _timer, service) {
      n += 1;
      return E(service).createVatByName('child', { vatParameters: { n } }).then(() => 'made', error => error.message ?? error);
    },
  });
`;

const child = `
  import { Far } from '@endo/far';
  export const buildRootObject = ({ refuse = () => {} }, { n }) => {
    try { refuse(n); } catch {}
    return Far('child', {});
  };
`;

const makerRounds = `
  import { E, Far } from '@endo/far';
  let vats;
  let service;
  export const buildRootObject = () => Far('bootstrap', {
    async bootstrap(allVats, { vatAdmin }) { vats = allVats; service = await E(vats.vatAdmin).createVatAdminService(vatAdmin); },
    async runBenchmarkRound() {
      const said = await E(vats.alice).say(vats.bob, undefined, service);
      console.log(said, await E(vats.bob).hear());
    },
  });
`;

/**
 * @typedef {object} Case
 * @property {string} alice
 * @property {string} [bootstrap]
 * @property {boolean} [isReactor]
 * @property {number} [when]  default: 3
 * @property {boolean} [makesVats]
 */

/** @type {Record<string, Case>} */
const cases = {
  'the error is caught': {
    alice: speaker(`try { refuse(n); } catch { return 'caught'; } if (n === 3) for (;;) {}`),
  },
  'the error leaves it': { alice: speaker(`refuse(n); if (n === 3) for (;;) {}`) },
  'it comes behind messages and a device call': {
    alice: speaker(`
      E(bob).hear();
      D(timer).getLastPolled();
      try { refuse(n); } catch { E(bob).hear(); }
      await null;
      return n;`),
  },
  'a later job of the crank asks': {
    alice: speaker(`await null; await E.when(1); try { refuse(n); } catch {} return 'alive';`),
  },
  'one of its reactions in a run of quiet ones asks': {
    isReactor: true,
    when: 13,
    alice: reacting(
      `try { refuse(this.n); } catch { this.n += 100; } if (this.n === 13) for (;;) {}`,
    ),
  },
  'a reaction fails by it': {
    isReactor: true,
    when: 13,
    alice: reacting(`refuse(this.n);`),
  },
  'a reaction has asked the clock': {
    isReactor: true,
    when: 13,
    alice: reacting(`this.util.getCurrentPhysicalTime(); try { refuse(this.n); } catch {}`),
  },
  'a vat that is made asks while it starts': {
    makesVats: true,
    bootstrap: makerRounds,
    alice: maker,
  },
};

/** @param {ExecutionContext} t @param {Case} program */
const writeProgram = (t, { alice, bootstrap = rounds, isReactor = false, makesVats = false }) => {
  const folder = temporaryDirectory(t, 'refusal');
  const sources = { bootstrap, alice, bob, child };
  for (const [name, source] of Object.entries(sources))
    writeFileSync(join(folder, `${name}.js`), source);
  const config = {
    bootstrap: 'bootstrap',
    vats: Object.fromEntries(
      ['bootstrap', 'alice', 'bob'].map(name => [name, { sourceSpec: `./${name}.js` }]),
    ),
    devices: { timer: {}, ...(makesVats && { vatAdmin: {} }) },
    bundles: { child: { sourceSpec: './child.js' } },
    ...(isReactor && { reactors: { timeout: '30 ms' } }),
  };
  writeFileSync(join(folder, 'swingset.json'), JSON.stringify(config));
  return { folder, config: loadConfig({ baseDir: folder }) };
};

/**
 * Five rounds, whole or resumed behind every few cranks.
 *
 * @param {ExecutionContext} t
 * @param {'current' | '2020-09'} profile
 * @param {ReturnType<typeof writeProgram>} program
 * @param {number} when
 * @param {{ cranks?: number, name: string }} way
 */
const runProgram = async (t, profile, { folder, config }, when, { cranks = Infinity, name }) => {
  const dir = join(folder, name);
  /** @type {string[]} */
  const lines = [];
  let nowNs = 0;
  const options = {
    vatPowers: refusing(when),
    cacheDir,
    clock: { nowNs: () => (nowNs += 1000), isLate: () => false },
    observer: {
      onConsole: (
        /** @type {string} */ vat,
        /** @type {string} */ _level,
        /** @type {string} */ text,
      ) => void lines.push(`${vat}: ${text}`),
      onVatError: (/** @type {string} */ vat, /** @type {unknown} */ error) =>
        void lines.push(`${vat} fails: ${error}`),
    },
  };
  const open = (/** @type {boolean} */ create) =>
    openLmdbStore({ dir, durability: 'none', create });
  let simulation = await makeSimulation(config, { ...options, profile, store: open(true) });
  const run = async () => {
    while (!simulation.isQuiet) {
      await simulation.runCranks(cranks);
      await simulation.commit();
      if (cranks === Infinity) continue;
      await simulation.close();
      simulation = await makeSimulation(undefined, {
        ...options,
        store: open(false),
        resume: true,
      });
    }
  };
  await run();
  for (let i = 0; i < 5; i += 1) {
    simulation.release(simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound'));
    await run();
  }
  await simulation.commit();
  const { kernel } = simulation;
  const outcome = {
    hash: simulation.activityHash(),
    counters: simulation.counters.toRecord(),
    lines,
    audit: audit(kernel.state),
    inputs: kernel.inputs(),
    alice: kernel.vat(kernel.findVat('alice') ?? '').state,
  };
  await simulation.close();
  const store = open(false);
  const contents = storeContents(store);
  const { difference } = await replayRecording(store, { cacheDir });
  await store.close();
  return { ...outcome, contents, difference };
};

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  for (const [name, program] of Object.entries(cases)) {
    // 2020 has no reactors.
    if (program.isReactor && profile === '2020-09') continue;
    test.serial(`${profile}: ${name}, and the repetition ends it in the same crank`, async t => {
      const written = writeProgram(t, program);
      const { when = 3 } = program;
      const whole = await runProgram(t, profile, written, when, { name: 'whole' });
      t.is(whole.inputs.filter(({ kind }) => kind === 'refused').length, 1);
      t.is(whole.alice, program.makesVats ? 'running' : 'ended');
      t.regex(whole.lines.join('\n'), /it asked for more memory than there is/);
      t.deepEqual(whole.audit, []);
      t.is(whole.difference, undefined);
      for (const cranks of [1, 3]) {
        const parts = await runProgram(t, profile, written, when, { name: `${cranks}`, cranks });
        t.is(parts.difference, undefined, `${cranks}`);
        t.deepEqual(parts, whole);
      }
    });
  }
}

test.serial('a resumed run reports memory that it had before and lacks now', async t => {
  const { config } = writeProgram(t, cases['the error is caught']);
  const memory = makeMemoryStore();
  const store = { ...memory, close: async () => {} };
  const simulation = await makeSimulation(config, { store, cacheDir });
  await simulation.run();
  simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound');
  await simulation.run();
  await simulation.commit();
  await simulation.close();
  const resume = (/** @type {object} */ options) =>
    makeSimulation(undefined, { store, cacheDir, resume: true, ...options });
  await t.throwsAsync(resume({ vatPowers: refusing(1) }), {
    name: 'UserError',
    message: /^vat alice does not replay: .* it fails: it asked for more memory than there is;/,
  });
  const ended = await resume({ vatPowers: refusing(1), endDiverging: true });
  await ended.commit();
  t.deepEqual(audit(ended.kernel.state), []);
  t.is(ended.kernel.inputs().at(-1)?.kind, 'diverged');
  await ended.close();
});
