// The unit of the horizontal axis: blocks, the total time of the blocks so far, or the share of the
// run, by which runs of different length can be compared.

import { UserError, quote } from '#model';
import { requireColumns } from '../read.js';

/** @import { Dataset } from './series.js' */

/** @typedef {'block' | 'time' | 'share'} AxisKind */

/**
 * @typedef {object} Axis
 * @property {AxisKind} kind
 * @property {string} title
 * @property {string} name  the unit of a value in a tooltip
 * @property {string} format  a number format of d3
 */

/** @type {Readonly<Record<AxisKind, Axis>>} */
const axes = {
  block: { kind: 'block', title: 'Block', name: 'block', format: ',d' },
  time: { kind: 'time', title: 'Time of all blocks up to there (s)', name: 's', format: ',~f' },
  share: { kind: 'share', title: 'Share of the run (%)', name: '% of the run', format: ',~f' },
};

/** The units that the x axis of a chart may show. */
export const axisKinds = Object.freeze(/** @type {AxisKind[]} */ (Object.keys(axes)));

/** Runs whose numbers of blocks differ by more than this factor are shown by share. */
const farFromEqual = 5;

/**
 * @param {readonly Dataset[]} datasets
 * @param {AxisKind | undefined} asked
 * @returns {Axis}
 * @throws {UserError} for an unknown kind
 */
export const chooseAxis = (datasets, asked) => {
  if (asked !== undefined) {
    if (axisKinds.includes(asked)) return axes[asked];
    throw new UserError(`no axis of ${quote(asked)}; there are ${axisKinds.join(', ')}`);
  }
  const lengths = datasets.map(({ rows }) => rows.block.length);
  return Math.max(...lengths) > farFromEqual * Math.min(...lengths) ? axes.share : axes.block;
};

/**
 * The position of each row of a run on the axis.
 *
 * @param {Dataset} dataset
 * @param {Axis} axis
 * @param {string} place  how an error names the run
 * @returns {ArrayLike<number>}
 */
export const placeRows = ({ columns, rows }, { kind }, place) => {
  if (kind === 'block') return rows.block;
  if (kind === 'share') {
    const { length } = rows.block;
    return Float64Array.from(rows.block, (_, i) =>
      Number(((100 * (i + 1)) / length).toPrecision(9)),
    );
  }
  requireColumns(place, columns, ['btime'], '--logtimes');
  let sumNs = 0;
  return Float64Array.from(rows.btime, blockNs => {
    if (blockNs > 0) sumNs += blockNs;
    return sumNs / 1e9;
  });
};

/** A sentence for the subtitle if the axis was chosen automatically and does not show blocks. @param {Axis} axis @param {AxisKind | undefined} asked */
export const describeAxis = ({ kind }, asked) =>
  kind === 'share' && asked === undefined
    ? ['The runs differ in length, so they are compared by the share of the run.']
    : [];
