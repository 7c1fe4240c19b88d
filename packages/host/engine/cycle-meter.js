// A stopwatch of cycles and instructions for the kernel's thread. Without such counters there is none: times are not
// converted to cycles.

import { openCounters } from '#native';

/** @import { Counters } from '#native' */

/**
 * @typedef {object} CycleMeter
 * @property {() => void} reset  to zero, and stopped
 * @property {() => void} go
 * @property {() => void} stop  may be called when stopped
 * @property {number} cycles  counted while it ran
 * @property {number | undefined} instructions  undefined if they cannot be counted
 */

/**
 * @param {Counters} [counters]
 * @returns {{ meter: CycleMeter, reason?: undefined } | { meter?: undefined, reason: string }}
 */
export const openCycleMeter = (counters = openCounters()) => {
  const { hardware, notice, makeMark } = counters;
  const { cycles, instructions } = hardware;
  if (!cycles.isAvailable) return { reason: notice ?? cycles.reason };
  const names = /** @type {const} */ (['instructions', 'cycles']).filter(
    name => hardware[name].isAvailable,
  );
  // The place of the next record, then: timer, instructions if there are, cycles.
  const width = 1 + names.length;
  const record = new Float64Array(1 + width);
  const mark = makeMark(record, names);
  const placeOfCycles = width;
  const placeOfInstructions = 2;
  let isGoing = false;
  let cyclesAtGo = 0;
  let instructionsAtGo = 0;
  let sumOfCycles = 0;
  let sumOfInstructions = 0;

  const read = () => {
    record[0] = 1;
    mark();
  };

  return {
    meter: Object.freeze({
      reset() {
        isGoing = false;
        sumOfCycles = 0;
        sumOfInstructions = 0;
      },
      go() {
        isGoing = true;
        read();
        cyclesAtGo = record[placeOfCycles];
        instructionsAtGo = record[placeOfInstructions];
      },
      stop() {
        if (!isGoing) return;
        read();
        isGoing = false;
        sumOfCycles += record[placeOfCycles] - cyclesAtGo;
        sumOfInstructions += record[placeOfInstructions] - instructionsAtGo;
      },
      get cycles() {
        return sumOfCycles;
      },
      get instructions() {
        return instructions.isAvailable ? sumOfInstructions : undefined;
      },
    }),
  };
};
