// The gain of a placement of vats is computed from the times of cranks.

import test from 'ava';
import fc from 'fast-check';

import { boundGain, estimateNs, improvePlacement as improveAny } from '#host/workers/placement.js';

const costs = { kernelNs: 5_000, sendNs: 8_000, workNs: 6_000, hopNs: 10_000 };

/** Tags of `wide` cranks each, for vats in turn. @param {{ tags: number, wide: number, vats: number, busyNs: number }} shape */
const makeLoad = ({ tags, wide, vats, busyNs }) => {
  /** @type {{ vats: number[], tags: number[], busyNs: number[] }} */
  const load = { vats: [], tags: [], busyNs: [] };
  for (let tag = 0; tag < tags; tag += 1)
    for (let i = 0; i < wide; i += 1) {
      load.vats.push((tag * wide + i) % vats);
      load.tags.push(tag);
      load.busyNs.push(busyNs);
    }
  return load;
};

/** @param {Parameters<typeof improveAny>[0]} load @param {readonly number[]} present @param {Omit<Parameters<typeof improveAny>[2], 'isInTurnHere'>} bounds */
const improvePlacement = (load, present, bounds) =>
  improveAny(load, present, { isInTurnHere: () => false, ...bounds });

const allHere = (/** @type {number} */ vats) => new Array(vats).fill(0);

/** @param {ReturnType<typeof makeLoad>} load @param {number} vats @param {number} [threads] */
const improve = (load, vats, threads = 1) =>
  improvePlacement(load, allHere(vats), { costs, threads, mayMove: () => true });

test("a program with one crank a tag stays on the kernel's thread, however long its cranks are", t => {
  for (const busyNs of [3_000, 200_000, 5_000_000]) {
    const { placement, bestNs, presentNs } = improve(
      makeLoad({ tags: 100, wide: 1, vats: 4, busyNs }),
      4,
    );
    t.deepEqual(placement, allHere(4));
    t.is(bestNs, presentNs);
  }
});

test('many short cranks a tag stay, since sending them takes longer', t => {
  const { placement } = improve(makeLoad({ tags: 30, wide: 16, vats: 16, busyNs: 4_000 }), 16);
  t.deepEqual(placement, allHere(16));
});

test('many long cranks a tag are shared between the threads', t => {
  const load = makeLoad({ tags: 30, wide: 16, vats: 16, busyNs: 200_000 });
  for (const [threads, least] of [
    [1, 1.8],
    [3, 3.2],
  ]) {
    const { placement, bestNs, presentNs } = improve(load, 16, threads);
    t.true(presentNs / bestNs > least, `${threads} threads beside the kernel's`);
    for (let thread = 0; thread <= threads; thread += 1)
      t.is(placement.filter(each => each === thread).length, 16 / (threads + 1));
  }
});

test('fixed vats stay, and vats without a gain elsewhere return', t => {
  const wide = makeLoad({ tags: 30, wide: 4, vats: 4, busyNs: 300_000 });
  const { placement } = improvePlacement(wide, allHere(4), {
    ...{ costs, threads: 1 },
    mayMove: vat => vat > 2,
  });
  t.deepEqual(placement, [0, 0, 0, 1]);
  const narrow = makeLoad({ tags: 100, wide: 1, vats: 2, busyNs: 3_000 });
  const back = improvePlacement(narrow, [1, 1], { costs, threads: 1, mayMove: () => true });
  t.deepEqual(back.placement, [0, 0]);
});

test("a vat that begins in its turn on the kernel's thread moves, and the others work here meanwhile", t => {
  const load = makeLoad({ tags: 30, wide: 2, vats: 2, busyNs: 200_000 });
  for (const tied of [0, 1]) {
    const { placement, presentNs, bestNs } = improveAny(load, allHere(2), {
      ...{ costs, threads: 1, mayMove: () => true, isInTurnHere: vat => vat === tied },
    });
    t.deepEqual(placement, tied === 0 ? [1, 0] : [0, 1]);
    t.true(presentNs / bestNs > 1.6);
  }
});

test("a vat's second crank at a tag is sent when its first is applied", t => {
  const load = { vats: [0, 1, 0], tags: [0, 0, 0], busyNs: [100_000, 200_000, 100_000] };
  const free = { kernelNs: 0, sendNs: 0, workNs: 0, hopNs: 0 };
  t.is(estimateNs(load, [1, 2], free), 200_000);
});

test('no placement is quicker than the work divided by the threads, nor than any thread alone', t => {
  const cranks = fc.array(
    fc.record({
      vat: fc.nat({ max: 5 }),
      isNewTag: fc.boolean(),
      ns: fc.integer({ min: 1, max: 1e6 }),
    }),
    { minLength: 1, maxLength: 60 },
  );
  const places = fc.array(fc.nat({ max: 2 }), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(cranks, places, (list, placement) => {
      let tag = 0;
      const tags = list.map(({ isNewTag }) => (isNewTag ? ++tag : tag));
      const load = { vats: list.map(({ vat }) => vat), tags, busyNs: list.map(({ ns }) => ns) };
      const ns = estimateNs(load, placement, costs);
      const busy = [0, 0, 0];
      for (const each of list) busy[placement[each.vat]] += each.ns;
      const total = busy.reduce((sum, each) => sum + each, 0);
      const kernelNs = list.length * costs.kernelNs;
      const atHome = estimateNs(load, allHere(6), costs);
      t.is(atHome, total + kernelNs);
      const least = Math.max(busy[0] + kernelNs, busy[1], busy[2]);
      t.true(ns >= least);
      const isTied = (/** @type {number} */ vat) => vat === 2 && placement[vat] === 0;
      const bound = boundGain(load, {
        ...{ threads: 2, kernelNs: costs.kernelNs },
        mayMove: vat => !isTied(vat),
      });
      t.true(bound >= 1 && atHome <= ns * bound * (1 + 1e-9), `${atHome / ns}, bound ${bound}`);
    }),
  );
});

test('the bound on the gain is 1 for one crank a tag, and for vats that must stay', t => {
  const narrow = makeLoad({ tags: 100, wide: 1, vats: 4, busyNs: 300_000 });
  const wide = makeLoad({ tags: 30, wide: 16, vats: 16, busyNs: 300_000 });
  const bounds = { threads: 1, kernelNs: 5_000, mayMove: () => true };
  t.is(boundGain(narrow, bounds), 1);
  t.is(boundGain(wide, { ...bounds, mayMove: () => false }), 1);
  t.is(boundGain(wide, bounds), 2);
  t.is(boundGain(makeLoad({ tags: 30, wide: 16, vats: 16, busyNs: 0 }), bounds), 1);
});
