// Virtual and durable objects between vats: they are passed on, come back, and are deleted when nobody reaches them. Runs with
// them are the same when they are resumed, and when they are run again from what was recorded.

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation, replayRecording } from '#host';
import { audit } from '#kernel';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const cacheDir = join(tmpdir(), 'swingset-runner-test-cache');

const alice = `
  import { E, Far } from '@endo/far';
  import { prepareExoClassKit, makeScalarBigMapStore, makeScalarBigWeakMapStore } from '@agoric/vat-data';
  export const buildRootObject = (powers, parameters, baggage) => {
    const makeKit = prepareExoClassKit(baggage, 'kit', undefined, (n, next) => ({ n, next }), {
      reader: { get() { return this.state.n; }, next() { return this.state.next; } },
      writer: { set(n) { this.state.n = n; } },
    });
    const makeThing = VatData.defineKind('thing', n => ({ n }), { get: ({ state }) => state.n });
    const kept = makeScalarBigMapStore('kept');
    const notes = makeScalarBigWeakMapStore('notes');
    return Far('alice', {
      chain(length) {
        let reader;
        for (let n = 0; n < length; n += 1) ({ reader } = makeKit(n, reader));
        return reader;
      },
      kit: n => makeKit(n),
      things(from, count) { return Array.from({ length: count }, (_, i) => makeThing(from + i)); },
      keep: (key, value) => kept.init(key, value),
      note: (key, value) => notes.init(key, value),
      noteOf: key => notes.get(key),
      forget: key => kept.delete(key),
      isSame: (key, value) => kept.get(key) === value,
      idle() {},
    });
  };`;

const bootstrap = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    let alice;
    const held = new Map();
    return Far('bootstrap', {
      bootstrap(vats) { ({ alice } = vats); },
      async chain(length) { held.set('chain', await E(alice).chain(length)); return E(E(held.get('chain')).next()).get(); },
      async kit() {
        const { reader, writer } = await E(alice).kit(1);
        await E(writer).set(2);
        await E(alice).keep('reader', reader);
        return [await E(reader).get(), await E(alice).isSame('reader', reader)];
      },
      async things(from, count) { held.set('things', await E(alice).things(from, count)); },
      async note() {
        const [thing] = held.get('things');
        await E(alice).note(thing, 'a note');
        return E(alice).noteOf(thing);
      },
      drop(key) { held.delete(key); },
      forget: key => E(alice).forget(key),
      idle: () => E(alice).idle(),
    });
  };`;

/**
 * @param {import('ava').ExecutionContext} t
 * @param {Parameters<typeof makeSimulation>[1]['store']} store
 * @param {Partial<Parameters<typeof makeSimulation>[1]>} [options]
 */
const begin = async (t, store, options = {}) => {
  const folder = temporaryDirectory(t, 'virtual');
  writeFileSync(join(folder, 'bootstrap.js'), bootstrap);
  writeFileSync(join(folder, 'vat-alice.js'), alice);
  const vats = {
    bootstrap: { sourceSpec: './bootstrap.js' },
    alice: { sourceSpec: './vat-alice.js' },
  };
  const config = { bootstrap: 'bootstrap', vats, defaultReapInterval: 3 };
  writeFileSync(join(folder, 'swingset.json'), JSON.stringify(config));
  return makeSimulation(loadConfig({ baseDir: folder }), { store, cacheDir, ...options });
};

/** @param {Awaited<ReturnType<typeof makeSimulation>>} simulation @param {any[]} step */
const ask = async (simulation, [method, ...args]) => {
  const result = simulation.queueToVatRoot('bootstrap', method, args);
  await simulation.run();
  const { state, data } = simulation.status(result);
  simulation.release(result);
  return `${state} ${data?.body}`;
};

const idle = Array.from({ length: 8 }, () => ['idle']);

/** @type {any[][]} */
const program = [
  ['chain', 5],
  ['kit'],
  ['things', 0, 20],
  ['note'],
  ...idle,
  ['drop', 'chain'],
  ...idle,
  ['things', 20, 3],
  ...idle,
  ['forget', 'reader'],
  ['drop', 'things'],
  ...idle,
  ...idle,
  ...idle,
];

/**
 * The keys of objects in alice's store, without those of kinds.
 *
 * @param {Awaited<ReturnType<typeof makeSimulation>>} simulation
 */
const objectsIn = ({ kernel }) =>
  kernel.state.vatstore
    .keys(/** @type {string} */ (kernel.findVat('alice')))
    .filter(key => /^vom\.(o|rc\.o|es|ir)|^vc\.\d+\.[^|]/.test(key));

test('objects go to other vats and return, and are deleted when nobody reaches them', async t => {
  const store = makeMemoryStore();
  const simulation = await begin(t, store);
  await simulation.run();
  const before = objectsIn(simulation);
  t.deepEqual(
    [
      await ask(simulation, ['chain', 5]),
      await ask(simulation, ['kit']),
      await ask(simulation, ['things', 0, 20]),
      await ask(simulation, ['note']),
    ],
    ['data #3', 'data #[2,true]', 'data #"#undefined"', 'data #"a note"'],
  );
  t.true(objectsIn(simulation).length > before.length + 50);
  for (const step of program.slice(4)) await ask(simulation, step);
  t.deepEqual(objectsIn(simulation), before);
  t.deepEqual(audit(simulation.kernel.state), []);
  await simulation.close();
});

test('a run with virtual data is the same when it is resumed after each message', async t => {
  const whole = await begin(t, makeMemoryStore());
  for (const step of program) await ask(whole, step);
  const store = makeMemoryStore();
  let simulation = await begin(t, store);
  for (const [i, step] of program.entries()) {
    await ask(simulation, step);
    await simulation.commit();
    if (i % 3 === 0)
      simulation = await makeSimulation(undefined, { store, resume: true, cacheDir });
  }
  t.is(simulation.activityHash(), whole.activityHash());
  t.deepEqual(objectsIn(simulation), objectsIn(whole));
  await simulation.close();
  await whole.close();
});

test('a run with virtual data is the same with vats on worker threads', async t => {
  const here = await begin(t, makeMemoryStore());
  const elsewhere = await begin(t, makeMemoryStore(), { workers: 1 });
  for (const step of program.slice(0, 20)) {
    await ask(here, step);
    await ask(elsewhere, step);
  }
  t.is(elsewhere.activityHash(), here.activityHash());
  await elsewhere.close();
  await here.close();
});

test('a run with virtual data can be replayed', async t => {
  const store = makeMemoryStore();
  const simulation = await begin(t, { ...store, close: async () => {} });
  for (const step of program) await ask(simulation, step);
  await simulation.commit();
  await simulation.close();
  const { activityHash, changed } = await replayRecording(store, { cacheDir });
  t.is(activityHash, simulation.activityHash());
  t.deepEqual(changed, []);
});

test('relaxDurabilityRules lets durable data name what is not durable', async t => {
  const folder = temporaryDirectory(t, 'relaxed');
  writeFileSync(
    join(folder, 'bootstrap.js'),
    `import { Far } from '@endo/far';
    export const buildRootObject = (powers, parameters, baggage) => Far('root', {
      bootstrap() { baggage.init('x', Far('x', {})); },
    });`,
  );
  for (const relaxDurabilityRules of [true, false]) {
    const vats = { bootstrap: { sourceSpec: './bootstrap.js' } };
    const config = { bootstrap: 'bootstrap', vats, relaxDurabilityRules };
    writeFileSync(join(folder, 'swingset.json'), JSON.stringify(config));
    const simulation = await makeSimulation(loadConfig({ baseDir: folder }), {
      store: makeMemoryStore(),
      cacheDir,
    });
    await simulation.run();
    const { state, data } = simulation.status(simulation.bootstrapResult);
    t.is(state, relaxDurabilityRules ? 'data' : 'rejected');
    if (!relaxDurabilityRules) t.regex(data?.body ?? '', /value is not durable/);
    await simulation.close();
  }
});
