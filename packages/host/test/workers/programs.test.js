// Threads and processes take their modules from the pack, if it matches the sources; a run is the same with either.

import fs from 'node:fs';
import path from 'node:path';

import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { openPack } from '#packed';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const files = {
  'bootstrap.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => Far('bootstrap', {
      async bootstrap({ ann, ben }) {
        const texts = await Promise.all([ann, ben].map(each => E(each).tell()));
        console.log(texts.join());
        return texts;
      },
    });
  `,
  // Its functions, and its errors for an observer, show how it was loaded.
  'teller.js': `
    import { makeTagged } from '@endo/marshal';
    import { Far } from '@endo/far';
    export const buildRootObject = () => Far('teller', {
      tell() {
        console.error(Error('seen'));
        return [makeTagged, Far, harden].map(each => each.name + each.toString().length);
      },
    });
  `,
  'swingset.json': JSON.stringify({
    bootstrap: 'bootstrap',
    vats: {
      bootstrap: { sourceSpec: './bootstrap.js', creationOptions: { managerType: 'local' } },
      ann: { sourceSpec: './teller.js' },
      ben: { sourceSpec: './teller.js', creationOptions: { limits: { heap: 64 << 20 } } },
    },
  }),
};

/** @param {import('ava').ExecutionContext} t @param {string} dir */
const run = async (t, dir) => {
  const cacheDir = path.join(dir, 'cache');
  /** @type {unknown[]} */
  const printed = [];
  const simulation = await makeSimulation(loadConfig({ baseDir: dir }), {
    ...{ store: makeMemoryStore(), workers: 1, cacheDir },
    observer: { onConsole: (...each) => printed.push(each.slice(0, 3)) },
  });
  try {
    await simulation.run();
    t.is(simulation.status(simulation.bootstrapResult).state, 'data');
    const code = path.join(cacheDir, 'node');
    const kept = fs.existsSync(code) ? fs.readdirSync(code) : [];
    return { hash: simulation.activityHash(), printed, kept };
  } finally {
    await simulation.close();
  }
};

test.serial(
  'threads and processes run the pack or the sources: the vats do and print the same',
  async t => {
    const dir = temporaryDirectory(t, 'programs');
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(dir, name), text);
    const isPacked = openPack('worker', undefined) !== undefined;
    const first = await run(t, dir);
    // A thread and a process have flags of their own, and so code of their own.
    t.is(first.kept.filter(name => name.startsWith('packed-')).length, isPacked ? 2 : 0);
    const second = await run(t, dir);
    t.deepEqual(second, first, 'with code that is kept');
    t.true(first.printed.length > 2);

    process.env.SWINGSET_RUNNER_SOURCES = '1';
    t.teardown(() => delete process.env.SWINGSET_RUNNER_SOURCES);
    fs.rmSync(path.join(dir, 'cache'), { recursive: true });
    t.deepEqual(await run(t, dir), { ...first, kept: [] }, 'the sources');
  },
);
