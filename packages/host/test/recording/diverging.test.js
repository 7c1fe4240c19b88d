// A vat that does something else when it is resumed: it alone is named, and it alone is ended, if the host says so.

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { audit } from '#kernel';
import { storeContents } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { loadConfig, makeMemoryStore, makeSimulation, replayRecording } from '#host';

/** @import { ExecutionContext } from 'ava' */
/** @import { Store } from '#store' */

const cacheDir = join(tmpdir(), 'swingset-runner-test-cache');

const profiles = /** @type {const} */ (['current', '2020-09']);

const sources = {
  bootstrap: `
    import { E, Far } from '@endo/far';
    let vats;
    let round = 0;
    export const buildRootObject = () => Far('bootstrap', {
      bootstrap(all) { vats = all; },
      runBenchmarkRound() {
        round += 1;
        const said = E(vats.alice).say(vats.bob).catch(error => error.message);
        return Promise.all([said, E(vats.bob).count()]);
      },
    });
  `,
  alice: `
    import { E, Far } from '@endo/far';
    export const buildRootObject = ({ roll = () => 0 }) => Far('alice', {
      say: bob => E(bob).hear(roll()),
    });
  `,
  bob: `
    import { Far } from '@endo/far';
    let heard = 0;
    export const buildRootObject = () => Far('bob', {
      hear(n) { heard += 1; return n; },
      count: () => heard,
    });
  `,
};

/** @param {ExecutionContext} t @param {object} [alice]  her options */
const writeProgram = (t, alice = {}) => {
  const folder = temporaryDirectory(t, 'diverging');
  for (const [name, source] of Object.entries(sources))
    writeFileSync(join(folder, `${name}.js`), source);
  const vats = {
    bootstrap: { sourceSpec: './bootstrap.js' },
    alice: { sourceSpec: './alice.js', creationOptions: alice },
    bob: { sourceSpec: './bob.js' },
  };
  writeFileSync(join(folder, 'swingset.json'), JSON.stringify({ bootstrap: 'bootstrap', vats }));
  return loadConfig({ baseDir: folder });
};

/** @param {number} n  what the machine says, which no vat should be told */
const rolling = n => ({ vatPowers: { roll: () => n } });

/** @param {Store} store */
const kept = store => ({ ...store, close: async () => {} });

/** @param {Awaited<ReturnType<typeof makeSimulation>>} simulation */
const runRound = async simulation => {
  const result = simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound');
  await simulation.run();
  return simulation.status(result).data?.body;
};

/**
 * Two rounds in which the machine said 1.
 *
 * @param {ReturnType<typeof loadConfig>} config
 * @param {'current' | '2020-09'} profile
 */
const runTwo = async (config, profile) => {
  const store = makeMemoryStore();
  const options = { store: kept(store), profile, cacheDir, ...rolling(1) };
  const simulation = await makeSimulation(config, options);
  await simulation.run();
  await runRound(simulation);
  await runRound(simulation);
  await simulation.commit();
  await simulation.close();
  return store;
};

/** @param {Store} store @param {object} options */
const resume = (store, options) =>
  makeSimulation(undefined, { store: kept(store), resume: true, cacheDir, ...options });

for (const profile of profiles) {
  test.serial(
    `${profile}: a vat that does something else is named with its crank, what differs, and the way out`,
    async t => {
      const store = await runTwo(writeProgram(t), profile);
      await t.throwsAsync(resume(store, rolling(2)), {
        name: 'UserError',
        message:
          /^vat alice does not replay: in its delivery \d+ \(message, at 0ns\.\d+\), syscall 1, "send o-\d+", has other data than in the transcript; .*, end this vat alone with --end-diverging, or /,
      });
    },
  );

  test.serial(`${profile}: only the vat that does something else is ended`, async t => {
    const store = await runTwo(writeProgram(t), profile);
    /** @type {string[]} */
    const errors = [];
    const onVatError = (/** @type {string} */ name, /** @type {unknown} */ error) =>
      errors.push(`${name}: ${/** @type {Error} */ (error).message}`);
    const options = { ...rolling(2), endDiverging: true, observer: { onVatError } };
    const simulation = await resume(store, options);
    t.regex(errors.join('\n'), /^alice: vat alice was ended: it does not replay: in its delivery/);
    t.regex(String(await runRound(simulation)), /vat terminated.*2/s);
    t.is(simulation.kernel.vat(simulation.kernel.findVat('alice') ?? '').state, 'ended');
    t.deepEqual(audit(simulation.kernel.state), []);
    await simulation.commit();
    t.deepEqual(
      simulation.kernel.inputs().flatMap(({ kind, vat }) => (kind === 'diverged' ? [vat] : [])),
      [simulation.kernel.findVat('alice')],
    );
    await simulation.close();
    // Nobody is asked again.
    const again = await resume(store, rolling(3));
    t.regex(String(await runRound(again)), /vat terminated/);
    await again.close();
  });

  test.serial(`${profile}: a vat that does the same is not ended`, async t => {
    const store = await runTwo(writeProgram(t), profile);
    const before = storeContents(store);
    const simulation = await resume(store, { ...rolling(1), endDiverging: true });
    await simulation.commit();
    t.deepEqual(storeContents(store), before);
    await simulation.close();
  });

  test.serial(`${profile}: the end of such a vat is an input, and a replay repeats it`, async t => {
    const config = writeProgram(t);
    /** @param {boolean} resumes  behind each round */
    const run = async resumes => {
      const store = makeMemoryStore();
      let simulation = await makeSimulation(config, { store: kept(store), profile, cacheDir });
      await simulation.run();
      for (let i = 0; i < 4; i += 1) {
        await runRound(simulation);
        if (i === 1) simulation.kernel.endDiverging(simulation.kernel.findVat('alice') ?? '');
        await simulation.commit();
        if (resumes) simulation = await resume(store, {});
      }
      await simulation.close();
      return { store, hash: simulation.activityHash() };
    };
    const whole = await run(false);
    const parts = await run(true);
    t.is(parts.hash, whole.hash);
    t.deepEqual(storeContents(parts.store), storeContents(whole.store));
    t.is((await replayRecording(whole.store, { cacheDir })).difference, undefined);
  });
}

test.serial(
  'a critical vat that does something else ends the run, whatever the host says',
  async t => {
    const store = await runTwo(writeProgram(t, { critical: true }), 'current');
    const before = storeContents(store);
    await t.throwsAsync(resume(store, { ...rolling(2), endDiverging: true }), {
      name: 'UserError',
      message:
        /^the critical vat alice ended, which ends the run at its last block: Error: the vat did something else when the run was resumed$/,
    });
    t.deepEqual(storeContents(store), before);
  },
);

test.serial('a vat that asks a device once more, and hides it, is found', async t => {
  const folder = temporaryDirectory(t, 'diverging');
  writeFileSync(
    join(folder, 'bootstrap.js'),
    `
    import { Far } from '@endo/far';
    export const buildRootObject = ({ D, roll = () => 0 }) => {
      let timer;
      return Far('bootstrap', {
        bootstrap(_vats, devices) { timer = devices.timer; },
        runBenchmarkRound() {
          for (let i = 0; i < roll(); i += 1) { try { D(timer).getLastPolled(); } catch {} }
        },
      });
    };
  `,
  );
  const config = {
    bootstrap: 'bootstrap',
    vats: { bootstrap: { sourceSpec: './bootstrap.js' } },
    devices: { timer: {} },
  };
  writeFileSync(join(folder, 'swingset.json'), JSON.stringify(config));
  const store = await runTwo(loadConfig({ baseDir: folder }), 'current');
  await t.throwsAsync(resume(store, rolling(2)), {
    message: /^vat bootstrap does not replay: in its delivery \d+ \(message, .*\), /,
  });
});
