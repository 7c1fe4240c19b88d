// Reads the kernel's tables in the form of SwingSet's tools: queues, promises, c-lists, vats. `dump()` and the view of
// the key-value store use these.

import { readBootstrapResult } from '#host';
import { figure } from '#kernel';
import { compareIds, compareTexts, isDeviceKref, isPromiseKref } from '#model';
import { readResultPolicy } from './result-policy.js';

/** @import { Kernel } from '#kernel' */

/** @typedef {Kernel['state']} State */

/** The number of the first vat. */
const firstVat = 1;

/**
 * The start of a vat in SwingSet's form: of one that is made in the run, its creation.
 *
 * @param {State} state
 * @param {string} vatID
 */
export const asStart = ({ vats }, vatID) => {
  const { isStatic, isBuiltIn, name, source, options, ...row } = vats.require(vatID);
  const vatParameters = { body: row.parameters, slots: [...row.parameterSlots] };
  if (isStatic || isBuiltIn) return { type: 'startVat', vatID, vatParameters };
  const dynamicOptions = { ...options, name, critical: options.critical === true };
  return {
    ...{ type: 'create-vat', vatID, source: { bundleID: source } },
    ...{ vatParameters, dynamicOptions },
  };
};

/** An item of the queue in SwingSet's form. @param {any} item */
const asEvent = ({ kind, target, message, vatId }, /** @type {State} */ state) => {
  switch (kind) {
    case 'send':
      return { type: 'send', target, msg: asMessage(message) };
    case 'notify':
      return { type: 'notify', vatID: vatId, kpid: target };
    case 'start':
      return asStart(state, vatId);
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
 * The items of our queue, sorted into SwingSet's queues. There what a crank sends waits in the acceptance queue until the
 * next crank; here it is routed at the crank's end, so messages that found no vat are in neither.
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
  // Items from this number on were queued by the last crank or after it.
  const sentFrom = state.figures.numbers[figure.lastCrankItem];
  for (const item of state.queue.inOrder()) {
    const { kind, vatId, target, seq } = item;
    if (kind === 'bringOutYourDead') reap.push(vatId);
    else if (Object.hasOwn(verdictNames, kind)) {
      const name = verdictNames[/** @type {keyof typeof verdictNames} */ (kind)];
      for (const kref of target.split(' ')) gcActions.push(`${vatId} ${name} ${kref}`);
    } else if (kind === 'send' || kind === 'notify' || kind === 'start')
      (seq < sentFrom ? run : acceptance).push(asEvent(item, state));
  }
  const accepted = withSystemStarts(state, acceptance);
  return { acceptance: accepted, run, gcActions: gcActions.sort(), reap };
};

/**
 * Before the first crank, adds the starts of the system's own vats, which are no items here, to those of the config's.
 *
 * @param {State} state
 * @param {Record<string, any>[]} acceptance
 */
const withSystemStarts = (state, acceptance) => {
  const { vats, figures } = state;
  if (figures.numbers[figure.crankNumber] > 0) return acceptance;
  const isStart = (/** @type {Record<string, any>} */ { type }) => type === 'startVat';
  const own = vats.vatIds().filter(vatId => vats.require(vatId).isBuiltIn);
  const starts = [
    ...own.map(vatId => asEvent({ kind: 'start', vatId }, state)),
    ...acceptance.filter(isStart),
  ].sort((left, right) => compareIds(left.vatID, right.vatID));
  return [...starts, ...acceptance.filter(event => !isStart(event))];
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
      // There each parked message also counts as a reference to the promise that it waits for.
      refCount: refCount + parked.length,
      decider: decider === '' ? undefined : decider,
      policy: readResultPolicy(state, kpid),
      // As texts, which is also the order in which they are notified.
      subscribers: [...subscribers].sort(compareTexts),
      queue: parked.map(asMessage),
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
const runningVats = ({ vats }) => vats.vatIds().filter(vatId => vats.isRunning(vatId));

/**
 * Ids of the running vats that SwingSet has: it has only the number of a vat whose creation is queued.
 *
 * @param {State} state
 */
export const madeVats = state =>
  runningVats(state).filter(
    vatId => state.vats.require(vatId).isStatic || !state.queue.index.hasStart(vatId),
  );

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
 * The lengths of SwingSet's two queues and how they came about. All that is sent passes the acceptance queue, and so does
 * the start of each vat, which here is no item of the queue for vats that are there from the beginning: these and
 * `bootstrap` are there at once.
 *
 * @param {State} state
 * @param {ReturnType<typeof readQueues>} queues
 * @param {Record<string, number>} counters
 * @param {number} vatsUp
 * @param {boolean} hasBootstrap
 */
const countQueues = (state, { acceptance, run }, counters, vatsUp, hasBootstrap) => {
  const notifies = [...acceptance, ...run].filter(({ type }) => type === 'notify').length;
  const accepted =
    counters.syscallSend +
    (counters.dispatchNotify + counters.toldNotifies + counters.deadNotifies + notifies) +
    vatsUp;
  const rows = state.vats.vatIds().map(vatId => state.vats.require(vatId));
  const started = rows.filter(({ isStatic, isBuiltIn }) => isStatic || isBuiltIn).length;
  const routed = counters.runQueueLengthUp + started - acceptance.length;
  const first = started + (hasBootstrap ? 1 : 0);
  const isBegun = state.figures.numbers[figure.crankNumber] > 0;
  return {
    runQueueLength: run.length,
    runQueueLengthUp: routed,
    runQueueLengthDown: routed - run.length,
    runQueueLengthMax: isBegun ? Math.max(first, counters.runQueueLengthMax) : 0,
    acceptanceQueueLength: acceptance.length,
    acceptanceQueueLengthUp: accepted,
    acceptanceQueueLengthDown: accepted - acceptance.length,
    acceptanceQueueLengthMax: Math.max(first, state.figures.numbers[figure.mostAccepted]),
  };
};

/** SwingSet's counters in its order; one with a list also has increments, decrements and its maximum. */
const tallies = /** @type {const} */ ([
  ...['syscalls', 'syscallSend', 'syscallCallNow', 'syscallSubscribe', 'syscallResolve'],
  ...['syscallExit', 'syscallVatstoreGet', 'syscallVatstoreSet', 'syscallVatstoreGetNextKey'],
  ...['syscallVatstoreDelete', 'syscallDropImports', 'dispatches', 'dispatchDeliver'],
  'dispatchNotify',
]);
const gauges = /** @type {const} */ ([
  ...['kernelObjects', 'kernelDevices', 'kernelPromises', 'kpUnresolved', 'kpFulfilled'],
  ...['kpRejected', 'clistEntries', 'vats', 'runQueueLength', 'acceptanceQueueLength'],
  'promiseQueuesLength',
]);
const counterNames = [
  ...tallies,
  ...gauges.flatMap(name => ['', 'Up', 'Down', 'Max'].map(field => name + field)),
];

/**
 * The kernel's counters by SwingSet's names, and no others, since host programs hand on all that there are: a counter `x` with
 * increments and a maximum gives `x`, `xUp`, `xMax` and so on. Numbers that SwingSet counts and this kernel does not are
 * computed. A message that waited for a promise is sent once there, a notify that tells a vat nothing new is a dispatch,
 * and syscalls by which vats let go of objects do not count.
 *
 * @param {Kernel} kernel
 * @param {ReturnType<typeof readQueues>} [queues]  as they are now
 * @returns {Record<string, number>}
 */
export const flattenCounters = (kernel, queues = readQueues(kernel.state)) => {
  const all = allCounters(kernel, queues);
  return Object.fromEntries(counterNames.map(name => [name, all[name]]));
};

/** @param {Kernel} kernel @param {ReturnType<typeof readQueues>} queues @returns {Record<string, number>} */
const allCounters = (kernel, queues) => {
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
  const vats = state.vats.running;
  const { numbers } = state.figures;
  const vatsUp = numbers[figure.nextVat] - firstVat;
  // A state from before the maxima were kept has them from now on.
  const vatsMax = Math.max(numbers[figure.mostVats], vats);
  const kpFulfilled = counters.kpFulfilledToData + counters.kpFulfilledToPresence;
  const { sentAgain, toldNotifies, deadNotifies } = counters;
  return {
    ...counters,
    ...{ vats, vatsUp, vatsDown: vatsUp - vats, vatsMax },
    ...countQueues(state, queues, counters, vatsUp, readBootstrapResult(kernel) !== ''),
    syscalls:
      counters.syscalls -
      (sentAgain +
        counters.syscallDropImports +
        counters.syscallRetireImports +
        counters.syscallRetireExports),
    // SwingSet has the name and counts none.
    syscallDropImports: 0,
    syscallSend: counters.syscallSend - sentAgain,
    dispatches: counters.dispatches + toldNotifies + deadNotifies,
    dispatchNotify: counters.dispatchNotify + toldNotifies,
    ...Object.fromEntries(
      ['', 'Up', 'Down'].map(field => [
        `kpFulfilled${field}`,
        counters[`kpFulfilledToData${field}`] + counters[`kpFulfilledToPresence${field}`],
      ]),
    ),
    kpFulfilledMax: Math.max(numbers[figure.mostFulfilled], kpFulfilled),
  };
};
