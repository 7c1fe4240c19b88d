// Arbitrary shapes of random programs, for fast-check.

import fc from 'fast-check';
import { inputs, outputs } from './random-program.js';

/** @import { Shape } from './random-program.js' */

/** @type {(channels: number, maxLength: number) => fc.Arbitrary<number[]>} */
const arbChannels = (channels, maxLength) => fc.uniqueArray(fc.nat(channels - 1), { maxLength });

/**
 * @param {number} fewest  nodes
 * @param {fc.Arbitrary<number | null>} arbAfter  delays of connections
 * @param {fc.Arbitrary<boolean>} [arbMutates]  whether a node has a mutation; default: none has
 * @returns {fc.Arbitrary<Shape>}
 */
const arbShapeOf = (fewest, arbAfter, arbMutates = fc.constant(false)) =>
  fc.integer({ min: fewest, max: 5 }).chain(count =>
    fc.record({
      nodes: fc.array(
        fc.record({
          offset: fc.nat(5),
          period: fc.integer({ min: 2, max: 9 }),
          mutates: arbMutates,
          reactions: fc.array(
            fc.record({
              reads: arbChannels(inputs, 2),
              looks: arbChannels(inputs, 1),
              writes: arbChannels(outputs, 1),
              ticks: fc.boolean(),
              acts: fc.boolean(),
              delays: fc.array(fc.nat(6), { maxLength: 2 }),
            }),
            { minLength: 1, maxLength: 4 },
          ),
        }),
        { minLength: count, maxLength: count },
      ),
      wires: fc.uniqueArray(
        fc.record({
          from: fc.nat(count - 1),
          out: fc.nat(outputs - 1),
          to: fc.nat(count - 1),
          in: fc.nat(inputs - 1),
          after: arbAfter,
        }),
        { maxLength: 8, selector: wire => `${wire.to} ${wire.in}` },
      ),
    }),
  );

export const arbShape = arbShapeOf(1, fc.option(fc.nat(7), { nil: null, freq: 2 }));

/** Most connections have delays, of the same sizes as the periods, so that vats may overtake each other. */
const arbDelays = fc.option(fc.nat(4), { nil: null, freq: 6 });

export const arbDelayedShape = arbShapeOf(2, arbDelays);

/** Vats that may overtake each other, and whose mutations make and delete reactors with timers and actions. */
export const arbMutatingShape = arbShapeOf(2, arbDelays, fc.boolean());
