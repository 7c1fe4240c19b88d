// The figures of a program that ran in two ways, in pairs.

import { spreadOf } from '#measure';

/** @import { Figure } from '#measure' */

/** Times of one run, in the unit of the figures. @typedef {{ wall: number, processor: number }} PairTimes */

/**
 * @param {object} what
 * @param {string} what.name  the program's
 * @param {string} what.unit
 * @param {readonly [one: string, two: string, processor: string]} what.labels  of both ways, and of the processor time
 *   of the second
 * @param {Figure['params']} what.params
 * @param {readonly PairTimes[]} one
 * @param {readonly PairTimes[]} two  as many
 * @returns {Figure[]} the gain, then one for each label
 */
export const describePairs = ({ name, unit, labels, params }, one, two) => {
  /** @type {(label: string, unit: string, values: number[]) => Figure} */
  const figure = (label, shownUnit, values) => ({
    ...{ name: `${name}: ${label}`, unit: shownUnit },
    ...spreadOf(values),
    params,
  });
  const [ofOne, ofTwo, ofProcessor] = labels;
  const gains = one.map(({ wall }, i) => wall / two[i].wall);
  const wallOf = (/** @type {readonly PairTimes[]} */ runs) => runs.map(({ wall }) => wall);
  const processors = two.map(({ processor }) => processor);
  return [
    figure('gain, a pair', 'times', gains),
    figure(ofOne, unit, wallOf(one)),
    figure(ofTwo, unit, wallOf(two)),
    figure(ofProcessor, unit, processors),
  ];
};
