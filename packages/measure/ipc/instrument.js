// Reads the timer and the hardware counters into one record, and turns records into samples. The
// cost of reading is subtracted.

import { hardwareCounterNames, openCounters } from '#native';
import { distributionOf } from './distribution.js';

/** @import { Counters, HardwareCounterName } from '#native' */
/** @import { Distribution } from './distribution.js' */

/** The timer, and counters by their names. @typedef {'timer' | HardwareCounterName} Column */

/**
 * The rule that turns records into samples.
 *
 * `chain`: each mark ends one call and begins the next. `pair`: one mark before a call, one after
 * it. `cranks`: a mark at the beginning of each crank; only cranks that deliver a message count.
 *
 * @typedef {'chain' | 'pair' | 'cranks'} Pattern
 */

/** Samples of each column. @typedef {Partial<Record<Column, Float64Array>>} Samples */
/** @typedef {Partial<Record<Column, Distribution>>} Figures */

/**
 * The counters that can be read quickly. A counter that needs a system call would measure that call.
 *
 * @param {Counters} counters
 */
const chooseColumns = ({ hardware }) =>
  hardwareCounterNames.filter(name => {
    const counter = hardware[name];
    return counter.isAvailable && counter.readBy === 'instruction';
  });

/** The number of marks from which their cost is measured. */
const marksForCost = 20_001;

/**
 * @param {number} most  records of one run
 * @param {Counters} [counters]
 */
export const makeInstrument = (most, counters = openCounters()) => {
  const chosen = chooseColumns(counters);
  /** @type {Column[]} */
  const columns = ['timer', ...chosen];
  const width = columns.length;
  const records = new Float64Array(1 + Math.max(most, marksForCost) * width);
  const mark = counters.makeMark(records, chosen);

  const begin = () => {
    records[0] = 1;
  };

  /**
   * The samples of the marks since `begin`.
   *
   * @param {Pattern} pattern
   * @param {readonly boolean[]} [isMessage]  of each mark, for `cranks`
   * @returns {Samples}
   */
  const takeSamples = (pattern, isMessage = []) => {
    const found = Math.round((records[0] - 1) / width);
    /** The marks that begin a sample; the next mark ends it. @type {number[]} */
    const begins = [];
    for (let i = 0; i < found - 1; i += pattern === 'pair' ? 2 : 1)
      if (pattern !== 'cranks' || isMessage[i]) begins.push(1 + i * width);
    /** @type {Samples} */
    const samples = {};
    columns.forEach((column, place) => {
      samples[column] = Float64Array.from(
        begins,
        at => records[at + place + width] - records[at + place],
      );
    });
    return samples;
  };

  /** Measure the cost of a mark in each column. Call it when the engine has optimised the code. */
  const measureCost = () => {
    /** @type {Figures} */
    let figures = {};
    for (let turn = 0; turn < 10; turn += 1) {
      begin();
      for (let i = 0; i < marksForCost; i += 1) mark();
      figures = describe(takeSamples('chain'));
    }
    return figures;
  };

  /**
   * @param {Samples} samples
   * @param {{ cost?: Figures, together?: number }} [options]  the cost to subtract from each
   *   sample, and the number of calls in a sample
   * @returns {Figures}
   */
  const describe = (samples, { cost = {}, together = 1 } = {}) => {
    /** @type {Figures} */
    const figures = {};
    for (const column of columns) {
      const off = cost[column]?.median ?? 0;
      // A figure below the cost of reading cannot be told from zero, and is never negative.
      const values = samples[column]?.map(value => Math.max(0, value - off) / together);
      if (values !== undefined && values.length > 0) figures[column] = distributionOf(values);
    }
    return figures;
  };

  return Object.freeze({ counters, columns, mark, begin, takeSamples, measureCost, describe });
};

/** @typedef {ReturnType<typeof makeInstrument>} Instrument */

/**
 * Join the samples of several rounds.
 *
 * @param {Samples[]} parts
 * @returns {Samples}
 */
export const joinSamples = parts => {
  /** @type {Samples} */
  const joined = {};
  for (const column of /** @type {Column[]} */ (Object.keys(parts[0] ?? {}))) {
    const all = parts.map(part => part[column] ?? new Float64Array());
    const values = new Float64Array(all.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const each of all) {
      values.set(each, at);
      at += each.length;
    }
    joined[column] = values;
  }
  return joined;
};
