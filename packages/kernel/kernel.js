// The kernel as the host sees it: make or load a state, queue messages, run cranks, commit blocks, read the tables. It
// has no clock, no randomness and no I/O; store, hash function, transports and devices are given to it.

import { Fail, freezeWithGetters } from '#model';
import { classes } from '#schedule';
import { askedNext } from './collection/reaper.js';
import { makeBusyError } from './crank/gate.js';
import { CrankRunner } from './crank/runner.js';
import { describeItem } from './audit/describe-item.js';
import { figure } from './tables/figures.js';
import { makeHostCalls } from './inputs/host-calls.js';
import { makeHostInputs } from './inputs/host-inputs.js';
import { HostReferences } from './inputs/host-references.js';
import { makeViews } from './kernel-views.js';
import { makeInitialState } from './lifecycle/initial-state.js';
import { hasRunningPrograms } from './reactors/ports.js';
import { readTranscript } from './record/read-transcript.js';
import { profiles } from './profiles/index.js';
import { cleanupBudgetOf } from './lifecycle/cleanup-budget.js';
import { findStoredProfile, KernelState } from './tables/state.js';

/** @import { Tag } from '#model' */
/** @import { CrankObserver, Device, Transport } from './crank/flight.js' */
/** @import { InitialState } from './lifecycle/initial-state.js' */
/** @import { Sha256 } from './record/hash.js' */
/** @import { PhysicalClock } from './tables/physical-time.js' */
/** @import { KernelStore } from './store-interface.js' */

/**
 * @typedef {object} KernelPowers
 * @property {KernelStore} store
 * @property {Sha256} sha256
 * @property {(vatId: string, problem: string) => void} onVatFault  called for each vat that the kernel ended
 * @property {import('./crank/device-powers.js').OnDeviceFault} [onDeviceFault]  called for each error of a device
 * @property {(vatId: string, problem: string | null) => void} [onUpgrade]  called after each upgrade of a vat, with the
 *   reason if it failed, or null
 * @property {(vatId: string, isUpgrade?: boolean) => Transport | Promise<Transport>} [makeTransport]  makes the
 *   transport of a vat created in the run, or of a new incarnation; without it no vat can be created. An error in the
 *   vat's source becomes the fault of its start
 * @property {CrankObserver} [crankObserver]  watches cranks and commits
 * @property {PhysicalClock} [clock]  physical time, for the vats' reactors; without one, asking for it fails
 * @property {(vatId: string) => string | undefined} [findDead]  in a replay: a vat's dead references as its input
 *   `dead` has them; by default the vat finds out itself
 * @property {boolean} [takesHandedOut]  whether the host takes what devices hand out (`takeHandedOut`); otherwise it is lost
 * @property {number} [lookahead]  how many items behind the head may be begun early; 0 by default
 */

/** @returns {never} */
const refuseTime = () => Fail`a vat asks for physical time, and the kernel was given no clock`;

/** @type {PhysicalClock} */
const noClock = { nowNs: refuseTime, isLate: refuseTime };

/** The profile of the kernel's state in a store, if it holds one. */
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

  const { gate } = runner;
  const insistIdle = () => gate.insistIdle();

  /** A failed commit ends the run: the tables have given out their changes and do not give them out again. */
  const failCommit = () => {
    state.brokenBy ??= 'a commit that failed';
  };

  /** @returns {void | Promise<void>} */
  const commitState = () => {
    let isWhole = false;
    try {
      const committing = state.commit();
      isWhole = true;
      committing?.then(undefined, failCommit);
      return committing;
    } finally {
      if (!isWhole) failCommit();
    }
  };

  let isTelling = false;

  /** Tells the observer of a commit. It may give inputs, but not commit, which would call it again without end. */
  const tellCommitted = () => {
    isTelling = true;
    try {
      crankObserver?.committed?.();
    } finally {
      isTelling = false;
    }
  };

  /** The next item: that of the crank under way, if there is one. */
  const nextItem = () => runner.item ?? state.queue.peek();

  return freezeWithGetters({
    profile,

    counters: state.counters,

    ...makeHostCalls(state, runner, insistIdle),

    ...makeHostInputs(state, runner, host, insistIdle),

    ...makeViews(state),

    /**
     * Make a new state: the vats and devices, and the message that starts everything. Nothing runs yet, and
     * nothing is in the store before the first commit.
     *
     * @param {InitialState} initial
     * @returns {string} kref of bootstrap's result, which the host holds; empty if nothing was sent
     */
    initialise: initial => makeInitialState(state, host, initial),

    /** Load the state that the store holds. */
    load() {
      state.load();
      const asked = new Set();
      for (const { kind, vatId, class: itemClass } of state.queue.inOrder())
        if (kind === 'bringOutYourDead' && itemClass === classes.control) asked.add(vatId);
      for (const vatId of state.vats.vatIds())
        if (state.vats.isRunning(vatId))
          runner.reaper.load(vatId, readTranscript(state, vatId), asked.has(vatId));
    },

    /**
     * Stop the run when its `bootstrap` fails: if that vat does not start, or rejects this result, nothing runs any
     * more (profile `current`). To be called for each state that is made or loaded.
     *
     * @param {string} bootstrap  name of the vat that is sent `bootstrap`
     * @param {string} result  what `initialise` returned
     */
    insistOnBootstrap(bootstrap, result) {
      if (bootstrap === '') return;
      const vatId = state.vats.findVatByName(bootstrap) ?? Fail`there is no vat ${bootstrap}`;
      state.bootstrap = { vatId, result };
    },

    /**
     * Set the transport of a vat.
     *
     * @param {string} vatId
     * @param {Transport} transport
     */
    attachVat(vatId, transport) {
      runner.attachVat(vatId, transport);
    },

    /** Whether items of a later block have begun ahead of their turn: no vat can move then. */
    get hasBegunAhead() {
      return runner.hasBegunAhead;
    },

    /** How often reactions began ahead of earlier tags, and how often their vats were taken back. */
    lookAheadCounts: runner.lookAheadCounts,

    /**
     * Move a vat to another transport, between cranks. The old one is closed.
     *
     * @param {string} vatId
     * @param {Transport} transport  where the vat has replayed its whole transcript
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
     * The powers of a device, from which the host builds the device that it attaches.
     *
     * @param {string} deviceId
     */
    devicePowers: deviceId => runner.devices.powersOf(deviceId),

    /** Whether a vat has reactors that still run. */
    get hasPrograms() {
      return hasRunningPrograms(state);
    },

    /**
     * The values that are due to the host: those that devices have handed out in committed blocks, and at first those
     * that the host may not have received before the run was stopped. Each is returned once.
     */
    takeHandedOut: () => state.outbox.take(),

    /** Note that the host has taken a value that was handed out. @param {number} number */
    noteTaken: number => state.outbox.noteTaken(number),

    /** Commit which values the host has taken since the last block. */
    commitTaken: () => state.commitTaken(),

    /**
     * Start a vat outside of cranks, in profiles without start deliveries.
     *
     * @param {string} vatId
     * @returns {void | Promise<void>} a promise if the vat's result is pending
     * @throws {VatStartError} the vat did not start
     */
    startOutside: vatId => runner.startOutside(vatId),

    /**
     * Run at most `limit` cranks. With `waiting`, call again once it has settled: a vat is still at work.
     *
     * @param {number} limit
     * @param {number} [untilNs]  items of a later logical time wait
     * @param {number} [untilMicrostep]  and at that time, those of a later microstep
     * @param {number} [pauseAfter]  after so many cranks it returns as soon as vats can move
     * @returns {{ cranks: number, waiting: Promise<void> | null }}
     */
    pump: (limit, untilNs = Infinity, untilMicrostep = Infinity, pauseAfter = Infinity) =>
      runner.pump(limit, untilNs, untilMicrostep, pauseAfter),

    /** Whether nothing is queued and nothing is left of ended vats, or the run is stopped. */
    get isQuiet() {
      if (gate.isBusy) return false;
      if (state.isStopped) return true;
      if (state.queue.size > 0) return false;
      return state.vats.ending.size === 0 || cleanupBudgetOf(state) === false;
    },

    /** Whether nothing runs any more, because `bootstrap` has failed. */
    get isStopped() {
      return state.isStopped;
    },

    /** @throws {UserError} a crank, an input or a commit is under way */
    insistIdle,

    /** Whether a crank, an input or a commit is under way: inputs and commits are refused meanwhile. */
    get isBusy() {
      return gate.isBusy;
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
     * Vats that are asked for their dead references at the present tag, behind the item that was taken. Only items of
     * object collection come before these, so no code of the vats runs until then.
     */
    askedNext: () => askedNext(state),

    /** Describes the next item for a person: the vat and the method, or the kind of item. */
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
     * @returns {void | Promise<void>} a promise if the store's commit is asynchronous; it is fulfilled when the block
     *   is as durable as the store was opened for
     * @throws {UserError} a crank, an input or another commit is under way
     */
    commit() {
      if (isTelling) throw makeBusyError();
      if (crankObserver === undefined) return gate.alone(commitState);
      const committing = gate.alone(() => {
        crankObserver.commits?.();
        return commitState();
      });
      return committing ? committing.then(tellCommitted) : tellCommitted();
    },

    /** Numbers of cranks so far: all, and those of the control class among them. */
    get cranks() {
      const { numbers } = state.figures;
      return { all: numbers[figure.crankNumber], control: numbers[figure.controlCranks] };
    },

    /** The number of inputs in the state. */
    get inputCount() {
      return state.figures.numbers[figure.nextInput] - 1;
    },

    /** The tables themselves, for dumps, audits and tests; to be read only. */
    state,
  });
};

/** @typedef {ReturnType<typeof makeKernel>} Kernel */
