// An observer changes nothing of a run: neither by watching nor by throwing.

import path from 'node:path';
import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation, StopRun } from '#host';
import { storeDigest } from '#store';

/** @import { SimulationOptions } from '#host/simulation/options.js' */

const demos = path.join(import.meta.dirname, '../../../../demos');

/** @param {string} demo @param {Partial<SimulationOptions>} options */
const run = async (demo, options) => {
  const store = makeMemoryStore();
  const config = loadConfig({ baseDir: path.join(demos, demo) });
  const simulation = await makeSimulation(config, { store, ...options });
  await simulation.run();
  if (demo === 'pingpong') simulation.queueToVatRoot('bootstrap', 'runBenchmarkRound');
  await simulation.run();
  const result = {
    hash: simulation.activityHash(),
    digest: storeDigest(store),
    cranks: simulation.cranks.all,
  };
  await simulation.close();
  return result;
};

/** Each callback of the options does the same. @param {(name: string) => any} act */
const everyCallback = act => {
  /** @type {any} */
  const crankObserver = {};
  for (const name of ['begins', 'ran', 'delivered', 'applied', 'commits', 'committed'])
    crankObserver[name] = () => act(`crankObserver.${name}`);
  return /** @type {any} */ ({
    crankObserver,
    observer: {
      onConsole: () => act('observer.onConsole'),
      onVatError: () => act('observer.onVatError'),
    },
    observeReactions: () => ({
      tagBegan: () => act('observeReactions.tagBegan'),
      reacted: () => act('observeReactions.reacted'),
      ended: () => act('observeReactions.ended'),
      nowNs: () => act('observeReactions.nowNs'),
    }),
    onKernel: () => act('onKernel'),
    onHandOut: () => act('onHandOut'),
  });
};

/** @type {Record<string, (name: string) => any>} */
const ways = {
  'returns nothing': () => {},
  throws: name => {
    throw Error(name);
  },
  'throws what is no error': () => {
    throw null;
  },
  'returns a promise that is rejected': name => Promise.reject(Error(name)),
  'returns a thenable that throws': () => ({
    then() {
      throw Error('never called');
    },
  }),
};

for (const demo of ['pingpong', 'reactors/cascade']) {
  for (const [way, act] of Object.entries(ways)) {
    test(`${demo}: if every callback ${way}, the run is the same`, async t => {
      const expected = await run(demo, {});
      const told = /** @type {Set<string>} */ (new Set());
      const onObserverError = (/** @type {unknown} */ _error, /** @type {string} */ name) =>
        void told.add(name);
      t.deepEqual(await run(demo, { ...everyCallback(act), onObserverError }), expected);
      if (way === 'returns nothing' || way.includes('thenable')) {
        t.deepEqual(
          [...told].filter(name => !name.endsWith('nowNs')),
          [],
        );
        return;
      }
      t.true(told.has('observer.onConsole'));
      t.true(told.has('crankObserver.applied'));
      t.is(told.has('observeReactions.reacted'), demo !== 'pingpong');
      // A callback that throws by a promise is reported too; if the callback that is told of it throws, nothing happens
      // either.
      const thrower = () => {
        throw Error('again');
      };
      process.once('warning', () => {});
      t.deepEqual(await run(demo, { ...everyCallback(act), onObserverError: thrower }), expected);
    });
  }
}

test('reactions are timed by the process’s clock if the observer has none', async t => {
  const expected = await run('reactors/cascade', {});
  const times = /** @type {number[]} */ ([]);
  const observeReactions = () => ({
    reacted: (
      /** @type {any} */ view,
      /** @type {number} */ startNs,
      /** @type {number} */ endNs,
    ) => {
      t.deepEqual(Object.keys(view), ['track', 'name', 'level', 'stage']);
      times.push(startNs, endNs);
    },
  });
  t.deepEqual(await run('reactors/cascade', { observeReactions }), expected);
  t.true(times.length > 0);
  t.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
});

test.serial('without onObserverError, the process emits one warning for each callback', async t => {
  const warnings = /** @type {string[]} */ ([]);
  const listen = (/** @type {Error} */ warning) => {
    if (warning.name === 'ObserverWarning') warnings.push(warning.message.split(' ')[0]);
  };
  process.on('warning', listen);
  await run('pingpong', {
    observer: {
      onConsole: () => {
        throw Error('no');
      },
    },
  });
  await new Promise(resolve => setTimeout(resolve, 20));
  process.off('warning', listen);
  t.deepEqual(warnings, ['observer.onConsole']);
});

test('a StopRun ends the run with its reason', async t => {
  const reason = Error('enough');
  let cranks = 0;
  const crankObserver = {
    applied: () => {
      cranks += 1;
      if (cranks === 3) throw new StopRun(reason);
    },
  };
  t.is(await t.throwsAsync(run('pingpong', { crankObserver })), reason);
  t.is(cranks, 3);
});
