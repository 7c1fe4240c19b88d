// When vats move and return, decided from times that were recorded once: one look each of five programs, in microseconds, a crank
// that the machine interrupted cut to four times its vat's median. So the decisions are the same on every machine.

import fs from 'node:fs';
import test from 'ava';

import { PlacementPolicy } from '#host/workers/placement-policy.js';

/** @import { Decision, Look } from '#host/workers/placement-policy.js' */

/** `widths`: cranks of each tag. @typedef {{ vatIds: string[], vats: number[], widths: number[], busyUs: number[] }} Recorded */

/** @type {Record<'conversations' | 'markets' | 'pingpong' | 'exchange' | 'swap', Recorded>} */
const recorded = JSON.parse(
  fs.readFileSync(new URL('recorded-loads.json', import.meta.url), 'utf8'),
);

const costs = { kernelNs: 8_000, sendNs: 6_000, workNs: 6_000, hopNs: 3_000 };

/** @param {keyof typeof recorded} program @param {Partial<Look>} [more] @returns {Look} */
const lookAt = (program, more = {}) => {
  const { vatIds, vats, widths, busyUs } = recorded[program];
  return {
    load: {
      vats,
      tags: widths.flatMap((width, tag) => new Array(width).fill(tag)),
      busyNs: busyUs.map(us => us * 1_000),
    },
    ...{ vatIds, present: vatIds.map(() => 0), crankMs: 0.1, sinceMs: 100, returnMs: 1_000 },
    ...{
      costs,
      threads: 1,
      mayMove: () => true,
      ranMs: 5_000,
      sinceMoveMs: 5_000,
      isInTurnHere: () => false,
    },
    ...more,
  };
};

/** A policy that knows what cranks take: its first look says nothing else. */
const makePolicy = () => {
  const policy = new PlacementPolicy();
  policy.consider(lookAt('conversations'));
  return policy;
};

/** The two looks after which vats move. @param {keyof typeof recorded} program @param {Partial<Look>} [more] */
const moveIn = (program, more) => {
  const policy = makePolicy();
  const first = policy.consider(lookAt(program, more));
  const second = policy.consider(lookAt(program, more));
  return { policy, first, second };
};

/** A program after the move of its vats, and a sample in which the other thread still compiles. @param {keyof typeof recorded} program */
const place = program => {
  const { policy, second } = moveIn(program);
  return { policy, ...placed(policy, second, program) };
};

/** @param {PlacementPolicy} policy @param {Decision} second @param {keyof typeof recorded} program */
const placed = (policy, second, program) => {
  if (second.kind !== 'move') throw Error(`${program} stays`);
  const { threads } = second;
  const present = recorded[program].vatIds.map(vatId => threads.get(vatId) ?? 0);
  policy.consider(lookAt(program, { present, crankMs: 0.096 }));
  return { threads, present };
};

test('half of the vats of 16 conversations move at once, after the second sample that promises a gain', t => {
  const { first, second } = moveIn('conversations');
  t.is(first.kind, 'stay');
  t.true(second.kind === 'move');
  if (second.kind !== 'move') return;
  t.true(second.threads.size >= 7 && second.threads.size <= 9, `${second.threads.size} vats`);
  t.true([...second.threads.values()].every(thread => thread === 1));
});

test('vats of eight markets move, but not in a short run, since the gain is uncertain', t => {
  t.is(moveIn('markets').second.kind, 'move');
  t.is(moveIn('markets', { ranMs: 1_000 }).second.kind, 'stay');
  t.is(moveIn('conversations', { ranMs: 0 }).second.kind, 'move');
});

test('vats move for a clear gain in a short run if their cranks have stopped getting quicker', t => {
  const more = { ranMs: 1_000, costs: { ...costs, kernelNs: 75_000 } };
  t.is(moveIn('conversations', more).second.kind, 'move');
  const policy = makePolicy();
  for (let crankMs = 0.085; crankMs > 0.04; crankMs *= 0.85) {
    t.is(policy.consider(lookAt('conversations', { ...more, crankMs })).kind, 'stay');
    t.true(policy.isTooEarly);
  }
  policy.consider(lookAt('conversations', { ...more, ranMs: 3_000 }));
  t.false(policy.isTooEarly);
});

test('the time of a kernel that is still being compiled places no more vats elsewhere', t => {
  for (const policy of [makePolicy(), new PlacementPolicy()]) {
    const look = lookAt('conversations', {
      ...{ ranMs: 1_000, crankMs: 0.1 },
      costs: { ...costs, kernelNs: 75_000 },
    });
    /** @type {Decision} */
    let decision = { kind: 'stay' };
    for (let i = 0; i < 3 && decision.kind === 'stay'; i += 1) decision = policy.consider(look);
    t.is(decision.kind === 'move' && decision.threads.size, 8);
  }
});

test('vats with long cranks move in a short run, too, and after one long sample', t => {
  t.is(moveIn('markets', { ranMs: 1_000, crankMs: 20 }).second.kind, 'move');
  const { load } = lookAt('markets');
  const longLoad = { ...load, busyNs: load.busyNs.map(ns => ns * 1_000) };
  const policy = new PlacementPolicy();
  t.is(policy.consider(lookAt('markets', { load: longLoad, crankMs: 20 })).kind, 'move');
});

test('the vats of pingpong, exchange and swap never move, with any number of threads', t => {
  for (const program of /** @type {const} */ (['pingpong', 'exchange', 'swap']))
    for (const threads of [1, 3]) {
      const policy = makePolicy();
      for (let look = 0; look < 50; look += 1)
        t.is(policy.consider(lookAt(program, { threads })).kind, 'stay', program);
    }
});

test('nothing moves after one sample that promises a gain', t => {
  const policy = makePolicy();
  for (let look = 0; look < 10; look += 1) {
    t.is(policy.consider(lookAt('conversations')).kind, 'stay');
    t.is(policy.consider(lookAt('pingpong')).kind, 'stay');
  }
});

/** The number of the look that moves vats, if each finds cranks quicker than the one before. @param {number} part  of its time @param {number} busyPart  of the recorded times */
const lookOfMove = (part, busyPart) => {
  const policy = new PlacementPolicy();
  let crankMs = 1;
  for (let look = 1; look <= 20; look += 1) {
    const { load, ...more } = lookAt('conversations', { crankMs });
    const busyNs = load.busyNs.map(ns => ns * busyPart);
    if (policy.consider({ ...more, load: { ...load, busyNs } }).kind === 'move') return look;
    crankMs *= part;
  }
  return undefined;
};

test('while cranks get quicker from sample to sample, vats move only if they gain with quicker cranks', t => {
  t.is(lookOfMove(1, 1), 3);
  t.is(lookOfMove(0.85, 1), 3);
  t.is(lookOfMove(1, 0.15), 3);
  t.is(lookOfMove(0.75, 0.15), undefined);
  t.is(lookOfMove(0.6, 1), 3);
  t.is(lookOfMove(0.6, 0.2), undefined);
  t.is(lookOfMove(0.45, 1), undefined, 'so much quicker: nothing can be foreseen');
});

test('vats that must stay stay', t => {
  const { vatIds } = recorded.conversations;
  const tied = new Set(vatIds.slice(0, 9));
  const { second } = moveIn('conversations', { mayMove: vatId => !tied.has(vatId) });
  if (second.kind !== 'move') return t.fail();
  for (const vatId of second.threads.keys()) t.false(tied.has(vatId));
});

test('vats return when two samples find them slower, and stay for a while', t => {
  const { policy, threads, present } = place('conversations');
  t.is(policy.consider(lookAt('conversations', { present, crankMs: 0.12 })).kind, 'stay');
  t.is(policy.consider(lookAt('conversations', { present, crankMs: 0.09 })).kind, 'stay');
  const decision = policy.consider(lookAt('conversations', { present, crankMs: 0.11 }));
  if (decision.kind !== 'return') return t.fail();
  t.deepEqual([...decision.threads.keys()], [...threads.keys()]);
  t.true([...decision.threads.values()].every(thread => thread === 0));
  for (let look = 0; look < 10; look += 1)
    t.is(policy.consider(lookAt('conversations')).kind, 'stay');
});

test('vats return after one sample that finds them much slower, and after two that find no gain', t => {
  const much = place('conversations');
  const slow = { present: much.present, crankMs: 0.2 };
  t.is(much.policy.consider(lookAt('conversations', slow)).kind, 'return');
  const little = place('conversations');
  const equal = { present: little.present, crankMs: 0.098 };
  t.is(little.policy.consider(lookAt('conversations', equal)).kind, 'stay');
  t.is(little.policy.consider(lookAt('conversations', equal)).kind, 'return');
});

test('vats return if the run has only become quicker by itself', t => {
  for (const [part, kind] of /** @type {const} */ ([
    [1, 'keep'],
    [0.8, 'return'],
  ])) {
    const { policy, present } = place('conversations');
    const look = lookAt('conversations', { present, crankMs: 0.087 });
    const busyNs = look.load.busyNs.map(ns => ns * part);
    const quicker = { ...look, load: { ...look.load, busyNs } };
    t.is(policy.consider(quicker).kind, 'stay');
    t.is(policy.consider(quicker).kind, kind, `vats that stay take ${part} of their time`);
  }
});

test('vats stay while their cranks get quicker on the other thread, and return if they end slower', t => {
  for (const [last, kind] of /** @type {const} */ ([
    [0.08, 'keep'],
    [0.12, 'return'],
  ])) {
    const { policy, second } = moveIn('conversations');
    if (second.kind !== 'move') return t.fail();
    const present = recorded.conversations.vatIds.map(id => second.threads.get(id) ?? 0);
    for (const crankMs of [0.45, 0.34, 0.27, 0.2, 0.16, last])
      t.is(policy.consider(lookAt('conversations', { present, crankMs })).kind, 'stay');
    const { kind: told } = policy.consider(lookAt('conversations', { present, crankMs: last }));
    if (told === 'stay') {
      const next = policy.consider(lookAt('conversations', { present, crankMs: last }));
      t.is(next.kind, kind);
    } else t.is(told, kind);
  }
});

test('a small loss counts only when the other thread has had time to compile', t => {
  for (const [sinceMoveMs, crankMs, kind] of /** @type {const} */ ([
    [900, 0.12, 'stay'],
    [1_000, 0.12, 'return'],
    [900, 0.19, 'stay'],
    [900, 0.21, 'return'],
  ])) {
    const { policy, present } = place('conversations');
    const look = { present, crankMs, sinceMoveMs };
    policy.consider(lookAt('conversations', look));
    const told = `${sinceMoveMs} ms, ${crankMs}`;
    if (crankMs < 0.2) t.is(policy.consider(lookAt('conversations', look)).kind, kind, told);
    else t.is(policy.stage, 'watching', told);
  }
});

/** The first time, in steps of a second, at which vats move. @param {PlacementPolicy} policy @param {Partial<Look>} more */
const nextMove = (policy, more) => {
  for (let ranMs = 5_000; ranMs < 2_000_000; ranMs += 1_000) {
    const decision = policy.consider(lookAt('conversations', { ranMs, ...more }));
    if (decision.kind === 'move') return { ranMs, decision };
  }
  throw Error('nothing moves');
};

test('after a failed attempt vats stay for twenty times its cost, and twice as long after each further one', t => {
  const policy = makePolicy();
  const pauses = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { ranMs, decision } = nextMove(policy, { crankMs: 0.1 });
    pauses.push(ranMs);
    const { present } = placed(policy, decision, 'conversations');
    const slow = { present, crankMs: 0.2, sinceMoveMs: 1_000, ranMs: 5_000 };
    t.is(policy.consider(lookAt('conversations', slow)).kind, 'return');
  }
  t.deepEqual(pauses, [6_000, 86_000, 166_000]);
});

test('vats that come to a kept placement move as well, and only they return if that fails', t => {
  const { vatIds } = recorded.conversations;
  const old = new Set(vatIds.slice(0, 8));
  const policy = makePolicy();
  const mayMove = (/** @type {string} */ vatId) => old.has(vatId);
  const first = placed(policy, nextMove(policy, { mayMove }).decision, 'conversations');
  const kept = { present: first.present, crankMs: 0.07 };
  t.is(policy.consider(lookAt('conversations', kept)).kind, 'stay');
  t.is(policy.consider(lookAt('conversations', kept)).kind, 'keep');
  const { decision, ranMs } = nextMove(policy, { ...kept, threads: 3 });
  t.is(ranMs, 106_000);
  if (decision.kind !== 'move') return t.fail();
  const present = vatIds.map((id, i) => decision.threads.get(id) ?? first.present[i]);
  policy.consider(lookAt('conversations', { present, crankMs: 0.07 }));
  const back = policy.consider(lookAt('conversations', { present, crankMs: 0.2 }));
  if (back.kind !== 'return') return t.fail();
  for (const [vatId, thread] of back.threads) {
    t.true(decision.threads.has(vatId));
    t.is(thread, first.present[vatIds.indexOf(vatId)]);
  }
  t.is(policy.stage, 'kept');
});

test('a placement that two samples find quicker is kept, and nothing moves for a while', t => {
  const { policy, present } = place('conversations');
  const look = { present, crankMs: 0.07 };
  t.is(policy.consider(lookAt('conversations', look)).kind, 'stay');
  t.is(policy.consider(lookAt('conversations', look)).kind, 'keep');
  for (let i = 0; i < 10; i += 1)
    t.is(policy.consider(lookAt('conversations', { ...look, threads: 3 })).kind, 'stay');
});

test('vats of a program that no longer overlaps return when the loss equals the cost of the return', t => {
  const { policy, present } = place('conversations');
  for (let i = 0; i < 2; i += 1)
    policy.consider(lookAt('conversations', { present, crankMs: 0.07 }));
  const { vatIds } = recorded.conversations;
  const ids = recorded.pingpong.vatIds.map((_, i) => vatIds[present.indexOf(1) + i]);
  const narrow = {
    ...{ vatIds: ids, present: ids.map(vatId => present[vatIds.indexOf(vatId)]) },
    ...{ crankMs: 0.3, sinceMs: 1_000 },
  };
  const kinds = [];
  for (let i = 0; i < 40; i += 1)
    kinds.push(policy.consider(lookAt('pingpong', { ...narrow, returnMs: 2_000 })).kind);
  const at = kinds.indexOf('return');
  t.true(at >= 2, `in look ${at}`);
  t.is(kinds.lastIndexOf('return'), at);
});
