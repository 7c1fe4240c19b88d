// Counts the references to promises, and deletes those without, for the reference kernel.

import { countAgain, dec, isPromise, messageClass, promiseOf, stateCounters } from './world.js';

/** @import { World } from './world.js' */

/**
 * Find the references to promises: of c-lists, queue, parked messages, the host, and the data of resolved promises.
 *
 * @param {World} w
 */
const references = w => {
  /** @type {string[]} */
  const outside = [];
  for (const { list } of [...w.vats.values(), ...w.devices.values()])
    if (list) for (const { kref } of list.pairs.values()) outside.push(kref);
  for (const { target, message, class: itemClass } of w.queue) {
    if (itemClass !== messageClass) continue;
    outside.push(target);
    if (message) outside.push(...message.methargs.slots, message.result ?? '');
  }
  for (const { parked } of w.promises.values())
    for (const { methargs, result } of parked) outside.push(...methargs.slots, result ?? '');
  for (const { values } of w.reactors.values())
    for (const { data } of values) outside.push(...data.slots);
  for (const [kpid, count] of [...w.held, ...w.ghosts])
    for (let i = 0; i < count; i += 1) outside.push(kpid);
  return outside.filter(isPromise);
};

/** Count the references to each promise. @param {World} w @returns {Map<string, number>} */
export const refCounts = w => {
  /** @type {Map<string, number>} */
  const counts = new Map([...w.promises.keys()].map(kpid => [kpid, 0]));
  const inside = [...w.promises.values()].flatMap(({ data }) => data?.slots ?? []);
  for (const kpid of [...references(w), ...inside.filter(isPromise)])
    counts.set(kpid, (counts.get(kpid) ?? 0) + 1);
  return counts;
};

/** @param {World} w @param {string} kpid */
const stopCounting = (w, kpid) => {
  dec(w, 'kernelPromises');
  dec(w, stateCounters[promiseOf(w, kpid).state]);
};

/** @param {World} w @param {string} kpid */
const deletePromise = (w, kpid) => {
  if (!w.uncounted.delete(kpid)) stopCounting(w, kpid);
  if (w.profile === 'current')
    promiseOf(w, kpid).parked.forEach(() => dec(w, 'promiseQueuesLength'));
  w.promises.delete(kpid);
};

/**
 * Leaves promises out of the counters that only parked messages name: in 2020 such a message was no reference.
 *
 * @param {World} w
 */
const leaveOut = w => {
  const counts = refCounts(w);
  for (const { parked } of w.promises.values())
    for (const { methargs, result } of parked)
      for (const kpid of [...methargs.slots, result ?? ''].filter(isPromise))
        counts.set(kpid, (counts.get(kpid) ?? 0) - 1);
  for (const [kpid, count] of counts) {
    if (count > 0) countAgain(w, kpid);
    else if (!w.uncounted.has(kpid)) {
      stopCounting(w, kpid);
      w.uncounted.add(kpid);
    }
  }
};

/**
 * Delete, at the end of a crank, promises without references, in `current` also cycles without other references.
 *
 * @param {World} w
 */
export const sweep = w => {
  for (;;) {
    const unreferenced = [...refCounts(w)].filter(([, count]) => count === 0);
    for (const [kpid] of unreferenced) deletePromise(w, kpid);
    if (unreferenced.length > 0) continue;
    if (w.profile !== 'current') {
      leaveOut(w);
      return;
    }
    const live = new Set(references(w));
    for (const kpid of live)
      for (const slot of w.promises.get(kpid)?.data?.slots ?? [])
        if (isPromise(slot)) live.add(slot);
    const rings = [...w.promises.keys()].filter(kpid => !live.has(kpid));
    for (const kpid of rings) deletePromise(w, kpid);
    if (rings.length === 0) return;
  }
};
