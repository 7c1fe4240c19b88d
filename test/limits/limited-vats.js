// Programs whose vats have limits, and runs of them.

import fs from 'node:fs';
import path from 'node:path';
import { loadConfig, makeMemoryStore, makeReport, makeSimulation, replayRecording } from '#host';
import { storeDigest } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

export const cacheDir = path.join(
  import.meta.dirname,
  '../../node_modules/.cache/swingset-runner-test',
);

/** @param {string} source @param {{ heap?: number, crankMs?: number }} limits */
export const limitedVat = (source, limits) => ({
  sourceSpec: `./${source}.js`,
  creationOptions: { limits },
});

/** @param {import('ava').ExecutionContext} t @param {Record<string, string>} sources @param {object} config */
export const writeProgram = (t, sources, config) => {
  const dir = temporaryDirectory(t);
  for (const [name, source] of Object.entries(sources))
    fs.writeFileSync(path.join(dir, `${name}.js`), source);
  fs.writeFileSync(path.join(dir, 'swingset.json'), JSON.stringify(config));
  return dir;
};

/** @param {string} baseDir @param {Partial<Parameters<typeof makeSimulation>[1]>} [options] */
export const run = async (baseDir, options) => {
  const store = makeMemoryStore();
  /** @type {string[]} */
  const said = [];
  /** @type {string[]} */
  const errors = [];
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    ...{ store: { ...store, close: async () => {} }, cacheDir },
    observer: {
      onConsole: (vat, _level, text) => vat === 'vatAdmin' || said.push(text),
      onVatError: (vat, report) => errors.push(`${vat}: ${report}`),
    },
    ...options,
  });
  await simulation.run({ blockSize: 4 });
  const { activityHash } = makeReport(simulation.kernel);
  const limits = simulation.kernel.inputs().filter(({ kind }) => kind === 'limit');
  const digest = storeDigest(store);
  await simulation.close();
  return { outcome: { said, errors, activityHash, digest }, limits, store };
};

/**
 * Insist that a run does the same when it is repeated from its recording, and when it is resumed.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {Awaited<ReturnType<typeof run>>['store']} store
 * @param {Awaited<ReturnType<typeof run>>['outcome']} outcome
 */
export const insistRepeats = async (t, store, outcome) => {
  const replayed = await replayRecording(store, { cacheDir });
  t.is(replayed.activityHash, outcome.activityHash);
  t.deepEqual([replayed.changed, replayed.overruled], [[], []]);

  const resumed = await makeSimulation(undefined, {
    ...{ store: { ...store, close: async () => {} }, cacheDir, resume: true },
  });
  await resumed.run();
  t.is(resumed.activityHash(), outcome.activityHash);
  t.is(storeDigest(store), outcome.digest);
  await resumed.close();
};
