// Values of devices come to the host at least once, whatever comes between their block and the host's taking them.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { directoryOfProcess, temporaryDirectory } from '#testkit/temporary-directory.js';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';

const device = `
  export const buildRootDeviceNode = ({ handOut }) => harden({ say: text => handOut(text) });
`;

/** Two vats that send each other a number, and hand each out. */
const boot = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = ({ D }) => {
    let other;
    let device;
    const root = Far('root', {
      bootstrap: (vats, devices) => {
        ({ other } = vats);
        ({ device } = devices);
        root.go(1);
      },
      go: n => {
        D(device).say('number ' + n);
        if (n % 3 === 0) D(device).say('again ' + n);
        if (n < 12) E(other).go(root, n + 1);
      },
    });
    return root;
  };
`;

const other = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => Far('other', { go: (boot, n) => void E(boot).go(n) });
`;

const expected = Array.from({ length: 12 }, (_, i) => i + 1).flatMap(n =>
  n % 3 === 0 ? [`number ${n}`, `again ${n}`] : [`number ${n}`],
);

/** @param {string} dir */
const writeProgram = dir => {
  fs.writeFileSync(join(dir, 'boot.js'), boot);
  fs.writeFileSync(join(dir, 'other.js'), other);
  fs.writeFileSync(join(dir, 'device.js'), device);
  const config = {
    bootstrap: 'boot',
    vats: { boot: { sourceSpec: './boot.js' }, other: { sourceSpec: './other.js' } },
    devices: { device: { sourceSpec: './device.js' } },
  };
  fs.writeFileSync(join(dir, 'swingset.json'), JSON.stringify(config));
};

const dir = directoryOfProcess('hand-out');
writeProgram(dir);

/**
 * @param {import('#store').Store} store
 * @param {object} options
 * @param {boolean} [options.resume]
 * @param {(device: string, data: string, number: number) => unknown} [options.onHandOut]
 */
const make = (store, { resume = false, onHandOut }) =>
  makeSimulation(resume ? undefined : loadConfig({ baseDir: dir }), {
    ...{ store, resume, cacheDir: join(dir, 'cache') },
    ...(onHandOut && { onHandOut }),
  });

/** A store that can be taken up again when its run has closed it. */
const openAlways = () => ({ ...makeMemoryStore(), close: async () => {} });

/** @param {import('#store').Store} store */
const outboxOf = store => [...store.entries('local.outbox.')];

test.serial(
  'each thing is handed out once, in order, with a number, and is gone when the run is closed',
  async t => {
    const store = makeMemoryStore();
    /** @type {[number, string][]} */
    const taken = [];
    const simulation = await make(store, {
      onHandOut: (name, data, number) => {
        t.is(name, 'device');
        t.is(
          JSON.parse(outboxOf(store).at(-1)?.[1] ?? '[]').length,
          2,
          'it is in the store by then',
        );
        taken.push([number, data]);
      },
    });
    await simulation.run({ blockSize: 4 });
    t.deepEqual(
      taken,
      expected.map((data, i) => [i + 1, data]),
    );
    await simulation.close();
    t.deepEqual(outboxOf(store), []);
  },
);

test.serial(
  'values that the host did not take are given again when the run is resumed, before anything else',
  async t => {
    const store = openAlways();
    const first = await make(store, {
      onHandOut: async (_, data) => {
        if (data === 'number 3') throw Error('the host cannot take it');
        if (data === 'again 3') await new Promise(() => {});
      },
    });
    await first.run({ blockSize: 1, maxCranks: 12 });
    await first.close();
    t.is(outboxOf(store).length, 2);
    /** @type {[number, string][]} */
    const taken = [];
    const second = await make(store, {
      resume: true,
      onHandOut: (_, data, number) => taken.push([number, data]),
    });
    t.deepEqual(taken, [
      [3, 'number 3'],
      [4, 'again 3'],
    ]);
    await second.run();
    await second.close();
    t.deepEqual(new Set(taken.map(([number]) => number)).size, taken.length);
    t.is(taken.at(-1)?.[1], 'again 12');
    t.deepEqual(outboxOf(store), []);
  },
);

test.serial('without a receiver, handed-out data is dropped, the rest is equal', async t => {
  const [silent, told] = [makeMemoryStore(), makeMemoryStore()];
  const first = await make(silent, {});
  const second = await make(told, { onHandOut: () => {} });
  for (const simulation of [first, second]) await simulation.run();
  t.deepEqual(outboxOf(silent), []);
  t.is(first.activityHash(), second.activityHash());
  const { storeContents } = await import('#store');
  for (const simulation of [first, second]) await simulation.close();
  t.deepEqual(storeContents(silent), storeContents(told));
});

/** Runs on from where the state is, and is killed before or after it takes its Nth thing. */
const child = `
  import fs from 'node:fs';
  import { existsSync } from 'node:fs';
  import { openLmdbStore } from ${JSON.stringify(import.meta.resolve('#store'))};
  import { loadConfig, makeSimulation } from ${JSON.stringify(import.meta.resolve('#host'))};
  const [dir, db, log, place, when] = process.argv.slice(2);
  const resume = existsSync(db + '/data.mdb');
  const store = openLmdbStore({ dir: db, durability: 'none', create: !resume });
  let count = 0;
  const kill = () => process.kill(process.pid, 'SIGKILL');
  const simulation = await makeSimulation(resume ? undefined : loadConfig({ baseDir: dir }), {
    store, resume, cacheDir: dir + '/cache',
    onHandOut: (_, data, number) => {
      count += 1;
      if (count === Number(place) && when === 'before') kill();
      fs.appendFileSync(log, JSON.stringify([number, data]) + '\\n');
      if (count === Number(place) && when === 'after') kill();
    },
  });
  await simulation.run({ blockSize: 3 });
  await simulation.close();
`;

test.serial(
  'a process that is killed between commit and taking, again and again, hands out all',
  t => {
    const cwd = temporaryDirectory(t);
    const script = join(cwd, 'child.mjs');
    fs.writeFileSync(script, child);
    for (const when of ['before', 'after']) {
      for (const place of [1, 4]) {
        const [db, log] = [join(cwd, `${when}-${place}`), join(cwd, `${when}-${place}.log`)];
        let runs = 0;
        for (let code = null; code !== 0; runs += 1) {
          // That something was taken is written with the next block, so each run has to come a little further.
          const at = String(place + 2 * runs);
          const ran = spawnSync(process.execPath, [script, dir, db, log, at, when]);
          code = ran.status;
          t.true(code === 0 || ran.signal === 'SIGKILL', String(ran.stderr));
          if (runs > 40) return t.fail('it does not come to an end');
        }
        t.true(runs > 1);
        const taken = fs.readFileSync(log, 'utf8').trimEnd().split('\n');
        /** @type {[number, string][]} */
        const things = taken.map(line => JSON.parse(line));
        const byNumber = new Map(things);
        t.deepEqual(
          [...byNumber].sort(([left], [right]) => left - right),
          expected.map((data, i) => [i + 1, data]),
          'each, and nothing else under its number',
        );
      }
    }
  },
);
