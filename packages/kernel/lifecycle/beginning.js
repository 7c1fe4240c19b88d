// The beginning of a run, kept when it first changes: a replay begins with it. The first value is the same whether the
// crank of the change is kept or dropped, so it needs no undoing.

/** @import { KernelState } from '../tables/state.js' */
/** @import { Threshold } from '../tables/reap-thresholds.js' */

/** @typedef {{ source: string, parameters: string, options: Record<string, unknown> }} VatBeginning */

/** @typedef {{ interval?: Threshold, gcKrefs?: Threshold }} FirstThresholds */

/** @param {string} vatId @returns {`host.${string}`} */
const keyOf = vatId => `host.beginning.${vatId}`;

const thresholdsKey = keyOf('reap');

/**
 * @param {Pick<KernelState, 'hostValues'>} state
 * @param {`host.${string}`} key
 * @param {object} first
 */
const keepOnce = ({ hostValues }, key, first) => {
  if (hostValues.get(key) === undefined) hostValues.set(key, JSON.stringify(first));
};

/**
 * Call this before what a vat is made from changes: a vat of the config keeps what it was made from first.
 *
 * @param {KernelState} state
 * @param {string} vatId
 */
export const keepVatBeginning = (state, vatId) => {
  const { isStatic, source, parameters, options } = state.vats.require(vatId);
  if (isStatic) keepOnce(state, keyOf(vatId), { source, parameters, options });
};

/** Call this before the thresholds change that hold for all vats. @param {KernelState} state */
export const keepFirstThresholds = state => {
  const { interval, gcKrefs } = state.reapThresholds;
  keepOnce(state, thresholdsKey, { interval, gcKrefs });
};

/**
 * The parts from which a vat of the config was made first.
 *
 * @param {Pick<KernelState, 'hostValues'>} state
 * @param {VatBeginning & { vatId: string }} vat  as it is now
 * @returns {VatBeginning}
 */
export const readVatBeginning = ({ hostValues }, { vatId, source, parameters, options }) => {
  const kept = hostValues.get(keyOf(vatId));
  return kept === undefined ? { source, parameters, options } : JSON.parse(kept);
};

/**
 * The thresholds for all vats when the run began.
 *
 * @param {Pick<KernelState, 'hostValues' | 'reapThresholds'>} state
 * @returns {FirstThresholds}
 */
export const readFirstThresholds = ({ hostValues, reapThresholds }) => {
  const kept = hostValues.get(thresholdsKey);
  if (kept !== undefined) return JSON.parse(kept);
  const { interval, gcKrefs } = reapThresholds;
  return { interval, gcKrefs };
};
