// The entry `swingset-runner`: the stable interface for host programs. Everything else is in
// `swingset-runner/internals`, which changes without notice.

import { placedFunction } from '#loader';
import * as device from './device-hosts.js';
import * as host from './index.js';

export {
  CallError,
  defaultCacheDir,
  ensureLockdown,
  makeSimulation,
  StopRun,
  UserError,
  VatError,
} from './index.js';

// Errors of these functions show the lines of the program that called them, also in a locked-down realm.

/**
 * Load the config of a run; see config/load-config.js.
 *
 * @type {typeof host.loadConfig}
 */
export const loadConfig = placedFunction(host.loadConfig);

/**
 * Make the physical time of a run; see real-time.js.
 *
 * @type {typeof host.makeRealTime}
 */
export const makeRealTime = placedFunction(host.makeRealTime);

/**
 * Open a state on disk; see store/lmdb-store.js.
 *
 * @type {typeof host.openLmdbStore}
 */
export const openLmdbStore = placedFunction(host.openLmdbStore);

/**
 * Repeat the recorded run of a store; see recording/replay-recording.js.
 *
 * @type {typeof host.replayRecording}
 */
export const replayRecording = placedFunction(host.replayRecording);

/**
 * Make the option `onHandOut` of a simulation from host parts; see device-hosts.js.
 *
 * @type {typeof device.handOutTo}
 */
export const handOutTo = placedFunction(device.handOutTo);

/**
 * Make the host's part of a bridge device; see device-hosts.js.
 *
 * @type {typeof device.buildBridge}
 */
export const buildBridge = placedFunction(device.buildBridge);

/**
 * Make the host's part of a command device; see device-hosts.js.
 *
 * @type {typeof device.buildCommand}
 */
export const buildCommand = placedFunction(device.buildCommand);

/**
 * Make the host's part of a loopbox device; see device-hosts.js.
 *
 * @type {typeof device.buildLoopbox}
 */
export const buildLoopbox = placedFunction(device.buildLoopbox);

/**
 * Make the host's part of a mailbox device; see device-hosts.js.
 *
 * @type {typeof device.buildMailbox}
 */
export const buildMailbox = placedFunction(device.buildMailbox);

/**
 * Make an empty store in the memory of the process; see store/memory-store.js.
 *
 * @type {typeof host.makeMemoryStore}
 */
export const makeMemoryStore = placedFunction(host.makeMemoryStore);

/** @typedef {import('./calls/errors.js').CallErrorCode} CallErrorCode */
/** @typedef {import('./calls/handles.js').Handle} Handle */
/** @typedef {import('./calls/index.js').CallOptions} CallOptions */
/** @typedef {import('./calls/driver.js').StartOptions} StartOptions */
/** @typedef {import('./run-until-quiet.js').RunPolicy} RunPolicy */
/** @typedef {import('./real-time.js').RealTime} RealTime */
/** @typedef {import('./simulation.js').Simulation} Simulation */
/** @typedef {import('./simulation/options.js').SimulationOptions} SimulationOptions */
/** @typedef {import('./vats/vats.js').VatObserver} VatObserver */
/** @typedef {import('#config/load-config.js').LoadedConfig} LoadedConfig */
/** @typedef {import('#kernel').PromiseStatus} PromiseStatus */
/** @typedef {import('#loader/compartment').ErrorReport} ErrorReport */
/** @typedef {import('#store').Durability} Durability */
/** @typedef {import('#store').Store} Store */
