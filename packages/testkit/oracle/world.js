// The tables of the reference kernel: maps and lists, copied completely before each crank. Nothing is cached or undone;
// references to a promise are counted anew whenever needed. Written from packages/README.md, not from the kernel.

import { errorData } from './reference-bodies.js';

/** @import { CapData } from '#model' */

/** @typedef {'current' | '2020-09'} ProfileName */

/** @typedef {{ kref: string, reachable: boolean }} Entry */

/** @typedef {{ pairs: Map<string, Entry>, nextObject: number, nextPromise: number, nextDevice: number, seenObjects: number }} List */

/**
 * @typedef {object} Vat
 * @property {string} name
 * @property {boolean} isStatic  a vat of the config, not a dynamic one
 * @property {string} source
 * @property {CapData} parameters  in krefs
 * @property {number} incarnation  number of upgrades
 * @property {number} firstPromise  first promise of the present incarnation
 * @property {string} transcript  of the present incarnation, hexadecimal
 * @property {'running' | 'ended'} state
 * @property {boolean} pipelining
 * @property {number} [interval]  number of deliveries between requests for its dead references, if its options say it
 * @property {number} [mostGcKrefs]  number of objects that it is told of between these requests, if its options say it
 * @property {boolean} mayLetGo  whether it may let go of objects when it is not asked
 * @property {number} count
 * @property {number} gcKrefs
 * @property {boolean} isAsked
 * @property {string} [reapChange]  the tag at which its interval changed last
 * @property {boolean} isBuiltIn
 * @property {boolean} isCritical  its end stops the run
 * @property {boolean} isEnding
 * @property {boolean} holdsDevice
 * @property {List | undefined} list  undefined when an ended vat is cleaned up
 * @property {Map<string, string>} store
 */

/** @typedef {{ methargs: CapData, result: string | null }} Message */

/** @typedef {'presence' | 'data' | 'rejected'} Settled */

/** @typedef {{ state: 'unresolved' | Settled, decider: string, subscribers: string[], parked: Message[], data: CapData | null }} Promised */

/** @typedef {{ seq: number, kind: string, vatId: string, target: string, message: Message | null, timeNs: number, microstep: number, class: number, stage?: number }} Item */

/** @typedef {import('#model').ReactorShape} ReactorShape */

/** A value under way to an input or an action of a vat. @typedef {{ timeNs: number, microstep: number, stage: number, channel: number, data: CapData }} Value */

/** Where an output leads. @typedef {{ to: string, channel: number, afterNs: number, isPhysical: boolean }} Link */

/** @typedef {{ firstTimeNs: number, firstMicrostep: number, endTimeNs: number, endMicrostep: number, endStage: number, cranks: number }} Quiet */

/**
 * @typedef {object} Reactors
 * @property {ReactorShape} shape
 * @property {Link[][]} links  by output
 * @property {number[]} stages  by input; empty if all are 0
 * @property {string} program  the first of its vats
 * @property {{ timeNs: number, microstep: number, stage: number } | undefined} own  when it wants to run
 * @property {{ timeNs: number, microstep: number } | undefined} stop  the last tag of its program
 * @property {boolean} isStopping  it was told of its last tag
 * @property {boolean} knowsStages
 * @property {boolean} callsDevices  its code was given a device
 * @property {Value[]} values
 * @property {Quiet | undefined} quiet  cranks that are not in the transcript yet
 */

/** @typedef {{ value: number, up: number, down: number, max: number }} Count */

/**
 * Numbers of entries of each kind that one step deletes. @typedef {{ default: number, exports?: number, imports?:
 * number, promises?: number, kv?: number }} Budget
 */

/**
 * @typedef {object} World
 * @property {ProfileName} profile
 * @property {Record<string, Count>} counters
 * @property {{ object: number, promise: number, device: number, vat: number, item: number, input: number, handOut: number }} next
 * @property {number} timeNs  of the last item taken
 * @property {number} microstep  of the last item taken
 * @property {number} cranks
 * @property {number} controlCranks
 * @property {Map<string, Vat>} vats
 * @property {Map<string, string>} places  ids of the vats of the config in the order of their names, by their ids
 * @property {Map<string, { name: string, list: List, store: Map<string, string> }>} devices
 * @property {Map<string, string>} owners
 * @property {Map<string, Promised>} promises
 * @property {Set<string>} uncounted  promises that the counters leave out, in 2020
 * @property {Map<string, number>} ghosts  references left by entries of ended vats, in 2020
 * @property {Map<string, number>} held  by the host
 * @property {Map<string, Reactors>} reactors  of vats that run
 * @property {import('./reference-reactors.js').Plan | undefined} plan  connections, until they are made
 * @property {Item[]} queue
 * @property {Item[]} sent  sent and not yet routed, in `current`
 * @property {string | undefined} criticalEnd  the critical vat that ended first
 * @property {boolean | Budget} cleansUp  whether ended vats are cleaned up, or the budget of one step
 * @property {[number: number, deviceId: string, data: string][]} outbox  data that devices have handed out
 * @property {Pick<Vat, 'interval' | 'mostGcKrefs'>} thresholds  of vats whose options say nothing
 */

export const isPromise = (/** @type {string} */ kref) => kref.startsWith('kp');
export const isObject = (/** @type {string} */ kref) => kref.startsWith('ko');
export const isDevice = (/** @type {string} */ kref) => kref.startsWith('kd');
export const numberOf = (/** @type {string} */ id) => Number(/\d+$/.exec(id)?.[0]);
export const byNumber = (/** @type {string} */ left, /** @type {string} */ right) =>
  numberOf(left) - numberOf(right);
/** In the order of their bytes. */
export const byText = (/** @type {string} */ left, /** @type {string} */ right) =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

/**
 * @template T
 * @param {T | undefined} value
 * @returns {T}
 */
export const must = value => {
  if (value === undefined) throw Error('the reference kernel is wrong: something is not there');
  return value;
};

/** @returns {List} */
export const emptyList = () => ({
  pairs: new Map(),
  nextObject: 50,
  nextPromise: 60,
  nextDevice: 70,
  seenObjects: 50,
});

/** @param {World} w @param {string} name @returns {Count} */
const countOf = (w, name) => (w.counters[name] ??= { value: 0, up: 0, down: 0, max: 0 });

/** @param {World} w @param {string} name */
export const inc = (w, name) => {
  const count = countOf(w, name);
  count.value += 1;
  count.up += 1;
  count.max = Math.max(count.max, count.value);
};

/** @param {World} w @param {string} name */
export const dec = (w, name) => {
  const count = countOf(w, name);
  count.value -= 1;
  count.down += 1;
};

/**
 * @param {World} w
 * @param {Pick<Vat, 'name' | 'pipelining' | 'interval' | 'mostGcKrefs' | 'isBuiltIn' | 'isCritical' | 'isStatic' | 'mayLetGo' | 'source' | 'parameters'>} fields
 * @returns {string} its id
 */
export const addVat = (w, fields) => {
  const vatId = `v${w.next.vat}`;
  w.next.vat += 1;
  // The start of a vat counts, also where it is no crank.
  const count = fields.isBuiltIn ? 1 : 0;
  w.vats.set(vatId, {
    ...{ ...fields, state: 'running', count, gcKrefs: 0, isAsked: false, isEnding: false },
    ...{ incarnation: 0, firstPromise: 0, transcript: '', holdsDevice: false },
    ...{ list: emptyList(), store: new Map() },
  });
  return vatId;
};

/** @param {Pick<World, 'timeNs' | 'microstep'>} w */
export const presentTag = ({ timeNs, microstep }) => `${timeNs} ${microstep}`;

/**
 * Whether a vat has had as many deliveries, or was told of as many objects, as it may be before it is asked for its dead
 * references. One without any interval is not asked here, since programs are too short for that.
 *
 * @param {World} w
 * @param {Vat} vat
 */
export const isDue = ({ thresholds }, { interval, mostGcKrefs, count, gcKrefs }) => {
  const mostDeliveries = interval ?? thresholds.interval;
  const usual = mostDeliveries === undefined ? Infinity : usualGcKrefs;
  return (
    count >= (mostDeliveries ?? Infinity) ||
    gcKrefs >= (mostGcKrefs ?? thresholds.mostGcKrefs ?? usual)
  );
};

/** Objects of which a vat with an interval is told before it is asked, unless something else is said. */
const usualGcKrefs = 20;

/** Whether a vat is only asked by the test. @param {Pick<Vat, 'isBuiltIn' | 'interval'>} vat */
export const isNeverAsked = ({ isBuiltIn, interval }) => isBuiltIn && interval === Infinity;

/** @param {World} w @param {string} vatId */
export const vatOf = (w, vatId) => must(w.vats.get(vatId));

/** @param {World} w @param {string} vatId */
export const listOf = (w, vatId) => must(vatOf(w, vatId).list);

/** @param {World} w @param {string} kpid */
export const promiseOf = (w, kpid) => must(w.promises.get(kpid));

/** @param {World} w @param {string | undefined} vatId */
export const isRunning = (w, vatId) =>
  vatId !== undefined && w.vats.get(vatId)?.state === 'running';

/** @param {List} list @param {string} kref @returns {string | undefined} */
export const vrefOf = (list, kref) => {
  for (const [vref, entry] of list.pairs) if (entry.kref === kref) return vref;
  return undefined;
};

/** @param {World} w @param {List} list @param {boolean} isVat @param {string} kref @param {string} vref */
export const addEntry = (w, list, isVat, kref, vref) => {
  list.pairs.set(vref, { kref, reachable: true });
  if (isVat) inc(w, 'clistEntries');
};

/** @param {World} w @param {List} list  of a vat @param {string} kref */
export const deleteEntry = (w, list, kref) => {
  list.pairs.delete(must(vrefOf(list, kref)));
  dec(w, 'clistEntries');
};

/**
 * Find or add the vref of a kref in a vat or a device, and mark it as reachable.
 *
 * @param {World} w
 * @param {List} list
 * @param {boolean} isVat
 * @param {string} kref
 */
export const provideVref = (w, list, isVat, kref) => {
  const known = vrefOf(list, kref);
  if (known !== undefined) {
    must(list.pairs.get(known)).reachable = true;
    return known;
  }
  let vref;
  if (isPromise(kref)) {
    vref = `p-${list.nextPromise}`;
    list.nextPromise += 1;
  } else if (isDevice(kref)) {
    vref = `d-${list.nextDevice}`;
    list.nextDevice += 1;
  } else {
    vref = `o-${list.nextObject}`;
    list.nextObject += 1;
  }
  addEntry(w, list, isVat, kref, vref);
  return vref;
};

/** @param {World} w @param {string} decider */
export const addPromise = (w, decider) => {
  const kpid = `kp${w.next.promise}`;
  w.next.promise += 1;
  w.promises.set(kpid, { state: 'unresolved', decider, subscribers: [], parked: [], data: null });
  inc(w, 'kernelPromises');
  inc(w, 'kpUnresolved');
  return kpid;
};

/** @param {World} w @param {string} vatId */
export const exportObject = (w, vatId) => {
  const kref = `ko${w.next.object}`;
  w.next.object += 1;
  w.owners.set(kref, vatId);
  inc(w, 'kernelObjects');
  return kref;
};

export const messageClass = 1;

/** @param {World} w @param {Item} item */
export const queueItem = (w, item) => {
  w.queue.push(item);
  w.queue.sort(
    (a, b) =>
      a.timeNs - b.timeNs || a.microstep - b.microstep || a.class - b.class || a.seq - b.seq,
  );
  if (item.class === messageClass) inc(w, 'runQueueLength');
};

/** @param {World} w @param {Pick<Item, 'kind' | 'vatId' | 'target' | 'message' | 'class'> & { microstep?: number }} fields @returns {Item} */
export const makeItem = (w, fields) => {
  const seq = w.next.item;
  w.next.item += 1;
  return { seq, timeNs: w.timeNs, microstep: w.microstep + 1, ...fields };
};

/** Tell whether an item is about a vat's life or object collection. @param {Item} item */
export const isControl = ({ kind }) => !['send', 'notify', 'wake', 'react'].includes(kind);

/**
 * Send an item; in `current` it waits for routing.
 *
 * @param {World} w
 * @param {Pick<Item, 'kind' | 'vatId' | 'target' | 'message'>} fields
 */
const send = (w, fields) => {
  const item = makeItem(w, { ...fields, class: messageClass });
  if (w.profile === 'current') w.sent.push(item);
  else queueItem(w, item);
};

/** @param {World} w @param {string} target @param {Message} message */
export const queueSend = (w, target, message) => {
  for (const named of [target, message.result ?? '', ...message.methargs.slots])
    countAgain(w, named);
  send(w, { kind: 'send', vatId: '', target, message });
};

/** @param {World} w @param {string} kpid  unresolved @param {Message} message */
export const park = (w, kpid, message) => {
  promiseOf(w, kpid).parked.push(message);
  if (w.profile === 'current') inc(w, 'promiseQueuesLength');
};

/** Send a parked message again. @param {World} w @param {string} kpid @param {Message} message */
export const sendAgain = (w, kpid, message) => {
  if (w.profile === 'current') {
    dec(w, 'promiseQueuesLength');
    inc(w, 'sentAgain');
  }
  queueSend(w, kpid, message);
  inc(w, 'syscalls');
  inc(w, 'syscallSend');
};

/** @param {World} w @param {string} vatId @param {string} kpid */
export const queueNotify = (w, vatId, kpid) =>
  send(w, { kind: 'notify', vatId, target: kpid, message: null });

/** @param {World} w @param {string} kind @param {string} vatId @param {string[]} [krefs] */
export const queueControl = (w, kind, vatId, krefs = []) =>
  queueItem(w, makeItem(w, { kind, vatId, target: krefs.join(' '), message: null, class: 0 }));

/** Queue a step of object collection before what is left of the present tag. @type {typeof queueControl} */
export const queueAtOnce = (w, kind, vatId, krefs = []) => {
  // A lying report may have said -0.
  const microstep = w.microstep + 0;
  const target = krefs.join(' ');
  queueItem(w, makeItem(w, { kind, vatId, target, message: null, class: 0, microstep }));
};

/**
 * Queue a control item after the messages that were queued before it.
 *
 * @param {World} w
 * @param {string} kind
 * @param {string} vatId
 * @param {string} [target]
 * @param {Message | null} [message]
 */
export const queueInTurn = (w, kind, vatId, target = '', message = null) =>
  queueItem(w, makeItem(w, { kind, vatId, target, message, class: messageClass }));

/** Find the single slot of which data consists. @param {CapData} data */
export const soleSlot = ({ body, slots }) =>
  slots.length === 1 && /^(?:#"[$&]0[."]|\{"@qclass":"slot")/.test(body) ? slots[0] : undefined;

export const stateCounters = {
  unresolved: 'kpUnresolved',
  presence: 'kpFulfilledToPresence',
  data: 'kpFulfilledToData',
  rejected: 'kpRejected',
};

/** @param {boolean} isRejected @param {CapData} data @returns {Settled} */
export const settledAs = (isRejected, data) => {
  if (isRejected) return 'rejected';
  return isObject(soleSlot(data) ?? '') ? 'presence' : 'data';
};

/**
 * Resolve a promise: notify subscribers, then send parked messages again.
 *
 * @param {World} w
 * @param {string} kpid
 * @param {Settled} state
 * @param {CapData} data
 * @param {string} settler
 */
export const settle = (w, kpid, state, data, settler) => {
  const row = promiseOf(w, kpid);
  const { subscribers, parked } = row;
  Object.assign(row, { state, data, decider: '', subscribers: [], parked: [] });
  dec(w, 'kpUnresolved');
  inc(w, stateCounters[state]);
  const placeOf = (/** @type {string} */ vatId) =>
    w.profile === 'current' ? (w.places.get(vatId) ?? vatId) : vatId;
  subscribers.sort((left, right) => byText(placeOf(left), placeOf(right)));
  for (const vatId of subscribers)
    if (w.profile === 'current' || vatId !== settler) queueNotify(w, vatId, kpid);
  for (const message of parked) sendAgain(w, kpid, message);
};

/** @param {World} w @param {string} kpid @param {string} why @param {string} [settler] */
export const rejectWith = (w, kpid, why, settler = '') =>
  settle(w, kpid, 'rejected', errorData(w.profile, why), settler);

/** A promise that was left out of the counters has a reference again. @param {World} w @param {string} kref */
export const countAgain = (w, kref) => {
  if (!w.uncounted.delete(kref)) return;
  for (const name of ['kernelPromises', stateCounters[promiseOf(w, kref).state]]) {
    const count = countOf(w, name);
    count.value += 1;
    count.down -= 1;
    count.max = Math.max(count.max, count.value);
  }
};

/** SwingSet numbers these vats before those of the config. */
export const systemVats = ['vatAdmin', 'comms', 'vattp', 'timer'];
