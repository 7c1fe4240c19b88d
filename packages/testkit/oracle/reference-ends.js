// Ends vats and collects objects, for the reference kernel.

import { reasonIn } from './reference-bodies.js';
import {
  addPromise,
  byNumber,
  byText,
  dec,
  deleteEntry,
  inc,
  isDue,
  isNeverAsked,
  isObject,
  isPromise,
  isRunning,
  listOf,
  must,
  presentTag,
  queueAtOnce,
  queueControl,
  queueSend,
  rejectWith,
  vatOf,
} from './world.js';

/** @import { CapData, Delivery } from '#model' */
/** @import { Budget, Vat, World } from './world.js' */

/** @param {World} w @param {string} vatId @param {CapData} methargs */
export const sendToRoot = (w, vatId, methargs) =>
  sendFromOutside(w, must(listOf(w, vatId).pairs.get('o+0')).kref, methargs);

/**
 * A message of the kernel or the host.
 *
 * @param {World} w
 * @param {string} target
 * @param {CapData} methargs
 */
export const sendFromOutside = (w, target, methargs) => {
  const result = addPromise(w, '');
  sendWith(w, target, { methargs, result });
  return result;
};

/** @param {World} w @param {string} target @param {{ methargs: CapData, result: string | null }} message */
export const sendWith = (w, target, message) => {
  queueSend(w, target, message);
  inc(w, 'syscalls');
  inc(w, 'syscallSend');
};

const stepSize = 100;

/**
 * Find the entries that one step deletes, and the number of keys that it may delete after them.
 *
 * @param {string[]} all  vrefs, in order
 */
const bySize = all => {
  const vrefs = all.slice(0, stepSize);
  return { vrefs, left: stepSize - vrefs.length };
};

/**
 * A step ends with the entry that uses up the budget of its kind; at least one of each kind is allowed.
 *
 * @param {Budget} budget
 * @param {string[]} all  vrefs, in order
 */
const byBudget = (budget, all) => {
  const bound = (/** @type {keyof Budget} */ kind) => Math.max(1, budget[kind] ?? budget.default);
  const spent = { exports: 0, imports: 0, promises: 0 };
  const vrefs = [];
  for (const vref of all) {
    const kind = vref.startsWith('p') ? 'promises' : vref.startsWith('o+') ? 'exports' : 'imports';
    vrefs.push(vref);
    spent[kind] += 1;
    if (spent[kind] >= bound(kind)) return { vrefs, left: 0 };
  }
  return { vrefs, left: bound('kv') };
};

/**
 * Carry out one step of the clean-up of an ended vat.
 *
 * @param {World} w
 * @param {string} vatId
 */
export const cleanUp = (w, vatId) => {
  const vat = vatOf(w, vatId);
  const list = must(vat.list);
  const all = [...list.pairs.keys()].sort(byText);
  const { vrefs, left } = typeof w.cleansUp === 'object' ? byBudget(w.cleansUp, all) : bySize(all);
  for (const vref of vrefs) {
    const { kref } = must(list.pairs.get(vref));
    if (vref.startsWith('o+')) {
      w.owners.delete(kref);
      if (w.profile === 'current') dec(w, 'kernelObjects');
    }
    if (w.profile === 'current') {
      deleteEntry(w, list, kref);
    } else {
      list.pairs.delete(vref);
      if (isPromise(kref)) w.ghosts.set(kref, (w.ghosts.get(kref) ?? 0) + 1);
    }
  }
  if (left === 0) return;
  const keys = [...vat.store.keys()].sort(byText).slice(0, left);
  for (const key of keys) vat.store.delete(key);
  if (keys.length === left) return;
  vat.list = undefined;
  vat.transcript = '';
  vat.isEnding = false;
  if (!vat.isStatic) w.vats.delete(vatId);
};

/**
 * @param {World} w
 * @param {string} vatId
 * @param {boolean} isFailure
 * @param {CapData} info
 */
export const endVat = (w, vatId, isFailure, info) => {
  stopVat(w, vatId);
  const [reason, slots] = reasonIn(w.profile, info);
  tellAdmin(w, 'vatTerminated', [JSON.stringify(vatId), String(isFailure), reason], slots);
};

/** Stop the run after the end of a critical vat: all changes since the last block are lost. @param {World} w */
export const insistCriticalRun = ({ criticalEnd }) => {
  if (criticalEnd !== undefined) throw Error(`the critical vat ${criticalEnd} ended`);
};

/** End a vat without a message to vatAdmin. @param {World} w @param {string} vatId */
export const stopVat = (w, vatId) => {
  const vat = vatOf(w, vatId);
  vat.state = 'ended';
  w.reactors.delete(vatId);
  if (vat.isCritical) w.criticalEnd ??= vat.name;
  vat.isEnding = true;
  vat.count = 0;
  vat.gcKrefs = 0;
  vat.isAsked = false;
  const abandoned = [...listOf(w, vatId).pairs]
    .filter(([, { kref }]) => w.promises.get(kref)?.decider === vatId)
    .sort(([left], [right]) => byText(left, right));
  if (w.cleansUp === true) cleanUp(w, vatId);
  for (const [, { kref }] of abandoned) rejectWith(w, kref, 'vat terminated', vatId);
  if (vat.isEnding && w.cleansUp !== false && w.profile === 'current')
    queueControl(w, 'cleanUp', vatId);
};

/**
 * @param {World} w
 * @param {string} method
 * @param {string[]} args  texts
 * @param {string[]} slots
 */
export const tellAdmin = (w, method, args, slots) => {
  const isAdmin = (/** @type {[string, Vat]} */ [, { name, isStatic }]) =>
    name === 'vatAdmin' && isStatic;
  const admin = [...w.vats].find(isAdmin)?.[0];
  if (admin === undefined || !isRunning(w, admin)) return;
  const start = w.profile === 'current' ? '#' : '';
  sendToRoot(w, admin, { body: `${start}["${method}",[${args.join(',')}]]`, slots });
};

/**
 * After a delivery to a vat, ask for dead references if it is time.
 *
 * @param {World} w
 * @param {string} vatId
 * @param {Delivery} delivery
 */
export const countDelivery = (w, vatId, delivery) => {
  const vat = vatOf(w, vatId);
  vat.count += 1;
  if (
    delivery[0] === 'dropExports' ||
    delivery[0] === 'retireExports' ||
    delivery[0] === 'retireImports'
  )
    vat.gcKrefs += delivery[1].length;
  if (vat.isAsked || isNeverAsked(vat)) return;
  if (!isDue(w, vat)) return;
  vat.isAsked = true;
  const isChangedNow = vat.reapChange === presentTag(w);
  (isChangedNow ? queueControl : queueAtOnce)(w, 'bringOutYourDead', vatId);
};

/**
 * Find the exports to drop and the exports and imports to retire, for each vat.
 *
 * @param {World} w
 * @returns {{ vatId: string, verdict: string, krefs: string[] }[]}
 */
export const judge = w => {
  const reachable = new Set(w.held.keys());
  const recognised = new Set();
  for (const [vatId, { state, list, isStatic, parameters }] of w.vats) {
    if (state !== 'running' || list === undefined) continue;
    for (const kref of parameters.slots) reachable.add(kref);
    const isToStart = w.queue.some(item => item.kind === 'start' && item.vatId === vatId);
    const root = list.pairs.get('o+0');
    if (root !== undefined && (isStatic || isToStart)) reachable.add(root.kref);
  }
  for (const { state, list } of [
    ...w.vats.values(),
    ...[...w.devices.values()].map(device => ({ state: 'running', ...device })),
  ]) {
    if (state !== 'running' || list === undefined) continue;
    for (const [vref, entry] of list.pairs)
      if (vref[1] === '-') (entry.reachable ? reachable : recognised).add(entry.kref);
  }
  for (const { target, message } of w.queue) {
    if (message === null) continue;
    for (const kref of [target, ...message.methargs.slots]) reachable.add(kref);
  }
  for (const { values } of w.reactors.values())
    for (const { data } of values) for (const kref of data.slots) reachable.add(kref);
  for (const { parked, data } of w.promises.values())
    for (const kref of [
      ...parked.flatMap(({ methargs }) => methargs.slots),
      ...(data?.slots ?? []),
    ])
      reachable.add(kref);

  const found = [];
  for (const vatId of [...w.vats.keys()].sort(byNumber)) {
    if (!isRunning(w, vatId)) continue;
    /** @type {Record<string, string[]>} */
    const verdicts = { dropExports: [], retireExports: [], retireImports: [] };
    for (const [vref, { kref, reachable: isReachable }] of listOf(w, vatId).pairs) {
      if (!isObject(kref)) continue;
      if (vref[1] === '-') {
        if (!isReachable && !reachable.has(kref) && !w.owners.has(kref))
          verdicts.retireImports.push(kref);
      } else if (!reachable.has(kref)) {
        if (isReachable) verdicts.dropExports.push(kref);
        if (!recognised.has(kref)) verdicts.retireExports.push(kref);
      }
    }
    for (const verdict of ['dropExports', 'retireExports', 'retireImports']) {
      const krefs = verdicts[verdict].sort(byNumber);
      // At most a thousand at once.
      for (let from = 0; from < krefs.length; from += 1000)
        found.push({ vatId, verdict, krefs: krefs.slice(from, from + 1000) });
    }
  }
  return found;
};

/**
 * Select the objects for which a verdict still holds. An export is retired only after its vat was told that nobody
 * reaches it.
 *
 * @param {World} w
 * @param {string} vatId
 * @param {string} verdict
 * @param {string[]} krefs
 */
export const judgeAgain = (w, vatId, verdict, krefs) => {
  const now = judge(w).filter(found => found.vatId === vatId);
  const of = (/** @type {string} */ which) =>
    now.filter(({ verdict: told }) => told === which).flatMap(({ krefs: found }) => found);
  const stillReached = verdict === 'retireExports' ? of('dropExports') : [];
  return krefs.filter(kref => of(verdict).includes(kref) && !stillReached.includes(kref));
};
