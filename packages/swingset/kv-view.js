// A read-only view of a run's state under the keys of SwingSet's key-value store, for tools. It is computed from our
// tables on demand. Keys of snapshots have the values that SwingSet would use.

import { listNamedBundles, readDeviceRecord } from '#host';
import { figure, isNeverAsked, readReapCounts, usualGcKrefs } from '#kernel';
import { compareIds, compareTexts } from '#model';
import { kunser } from './kmarshal.js';
import { managerTypeKey, snapshotIntervalKey } from './host-keys.js';
import { listPins } from './pins.js';
import { countObjects } from './reference-counts.js';
import {
  findAdminRoot,
  flattenCounters,
  madeVats,
  readClist,
  readPromise,
  readQueues,
} from './tables.js';

/** @import { Kernel } from '#kernel' */
/** @import { State } from './tables.js' */

/** The version of SwingSet's schema that has these keys. */
const swingsetSchema = '3';

/** SwingSet's defaults: the delivery after which a worker is stored first, and the number of deliveries after which again. */
const firstSnapshot = '3';
const usualSnapshotInterval = '200';

/** The kind of workers that the config asks for, which has no effect here. @param {Kernel} kernel */
const defaultManager = kernel => kernel.getHostValue(managerTypeKey) ?? 'local';

/** The number of the first meter. */
const firstMeter = 1;

/** The keys of meters in the store of the vatAdmin device (packages/system-vats/devices/meters.js). */
const meterPrefix = 'k.meter.';
const nextMeterKey = 'k.nextMeter';

/** Counters that SwingSet keeps apart: all its kernels agree on them. */
const consensusCounters = /^(?:run|acceptance|promise)Queues?Length/;

/** The number of the first device. */
const firstDevice = 7;

/** The key of a device's state in its own store (packages/vat/supervisor/device-slots.js). */
const deviceStateKey = 'state';

/**
 * @param {State} state
 * @param {string} vatId
 * @returns {Record<string, unknown>} the vat's own thresholds of object collection
 */
const ownThresholds = ({ vats }, vatId) => {
  const row = vats.require(vatId);
  if (isNeverAsked(row)) return { never: true };
  const { reapInterval, reapGCKrefs } = row.options;
  return {
    ...(reapInterval !== undefined && { deliveries: reapInterval }),
    ...(reapGCKrefs !== undefined && { gcKrefs: reapGCKrefs }),
  };
};

/**
 * A vat's options, as SwingSet has them.
 *
 * @param {State} state
 * @param {string} vatId
 * @param {string} defaultType  of workers
 */
const describeOptions = (state, vatId, defaultType) => {
  const { name, options, pipelining, isBuiltIn } = state.vats.require(vatId);
  const isComms = isBuiltIn && name === 'comms';
  const usual = isComms ? 'local' : defaultType;
  const { managerType = usual, reapInterval: _reap, reapGCKrefs: _krefs, ...others } = options;
  const { neverReap: _never, ...rest } = others;
  const described = {
    workerOptions: { type: managerType === 'xs-worker' ? 'xsnap' : managerType },
    name,
    enableSetup: options.enableSetup === true || isComms,
    enablePipelining: pipelining,
    enableDisavow: options.enableDisavow === true,
    useTranscript: options.useTranscript !== false && !isComms,
    reapDirtThreshold: ownThresholds(state, vatId),
    critical: options.critical === true,
  };
  // SwingSet's fields first, in its order, whatever was given.
  return { ...described, ...rest, ...described };
};

/** The kind of worker that a vat's options ask for. @param {Kernel} kernel @param {string} vatId @returns {string} */
export const workerOf = (kernel, vatId) =>
  /** @type {string} */ (
    describeOptions(kernel.state, vatId, defaultManager(kernel)).workerOptions.type
  );

/**
 * The running vats, in SwingSet's order: those of the config by name, then the others.
 *
 * @param {Kernel} kernel
 */
export const listActiveVats = kernel => {
  const running = madeVats(kernel.state).map(vatId => ({
    vatId,
    ...kernel.state.vats.require(vatId),
  }));
  const fixed = running.filter(({ isStatic }) => isStatic);
  return [
    ...fixed.sort((left, right) => compareTexts(left.name, right.name)),
    ...running.filter(({ isStatic }) => !isStatic),
  ].map(({ vatId }) => ({
    id: vatId,
    options: describeOptions(kernel.state, vatId, defaultManager(kernel)),
  }));
};

/**
 * @param {State} state
 * @param {string} vatId
 * @param {string} defaultType  of workers
 * @returns {Generator<[string, string]>}
 */
function* vatEntries(state, vatId, defaultType) {
  const row = state.vats.require(vatId);
  const body = row.parameters;
  yield [`${vatId}.source`, JSON.stringify({ bundleID: row.source })];
  yield [`${vatId}.options`, JSON.stringify(describeOptions(state, vatId, defaultType))];
  yield [`${vatId}.vatParameters`, JSON.stringify({ body, slots: [...row.parameterSlots] })];
  yield [`${vatId}.reapDirt`, JSON.stringify(readReapCounts(state, vatId))];
  yield* clistEntries(state, vatId, true);
  for (const key of state.vatstore.keys(vatId))
    yield [`${vatId}.vs.${key}`, state.vatstore.get(vatId, key) ?? ''];
}

/**
 * @param {State} state
 * @param {string} id
 * @param {boolean} hasFlags
 * @returns {Generator<[string, string]>}
 */
function* clistEntries(state, id, hasFlags) {
  const { nextObject, nextPromise, nextDevice } = state.vats.clist(id).requireNumbering();
  yield [`${id}.o.nextID`, String(nextObject)];
  if (hasFlags) {
    yield [`${id}.p.nextID`, String(nextPromise)];
    yield [`${id}.d.nextID`, String(nextDevice)];
  }
  for (const { kref, vref, isReachable } of readClist(state, id)) {
    yield [`${id}.c.${vref}`, kref];
    yield [`${id}.c.${kref}`, hasFlags ? `${isReachable ? 'R' : '_'} ${vref}` : vref];
  }
}

/**
 * @param {Kernel} kernel
 * @param {string} deviceId
 * @returns {Generator<[string, string]>}
 */
function* deviceEntries(kernel, deviceId) {
  const { state } = kernel;
  const { source, parameters } = readDeviceRecord(kernel, kernel.deviceName(deviceId));
  // Devices of the system have no bundle.
  if (source !== undefined) yield [`${deviceId}.source`, JSON.stringify({ bundleID: source })];
  yield [`${deviceId}.options`, JSON.stringify({ deviceParameters: parameters })];
  yield* clistEntries(state, deviceId, false);
  const own = state.vatstore.get(deviceId, deviceStateKey);
  if (own !== undefined) yield [`${deviceId}.deviceState`, own];
}

/**
 * @param {State} state
 * @param {string} kpid
 * @returns {Generator<[string, string]>}
 */
function* promiseEntries(state, kpid) {
  const promise = readPromise(state, kpid);
  if (promise === undefined) return;
  yield [`${kpid}.state`, promise.state];
  yield [`${kpid}.refCount`, String(promise.refCount)];
  if (promise.state === 'unresolved') {
    yield [`${kpid}.decider`, promise.decider ?? ''];
    yield [`${kpid}.subscribers`, promise.subscribers.join(',')];
    yield [`${kpid}.queue.nextID`, String(promise.queue.length)];
    if (promise.policy !== 'ignore') yield [`${kpid}.policy`, promise.policy];
    for (const [i, message] of promise.queue.entries())
      yield [`${kpid}.queue.${i}`, JSON.stringify(message)];
  } else {
    yield [`${kpid}.data.body`, promise.data.body];
    yield [`${kpid}.data.slots`, promise.data.slots.join(',')];
  }
}

/**
 * @param {string} name
 * @param {readonly object[]} events
 * @param {number} taken  events that have left the queue since the run began
 * @returns {Generator<[string, string]>}
 */
function* queueEntries(name, events, taken) {
  const first = taken + 1;
  yield [name, JSON.stringify([first, first + events.length])];
  for (const [i, event] of events.entries()) yield [`${name}.${first + i}`, JSON.stringify(event)];
}

/** @param {Kernel} kernel @returns {Generator<[string, string]>} */
function* meterEntries({ state, findDevice }) {
  const deviceId = findDevice('vatAdmin');
  const get = (/** @type {string} */ key) => {
    const text = deviceId === undefined ? undefined : state.vatstore.get(deviceId, key);
    return text === undefined ? undefined : kunser(JSON.parse(text));
  };
  yield ['meter.nextID', String(get(nextMeterKey) ?? firstMeter)];
  if (deviceId === undefined) return;
  for (const key of state.vatstore.keys(deviceId)) {
    if (!key.startsWith(meterPrefix)) continue;
    const { remaining, threshold } = get(key);
    const id = key.slice(meterPrefix.length);
    yield [`${id}.remaining`, String(remaining)];
    yield [`${id}.threshold`, String(threshold)];
  }
}

/** @param {State['figures']} figures @param {keyof typeof figure} name */
const next = (figures, name) => String(figures.numbers[figure[name]]);

/**
 * The entries of the kernel itself.
 *
 * @param {Kernel} kernel
 * @param {Record<string, number>} stats  its counters, by SwingSet's names
 * @returns {Generator<[string, string]>}
 */
function* kernelEntries(kernel, stats) {
  const { state } = kernel;
  const { vats, figures } = state;
  const { interval = 'never', gcKrefs = usualGcKrefs } = state.reapThresholds;
  const running = madeVats(state).map(vatId => ({ vatId, ...vats.require(vatId) }));
  const staticVats = running.filter(({ isStatic }) => isStatic);
  const devices = vats.deviceIds().map(id => ({ id, name: vats.requireDevice(id).name }));
  const dynamicVats = running.filter(({ isStatic }) => !isStatic);
  yield ['version', swingsetSchema];
  yield ['crankNumber', String(kernel.cranks.all)];
  yield ['activityhash', kernel.activityHash()];
  yield [
    'kernel.defaultReapDirtThreshold',
    JSON.stringify({ deliveries: interval, gcKrefs, computrons: 'never' }),
  ];
  yield ['kernel.defaultManagerType', defaultManager(kernel)];
  yield ['kernel.snapshotInitial', firstSnapshot];
  yield [
    'kernel.snapshotInterval',
    kernel.getHostValue(snapshotIntervalKey) ?? usualSnapshotInterval,
  ];
  for (const [name, id] of listNamedBundles(kernel)) yield [`namedBundleID.${name}`, id];
  const counters = Object.entries(stats);
  const isAgreed = (/** @type {[string, number]} */ [name]) => consensusCounters.test(name);
  yield ['kernelStats', JSON.stringify(Object.fromEntries(counters.filter(isAgreed)))];
  const others = counters.filter(counter => !isAgreed(counter));
  yield ['local.kernelStats', JSON.stringify(Object.fromEntries(others))];
  yield* meterEntries(kernel);
  const adminRoot = findAdminRoot(state);
  if (adminRoot !== undefined) yield ['vatAdminRootKref', adminRoot];
  yield ['pinnedObjects', listPins(kernel)];
  yield ['vat.names', JSON.stringify(staticVats.map(({ name }) => name))];
  for (const { name, vatId } of staticVats) yield [`vat.name.${name}`, vatId];
  yield ['vat.dynamicIDs', JSON.stringify(dynamicVats.map(({ vatId }) => vatId))];
  yield ['vat.nextID', next(figures, 'nextVat')];
  yield ['vat.nextUpgradeID', next(figures, 'nextUpgrade')];
  yield ['vats.terminated', JSON.stringify([...vats.ending.keys()].sort(compareIds))];
  yield ['device.names', JSON.stringify(devices.map(({ name }) => name))];
  for (const { name, id } of devices) yield [`device.name.${name}`, id];
  yield ['device.nextID', String(firstDevice + devices.length)];
  yield ['ko.nextID', next(figures, 'nextObject')];
  yield ['kp.nextID', next(figures, 'nextPromise')];
  yield ['kd.nextID', next(figures, 'nextDevice')];
}

/**
 * @param {Kernel} kernel
 * @returns {Generator<[string, string]>}
 */
function* allEntries(kernel) {
  const { state } = kernel;
  const { vats, owners, promises } = state;
  const queues = readQueues(state);
  const stats = flattenCounters(kernel, queues);
  yield* kernelEntries(kernel, stats);
  for (const vatId of [...madeVats(state), ...vats.ending.keys()])
    yield* vatEntries(state, vatId, defaultManager(kernel));
  for (const deviceId of vats.deviceIds()) yield* deviceEntries(kernel, deviceId);
  for (const [kref, { reachable, recognizable }] of countObjects(state))
    yield [`${kref}.refCount`, `${reachable},${recognizable}`];
  for (const [kref, owner] of owners.entries()) yield [`${kref}.owner`, owner];
  for (const kpid of promises.table.keys()) yield* promiseEntries(state, kpid);
  yield* queueEntries('acceptanceQueue', queues.acceptance, stats.acceptanceQueueLengthDown);
  yield* queueEntries('runQueue', queues.run, stats.runQueueLengthDown);
  yield ['gcActions', JSON.stringify(queues.gcActions)];
  yield ['reapQueue', JSON.stringify(queues.reap)];
}

/**
 * @param {() => Kernel | undefined} getKernel  undefined before there is a state
 */
export const makeKvView = getKernel => {
  let version = '';
  /** @type {{ entries: ReadonlyMap<string, string>, keys: readonly string[] }} in the order of keys */
  let view = { entries: new Map(), keys: [] };
  /** All keys at this moment; computed again after a crank or an input. */
  const read = () => {
    const kernel = getKernel();
    if (kernel === undefined) return { entries: new Map(), keys: [] };
    const options = String(kernel.getHostValue(snapshotIntervalKey));
    const present = `${kernel.cranks.all} ${kernel.inputCount} ${kernel.now.microstep} ${options}`;
    if (present !== version) {
      version = present;
      const all = [...allEntries(kernel)];
      const entries = new Map(all.sort(([left], [right]) => compareTexts(left, right)));
      view = { entries, keys: [...entries.keys()] };
    }
    return view;
  };
  return Object.freeze({
    /** @param {string} key */
    get: key => read().entries.get(key),
    /** @param {string} key */
    has: key => read().entries.has(key),
    /** The smallest key after `prior`. @param {string} prior @returns {string | undefined} */
    getNextKey(prior) {
      const { keys } = read();
      let [low, high] = [0, keys.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (compareTexts(keys[middle], prior) > 0) high = middle;
        else low = middle + 1;
      }
      return keys[low];
    },
    /** @returns {Record<string, string>} */
    all: () => Object.fromEntries(read().entries),
  });
};
