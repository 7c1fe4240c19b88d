// Changes options during a run: how often vats are asked for their dead references. `reapAll` asks them now.

import { quote, UserError } from '#model';
import { snapshotIntervalKey } from './host-keys.js';

/** @import { Kernel } from '#kernel' */

/**
 * SwingSet compares the count of deliveries with the number as it is.
 *
 * @param {string} name
 * @param {unknown} value
 * @returns {number | 'never'}
 */
const asInterval = (name, value) => {
  if (value === 'never' || value === Infinity) return 'never';
  if (typeof value === 'number' && value > 0)
    return Math.min(Math.ceil(value), Number.MAX_SAFE_INTEGER);
  throw new UserError(`${name} ${String(value)} must be a positive number or "never"`);
};

/**
 * @param {unknown} value  after how many deliveries SwingSet takes a snapshot of a vat; here only the store tells it
 * @returns {string} as the store has it
 * @throws {UserError} if it is no whole number from 0
 */
export const readSnapshotInterval = value => {
  if (!Number.isSafeInteger(value) || /** @type {number} */ (value) < 0)
    throw new UserError('invalid heap snapshotInterval value');
  return String(value);
};

/**
 * @param {Kernel} kernel
 * @param {Record<string, unknown>} options
 * @throws {UserError} if an option is unknown or its value wrong; nothing changes then
 */
export const changeOptions = (kernel, options) => {
  if (typeof options === 'string' || Array.isArray(options))
    throw new UserError(`changeKernelOptions: the options must be a record, got ${quote(options)}`);
  /** @type {(() => void)[]} */
  const changes = [];
  for (const [option, value] of Object.entries(options)) {
    switch (option) {
      case 'defaultReapInterval': {
        const interval = asInterval(option, value);
        changes.push(() => kernel.setReapInterval(interval));
        break;
      }
      case 'defaultReapGCKrefs':
        {
          const krefs = asInterval(option, value);
          changes.push(() => kernel.setReapGCKrefs(krefs));
        }
        break;
      case 'snapshotInterval': {
        const interval = readSnapshotInterval(value);
        changes.push(() => kernel.setHostValue(snapshotIntervalKey, interval));
        break;
      }
      default:
        throw new UserError(`unknown option ${quote(option)}`);
    }
  }
  for (const change of changes) change();
};

/**
 * Asks in SwingSet's order: vats of the config and the kernel's own by name, as its store has them, then those that the
 * run made by age.
 *
 * @param {Kernel} kernel
 * @param {Record<string, number>} previous  vat → number of its deliveries at the last request
 * @returns {Record<string, number>}
 */
export const reapAll = (kernel, previous) => {
  /** @type {Record<string, number>} */
  const positions = {};
  const vats = kernel.vats().filter(it => it.state === 'running');
  const ofConfig = vats.filter(it => it.isStatic).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { vatId, isBuiltIn, name } of [...ofConfig, ...vats.filter(it => !it.isStatic)]) {
    if (isBuiltIn && name === 'comms') continue;
    const position = [...kernel.transcript(vatId)].length;
    const isIdle = previous[vatId] !== undefined && position <= previous[vatId];
    // The request itself is a delivery.
    positions[vatId] = isIdle ? position : position + 1;
    if (!isIdle) kernel.reap(vatId);
  }
  return positions;
};
