// The kernel as the host sees it: make or load a state, queue messages, run cranks, commit blocks, read what is
// there. It has no clock, no randomness and no I/O; store, hash function, transports and devices are given to it.

import { ByteReader, Fail, freezeWithGetters, readTranscriptEntry, UserError } from '#model';
import { CrankRunner } from './crank/runner.js';
import { describeItem } from './audit/describe-item.js';
import { figure } from './tables/figures.js';
import { makeHostCalls } from './inputs/host-calls.js';
import { HostReferences } from './inputs/host-references.js';
import { readInputs, recordHostInput, recordInput } from './inputs/inputs.js';
import { hasRunningPrograms, scheduleAction, stopAllPrograms } from './reactors/ports.js';
import { profiles } from './profiles/index.js';
import { asQuietEntry } from './reactors/quiet-run.js';
import { findStoredProfile, inputStream, KernelState } from './tables/state.js';
import { exportRoot, queueToRoot } from './lifecycle/vat-admin.js';
import { planWiring } from './reactors/wiring.js';
import { methodCall, slotRecord } from './crank/wire.js';

/** @import { CapData, Tag } from '#model' */
/** @import { CrankObserver, Device, Transport } from './crank/flight.js' */
/** @import { Sha256 } from './record/hash.js' */
/** @import { PhysicalClock } from './tables/state.js' */
/** @import { KernelStore } from './store-interface.js' */
/** @import { WiringPlan } from './reactors/wiring.js' */

/**
 * @typedef {object} KernelPowers
 * @property {KernelStore} store
 * @property {Sha256} sha256
 * @property {(vatId: string, problem: string) => void} onVatFault  told of each vat that the kernel ended
 * @property {import('./crank/device-powers.js').OnDeviceFault} [onDeviceFault]  told of each mistake of a device
 * @property {(vatId: string, problem: string | null) => void} [onUpgrade]  told of each upgrade of a vat: why it failed, or null
 * @property {(vatId: string, isUpgrade?: boolean) => Transport | Promise<Transport>} [makeTransport]  gives a vat that was made
 *   in the run, or a new incarnation of a vat, a place to run; without it none can be made. What is wrong with the vat's source is told as the fault of its start
 * @property {CrankObserver} [crankObserver]  watches cranks and commits
 * @property {PhysicalClock} [clock]  physical time, for the vats' reactors; without one, asking for it fails
 * @property {(vatId: string) => string | undefined} [findDead]  what a recorded run says of a vat's dead references, as its
 *   input `dead` has it; by default the vat finds out itself
 * @property {boolean} [takesHandedOut]  whether the host takes what devices hand out (`takeHandedOut`); otherwise it is lost
 * @property {number} [lookahead]  how many items behind the head may be begun early; 0 by default
 */

/**
 * @typedef {object} VatDescription
 * @property {string} name
 * @property {string} source  what the host makes the vat from
 * @property {string} parameters  body of capdata, in the profile's notation
 * @property {boolean} isBuiltIn  comes with the system; it needs no start delivery
 * @property {boolean} pipelining
 * @property {Record<string, unknown>} options
 */

/**
 * @typedef {object} InitialState
 * @property {VatDescription[]} vats  in the order of their ids
 * @property {string[]} devices  names
 * @property {string} bootstrap  name of the vat whose root is sent `bootstrap(vats, devices)`; empty if none is
 * @property {string} [firstRoot]  name of the vat whose root gets the first number; default: in the order of names
 * @property {number | 'never'} [reapInterval]  so many deliveries after the last time a vat is asked for its dead
 *   references, if its own options say nothing; without it, as collection/reaper.js sees fit
 * @property {WiringPlan} [wiring]  connections between the vats' reactors, made when all vats have started
 */

/**
 * What has become of a promise: `unresolved`, fulfilled to a `presence` or to `data`, `rejected`, or `unknown`
 * (deleted, or never there).
 *
 * @typedef {{ state: 'unresolved' | 'unknown', data: null }
 *   | { state: 'presence' | 'data' | 'rejected', data: CapData }} PromiseStatus
 */

/** @returns {never} */
const refuseTime = () => Fail`a vat asks for physical time, and the kernel was given no clock`;

/** @type {PhysicalClock} */
const noClock = { nowNs: refuseTime, isLate: refuseTime };

/** Whether a store holds a kernel's state, and of which profile. */
export { findStoredProfile };

/**
 * @param {string} profileName  `current` or `2020-09`
 * @param {KernelPowers} powers
 */
export const makeKernel = (
  profileName,
  {
    store,
    sha256,
    onVatFault,
    onDeviceFault = () => {},
    onUpgrade = () => {},
    makeTransport = vatId => Fail`there is no place for vat ${vatId} to run`,
    crankObserver,
    clock = noClock,
    findDead = () => undefined,
    lookahead = 0,
    takesHandedOut = false,
  },
) => {
  const profile =
    profiles[/** @type {keyof typeof profiles} */ (profileName)] ??
    Fail`there is no profile ${profileName}`;
  const state = new KernelState(store, profile, sha256, clock, takesHandedOut);
  const host = new HostReferences(state);
  /** @type {Map<string, Device>} */
  const devices = new Map();
  const runner = new CrankRunner(state, {
    makeTransport,
    devices,
    lookahead,
    findDead,
    onFault: onVatFault,
    onDeviceFault,
    onUpgrade,
    ...(crankObserver && { observer: crankObserver }),
  });

  /** @param {ByteReader} reader @param {string} vatId @param {number} number */
  const readEntry = (reader, vatId, number) => {
    try {
      return readTranscriptEntry(reader);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      const what = `the transcript of vat ${vatId} is damaged at its entry ${number}: ${message}`;
      throw new UserError(what, { exitCode: 1, cause: error });
    }
  };

  /** @param {string} vatId */
  function* readTranscript(vatId) {
    const reader = new ByteReader(state.readStream(state.transcriptStreamOf(vatId)));
    for (let number = 1; !reader.done; number += 1) yield readEntry(reader, vatId, number);
    // The last run of quiet cranks may still grow.
    const quiet = state.reactors.agendas.get(vatId)?.quiet ?? null;
    if (quiet !== null) yield asQuietEntry(quiet);
  }

  const insistIdle = () => {
    !runner.isBusy || Fail`the kernel is in a crank`;
  };

  /** The item that is to be done next: that of the crank that is under way, if there is one. */
  const nextItem = () => runner.item ?? state.queue.peek();

  return freezeWithGetters({
    profile,

    ...makeHostCalls(state, runner, insistIdle),

    /**
     * Make a new state: the vats and devices, and the message that starts everything. Nothing runs yet, and
     * nothing is in the store before the first commit.
     *
     * @param {InitialState} initial
     * @returns {string} kref of bootstrap's result, which the host holds; empty if nothing was sent
     */
    initialise({ vats, devices: deviceNames, bootstrap, firstRoot, reapInterval, wiring }) {
      const { vats: keeper, owners, counters } = state;
      if (profile.collectsObjects) state.reapInterval = reapInterval;
      if (wiring !== undefined) planWiring(state, wiring);
      for (const description of vats)
        keeper.addVat({ isStatic: true, parameterSlots: [], ...description });
      for (const name of deviceNames) keeper.addDevice(name);

      // Roots are exported in the order of the vats' names, as SwingSet does.
      const named = keeper
        .vatIds()
        .map(vatId => /** @type {const} */ ([keeper.require(vatId).name, vatId]))
        .sort(([left], [right]) => (left < right ? -1 : 1));
      const firstVat = firstRoot === undefined ? undefined : keeper.findVatByName(firstRoot);
      if (firstVat !== undefined) exportRoot(state, firstVat);
      const roots = named.map(([, vatId]) => exportRoot(state, vatId));
      const deviceRoots = keeper.deviceIds().map(deviceId => {
        const root = `kd${state.figures.allocate(figure.nextDevice)}`;
        owners.set(root, deviceId);
        counters.inc(counters.find('kernelDevices'));
        keeper.clist(deviceId).add(root, 'd+0');
        return root;
      });

      // Items of the very beginning are at microstep 0: the one before is not there.
      state.figures.write(figure.nowMicrostep, -1);
      if (profile.startsVatsInCranks) {
        for (const vatId of keeper.vatIds())
          if (!keeper.require(vatId).isBuiltIn) state.queue.addControl('start', vatId);
      }
      const { wire } = profile;
      const methargs = methodCall(
        wire,
        'bootstrap',
        [
          slotRecord(
            wire,
            named.map(([name]) => name),
            0,
            'root',
          ),
          slotRecord(wire, deviceNames, roots.length, 'device'),
        ],
        [...roots, ...deviceRoots],
      );
      let result = '';
      if (bootstrap !== '') {
        const bootstrapVat = keeper.findVatByName(bootstrap) ?? Fail`there is no vat ${bootstrap}`;
        result = queueToRoot(state, bootstrapVat, methargs);
        host.addHeld(result);
      }
      state.figures.write(figure.nowMicrostep, 0);
      recordInput(state, 'start', '', profile.name);
      state.keepBetweenCranks();
      return result;
    },

    /** Take up the state that the store holds. */
    load() {
      state.load();
      const asked = new Set();
      for (const { kind, vatId } of state.queue.inOrder())
        if (kind === 'bringOutYourDead') asked.add(vatId);
      for (const vatId of state.vats.vatIds())
        if (state.vats.isRunning(vatId))
          runner.reaper.load(vatId, readTranscript(vatId), asked.has(vatId));
    },

    /**
     * Without its `bootstrap` a run makes no sense: if that vat does not start, or rejects this result, nothing runs any
     * more (profile `current`). To be said of each state that is made or loaded.
     *
     * @param {string} bootstrap  name of the vat that is sent `bootstrap`
     * @param {string} result  what `initialise` returned
     */
    insistOnBootstrap(bootstrap, result) {
      const vatId = state.vats.findVatByName(bootstrap);
      if (vatId === undefined) return;
      state.bootstrap = { vatId, result };
      state.swingsetOrder.setBootstrapVat(vatId);
    },

    /**
     * Where a vat runs from now on.
     *
     * @param {string} vatId
     * @param {Transport} transport
     */
    attachVat(vatId, transport) {
      runner.attachVat(vatId, transport);
    },

    /** Whether vats have begun, ahead of their turn, what belongs to a later block: none can move then. */
    get hasBegunAhead() {
      return runner.hasBegunAhead;
    },

    /**
     * Between cranks, a vat goes on at another place. The old one is closed.
     *
     * @param {string} vatId
     * @param {Transport} transport  to where the vat is by its whole transcript
     */
    moveVat(vatId, transport) {
      insistIdle();
      runner.moveVat(vatId, transport);
    },

    /**
     * @param {string} deviceId
     * @param {Device} device
     */
    attachDevice(deviceId, device) {
      devices.set(deviceId, device);
    },

    /**
     * What a device can do. Its device is attached with it in hand.
     *
     * @param {string} deviceId
     */
    devicePowers: deviceId => runner.devices.powersOf(deviceId),

    /**
     * Hand something to a device, between cranks; what it sends is queued one microstep after the last item taken.
     *
     * @param {string} deviceId
     * @param {string} data
     */
    deviceInput(deviceId, data) {
      insistIdle();
      runner.input(deviceId, data);
    },

    /**
     * Schedule a physical action of a vat's root reactor, between cranks: at the time that the clock shows.
     *
     * @param {string} vatId
     * @param {string} action  its name
     * @param {CapData} data  the value, in krefs and in the profile's notation
     * @param {number} [clockNs]  what the clock showed in the run that this one repeats
     * @throws {UserError} the vat has no such action
     */
    physicalInput(vatId, action, data, clockNs) {
      insistIdle();
      scheduleAction(state, vatId, action, data, clockNs);
      state.keepBetweenCranks();
    },

    /**
     * End a vat that does not replay, between cranks: as by a fault, and as an input of the run.
     *
     * @param {string} vatId
     * @throws {CriticalVatError} it is critical
     */
    endDiverging(vatId) {
      insistIdle();
      state.vats.isRunning(vatId) || Fail`vat ${vatId} has ended already`;
      runner.endDiverging(vatId);
    },

    /**
     * A recorded run, which this one repeats, refused a vat memory in the next crank: the vat ends in it, and is not asked.
     * Between cranks.
     *
     * @param {string} vatId  it may be one that the crank makes
     */
    refuseNext(vatId) {
      insistIdle();
      runner.refuseNext(vatId);
    },

    /** End the programs of reactors that still run, at the next microstep: nothing comes any more. Between cranks. */
    stopPrograms() {
      insistIdle();
      if (stopAllPrograms(state)) recordHostInput(state, 'stop', '', '');
      state.keepBetweenCranks();
    },

    /** Whether a vat has reactors that still run. */
    get hasPrograms() {
      return hasRunningPrograms(state);
    },

    /** What a device changed while it was built is kept. Between cranks. */
    keepBuilt() {
      insistIdle();
      state.keepBetweenCranks();
    },

    /**
     * What the host is to be given: what devices have handed out in blocks that are committed, and at first what it has perhaps
     * not been given before the run was stopped. Each thing once.
     */
    takeHandedOut: () => state.outbox.take(),

    /** The host has taken something that was handed out, and need not be given it again. @param {number} number */
    noteTaken: number => state.outbox.noteTaken(number),

    /** Write what it has taken since the last block. */
    commitTaken: () => state.commitTaken(),

    /**
     * Start a vat outside of cranks, as profiles do that have no start deliveries.
     *
     * @param {string} vatId
     * @returns {void | Promise<void>} a promise when the vat's result has to be waited for
     * @throws {VatStartError} the vat did not start
     */
    startOutside: vatId => runner.startOutside(vatId),

    /**
     * Queue a message to a vat's root object, one microstep after the last item taken. Only between cranks. The
     * host holds the result until `release`.
     *
     * @param {string} vatId
     * @param {CapData} methargs  method and arguments, in krefs and in the profile's notation
     * @returns {string} kref of the result
     * @throws {UserError} the vat has ended
     */
    queueToVatRoot(vatId, methargs) {
      insistIdle();
      return host.sendToRoot(vatId, methargs);
    },

    /**
     * Queue a message to an object or a promise, as to a root. Only between cranks. The host holds the result until
     * `release`.
     *
     * @param {string} target  its kref
     * @param {CapData} methargs  method and arguments, in krefs and in the profile's notation
     * @returns {string} kref of the result; the kernel rejects it if the object's vat has ended
     */
    queueToTarget(target, methargs) {
      insistIdle();
      return host.send(target, methargs);
    },

    /**
     * The host takes hold of something that it was told of, as an object in a result: it stays until `release`, once for
     * each time. Only between cranks; an input of the run.
     *
     * @param {string} kref
     */
    hold(kref) {
      insistIdle();
      host.hold(kref);
    },

    /**
     * The host lets go of a result or of what it took hold of; a promise that nothing else refers to is deleted at the
     * end of the next crank.
     *
     * @param {string} kref
     */
    release(kref) {
      insistIdle();
      host.release(kref);
    },

    /**
     * Watch a promise that the host holds, in this process: once it settles, `takeSettled` names it.
     *
     * @param {string} kref
     */
    watchPromise(kref) {
      state.promises.watched.add(kref);
    },

    /**
     * Promises that settled since the last call, of those that are watched, which they are no longer; in the order in
     * which they settled. To be called between cranks.
     *
     * @returns {string[]}
     */
    takeSettled() {
      insistIdle();
      return state.promises.takeSettled();
    },

    /**
     * @param {string} kref  of a promise
     * @returns {PromiseStatus}
     */
    promiseStatus(kref) {
      const row = state.promises.find(kref);
      if (!row) return { state: 'unknown', data: null };
      if (row.state === 'unresolved' || row.data === null)
        return { state: 'unresolved', data: null };
      return { state: row.state, data: row.data };
    },

    /**
     * Run at most `limit` cranks. With `waiting`, call again once it has settled: a vat is still at work.
     *
     * @param {number} limit
     * @param {number} [untilNs]  items of a later logical time wait
     * @returns {{ cranks: number, waiting: Promise<void> | null }}
     */
    pump: (limit, untilNs = Infinity) => runner.pump(limit, untilNs),

    /** Whether nothing is queued, and nothing is left of ended vats; or nothing of it runs any more. */
    get isQuiet() {
      if (runner.isBusy) return false;
      return (state.queue.size === 0 && state.vats.ending.size === 0) || state.isStopped;
    },

    /** Whether nothing runs any more, because `bootstrap` has failed. */
    get isStopped() {
      return state.isStopped;
    },

    /** Whether a crank is under way: nothing may be given or committed meanwhile. */
    get isBusy() {
      return runner.isBusy;
    },

    /** The tag of the last item taken. */
    get now() {
      return state.now;
    },

    /** The tag of the next item, if there is one; of a crank under way, its item. @returns {Tag | undefined} */
    get nextTag() {
      const next = nextItem();
      return next && { timeNs: next.timeNs, microstep: next.microstep };
    },

    /**
     * Vats that are asked for their dead references at the present tag, behind the item that was taken: only items of
     * object collection come before them, so no code of theirs runs until then.
     */
    askedNext: () => state.queue.askedNext(),

    /** What the next item is, for a person: the vat and the method, or what else. */
    describeNext() {
      const next = nextItem();
      return next === undefined ? 'nothing' : describeItem(state, next);
    },

    /** The logical time of the next item, in nanoseconds since the start of the run; `undefined` if there is none. */
    get nextTimeNs() {
      return nextItem()?.timeNs;
    },

    /**
     * End the block: everything since the last commit goes to the store, whole or not at all.
     *
     * @returns {void | Promise<void>} as the store's commit
     */
    commit() {
      insistIdle();
      if (crankObserver === undefined) return state.commit();
      crankObserver.commits?.();
      const committing = state.commit();
      if (committing) return committing.then(() => crankObserver.committed?.());
      return crankObserver.committed?.();
    },

    /** Numbers of cranks so far: all, and those of the control class among them. */
    get cranks() {
      const { numbers } = state.figures;
      return { all: numbers[figure.crankNumber], control: numbers[figure.controlCranks] };
    },

    counters: state.counters,

    activityHash: () => state.hash.report(),

    /** @param {string} name */
    findVat: name => state.vats.findVatByName(name),

    /** Vats in the order of their ids. */
    vats: () => state.vats.vatIds().map(vatId => ({ vatId, ...state.vats.require(vatId) })),

    /** @param {string} vatId */
    vat: vatId => ({ vatId, ...state.vats.require(vatId) }),

    /** @param {string} vatId  also of one that has ended and is forgotten */
    vatName: vatId => state.vats.vats.get(vatId)?.name,

    /** @param {string} name */
    findDevice: name => state.vats.findDeviceByName(name),

    /** @param {string} deviceId */
    deviceName: deviceId => state.vats.requireDevice(deviceId).name,

    /** Devices in the order of their ids. */
    devices: () =>
      state.vats
        .deviceIds()
        .map(deviceId => ({ deviceId, name: state.vats.requireDevice(deviceId).name })),

    /**
     * The cranks of a vat's present incarnation, for bringing it back to where it was.
     *
     * @param {string} vatId
     */
    transcript: readTranscript,

    /** The stream that has them. @param {string} vatId */
    transcriptStream: vatId => state.transcriptStreamOf(vatId),

    /** The inputs of the run so far. */
    inputs: () => readInputs(state.readStream(inputStream)),

    /** How many inputs there were, as the state counts them. */
    get inputCount() {
      return state.figures.numbers[figure.nextInput] - 1;
    },

    setHostValue: state.setHostValue.bind(state),

    getHostValue: state.getHostValue.bind(state),

    /**
     * Where the host writes, between cranks, what this block adds to a stream of its own.
     *
     * @param {`host.${string}`} name
     */
    hostStream: name => state.stream(name),

    /**
     * All that it has written there.
     *
     * @param {`host.${string}`} name
     */
    readHostStream: name => state.readStream(name),

    /** The tables themselves, for dumps, audits and tests; to be read only. */
    state,
  });
};

/** @typedef {ReturnType<typeof makeKernel>} Kernel */
