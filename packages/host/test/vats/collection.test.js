// Object collection across vats: what a vat lets go of leaves the kernel, and what anyone can still reach or recognise
// stays. A vat is asked every 500 deliveries here.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { audit } from '#kernel';
import { directoryOfProcess } from '#testkit/temporary-directory.js';
import { loadConfig, makeMemoryStore, makeSimulation, openLmdbStore } from '#host';

const maker = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    const kept = [];
    const weak = new WeakMap();
    const makeThing = name => Far('thing', { name: () => name });
    const later = [];
    return Far('maker', {
      make: name => makeThing(name),
      makeKept(name) {
        const thing = makeThing(name);
        kept.push(thing);
        return thing;
      },
      again: () => kept[0],
      makeLabelled(name) {
        const thing = makeThing(name);
        weak.set(thing, name);
        return thing;
      },
      labelOf: thing => weak.get(thing),

      makeLater() {
        return new Promise(resolve => later.push(resolve));
      },
      resolveLater: () => later.splice(0).forEach(resolve => resolve({ thing: makeThing('later') })),
      takeRing(other) { kept.push(Far('ring', { other: () => other })); return kept.at(-1); },
      nothing() {},
    });
  };
`;

const user = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    let maker;
    const held = [];
    const labels = new WeakMap();
    const known = new WeakSet();
    return Far('bootstrap', {
      bootstrap(vats) { maker = vats.maker; },
      async take(method, name) { held.push(await E(maker)[method](name)); },
      async takeAndLabel(method, name) {
        const thing = await E(maker)[method](name);
        labels.set(thing, name);
        known.add(thing);
      },
      async labelAgain() {
        const thing = await E(maker).again();
        return [labels.get(thing), known.has(thing)];
      },
      askLabel: () => E(maker).labelOf(held[0]),
      letGo() { held.splice(0); },
      nameOfHeld: () => E(held[0]).name(),
      wait() { held.push(E(maker).makeLater()); },
      resolveLater: () => E(maker).resolveLater(),
      nameOfLater: async () => E((await held[0]).thing).name(),
      async ring() {
        const link = {};
        const mine = Far('mine', { link: () => link.other });
        link.other = await E(maker).takeRing(mine);
      },
      async idle(times) { for (let i = 0; i < times; i += 1) await E(maker).nothing(); },
      async passThrough(times) { for (let i = 0; i < times; i += 1) await E(maker).make('one of many'); },
    });
  };
`;

/** A vat that labels what it is given, in every kind of weak collection that it can come by, and keeps none of it. */
const labeller = `
  import { E, Far } from '@endo/far';
  import { makeLegacyWeakMap, makeScalarWeakMapStore, makeWeakStore } from '@agoric/store';
  export const buildRootObject = powers => {
    let maker;
    const inner = new Compartment({ Map });
    const innermost = inner.evaluate('new Compartment()');
    class Derived extends WeakMap {}
    const maps = {
      own: new WeakMap(),
      derived: new Derived(),
      ofPowers: new powers.WeakMap(),
      ofCompartment: new inner.globalThis.WeakMap(),
      ofItsCompartment: innermost.evaluate('new WeakMap()'),
    };
    const stores = {
      scalar: makeScalarWeakMapStore('label'),
      of2020: makeWeakStore('label'),
      legacy: makeLegacyWeakMap('label'),
    };
    const set = new WeakSet();
    return Far('bootstrap', {
      bootstrap(vats) { maker = vats.maker; },
      async label() {
        const thing = await E(maker).makeKept('a');
        for (const map of Object.values(maps)) map.set(thing, 'label');
        for (const store of Object.values(stores)) store.init(thing, 'label');
        set.add(thing);
      },
      async labels() {
        const thing = await E(maker).again();
        return [
          ...Object.values(maps).map(map => map.get(thing)),
          ...Object.values(stores).map(store => store.get(thing)),
          set.has(thing),
        ];
      },
      async forget() {
        const thing = await E(maker).again();
        for (const each of [...Object.values(maps), ...Object.values(stores), set]) each.delete(thing);
      },
      tags: () => [String(maps.ofCompartment), inner instanceof Compartment, WeakMap.name],
      async idle(times) { for (let i = 0; i < times; i += 1) await E(maker).nothing(); },
    });
  };
`;

const folder = directoryOfProcess('collection');
writeFileSync(join(folder, 'bootstrap.js'), user);
writeFileSync(join(folder, 'vat-maker.js'), maker);
const labels = directoryOfProcess('collection');
writeFileSync(join(labels, 'bootstrap.js'), labeller);
writeFileSync(join(labels, 'vat-maker.js'), maker);

/** @param {Partial<Parameters<typeof makeSimulation>[1]>} [options] @param {number | 'never'} [interval] */
const start = async (options, interval = 500, baseDir = folder) => {
  const config = { ...loadConfig({ baseDir }), defaultReapInterval: interval };
  const store = makeMemoryStore();
  const simulation = await makeSimulation(config, { store, ...options });
  await simulation.run();
  return { simulation, ask: makeAsk(simulation), store };
};

/** @param {Awaited<ReturnType<typeof makeSimulation>>} simulation */
const makeAsk =
  simulation =>
  /** @param {string} method @param {unknown[]} args */
  async (method, ...args) => {
    const result = simulation.queueToVatRoot('bootstrap', method, args);
    await simulation.run();
    const { state, data } = simulation.status(result);
    simulation.release(result);
    await simulation.commit();
    const { body } = data ?? { body: '#null' };
    return state === 'rejected' ? `rejected ${body}` : JSON.parse(body.slice(1));
  };

/** @param {Awaited<ReturnType<typeof start>>} run */
const comeToRest = async ({ ask }) => {
  await ask('idle', 600);
};

/** @param {Awaited<ReturnType<typeof start>>} run */
const figuresOf = ({ simulation }) => {
  const { kernelObjects, clistEntries } = simulation.counters.toRecord();
  return [kernelObjects.value, clistEntries.value];
};

test.serial('a dropped object leaves both c-lists and the kernel', async t => {
  const run = await start();
  await comeToRest(run);
  const before = figuresOf(run);
  await run.ask('take', 'make', 'a');
  t.deepEqual(figuresOf(run), [before[0] + 1, before[1] + 2]);
  await comeToRest(run);
  t.is(await run.ask('nameOfHeld'), 'a', 'as long as it is held, it is there');
  await run.ask('letGo');
  await comeToRest(run);
  t.deepEqual(figuresOf(run), before);
  t.deepEqual(audit(run.simulation.kernel.state), []);
  await run.simulation.close();
});

test.serial('an object that its own vat keeps is exported again under a new number', async t => {
  const run = await start();
  await comeToRest(run);
  const before = figuresOf(run);
  await run.ask('take', 'makeKept', 'a');
  await run.ask('letGo');
  await comeToRest(run);
  t.deepEqual(figuresOf(run), before);
  await run.ask('take', 'again');
  t.is(await run.ask('nameOfHeld'), 'a');
  t.deepEqual(figuresOf(run), [before[0] + 1, before[1] + 2]);
  t.deepEqual(audit(run.simulation.kernel.state), []);
  await run.simulation.close();
});

test.serial(
  'an import that is a weak key is dropped, and recognised when it comes again',
  async t => {
    const run = await start();
    await comeToRest(run);
    const before = figuresOf(run);
    const countOf = (/** @type {string} */ name) => run.simulation.counters.toRecord()[name].value;
    const [drops, retirements] = [countOf('syscallDropImports'), countOf('syscallRetireImports')];
    await run.ask('takeAndLabel', 'makeKept', 'a');
    await comeToRest(run);
    t.is(countOf('syscallDropImports'), drops + 1, 'the presence is gone');
    t.is(countOf('syscallRetireImports'), retirements, 'and the key is not');
    t.deepEqual(figuresOf(run), [before[0] + 1, before[1] + 2]);
    t.deepEqual(await run.ask('labelAgain'), ['a', true]);
    t.deepEqual(audit(run.simulation.kernel.state), []);
    await run.simulation.close();
  },
);

test.serial('a weak key whose object is gone in its own vat is retired', async t => {
  const run = await start();
  await comeToRest(run);
  const before = figuresOf(run);
  await run.ask('takeAndLabel', 'make', 'a');
  await comeToRest(run);
  await comeToRest(run);
  t.deepEqual(figuresOf(run), before);
  const { syscallRetireExports, dispatchRetireImports } = run.simulation.counters.toRecord();
  t.is(syscallRetireExports.value, 1);
  t.is(dispatchRetireImports.value, 1);
  t.deepEqual(audit(run.simulation.kernel.state), []);
  await run.simulation.close();
});

test.serial(
  'every weak collection that a vat can come by knows an import that comes again',
  async t => {
    const run = await start({}, 500, labels);
    await comeToRest(run);
    const before = figuresOf(run);
    await run.ask('label');
    await comeToRest(run);
    const { syscallDropImports, syscallRetireImports } = run.simulation.counters.toRecord();
    t.is(syscallDropImports.value, syscallRetireImports.value + 1, 'dropped, and recognised');
    t.deepEqual(await run.ask('labels'), [...Array(8).fill('label'), true]);
    t.deepEqual(await run.ask('tags'), ['[object WeakMap]', true, 'WeakMap']);
    await run.ask('forget');
    await comeToRest(run);
    await comeToRest(run);
    t.deepEqual(figuresOf(run), before, 'and none holds it');
    await run.simulation.close();
  },
);

test.serial("an export that is a key of its own vat's weak map is found by it", async t => {
  const run = await start();
  await run.ask('take', 'makeLabelled', 'mine');
  await comeToRest(run);
  t.is(await run.ask('askLabel'), 'mine');
  await run.simulation.close();
});

test.serial(
  "an object that only a promise's data names stays until the promise is let go of",
  async t => {
    const run = await start();
    await comeToRest(run);
    const before = figuresOf(run);
    await run.ask('wait');
    await comeToRest(run);
    await run.ask('resolveLater');
    await comeToRest(run);
    t.is(await run.ask('nameOfLater'), 'later');
    await run.ask('letGo');
    await comeToRest(run);
    t.deepEqual(figuresOf(run), before);
    await run.simulation.close();
  },
);

test.serial('a cycle through two vats is never collected', async t => {
  const run = await start();
  await comeToRest(run);
  const before = figuresOf(run);
  await run.ask('ring');
  await comeToRest(run);
  t.deepEqual(figuresOf(run), [before[0] + 2, before[1] + 4]);
  await run.simulation.close();
});

test.serial('with "never", no dead references are requested or dropped', async t => {
  const run = await start({}, 'never');
  const before = figuresOf(run);
  for (let i = 0; i < 5; i += 1) await run.ask('take', 'make', 'a');
  await run.ask('letGo');
  await comeToRest(run);
  t.deepEqual(figuresOf(run), [before[0] + 5, before[1] + 10]);
  t.is(run.simulation.counters.toRecord().dispatchBringOutYourDead.value, 0);
  await run.simulation.close();
});

test.serial('in 2020-09 nothing is collected', async t => {
  const run = await start({ profile: '2020-09' });
  await run.simulation.run();
  t.false('dispatchBringOutYourDead' in run.simulation.counters.toRecord());
  await run.simulation.close();
});

test.serial('imports of a vat, one after the other, are bounded by its interval', async t => {
  const run = await start({}, 200);
  for (let i = 0; i < 10; i += 1) await run.ask('passThrough', 400);
  const { kernelObjects, clistEntries } = run.simulation.counters.toRecord();
  t.true(/** @type {number} */ (kernelObjects.up) > 4_000);
  // The objects of one interval, and those made until the vats are told.
  t.true(/** @type {number} */ (kernelObjects.max) < 220);
  t.true(/** @type {number} */ (clistEntries.max) < 440);
  t.deepEqual(audit(run.simulation.kernel.state), []);
  await run.simulation.close();
});

/** A vat that marks what it is given by private fields, and says how many it did not know by them. */
const marker = `
  import { Far } from '@endo/far';
  class Marked extends function returnIt(object) { return object; } {
    #mark = true;
    static has(object) { return #mark in object; }
  }
  export const buildRootObject = () => {
    const found = [];
    return Far('marker', {
      take(things) {
        const fresh = things.filter(thing => !Marked.has(thing));
        fresh.forEach(thing => new Marked(thing));
        found.push(fresh.length);
      },
      found: () => found.join(' '),
    });
  };
`;

const sender = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = () => {
    const things = harden([1, 2, 3].map(() => Far('thing', {})));
    return Far('bootstrap', {
      async bootstrap({ a, b, c }) {
        for (let i = 0; i < 12; i += 1) {
          const taken = [E(a).take(things), E(b).take(things)];
          if (i % 2 === 0) taken.push(E(c).take(things));
          await Promise.all(taken);
        }
        return Promise.all([E(a).found(), E(b).found(), E(c).found()]);
      },
    });
  };
`;
const marks = directoryOfProcess('collection');
writeFileSync(join(marks, 'bootstrap.js'), sender);
for (const name of ['a', 'b', 'c']) writeFileSync(join(marks, `vat-${name}.js`), marker);

test.serial(
  'presences go when their vat is asked and at no other time, whoever else is asked or stops between',
  async t => {
    const config = loadConfig({ baseDir: marks });
    const { vats } = config;
    const reapIntervals = { a: 5, b: 5, c: 'never' };
    const asked = {
      ...config,
      vats: Object.fromEntries(
        Object.entries(vats).map(([name, vat]) => {
          const reapInterval = /** @type {any} */ (reapIntervals)[name] ?? 'never';
          return [name, { ...vat, creationOptions: { ...vat.creationOptions, reapInterval } }];
        }),
      ),
    };
    /** @param {number} stopsAfter  so many cranks */
    const run = async stopsAfter => {
      const store = makeMemoryStore();
      let simulation = await makeSimulation(asked, { store });
      let collections = 0;
      while (!simulation.isQuiet) {
        await simulation.run({ maxCranks: stopsAfter, blockSize: stopsAfter });
        collections += simulation.collections.take().count;
        simulation = await makeSimulation(undefined, { store, resume: true });
      }
      const body = simulation.status(simulation.bootstrapResult).data?.body ?? '';
      const dead = simulation.kernel.inputs().filter(({ kind }) => kind === 'dead');
      const outcome = { body, hash: simulation.activityHash(), dead, collections };
      await simulation.close();
      return outcome;
    };
    const whole = await run(10_000);
    const [a, b, c] = JSON.parse(whole.body.slice(1));
    t.is(c, '3 0 0 0 0 0', 'one that is never asked keeps what it has');
    t.regex(a, /^3 0.* 3 .*0.* 3 /, 'one that is asked has new ones afterwards');
    t.is(a, b);
    t.is(whole.collections, whole.dead.length, 'each is asked by itself');
    for (const stopsAfter of [1, 3]) {
      const { hash, dead, collections } = await run(stopsAfter);
      t.deepEqual(dead, whole.dead);
      t.is(hash, whole.hash);
      t.is(collections, dead.length);
    }
  },
);

/** @type {[string, ...unknown[]][]} */
const program = [
  ['take', 'make', 'a'],
  ['take', 'makeKept', 'b'],
  ['takeAndLabel', 'makeKept', 'c'],
  ['idle', 700],
  ['letGo'],
  ['idle', 900],
  ['takeAndLabel', 'make', 'd'],
  ['idle', 300],
  ['labelAgain'],
  ['wait'],
  ['resolveLater'],
  ['letGo'],
  ['idle', 1100],
  ['idle', 200],
  ['labelAgain'],
  ['idle', 1500],
];

test.serial(
  'a run that is resumed after every message collects the same, with either store',
  async t => {
    const whole = await start();
    for (const [method, ...args] of program) await whole.ask(method, ...args);
    const hash = whole.simulation.activityHash();
    const counters = whole.simulation.counters.toRecord();
    t.true(counters.syscallDropImports.value > 2);
    t.true(counters.dispatchRetireExports.value > 1);

    for (const kind of ['memory', 'lmdb']) {
      const dir = directoryOfProcess('collection-store');
      const memory = makeMemoryStore();
      const open = (/** @type {boolean} */ create) =>
        kind === 'memory' ? memory : openLmdbStore({ dir, durability: 'none', create });
      let store = await open(true);
      let run = await start({ store });
      for (const [method, ...args] of program) {
        if (kind === 'lmdb') {
          await run.simulation.close();
          store = await open(false);
        }
        const simulation = await makeSimulation(undefined, { store, resume: true });
        run = { simulation, ask: makeAsk(simulation), store: memory };
        await run.ask(method, ...args);
      }
      t.is(run.simulation.activityHash(), hash, kind);
      t.deepEqual(run.simulation.counters.toRecord(), counters);
      t.deepEqual(audit(run.simulation.kernel.state), []);
      const dead = run.simulation.kernel.inputs().filter(input => input.kind === 'dead');
      t.is(dead.length, counters.dispatchBringOutYourDead.value, 'what was dead is an input');
      await run.simulation.close();
    }
  },
);
