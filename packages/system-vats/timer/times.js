// Checks times and computes with them. Inside the timer they are numbers: whole units since the start of the run.

/** A number itself, any other value by its type only. @param {unknown} value */
const describe = value => {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  return value === null ? 'null' : typeof value;
};

/**
 * A whole number from 0 to 2^53-1.
 *
 * @param {unknown} value  number or bigint
 * @param {string} subject  for the error: `setWakeup: the time`
 * @param {string} [expected]
 * @returns {number}
 * @throws {RangeError}
 */
export const parseWhole = (value, subject, expected = 'a whole number from 0 to 2^53-1') => {
  const isKnown = typeof value === 'number' || typeof value === 'bigint';
  const number = isKnown ? Number(value) : NaN;
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw RangeError(`${subject} must be ${expected}, got ${describe(value)}`);
};

/**
 * The position of the series start, start + interval, start + 2 × interval, … at a time.
 *
 * @param {number} start
 * @param {number} interval  above 0
 * @param {number} now
 * @returns {{ latest: { time: number, count: number } | undefined, next: number }} the latest member that is not in
 *   the future, counted from 1, and the time of the one after it
 */
export const measureSeries = (start, interval, now) => {
  if (now < start) return { latest: undefined, next: start };
  const phase = (now - start) % interval;
  const time = now - phase;
  return { latest: { time, count: (time - start) / interval + 1 }, next: time + interval };
};
