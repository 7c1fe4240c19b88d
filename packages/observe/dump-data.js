// A kernel's tables as plain data, for programs: the content of dump.js, uncut.

import { rawTables } from '#kernel';
import { compareIds } from '#model';
import { describeEngines } from './engine-facts.js';

/** @import { Kernel } from '#kernel' */

/** @param {Iterable<string>} ids */
const sorted = ids => [...ids].sort(compareIds);

/** @param {Kernel['state']} state @param {string} kref */
const describePromise = (state, kref) => {
  const row = state.promises.require(kref);
  if (row.state !== 'unresolved')
    return { kref, state: row.state, data: row.data, refCount: row.refCount };
  const { decider, subscribers, parked, refCount } = row;
  return {
    ...{ kref, state: row.state, decider: decider === '' ? null : decider },
    ...{ subscribers: [...subscribers], parkedMessages: parked.length, refCount },
  };
};

/** @param {Kernel['state']} state */
const describeQueue = state =>
  [...state.queue.inOrder()].map(({ kind, vatId, target, message, timeNs, microstep }) => ({
    ...{ timeNs, microstep, kind, vatId: vatId || null, target: target || null },
    ...(message !== null && { methargs: message.methargs, result: message.result }),
  }));

/**
 * Describe vats, devices, objects, promises, c-lists, the queue, and the engines that ran the state.
 *
 * @param {Kernel} kernel  between cranks
 * @returns plain data, sorted by id; references are krefs
 */
export const describeTables = kernel => {
  const { state } = kernel;
  const { all, control } = kernel.cranks;
  const vats = kernel
    .vats()
    .map(({ vatId, name, state: life, isBuiltIn }) => ({ vatId, name, state: life, isBuiltIn }));
  const devices = kernel.devices().map(({ deviceId, name }) => ({ deviceId, name }));
  const owners = [...vats.map(({ vatId }) => vatId), ...sorted(state.vats.deviceIds())];
  return {
    ...{ profile: kernel.profile.name, cranks: { all, control }, vats, devices },
    objects: sorted(state.owners.keys()).map(kref => ({ kref, owner: state.owners.get(kref) })),
    promises: sorted(state.promises.table.keys()).map(kref => describePromise(state, kref)),
    clists: Object.fromEntries(
      owners.map(id => {
        const pairs = new Map([...state.vats.clist(id).pairs()].map(pair => [pair.kref, pair]));
        const list = sorted(pairs.keys()).map(kref => ({ kref, vref: pairs.get(kref)?.vref }));
        return [id, list];
      }),
    ),
    queue: describeQueue(state),
    engines: describeEngines(kernel),
  };
};

/**
 * Keys and values in the store's form and order.
 *
 * @param {Kernel} kernel  between cranks
 */
export const describeRawTables = kernel => ({
  entries: rawTables(kernel.state).map(([key, value]) => ({ key, value })),
});
