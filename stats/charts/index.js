// Charts as Vega-Lite specifications. These are plain data and can be made anywhere; a process of
// its own draws them.

import { quote, UserError } from '#model';
import { makeDiskChart, makeMemoryChart } from './bytes.js';
import { makeCountersChart } from './counters.js';
import { makeCyclesChart, makeTimeChart } from './time.js';

export { makeIpcChart, makeParallelChart } from './ipc.js';
export { axisKinds } from './axis.js';
export { makeSavinaChart } from './savina.js';

/** @import { Dataset } from './series.js' */
/** @import { AxisKind } from './axis.js' */
/** @import { Spec } from './frame.js' */

/** @typedef {'time' | 'cycles' | 'memory' | 'disk' | 'stats'} ChartKind */

/**
 * @typedef {object} ChartOptions
 * @property {string} [title]  instead of the kind's own
 * @property {string} [note]  a sentence for the subtitle, such as which garbage collections were
 *   forced
 * @property {'linear' | 'log'} [scale]  of the charts of time and cycles; by default log if runs
 *   differ much
 * @property {'block' | 'crank'} [per]  the divisor of these charts; a block by default
 * @property {AxisKind} [x]  the unit of the horizontal axis; by default blocks, or the share of the
 *   run if runs differ much in length
 * @property {boolean} [interactive]  with zoom and values under the pointer, for a page
 */

/** @type {{ [kind in ChartKind]: (datasets: readonly Dataset[], options: ChartOptions) => Spec }} */
const makers = {
  time: makeTimeChart,
  cycles: makeCyclesChart,
  memory: makeMemoryChart,
  disk: makeDiskChart,
  stats: makeCountersChart,
};

/** The kinds of chart, in the order in which the documentation names them. */
export const chartKinds = Object.freeze(/** @type {ChartKind[]} */ (Object.keys(makers)));

/**
 * Make the chart of one or several runs.
 *
 * @param {ChartKind} kind
 * @param {readonly Dataset[]} datasets  as `readStatsFile` gives them; one colour each
 * @param {ChartOptions} [options]
 * @returns {Spec}  Vega-Lite 6
 * @throws {UserError} if the kind is unknown, or a run lacks the columns of the kind
 */
export const makeChartSpec = (kind, datasets, options = {}) => {
  if (!chartKinds.includes(kind)) {
    throw new UserError(`no graph of ${quote(kind)}; there are ${chartKinds.join(', ')}`);
  }
  return makers[kind](datasets, options);
};
