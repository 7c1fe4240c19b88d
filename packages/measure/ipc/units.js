// The unit of each figure. A timer is called a timer: its ticks are not cycles.

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
 * The figures of the table's three columns: those of L4Re on the same kind of processor.
 *
 * On x86 the counters 2, 1 and 0; for counter 2, which ticks as the time-stamp counter does, that one stands in where
 * the system hides it. On ARM the cycle counter. Elsewhere, and where ARM's is hidden, the timer.
 *
 * @param {Counters['timer']['name']} timer
 * @param {readonly Column[]} columns  those that were measured
 * @returns {(Column | undefined)[]}  undefined for a counter that is not there
 */
export const chooseTableColumns = (timer, columns) => {
  const has = (/** @type {Column} */ column) => (columns.includes(column) ? column : undefined);
  if (timer === 'tsc')
    return [has('referenceCycles') ?? 'timer', has('cycles'), has('instructions')];
  return [has('cycles') ?? 'timer'];
};
