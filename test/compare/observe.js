// Runs a kernel crank by crank and says what each changed, in the form of the traces (trace.js): seen from outside,
// as the difference between the kernel's tables before and after, and from the vats' transcripts.

import { findSoleSlot } from '#model';

/** @typedef {ReturnType<typeof import('#kernel').makeKernel>} Kernel */
/** @typedef {import('#model').CapData} CapData */
/** @typedef {import('#model').Delivery} Delivery */
/** @typedef {import('#model').Syscall} Syscall */
/** @typedef {import('#model').Resolution} Resolution */
/** @typedef {import('./trace.js').Step} Step */

/** The 2020 names of what became of a promise. */
const stateNames = /** @type {const} */ ({
  unresolved: 'unresolved',
  presence: 'fulfilledToPresence',
  data: 'fulfilledToData',
  rejected: 'rejected',
});

/**
 * @param {Kernel} kernel  under `2020-09`, whose bodies are JSON and which settles promises one by one
 * @param {() => Promise<number>} runCrank  runs one crank; 0 when there was none
 * @returns {Promise<Step[]>} every crank until the queue is empty
 */
export const observeCranks = async (kernel, runCrank) => {
  /** @type {Step[]} */
  const steps = [];
  let before = look(kernel);
  for (;;) {
    const [item] = kernel.state.queue.inOrder();
    if (item === undefined || (await runCrank()) === 0) return steps;
    const after = look(kernel);
    steps.push({
      crank: steps.length + 1,
      msg: toEntry(item),
      deliveries: [...after.transcripts].flatMap(([vat, entries]) =>
        entries.slice(before.transcripts.get(vat)?.length ?? 0).map(entry => ({
          vat,
          d: toDelivery2020(entry.delivery),
          syscalls: entry.syscalls.flatMap(toSyscalls2020),
        })),
      ),
      queued: after.queue.filter(({ seq }) => !before.seqs.has(seq)).map(toEntry),
      clistAdded: [...after.clist].filter(pair => !before.clist.has(pair)),
      clistRemoved: [...before.clist].filter(pair => !after.clist.has(pair)),
      promisesAdded: [...after.promises.keys()].filter(kref => !before.promises.has(kref)),
      promisesRemoved: [...before.promises.keys()].filter(kref => !after.promises.has(kref)),
      promisesResolved: [...after.promises].filter(
        ([kref, state]) => before.promises.get(kref) === 'unresolved' && state !== 'unresolved',
      ),
      stats: after.stats,
    });
    before = after;
  }
};

/**
 * A vat of 2020 started without a delivery.
 *
 * @param {{ delivery: Delivery }} entry
 */
const isShown = ({ delivery }) => delivery[0] !== 'startVat';

/** @param {Kernel} kernel */
const look = kernel => {
  const { vats, promises, queue, counters } = kernel.state;
  const vatIds = vats.vatIds();
  const queued = [...queue.inOrder()];
  return {
    clist: new Set(
      vatIds.flatMap(vatId =>
        [...vats.clist(vatId).pairs()].map(({ vref, kref }) => `${kref}|${vatId}|${vref}`),
      ),
    ),
    promises: new Map(
      [...promises.table.entries()].map(([kref, { state }]) => [kref, stateNames[state]]),
    ),
    queue: queued,
    seqs: new Set(queued.map(({ seq }) => seq)),
    transcripts: new Map(
      vatIds.map(vatId => [
        vatId,
        [...kernel.transcript(vatId)].filter(entry => entry.kind === 'deliver').filter(isShown),
      ]),
    ),
    stats: flatten(counters.toRecord()),
  };
};

/**
 * `clistEntries: { value, up, … }` → `clistEntries`, `clistEntriesUp`, ….
 *
 * @param {Record<string, { value: number, up?: number, down?: number, max?: number }>} counters
 */
const flatten = counters => {
  /** @type {Record<string, number>} */
  const flat = {};
  for (const [name, { value, up, down, max }] of Object.entries(counters)) {
    flat[name] = value;
    if (up !== undefined) flat[`${name}Up`] = up;
    if (down !== undefined) flat[`${name}Down`] = down;
    if (max !== undefined) flat[`${name}Max`] = max;
  }
  return flat;
};

/**
 * A queue entry as that kernel wrote it.
 *
 * @param {{ kind: string, vatId: string, target: string, message: { methargs: CapData, result: string | null } | null }} item
 */
const toEntry = ({ kind, vatId, target, message }) =>
  message === null
    ? { type: kind, vatID: vatId, kpid: target }
    : { type: kind, target, msg: { ...splitMethargs(message.methargs), result: message.result } };

/**
 * `["method",[…]]` → the method, and the arguments as a body of their own.
 *
 * @param {CapData} methargs
 */
const splitMethargs = ({ body, slots }) => {
  const [method, args] = JSON.parse(body);
  return { method, args: { body: JSON.stringify(args), slots } };
};

/**
 * @param {Delivery} delivery
 * @returns {any[]}
 */
const toDelivery2020 = delivery => {
  if (delivery[0] === 'message') {
    const [, target, methargs, result] = delivery;
    const { method, args } = splitMethargs(methargs);
    return ['deliver', target, method, args, result];
  }
  if (delivery[0] === 'notify') {
    const [resolution] = delivery[1];
    const [kind, ...rest] = toResolution2020(resolution);
    return [`notify${kind[0].toUpperCase()}${kind.slice(1)}`, ...rest];
  }
  return [...delivery];
};

/**
 * @param {Syscall} syscall
 * @returns {any[][]}
 */
const toSyscalls2020 = syscall => {
  if (syscall[0] === 'send') {
    const [, target, methargs, result] = syscall;
    const { method, args } = splitMethargs(methargs);
    return [['send', target, method, args, result]];
  }
  if (syscall[0] === 'resolve') return syscall[1].map(toResolution2020);
  return [[...syscall]];
};

/**
 * @param {Resolution} resolution
 * @returns {[kind: string, promise: string, outcome: string | CapData]}
 */
const toResolution2020 = ([promise, rejected, data]) => {
  if (rejected) return ['reject', promise, data];
  const sole = findSoleSlot(data);
  return sole === undefined
    ? ['fulfillToData', promise, data]
    : ['fulfillToPresence', promise, sole];
};
