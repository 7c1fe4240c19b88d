// Stages against a slow search of all ways.

import test from 'ava';
import fc from 'fast-check';
import { findStages } from '../index.js';

/** @typedef {import('../stages.js').StagedVat} StagedVat */
/** @typedef {import('../stages.js').Crossing} Crossing */

/**
 * The largest number of crossings on any way to an input; undefined if there is no largest.
 *
 * @param {StagedVat[]} vats
 * @param {Crossing[]} crossings
 * @param {number} vat
 * @param {number} input
 * @param {number} left  steps before it must be a cycle
 * @returns {number | undefined}
 */
const longest = (vats, crossings, vat, input, left) => {
  if (left === 0) return undefined;
  let best = 0;
  for (const { vat: from, output, toVat, input: to } of crossings) {
    if (toVat !== vat || to !== input) continue;
    best = Math.max(best, 1);
    for (const inner of vats[from].dependencies[output]) {
      const before = longest(vats, crossings, from, inner, left - 1);
      if (before === undefined) return undefined;
      best = Math.max(best, before + 1);
    }
  }
  return best;
};

const arbVat = fc.integer({ min: 0, max: 3 }).chain(inputs =>
  fc.record({
    inputs: fc.constant(inputs),
    dependencies: fc.array(
      inputs === 0
        ? fc.constant(/** @type {number[]} */ ([]))
        : fc.uniqueArray(fc.integer({ min: 0, max: inputs - 1 }), { maxLength: inputs }),
      { maxLength: 3 },
    ),
  }),
);

const arbProgram = fc.array(arbVat, { minLength: 1, maxLength: 5 }).chain(vats => {
  const outputs = vats.flatMap(({ dependencies }, vat) =>
    dependencies.map((_, output) => ({ vat, output })),
  );
  const inputs = vats.flatMap((v, toVat) =>
    Array.from({ length: v.inputs }, (_, input) => ({ toVat, input })),
  );
  return fc.record({
    vats: fc.constant(vats),
    sources: fc.tuple(
      ...inputs.map(() =>
        outputs.length === 0
          ? fc.constant(undefined)
          : fc.option(fc.constantFrom(...outputs), { nil: undefined }),
      ),
    ),
    inputs: fc.constant(inputs),
  });
});

test('the stage of an input is the largest number of crossings on any way to it; a cycle is found whole', t => {
  let cycles = 0;
  fc.assert(
    fc.property(arbProgram, ({ vats, sources, inputs }) => {
      /** @type {Crossing[]} */
      const crossings = [];
      sources.forEach((source, i) => {
        if (source !== undefined) crossings.push({ ...source, ...inputs[i] });
      });
      const wanted = vats.map((v, vat) =>
        Array.from({ length: v.inputs }, (_, input) =>
          longest(vats, crossings, vat, input, inputs.length + 1),
        ),
      );
      const found = findStages(vats, crossings);
      if ('stages' in found) {
        t.deepEqual(found.stages, wanted);
        return;
      }
      cycles += 1;
      t.true(wanted.flat().includes(undefined));
      const { cycle } = found;
      t.true(cycle.length > 0);
      cycle.forEach(({ vat, input, output }, i) => {
        t.true(vats[vat].dependencies[output].includes(input));
        const next = cycle[(i + 1) % cycle.length];
        t.true(
          crossings.some(
            c =>
              c.vat === vat &&
              c.output === output &&
              c.toVat === next.vat &&
              c.input === next.input,
          ),
        );
      });
    }),
    { numRuns: 500 },
  );
  t.true(cycles > 20);
});

test('a chain of 100,000 vats has a stage for each', t => {
  const count = 100_000;
  const vats = Array.from({ length: count }, () => ({ inputs: 1, dependencies: [[0]] }));
  const crossings = Array.from({ length: count - 1 }, (_, vat) => ({
    vat,
    output: 0,
    toVat: vat + 1,
    input: 0,
  }));
  const found = findStages(vats, crossings);
  t.is('stages' in found && found.stages[count - 1][0], count - 1);
});
