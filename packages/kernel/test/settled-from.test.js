// The promises that go with a notify: a bounded number at once, and rings whole.

import test from 'ava';
import { makeRandom, makeTestKernel, message } from '#testkit';
import { settledFrom } from '../profiles/settled-from.js';

/** @import { PromiseView } from '../profiles/profile.js' */
/** @import { React } from '#testkit' */

/** @typedef {Map<string, string[] | null>} Graph  slots by promise; null of one that has not settled */

/** @type {(graph: Graph) => PromiseView} */
const viewOf = graph => kref => {
  const slots = graph.get(kref) ?? null;
  return /** @type {any} */ ({
    state: slots === null ? 'unresolved' : 'data',
    data: slots && { body: '', slots },
  });
};

/** All that is reached through settled promises, depth first. @param {Graph} graph @param {string} from */
const reach = (graph, from) => {
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {string} */ kref) => {
    const slots = graph.get(kref);
    if (!slots || found.includes(kref)) return;
    found.push(kref);
    slots.forEach(visit);
  };
  visit(from);
  return found;
};

test('a notify has the first promises that a search finds, and all in a ring with one of them', t => {
  const random = makeRandom('settled');
  let rings = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const names = Array.from({ length: 1 + random.below(12) }, (_, i) => `kp${40 + i}`);
    /** @type {Graph} */
    const graph = new Map();
    for (const kref of names) {
      const slots = Array.from({ length: random.below(3) }, () =>
        random.chance(0.2) ? 'ko20' : random.pick(names),
      );
      graph.set(kref, kref !== 'kp40' && random.chance(0.15) ? null : slots);
    }
    const mostTold = 1 + random.below(6);
    const all = reach(graph, 'kp40');
    const first = all.slice(0, mostTold);
    const isInRing = (/** @type {string} */ kref) =>
      reach(graph, kref).some(each => first.includes(each)) &&
      first.some(each => reach(graph, each).includes(kref) && reach(graph, kref).includes(each));
    const expected = all.filter(kref => first.includes(kref) || isInRing(kref));
    if (expected.length > first.length) rings += 1;
    t.deepEqual(settledFrom('kp40', viewOf(graph), mostTold, 100), expected);
    // A search that ends early finds fewer of them.
    const early = settledFrom('kp40', viewOf(graph), mostTold, mostTold + 2);
    t.true(early.length <= mostTold + 2 && early.every(kref => expected.includes(kref)));
    t.deepEqual(early.slice(0, mostTold), first);
  }
  t.log(`${rings} rings`);
  t.true(rings > 50);
});

/** Asks for each promise that it is told the name of alone. @type {React} */
const sink = (delivery, call) => {
  if (delivery[0] === 'message') for (const slot of delivery[2].slots) call('subscribe', slot);
  if (delivery[0] !== 'notify') return;
  const told = new Set(delivery[1].map(([vref]) => vref));
  const named = new Set(delivery[1].flatMap(([, , { slots }]) => slots));
  for (const slot of named) if (!told.has(slot)) call('subscribe', slot);
};

/** @param {number} n @param {boolean} isRing */
const tellOf = async (n, isRing) => {
  /** @type {number[]} */
  const told = [];
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank > 1) return;
        call('send', 'o-50', message('x', ['p+1']), null);
        const names = Array.from({ length: n }, (_, i) => `p+${i + 1}`);
        const nextOf = (/** @type {number} */ i) =>
          i < n - 1 ? [names[i + 1]] : isRing ? [names[0]] : [];
        call(
          'resolve',
          names.map((vref, i) => [vref, false, { body: '#[]', slots: nextOf(i) }]),
        );
      },
      sink: (delivery, call, crank) => {
        if (delivery[0] === 'notify') told.push(delivery[1].length);
        return sink(delivery, call, crank);
      },
    },
  });
  await run.run(20);
  return { told, isQuiet: run.kernel.isQuiet, promises: run.state.promises.table.size };
};

test('a vat is notified of a large ring once', async t => {
  const { told, isQuiet } = await tellOf(1_500, true);
  t.deepEqual(told, [1_500]);
  t.true(isQuiet);
});

test('a vat is notified of a long chain in parts', async t => {
  const { told, isQuiet, promises } = await tellOf(2_500, false);
  t.deepEqual(told, [1_000, 1_000, 500]);
  t.true(isQuiet);
  t.true(promises < 5);
});

test('a vat that is notified of a ring of 30,000 promises asks for parts of it, and comes to rest', async t => {
  const size = 30_000;
  const ring = Array.from(
    { length: size },
    (_, i) =>
      /** @type {[string, boolean, { body: string, slots: string[] }]} */ ([
        `p+${1000 + i}`,
        false,
        { body: '#["$0"]', slots: [`p+${1000 + ((i + 1) % size)}`] },
      ]),
  );
  const most = { told: 0 };
  const run = makeTestKernel({
    vats: {
      boot(_delivery, call, crank) {
        if (crank > 1) return;
        call('send', 'o-50', message('take', ['p+1000']), null);
        call('resolve', ring);
      },
      // As a supervisor does: it forgets what it is told, and asks for each promise that is new to it.
      bob(delivery, call) {
        if (delivery[0] === 'message') call('subscribe', delivery[2].slots[0]);
        if (delivery[0] !== 'notify') return;
        const told = new Set(delivery[1].map(([vref]) => vref));
        most.told = Math.max(most.told, told.size);
        for (const [, , { slots }] of delivery[1])
          for (const slot of slots) if (!told.has(slot)) call('subscribe', slot);
      },
    },
  });
  t.true((await run.run(200)) < 200);
  t.is(most.told, size);
});
