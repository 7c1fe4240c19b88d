// Raw vats of both forms that make random syscalls with random bodies: to usual vats, vatAdmin and devices. They harm nobody but
// themselves, and the run is the same when it is resumed and when vats are on a thread. More, from the seed that is
// given: SWINGSET_RUNNER_RAW_SEEDS=1000 SWINGSET_RUNNER_RAW_FIRST=100 npx ava test/raw-vats.test.js --timeout=2h

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import test from 'ava';
import {
  defaultCacheDir,
  loadConfig,
  makeMemoryStore,
  makeSimulation,
  replayRecording,
} from '#host';
import { storeDigest } from '#store';
import { makeRandom } from '#testkit';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const first = Number(process.env.SWINGSET_RUNNER_RAW_FIRST ?? 1);
const count = Number(process.env.SWINGSET_RUNNER_RAW_SEEDS ?? 5);

const baseDir = path.join(import.meta.dirname, 'fixtures', 'raw-vats');

/**
 * @typedef {object} How
 * @property {'current' | '2020-09'} profile
 * @property {number} seed
 * @property {number} [stopAfter]  cranks, after which the run is resumed from its store
 * @property {number} [workers]
 */

/** @param {How} how */
const run = async ({ profile, seed, stopAfter, workers = 0 }) => {
  const store = makeMemoryStore();
  /** @type {string[]} */
  const printed = [];
  const options = {
    ...{ store, workers, cacheDir: defaultCacheDir() },
    observer: {
      onConsole: (
        /** @type {string} */ vat,
        /** @type {string} */ level,
        /** @type {string} */ text,
      ) => void printed.push(`${vat} ${level} ${text}`),
      onVatError: () => {},
    },
  };
  const config = loadConfig({ baseDir, argv: [String(seed)] });
  let simulation = await makeSimulation(config, { ...options, profile });
  if (stopAfter !== undefined) {
    await simulation.runCranks(stopAfter);
    await simulation.commit();
    await simulation.leave();
    simulation = await makeSimulation(undefined, { ...options, resume: true });
  }
  await simulation.run();
  const { state, data } = simulation.status(simulation.bootstrapResult);
  const outcome = {
    ...{ state, answer: data?.body, hash: simulation.activityHash() },
    ...{ cranks: simulation.cranks.all, printed },
  };
  await simulation.close();
  return { ...outcome, digest: storeDigest(store) };
};

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test.serial(
    `${profile}: raw vats with random bodies harm nobody, seeds from ${first}`,
    async t => {
      for (let seed = first; seed < first + count; seed += 1) {
        const plain = await run({ profile, seed });
        t.is(plain.state, 'data', `seed ${seed}`);
        t.is(plain.answer, profile === 'current' ? '#"hi"' : '"hi"', `seed ${seed}`);
        const stopAfter = 1 + makeRandom(seed).below(plain.cranks);
        t.deepEqual(
          await run({ profile, seed, stopAfter }),
          plain,
          `seed ${seed}, at ${stopAfter}`,
        );
        t.deepEqual(await run({ profile, seed, workers: 1 }), plain, `seed ${seed}, on a thread`);
      }
    },
  );
}

test.serial(
  'a run with a raw vat that lets go of objects when it is asked is repeated',
  async t => {
    const dir = temporaryDirectory(t);
    const sources = {
      'raw.js': `
      export default syscall => {
        let held;
        return ([kind, , message]) => {
          if (kind === 'message') [held] = message.methargs.slots;
          if (kind === 'bringOutYourDead' && held !== undefined) {
            syscall.dropImports([held]);
            held = undefined;
          }
        };
      };
    `,
      'boot.js': `
      import { E, Far } from '@endo/far';
      export const buildRootObject = () => Far('root', {
        bootstrap({ raw }) {
          for (const name of ['one', 'two', 'three']) E(raw).take(Far(name, {}));
        },
      });
    `,
      'swingset.json': JSON.stringify({
        bootstrap: 'boot',
        vats: {
          boot: { sourceSpec: './boot.js' },
          raw: { sourceSpec: './raw.js', creationOptions: { enableSetup: true, reapInterval: 1 } },
        },
      }),
    };
    for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(dir, name), text);
    const store = makeMemoryStore();
    const simulation = await makeSimulation(loadConfig({ baseDir: dir }), {
      store: { ...store, close: async () => {} },
    });
    await simulation.run();
    await simulation.commit();
    t.is(simulation.kernel.inputs().filter(({ kind }) => kind === 'dead').length, 4);
    await simulation.close();
    t.is((await replayRecording(store)).difference, undefined);
  },
);
