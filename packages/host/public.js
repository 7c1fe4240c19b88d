// The entry `swingset-runner`: the stable interface for host programs. Everything else is in
// `swingset-runner/internals`, which changes without notice.

export {
  CallError,
  defaultCacheDir,
  ensureLockdown,
  loadConfig,
  makeMemoryStore,
  makeRealTime,
  makeSimulation,
  openLmdbStore,
  replayRecording,
  StopRun,
  UserError,
  VatError,
} from './index.js';
export {
  buildBridge,
  buildCommand,
  buildLoopbox,
  buildMailbox,
  handOutTo,
} from './device-hosts.js';

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
