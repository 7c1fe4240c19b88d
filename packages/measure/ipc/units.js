// The unit of each figure. Ticks of a timer are not called cycles.

/** @import { Counters } from '#native' */
/** @import { Column } from './instrument.js' */

const timerUnits = {
  tsc: 'ticks of the time-stamp counter',
  cntvct_el0: 'ticks of the generic timer',
  hrtime: "nanoseconds of Node's clock",
};

/** @type {Record<Exclude<Column, 'timer'>, string>} */
const counterUnits = {
  instructions: 'instructions',
  cycles: 'unhalted core cycles',
  referenceCycles: 'reference cycles',
};

/**
 * @param {Column} column
 * @param {Counters['timer']['name']} timer
 */
export const unitOf = (column, timer) =>
  column === 'timer' ? timerUnits[timer] : counterUnits[column];

/**
 * Choose the figures of the table's cells: the same as L4Re's on this kind of processor.
 *
 * On x86 the counters 2, 1 and 0; if the system hides counter 2, the time-stamp counter replaces
 * it, since both tick at the same rate. On ARM the cycle counter. Elsewhere, and if ARM's counter
 * is hidden, the timer.
 *
 * @param {Counters['timer']['name']} timer
 * @param {readonly Column[]} columns  the measured ones
 * @returns {(Column | undefined)[]}  undefined for a counter that is not available
 */
export const chooseTableColumns = (timer, columns) => {
  const has = (/** @type {Column} */ column) => (columns.includes(column) ? column : undefined);
  if (timer === 'tsc')
    return [has('referenceCycles') ?? 'timer', has('cycles'), has('instructions')];
  return [has('cycles') ?? 'timer'];
};
