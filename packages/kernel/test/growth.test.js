// Work is bounded by what is sent: four times as much of it costs some four times as much. What is written and asked for is
// counted here; the time of the processor is compared where the environment asks for it (README).

import { cpuUsage, env } from 'node:process';
import test from 'ava';

import { makeMemoryStore } from '#store';
import { makeTestKernel, message } from '#testkit';
import { CList } from '../tables/clist.js';
import { endVat } from '../lifecycle/termination.js';
import { idle, make, makerDevice } from './births.js';
import { growthPrograms } from './growth-programs.js';

/** @import { Store } from '#store' */

/**
 * A store that counts characters and bytes that are written, keys that are deleted, and keys that are asked for.
 *
 * @returns {{ store: Store, steps: () => number }}
 */
const makeCountingStore = () => {
  const store = makeMemoryStore();
  let steps = 0;
  return {
    steps: () => steps,
    store: {
      ...store,
      nextKey(prior, prefix) {
        steps += 1;
        return store.nextKey(prior, prefix);
      },
      commit(batch) {
        batch.puts.forEach((value, key) => {
          steps += key.length + (value?.length ?? 0);
        });
        batch.appends?.forEach(bytes => {
          steps += bytes.length;
        });
        return store.commit(batch);
      },
    },
  };
};

/** @param {string} name @param {number} n */
const countSteps = async (name, n) => {
  const { store, steps } = makeCountingStore();
  await growthPrograms[name](n, store);
  return steps();
};

for (const name of Object.keys(growthPrograms)) {
  test(`four times as much is written in some four times as many steps: ${name}`, async t => {
    const steps = await countSteps(name, 128);
    t.true((await countSteps(name, 512)) < 6 * steps);
  });
}

/** Microseconds of the processor. @param {string} name @param {number} n */
const timeOnce = async (name, n) => {
  const store = makeMemoryStore();
  const before = cpuUsage();
  await growthPrograms[name](n, store);
  const { user, system } = cpuUsage(before);
  return user + system;
};

/** @param {string} name @param {number} n */
const timeLeast = async (name, n) => {
  let least = Infinity;
  for (let i = 0; i < 3; i += 1) least = Math.min(least, await timeOnce(name, n));
  return least;
};

if (env.SWINGSET_RUNNER_GROWTH !== undefined) {
  for (const name of Object.keys(growthPrograms)) {
    test.serial(
      `sixteen times as much takes the processor far from 256 times as long: ${name}`,
      async t => {
        t.timeout(600_000);
        await timeOnce(name, 1024);
        const few = await timeLeast(name, 1024);
        const many = await timeLeast(name, 16 * 1024);
        t.log(`${Math.round(few)} us, ${Math.round(many)} us, ${(many / few).toFixed(1)} times`);
        t.true(many < 100 * few);
      },
    );
  }
}

test.serial('a commit visits the c-lists that changed, however many vats there are', async t => {
  const names = Array.from({ length: 1000 }, (_, i) => `vat${i}`);
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank === 2) call('send', 'o-50', message('x', ['o+7']), null);
      },
      ...Object.fromEntries(names.map(name => [name, () => {}])),
    },
  });
  await run.run();
  run.kernel.commit();
  let visited = 0;
  const { collect } = CList.prototype;
  CList.prototype.collect = function count(puts) {
    visited += 1;
    collect.call(this, puts);
  };
  t.teardown(() => {
    CList.prototype.collect = collect;
  });
  run.kernel.commit();
  t.is(visited, 0);
  run.send('boot', 'x');
  await run.run();
  run.kernel.commit();
  t.is(visited, 2);
});

test('the end of a vat searches no other vats, however many there are', async t => {
  const names = Array.from({ length: 300 }, (_, i) => `vat${i}`);
  const run = makeTestKernel({
    vats: Object.fromEntries(['boot', 'vatAdmin', ...names].map(name => [name, () => {}])),
  });
  await run.run();
  run.kernel.commit();
  const { vats } = run.state;
  let looked = 0;
  const { entries } = vats.vats;
  vats.vats.entries = function* count() {
    looked += 1;
    yield* entries.call(this);
  };
  for (const name of names) {
    endVat(run.state, run.vatId(name), false, { body: '#0', slots: [] });
    run.state.keepBetweenCranks();
  }
  await run.run();
  run.kernel.commit();
  t.is(looked, 0);
  t.is(vats.findVatByName('vatAdmin'), run.vatId('vatAdmin'));
  t.is(vats.findVatByName('nobody'), undefined);
});

test('asking the vats that the run has made searches no queue, however long it is', async t => {
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        for (let i = 0; i < (crank === 1 ? 100 : 0); i += 1) make(call, 'idle');
      },
    },
    sources: { idle },
    devices: { maker: makerDevice('#') },
  });
  await run.run();
  for (let i = 0; i < 100; i += 1) run.send('boot', 'x');
  const { queue } = run.state;
  let searches = 0;
  const { inOrder } = queue;
  queue.inOrder = function count() {
    searches += 1;
    return inOrder.call(this);
  };
  const made = run.kernel.vats().filter(({ isStatic }) => !isStatic);
  t.deepEqual(new Set(made.map(({ vatId }) => run.kernel.reap(vatId))), new Set([true]));
  t.deepEqual([made.length, searches], [100, 0]);
});
