// Stages: in a program that spans several vats, the largest number of crossings between vats before an input. At one
// tag the kernel runs vats by stages, so that a value written in one vat has arrived when another vat reads it.

import { updateLevels } from './precedence.js';

/**
 * Ports of one vat, and the inputs on which its outputs depend without delay; channels by their numbers.
 *
 * @typedef {object} StagedVat
 * @property {number} inputs
 * @property {readonly (readonly number[])[]} dependencies  by output: inputs
 */

/**
 * A connection without delay: an output channel of one vat to an input channel of another.
 *
 * @typedef {{ vat: number, output: number, toVat: number, input: number }} Crossing
 */

/**
 * A step of a cycle.
 *
 * @typedef {{ vat: number, input: number, output: number }} CycleStep  from that input to that output
 */

/** An input channel, and the inputs that depend on it. */
class Input {
  /** @type {Crossing | undefined} */
  source = undefined;

  /** Inputs whose sources depend on it. @type {Input[]} */
  dependents = [];

  stage = 0;

  /**
   * @param {number} vat
   * @param {number} input
   */
  constructor(vat, input) {
    this.vat = vat;
    this.input = input;
  }
}

/**
 * Finds the stage of each input channel: 0 if no connection leads to it, otherwise one more than the stage of the
 * output that it comes from. The stage of an output is the largest of the inputs that it depends on.
 *
 * @param {readonly StagedVat[]} vats
 * @param {readonly Crossing[]} crossings  at most one to each input
 * @returns {{ stages: number[][] } | { cycle: CycleStep[] }} by vat and input; or a cycle, in which each step's output
 *   leads to the next step's input, and the last to the first
 */
export const findStages = (vats, crossings) => {
  const inputs = vats.map(({ inputs: count }, vat) =>
    Array.from({ length: count }, (_, input) => new Input(vat, input)),
  );
  // A source before all connected inputs.
  const outside = new Input(-1, -1);
  /** @type {(input: Input) => Input[]} */
  const before = ({ source }) =>
    source === undefined
      ? []
      : [outside, ...vats[source.vat].dependencies[source.output].map(i => inputs[source.vat][i])];
  for (const crossing of crossings) {
    const input = inputs[crossing.toVat][crossing.input];
    input.source = crossing;
    for (const other of before(input)) other.dependents.push(input);
  }
  const cycle = updateLevels([outside, ...inputs.flat()], {
    successors: ({ dependents }, visit) => dependents.forEach(visit),
    predecessors: (input, visit) => before(input).forEach(visit),
    levelOf: ({ stage }) => stage,
    setLevel: (input, stage) => {
      input.stage = stage;
    },
  });
  if (cycle === undefined) return { stages: inputs.map(of => of.map(({ stage }) => stage)) };
  return {
    cycle: cycle.map(({ vat, input }, i) => {
      const { source } = cycle[(i + 1) % cycle.length];
      return { vat, input, output: /** @type {Crossing} */ (source).output };
    }),
  };
};
