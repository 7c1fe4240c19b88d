// Reads the kernel's tables in the form of SwingSet's tools: queues, promises, c-lists, vats. `dump()` and the view of
// the key-value store use these.

import { figure } from '#kernel';
import { compareIds, isDeviceKref, isPromiseKref } from '#model';

/** @import { Kernel } from '#kernel' */

/** @typedef {Kernel['state']} State */

/** The number of the first vat. */
const firstVat = 1;

/** An item of the queue in SwingSet's form. @param {any} item */
const asEvent = ({ kind, target, message, vatId }, /** @type {State} */ state) => {
  switch (kind) {
    case 'send':
      return { type: 'send', target, msg: asMessage(message) };
    case 'notify':
      return { type: 'notify', vatID: vatId, kpid: target };
    case 'start': {
      const { parameters, parameterSlots } = state.vats.require(vatId);
      const vatParameters = { body: parameters, slots: [...parameterSlots] };
      return { type: 'startVat', vatID: vatId, vatParameters };
    }
    default:
      return {
        type: kind,
        ...(vatId !== '' && { vatID: vatId }),
        ...(target !== '' && { target }),
      };
  }
};

/** @param {{ methargs: { body: string, slots: readonly string[] }, result: string | null }} message */
const asMessage = ({ methargs: { body, slots }, result }) => ({
  methargs: { body, slots: [...slots] },
  ...(result !== null && { result }),
});

/** Our verdict of object collection → name of SwingSet's `gcAction`. */
const verdictNames = {
  dropExports: 'dropExport',
  retireExports: 'retireExport',
  retireImports: 'retireImport',
};

/**
 * The items of our queue, sorted into SwingSet's queues.
 *
 * @param {State} state
 */
export const readQueues = state => {
  /** @type {Record<string, any>[]} */
  const acceptance = [];
  /** @type {Record<string, any>[]} */
  const run = [];
  /** @type {string[]} */
  const gcActions = [];
  /** @type {string[]} */
  const reap = [];
  for (const item of state.queue.inOrder()) {
    const { kind, vatId, target } = item;
    if (kind === 'bringOutYourDead') reap.push(vatId);
    else if (Object.hasOwn(verdictNames, kind)) {
      const name = verdictNames[/** @type {keyof typeof verdictNames} */ (kind)];
      for (const kref of target.split(' ')) gcActions.push(`${vatId} ${name} ${kref}`);
    } else if (kind === 'send' || kind === 'notify' || kind === 'start')
      ('routed' in item && item.routed ? run : acceptance).push(asEvent(item, state));
  }
  return { acceptance, run, gcActions: gcActions.sort(), reap };
};

/**
 * @param {State} state
 * @param {string} kpid
 * @returns {Record<string, any> | undefined}
 */
export const readPromise = (state, kpid) => {
  const row = state.promises.find(kpid);
  if (row === undefined) return undefined;
  const { refCount, decider, subscribers, parked, data } = row;
  if (row.state === 'unresolved') {
    return {
      state: 'unresolved',
      refCount,
      decider: decider === '' ? undefined : decider,
      policy: 'ignore',
      subscribers: [...subscribers].sort(compareIds),
      queue: parked.map(message => ({ type: 'send', target: kpid, msg: asMessage(message) })),
    };
  }
  const { body, slots } = /** @type {NonNullable<typeof data>} */ (data);
  return {
    state: row.state === 'rejected' ? 'rejected' : 'fulfilled',
    refCount,
    data: { body, slots: [...slots] },
  };
};

/**
 * @param {State} state
 * @param {string} id  of a vat or a device
 * @returns {Generator<{ kref: string, vref: string, isReachable: boolean }>}
 */
export function* readClist({ vats }, id) {
  for (const { kref, vref, isReachable } of vats.clist(id).pairs())
    yield { kref, vref, isReachable: isReachable || isPromiseKref(kref) || isDeviceKref(kref) };
}

/** Ids of the running vats. @param {State} state */
export const runningVats = ({ vats }) => vats.vatIds().filter(vatId => vats.isRunning(vatId));

/** The root of vatAdmin, which SwingSet's kernel pins. @param {State} state @returns {string | undefined} its kref */
export const findAdminRoot = ({ vats }) => {
  const isAdmin = (/** @type {string} */ vatId) => {
    const { name, isBuiltIn, state } = vats.require(vatId);
    return isBuiltIn && name === 'vatAdmin' && state === 'running';
  };
  const vatId = vats.vatIds().find(isAdmin);
  return vatId === undefined ? undefined : vats.clist(vatId).findKref('o+0');
};

/**
 * The kernel's counters by SwingSet's names: a counter `x` with increments and a maximum gives `x`, `xUp`, `xMax` and so
 * on. Numbers that SwingSet counts and this kernel does not are computed from the tables, without their maxima.
 *
 * @param {Kernel} kernel
 * @returns {Record<string, number>}
 */
export const flattenCounters = kernel => {
  const { state } = kernel;
  /** @type {Record<string, number>} */
  const counters = Object.fromEntries(
    Object.entries(kernel.counters.toRecord()).flatMap(([name, { value, ...others }]) => [
      [name, value],
      ...Object.entries(others).map(([field, number]) => [
        name + field[0].toUpperCase() + field.slice(1),
        number,
      ]),
    ]),
  );
  let parked = 0;
  for (const kpid of state.promises.table.keys())
    parked += state.promises.find(kpid)?.parked.length ?? 0;
  const vats = runningVats(state).length;
  const vatsUp = state.figures.numbers[figure.nextVat] - firstVat;
  return {
    ...counters,
    ...{ vats, vatsUp, vatsDown: vatsUp - vats },
    acceptanceQueueLength: readQueues(state).acceptance.length,
    promiseQueuesLength: parked,
    ...Object.fromEntries(
      ['', 'Up', 'Down'].map(field => [
        `kpFulfilled${field}`,
        counters[`kpFulfilledToData${field}`] + counters[`kpFulfilledToPresence${field}`],
      ]),
    ),
  };
};
