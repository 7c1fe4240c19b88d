// Upgrades vats, for the reference kernel: one incarnation of a vat ends, the next begins with the vat's store and the
// durable exports.

import { tellAdmin } from './reference-ends.js';
import { text } from './reference-bodies.js';
import {
  byText,
  dec,
  deleteEntry,
  isObject,
  isPromise,
  listOf,
  must,
  promiseOf,
  queueInTurn,
  settle,
  vatOf,
} from './world.js';

/** @import { CapData } from '#model' */
/** @import { Item, World } from './world.js' */

/** @typedef {{ id: string, source: string, message: string }} Upgrade */

/** @param {World} w @param {string} vatId @param {Upgrade} upgrade @param {CapData} parameters  in krefs */
export const queueUpgrade = (w, vatId, { id, source, message }, parameters) => {
  queueInTurn(w, 'bringOutYourDead', vatId);
  const target = JSON.stringify([id, source, message]);
  queueInTurn(w, 'upgrade', vatId, target, { methargs: parameters, result: null });
};

/** @param {Item} item  of an upgrade @returns {Upgrade} */
const read = ({ target }) => {
  const [id, source, message] = JSON.parse(target);
  return { id, source, message };
};

/**
 * Remove from other vats the objects that existed only in the memory of the old incarnation.
 *
 * @param {World} w
 * @param {Item} item  of the upgrade of a vat that runs
 */
export const beginIncarnation = (w, item) => {
  const { vatId, message: sent } = item;
  const { source, message } = read(item);
  const vat = vatOf(w, vatId);
  const list = listOf(w, vatId);
  const why = `{"incarnationNumber":${vat.incarnation},"name":"vatUpgraded","upgradeMessage":${text('current', message)}}`;
  const decided = [...list.pairs]
    .filter(([, { kref }]) => isPromise(kref) && promiseOf(w, kref).decider === vatId)
    .sort(([left], [right]) => byText(left, right));
  for (const [, { kref }] of decided) {
    const isAwaited = promiseOf(w, kref).subscribers.includes(vatId);
    settle(w, kref, 'rejected', { body: `#${why}`, slots: [] }, '');
    if (!isAwaited) deleteEntry(w, list, kref);
  }
  for (const [vref, { kref }] of [...list.pairs]) {
    if (!isObject(kref) || vref[1] !== '+' || vref === 'o+0' || vref[2] === 'd') continue;
    deleteEntry(w, list, kref);
    w.owners.delete(kref);
    dec(w, 'kernelObjects');
  }
  const left = [...list.pairs.keys()].filter(vref => vref.startsWith('p+'));
  const after = left.map(vref => Number(vref.slice(2)) + 1);
  vat.firstPromise = Math.max(vat.firstPromise, ...after);
  vat.parameters = must(sent?.methargs);
  vat.source = source;
  vat.incarnation += 1;
  vat.transcript = '';
};

/** @param {World} w @param {Item} item */
export const reportUpgrade = (w, item) => {
  const id = JSON.stringify(read(item).id);
  const { incarnation } = vatOf(w, item.vatId);
  tellAdmin(w, 'vatUpgradeCallback', [id, 'true', '"#undefined"', `${incarnation}`], []);
};

/** @param {World} w @param {Item} item */
export const reportFailedUpgrade = (w, item) => {
  const id = JSON.stringify(read(item).id);
  const error = '{"#error":"vat-upgrade failure","name":"Error"}';
  tellAdmin(w, 'vatUpgradeCallback', [id, 'false', error], []);
};
