// Detects whether the machine had other work during a measurement, by three signs: the processor
// time of other processes while this one slept, the time of a fixed loop before and after, and the
// evenness of the loop.

import os from 'node:os';

/** The time for which other processes are watched, before and after. */
const watchMs = 150;

/** The loop: some 2 ms of integer arithmetic a turn, which does not depend on caches or the garbage collector. */
const loopSteps = 2_000_000;
const loopTurns = 9;

/** Limits above which a machine is not idle. */
const mostOthers = 0.1;
const mostUneven = 1.1;
const mostChange = 1.1;

/**
 * @typedef {object} Noise
 * @property {boolean} isIdle
 * @property {number} othersCores  processor time per second of other processes while this process
 *   slept
 * @property {number} loadAverage  of the last minute before the measurement; 0 if the system has
 *   none
 * @property {number} loopMs  the shortest turn of the fixed loop before the measurement, for
 *   comparing machines
 * @property {number} loopChange  the shortest turn after the measurement, relative to `loopMs`
 * @property {number} loopUnevenness  median turn relative to the shortest, the larger of before and after
 */

/** Uses results of the loop, so that the engine does not remove it. */
let sink = 0;

/** @param {number} steps */
const spin = steps => {
  let state = 1;
  for (let i = 0; i < steps; i += 1) {
    // Marsaglia's xorshift with shifts 13, 17, 5: each step needs the one before it.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
  }
  return state;
};

const timeLoop = () => {
  const turns = Array.from({ length: loopTurns }, () => {
    const startMs = performance.now();
    sink += spin(loopSteps);
    return performance.now() - startMs;
  }).sort((left, right) => left - right);
  return { min: turns[0], median: turns[turns.length >> 1] };
};

const usedMs = () => {
  let sum = 0;
  for (const { times } of os.cpus()) sum += times.user + times.nice + times.sys + times.irq;
  return sum;
};

const watchOthers = async () => {
  const startMs = performance.now();
  const before = usedMs();
  await new Promise(resolve => setTimeout(resolve, watchMs));
  return (usedMs() - before) / (performance.now() - startMs);
};

/**
 * Watch the machine now; the returned function watches it again at the end of the measurement.
 *
 * @returns {Promise<() => Promise<Noise>>}
 */
export const watchNoise = async () => {
  const [loadAverage] = os.loadavg();
  const othersBefore = await watchOthers();
  spin(loopSteps);
  const before = timeLoop();
  return async () => {
    const othersAfter = await watchOthers();
    const after = timeLoop();
    const othersCores = Math.max(othersBefore, othersAfter);
    const loopChange = after.min / before.min;
    const loopUnevenness = Math.max(before.median / before.min, after.median / after.min);
    return {
      isIdle:
        othersCores <= mostOthers &&
        loopUnevenness <= mostUneven &&
        Math.max(loopChange, 1 / loopChange) <= mostChange &&
        Number.isFinite(sink),
      othersCores,
      loadAverage,
      loopMs: before.min,
      loopChange,
      loopUnevenness,
    };
  };
};

const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(0)} %`;

/**
 * `idle`, or the signs of other work.
 *
 * @param {Noise} noise
 */
export const describeNoise = ({ isIdle, othersCores, loopChange, loopUnevenness }) => {
  if (isIdle) return 'idle';
  /** @type {string[]} */
  const signs = [];
  if (othersCores > mostOthers) signs.push(`others used ${othersCores.toFixed(1)} cores`);
  if (loopUnevenness > mostUneven)
    signs.push(`turns of a fixed loop varied by ${percent(loopUnevenness - 1)}`);
  if (loopChange > mostChange)
    signs.push(`a fixed loop took ${percent(loopChange - 1)} longer at the end`);
  if (1 / loopChange > mostChange)
    signs.push(`a fixed loop took ${percent(1 - loopChange)} less at the end`);
  return `not idle: ${signs.join('; ')}`;
};
