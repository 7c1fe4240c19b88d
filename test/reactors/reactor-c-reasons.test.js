// Reasons for which a random program may differ from reactor-c count from when their causes happened, and programs have none of
// the connections that Lingua Franca's compiler gets wrong.

import test from 'ava';
import { runHere } from '../../scripts/reactor-c-tests/reactors.js';
import { reasons, reasonsFor } from '../../scripts/reactor-c-tests/reasons.js';
import { makeShape, upTo } from '../../scripts/reactor-c-tests/shape.js';

/** @import { ClassShape } from '../../scripts/reactor-c-tests/shape.js' */

/** @param {number} seed @param {number} fromNs @param {number} [endNs] */
const reasonsAt = (seed, fromNs, endNs = 30) => {
  const shape = makeShape(seed);
  const { happened } = /** @type {NonNullable<ReturnType<typeof runHere>>} */ (runHere(shape));
  return reasonsFor(shape, happened, fromNs, endNs);
};

test('a difference has no reason whose cause comes later', t => {
  // Seed 75 differs at 27 ns; an event with a spacing came after the timeout before.
  t.deepEqual(reasonsAt(75, 27), [reasons.late]);
  t.deepEqual(reasonsAt(75, 0), []);
});

test('a program that ends earlier there differs at its end only', t => {
  t.true(reasonsAt(10, 29, 29).includes(reasons.end));
  t.false(reasonsAt(10, 1, 29).includes(reasons.end));
});

test('a connection of a mode that is not active at first counts from the start', t => {
  t.true(reasonsAt(104, 0).includes(reasons.always));
});

/** Programs, which are to have no connection for which the compiler makes other code than it should. */
const shapes = upTo(300).map(i => makeShape(i + 1));

/** @param {ClassShape[]} classes @param {number} child of the last class @param {ClassShape} type */
const widthsOf = (classes, type, child) => {
  const { of, bank } = type.children[child];
  return { ins: classes[of].ins, outs: classes[of].outs, members: Math.max(bank, 1) };
};

test('in a bank as many channels lead to as many, of several ports only if none is in a bank', t => {
  let banks = 0;
  for (const { classes } of shapes) {
    const inBanks = new Set();
    for (let i = classes.length - 1; i >= 0; i -= 1)
      for (const { of, bank } of classes[i].children)
        if (bank > 1 || inBanks.has(i)) inBanks.add(of);
    for (const i of inBanks) {
      const type = classes[i];
      banks += type.wires.length;
      for (const { sources, to, port } of type.wires) {
        const channels = sources.map(({ child, port: out }) => {
          if (child < 0) return Math.max(type.ins[out], 1);
          const { outs, members } = widthsOf(classes, type, child);
          return members * Math.max(outs[out], 1);
        });
        const { ins, members } =
          to < 0 ? { ins: type.outs, members: 1 } : widthsOf(classes, type, to);
        const wanted = members * Math.max(ins[port], 1);
        t.is(
          channels.reduce((sum, width) => sum + width, 0),
          wanted,
        );
        t.true(
          sources.length === 1 ||
            sources.every(({ child }) => (type.children[child]?.bank ?? 0) === 0),
        );
      }
    }
  }
  t.true(banks > 100);
});

test('delayed connections to a port of a class are all physical, or none is', t => {
  let several = 0;
  for (const { classes } of shapes) {
    /** @type {Map<string, boolean>} */
    const kinds = new Map();
    classes.forEach(({ children, wires }, i) => {
      for (const { to, port, after, isPhysical } of wires) {
        if (after === null && !isPhysical) continue;
        const target = to < 0 ? `${i}.out${port}` : `${children[to].of}.in${port}`;
        if (kinds.has(target)) several += 1;
        t.is(kinds.get(target) ?? isPhysical, isPhysical);
        kinds.set(target, isPhysical);
      }
    });
  }
  t.true(several > 100);
});

test('a port is interleaved in all of its connections, or in none', t => {
  let interleaved = 0;
  for (const { wires } of shapes.flatMap(({ classes }) => classes)) {
    const names = (/** @type {boolean} */ wanted) =>
      wires
        .filter(({ inTurn }) => inTurn === wanted)
        .flatMap(({ sources }) => sources.map(({ child, port }) => `${child}.${port}`));
    const others = names(false);
    interleaved += names(true).length;
    for (const name of names(true)) t.false(others.includes(name));
  }
  t.true(interleaved > 3);
});
