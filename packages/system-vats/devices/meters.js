// The meters of a run, in the store of the vatAdmin device.

/** @import { DeviceTools } from '#vat' */

/** The device's own key for the number of the next meter: that of no meter, whatever id a vat gives. */
const nextKey = 'nextMeter';

/** The device's own key for a meter. @param {string} id */
const keyOf = id => `meter.${id}`;

/** @typedef {{ remaining: bigint | 'unlimited', threshold: bigint }} Meter */

/** @param {unknown} value @param {string} what @returns {bigint} */
const insistNatural = (value, what) => {
  if (typeof value === 'bigint' && value >= 0n) return value;
  throw TypeError(`${what} must be a bigint from 0n, got ${typeof value}`);
};

/** @param {DeviceTools['store']} store */
export const keepMeters = store => {
  /** @param {Meter} meter @returns {string} its id */
  const add = meter => {
    const number = store.get(nextKey) ?? 1;
    store.set(nextKey, number + 1);
    store.set(keyOf(`m${number}`), harden(meter));
    return `m${number}`;
  };

  /** @param {unknown} id @returns {Meter} */
  const require = id => {
    const meter = typeof id === 'string' ? store.get(keyOf(id)) : undefined;
    if (meter === undefined) throw Error(`there is no meter ${String(id)}`);
    return meter;
  };

  return {
    /** @param {unknown} remaining @param {unknown} threshold */
    createMeter: (remaining, threshold) =>
      add({
        remaining: insistNatural(remaining, 'createMeter() remaining'),
        threshold: insistNatural(threshold, 'createMeter() threshold'),
      }),
    createUnlimitedMeter: () => add({ remaining: 'unlimited', threshold: 0n }),
    /** @param {string} id @param {unknown} delta */
    addMeterRemaining(id, delta) {
      const { remaining, threshold } = require(id);
      const more = insistNatural(delta, 'addMeterRemaining() delta');
      if (remaining === 'unlimited') return;
      store.set(keyOf(id), harden({ remaining: remaining + more, threshold }));
    },
    /** @param {string} id @param {unknown} threshold */
    setMeterThreshold(id, threshold) {
      const { remaining } = require(id);
      const value = insistNatural(threshold, 'setMeterThreshold() threshold');
      store.set(keyOf(id), harden({ remaining, threshold: value }));
    },
    /** @param {string} id */
    getMeter: id => require(id),
  };
};
