// Meters of vats, as vatAdmin of SwingSet hands them out. Nothing consumes what a meter has: vats are not metered here, and
// those of SwingSet's local workers are not either.

import { makeKindObject } from '../kind-objects.js';

/**
 * A natural number. The errors have SwingSet's words.
 *
 * @param {unknown} value
 * @returns {bigint}
 * @throws {TypeError} if it is no number
 * @throws {RangeError} if it is none that counts something
 */
const asNatural = value => {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw RangeError(`${value} is not a safe integer`);
  if (typeof value !== 'bigint' && typeof value !== 'number')
    throw TypeError(`${String(value)} is a ${typeof value} but must be a bigint or a number`);
  if (value < 0) throw RangeError(`${value} is negative`);
  return BigInt(value);
};

/** The methods of both kinds of meters differ only in these. @typedef {{ addRemaining: (delta: unknown) => void, setThreshold: (threshold: unknown) => void, get: () => unknown }} MeterMethods */

/**
 * @param {() => any} getAdmin  gives the device's methods
 * @param {WeakMap<object, string>} ids  gets the id of each meter
 */
export const makeMeters = (getAdmin, ids) => {
  /** @param {string} kind @param {string} id @param {MeterMethods} methods */
  const make = (kind, id, methods) => {
    const meter = makeKindObject(kind, {
      ...methods,
      // Meters of SwingSet say the same.
      getNotifier() {
        throw Error('not implemented, see #7234');
      },
    });
    ids.set(meter, id);
    return meter;
  };

  return {
    /**
     * @param {unknown} remaining
     * @param {unknown} threshold
     */
    createMeter(remaining, threshold) {
      asNatural(remaining);
      asNatural(threshold);
      // The device takes bigints alone.
      const id = getAdmin().createMeter(remaining, threshold);
      return make('meter', id, {
        addRemaining: delta => getAdmin().addMeterRemaining(id, asNatural(delta)),
        setThreshold: value => getAdmin().setMeterThreshold(id, asNatural(value)),
        get: () => getAdmin().getMeter(id),
      });
    },

    createUnlimitedMeter: () =>
      make('unlimitedMeter', getAdmin().createUnlimitedMeter(), {
        addRemaining() {},
        setThreshold() {},
        get: () => harden({ remaining: 'unlimited', threshold: 0 }),
      }),
  };
};
