// The options of a simulation; types only.

/** @import { CrankObserver, Kernel, KernelStore, PhysicalClock, Transport } from '#kernel' */
/** @import { BundleShelf } from '../vats/bundle-shelf.js' */
/** @import { CallOptions } from '../calls/index.js' */
/** @import { EngineFlags } from '../engine/engine-flags.js' */
/** @import { NewState, Program } from '../state/new-state.js' */
/** @import { OnObserverError } from '../observers.js' */
/** @import { ReactionObserver, WorkerObserver } from '../reaction-watch.js' */
/** @import { Drain } from '../engine/drain-jobs.js' */
/** @import { watchVats } from '../vats/vat-watch.js' */
/** @import { VatObserver } from '../vats/vats.js' */
/** @import { WorkerPool } from '../workers/index.js' */

/**
 * Places for vats beside the kernel's thread.
 *
 * @typedef {Pick<WorkerPool, 'isFuller' | 'attach' | 'takeSpent' | 'figures' | 'close'>
 *   & { waitedNs?: () => number, kill: (number: number) => unknown, rootHasMethod: (vatName: string, method: string) => boolean | undefined,
 *   stays?: (vat: { vatId: string, name: string, isBuiltIn: boolean }, reason: string) => void,
 *   adopt?: (vatId: string, description: Parameters<WorkerPool['attach']>[1], move: (transport: Transport) => void) => void }} VatPool
 *   `stays` is called for each vat that is made elsewhere, on the kernel's thread or one of its own, with the reason;
 *   `adopt` for an upgraded vat on the kernel's thread, which `move` takes to a place of the pool
 */

/** @typedef {KernelStore & { diskBytes: () => number, tableBytes: () => number, streamBytes: () => number, logBytes: () => number, flushed: () => Promise<void>, isDurable?: () => boolean, isClosed?: () => boolean, close: () => Promise<void> }} SimulationStore */

/**
 * A run that is repeated: it replaces the config, the clock, and the findings of the engine's collections.
 *
 * @typedef {object} RecordedRun
 * @property {(state: NewState) => Promise<Program>} install
 * @property {PhysicalClock} clock
 * @property {(vatId: string) => string | undefined} findDead
 */

/**
 * @typedef {object} SimulationOptions
 * @property {SimulationStore} store  opened by the caller; `close` of the simulation closes it
 * @property {'current' | '2020-09'} [profile='current']  by default, for a resumed state, its own profile
 * @property {boolean} [resume=false]  continue from the state in the store; by default the store must be empty
 * @property {boolean} [lenient]  of a new state: whether objects with methods that are not declared `Far` pass by
 *   reference between vats, as in 2020. Default: the value in the config, or else `false`, which refuses them like
 *   SwingSet. A resumed state keeps its value. Under profile `2020-09` they always pass
 * @property {boolean} [endDiverging]  end a vat that does not repeat its transcript when the state is resumed; this is a
 *   fault of the vat and an input of the run. By default the state then cannot be resumed
 * @property {string} [cacheDir]  directory for compiled sources; default: that of `$SWINGSET_RUNNER_CACHE_DIR`, or none
 * @property {Partial<VatObserver>} [observer]  gets the console output of vats and the errors that leave them
 * @property {Record<string, Record<string, any>>} [deviceEndowments]  endowments of the config's devices, by their names
 * @property {(deviceName: string, data: string, number: number) => unknown} [onHandOut]  gets the data that devices hand
 *   out, after the commit of the block. Data is taken when the function has returned, or its promise is fulfilled. If
 *   the run is stopped or killed before that, the function gets the data again, with the same number, when the run is
 *   resumed
 * @property {PhysicalClock} [clock]  physical time for reactors that use it; by default the system's, from the time at which
 *   the config's vats have started. Its readings are recorded as inputs of the run
 * @property {RecordedRun} [recording]  repeat this run; then there is no config
 * @property {CrankObserver} [crankObserver]  watches cranks and commits; if it throws a `StopRun`, the run ends
 * @property {OnObserverError} [onObserverError]  gets the error that a callback of these options threw, which does not
 *   affect the run; default: a warning of the process, once for each callback
 * @property {(vatId: string) => ReactionObserver} [observeReactions]  watches the reactions of a vat, without those that
 *   are repeated to resume it; reactions on a worker thread are reported when their crank's turn has come
 * @property {WorkerObserver} [observeWorkers]  watches when worker threads run cranks
 * @property {(kernel: Kernel) => void} [onKernel]  gets the kernel before anything runs
 * @property {EngineFlags} [engineFlags='collections']  flags of V8 to set, for the whole process: `collections`, those
 *   that make the findings of the engine's collections reproducible, and one that has code optimised sooner where they
 *   turn Maglev off; `speed`, more flags, and on Linux a lower priority of V8's own threads, for good; `none`, for a run
 *   whose activity hash need not be reproducible
 * @property {CallOptions} [calls]  bounds of `call()`: the number of waiting calls and their time
 * @property {Drain} [drain]  default: probed
 * @property {number | 'auto'} [workers]  number of threads for vats beside the kernel's; `auto` is as many as gain,
 *   at most one less than the cores; 0 means none. It affects only the time that a run takes. Default: the value in the config, or else 0
 * @property {(parts: { kernel: Kernel, shelf: BundleShelf, watch: ReturnType<typeof watchVats> }) => Promise<VatPool>}
 *   [openPool]  instead of threads, other places for vats (packages/cluster)
 * @property {number} [workerDelays]  for tests: seed of random waits in worker threads
 * @property {number} [lookahead]  number of items that the kernel may begin early, for transports that overlap
 * @property {(transport: Transport, vatId: string) => Transport} [wrapTransport]  for tests and measurements
 * @property {Record<string, unknown>} [vatPowers]  for measurements: additional powers of vats. Their results are not
 *   recorded, so a run that depends on them cannot be resumed
 */

export {};
