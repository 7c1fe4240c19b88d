// The upgrade of a vat: a new incarnation with other code replaces the old one, and keeps the vat's store and the
// exports that are in it. Everything that only the old incarnation's memory had is taken from other vats: the promises
// that it was to settle are rejected, and its other exports are abandoned.
//
// An upgrade is two cranks: first the old incarnation is asked for its dead references, then the new one starts. If
// that fails, its crank leaves no trace and the old incarnation goes on.

import { Fail, isObjectKref } from '#model';
import { settle } from '../crank/settlement.js';
import { keepVatBeginning } from './beginning.js';
import { listDecidedPromises } from './decided-promises.js';
import { tellVatAdmin } from './vat-admin.js';

/** @import { CapData } from '#model' */
/** @import { Item } from '../tables/queue-item.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { Flight } from '../crank/flight.js' */

/**
 * A requested upgrade.
 *
 * @typedef {object} Upgrade
 * @property {string} id  vatAdmin's identifier of the upgrade
 * @property {string} source  what the host makes the new incarnation from
 * @property {string} message  the reason given to waiters on the old incarnation's promises
 */

/** The text by which a failed upgrade is reported. Other vats do not learn the reason. */
const failure = 'vat-upgrade failure';

/**
 * Queue the upgrade of a vat.
 *
 * @param {KernelState} state
 * @param {string} vatId  running
 * @param {Upgrade} upgrade
 * @param {CapData} parameters  of the new incarnation, in krefs
 */
export const queueUpgrade = ({ queue }, vatId, { id, source, message }, parameters) => {
  const target = JSON.stringify([id, source, message]);
  queue.addInTurn('bringOutYourDead', vatId);
  queue.addInTurn('upgrade', vatId, target, { methargs: parameters, result: null });
};

/**
 * @param {Pick<Item, 'target'>} item  of an upgrade
 * @returns {Upgrade}
 */
const readUpgrade = ({ target }) => {
  const [id, source, message] = JSON.parse(target);
  return { id, source, message };
};

/**
 * Takes from other vats what only the old incarnation's memory had, and begins the new one. Its first delivery follows
 * in the same crank; if that fails, everything here is undone.
 *
 * @param {KernelState} state
 * @param {string} vatId  running
 * @param {Item} item
 */
export const replaceIncarnation = (state, vatId, item) => {
  const { vats } = state;
  const { source, message } = readUpgrade(item);
  const { methargs: parameters } = item.message ?? Fail`an upgrade has no parameters`;
  rejectPromises(state, vatId, message);
  abandonExports(state, vatId);
  keepVatBeginning(state, vatId);
  const row = vats.require(vatId);
  vats.vats.touch(row);
  row.firstPromise = findFirstPromise(state, vatId);
  row.source = source;
  row.parameters = parameters.body;
  row.parameterSlots = parameters.slots;
  state.beginIncarnation(vatId);
};

/**
 * Rejects the promises that the old incarnation was to settle, with a description of the upgrade. The vat itself is
 * notified of those that it subscribes to, since durable objects may wait for them.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {string} message
 */
const rejectPromises = (state, vatId, message) => {
  const { vats, promises } = state;
  const clist = vats.clist(vatId);
  const data = disconnection(state, message, vats.require(vatId).incarnation);
  for (const { kref } of listDecidedPromises(state, vatId)) {
    const row = promises.require(kref);
    const isAwaited = row.subscribers.includes(vatId);
    settle(state, row, 'rejected', data, '');
    if (!isAwaited) clist.delete(kref);
  }
};

/**
 * @param {KernelState} state
 * @param {string} message
 * @param {number} incarnation  the old one
 * @returns {CapData} `{ name: 'vatUpgraded', upgradeMessage, incarnationNumber }`
 */
const disconnection = ({ profile: { wire } }, message, incarnation) => ({
  body: `${wire.start}{"incarnationNumber":${incarnation},"name":"vatUpgraded","upgradeMessage":${wire.string(message)}}`,
  slots: [],
});

/**
 * Abandons exports other than durable ones and the root, which the new incarnation replaces.
 *
 * @param {KernelState} state
 * @param {string} vatId
 */
const abandonExports = (state, vatId) => {
  const { vats, owners, counters } = state;
  const clist = vats.clist(vatId);
  const abandoned = clist
    .pairs()
    .filter(
      ({ kref, vref }) =>
        isObjectKref(kref) && vref[1] === '+' && vref[2] !== 'd' && vref !== 'o+0',
    );
  for (const pair of abandoned) {
    clist.deletePair(pair);
    owners.delete(pair.kref);
    counters.dec(counters.find('kernelObjects'));
  }
};

/**
 * The first promise number of the new incarnation: behind those of the old one that may still be in the c-list.
 *
 * @param {KernelState} state
 * @param {string} vatId
 */
const findFirstPromise = ({ vats }, vatId) => {
  let first = vats.require(vatId).firstPromise ?? 0;
  for (const { vref } of vats.clist(vatId).pairs())
    if (vref.startsWith('p+')) first = Math.max(first, Number(vref.slice(2)) + 1);
  return first;
};

/**
 * Reports that the new incarnation has started.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {Item} item
 */
export const reportUpgrade = (state, vatId, item) => {
  const { wire } = state.profile;
  const { incarnation } = state.vats.require(vatId);
  const args = [wire.string(readUpgrade(item).id), 'true', wire.undefined, String(incarnation)];
  tellVatAdmin(state, 'vatUpgradeCallback', args, []);
};

/**
 * Reports that it has not started, or that the vat had ended before.
 *
 * @param {KernelState} state
 * @param {Item} item
 */
export const reportFailedUpgrade = (state, item) => {
  const { wire } = state.profile;
  const args = [wire.string(readUpgrade(item).id), 'false', wire.error('Error', failure)];
  tellVatAdmin(state, 'vatUpgradeCallback', args, []);
};

/**
 * Why a new incarnation that has started cannot be kept; null if it can.
 *
 * @param {Flight} flight
 * @param {boolean} hasExit  whether it ended itself
 * @param {KernelState} state
 */
export const findUpgradeProblem = ({ vatId, result }, hasExit, { reactors }) => {
  if (hasExit) return 'it ended itself while it started';
  const hasReactors = result?.reactors || reactors.find(vatId) !== undefined;
  return hasReactors ? 'a vat with reactors cannot be upgraded' : null;
};
