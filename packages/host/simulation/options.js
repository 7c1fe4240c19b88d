// The options of a simulation; types alone.

/** @import { CrankObserver, Kernel, KernelStore, PhysicalClock, Transport } from '#kernel' */
/** @import { BundleShelf } from '../bundle-shelf.js' */
/** @import { CallOptions } from '../calls/index.js' */
/** @import { EngineFlags } from '../engine-flags.js' */
/** @import { NewState, Program } from '../new-state.js' */
/** @import { OnObserverError } from '../observers.js' */
/** @import { ReactionObserver } from '../reaction-watch.js' */
/** @import { Settle } from '../settle.js' */
/** @import { watchVats } from '../vat-watch.js' */
/** @import { VatObserver } from '../vats.js' */
/** @import { WorkerPool } from '../workers/index.js' */

/**
 * Places for vats beside the kernel's thread.
 *
 * @typedef {Pick<WorkerPool, 'isFuller' | 'attach' | 'takeSpent' | 'figures' | 'close'>
 *   & { kill: (number: number) => unknown, rootHasMethod: (vatName: string, method: string) => boolean | undefined,
 *   stays?: (vat: { vatId: string, name: string, isBuiltIn: boolean }, reason: string) => void }} VatPool  `stays` is told of each vat
 *   that is made beside those places, on the kernel's thread or one of its own, and why
 */

/** @typedef {KernelStore & { diskBytes: () => number, tableBytes: () => number, streamBytes: () => number, logBytes: () => number, flushed: () => Promise<void>, isDurable?: () => boolean, close: () => Promise<void> }} SimulationStore */

/**
 * A run that is repeated: it takes the place of the config, of the clock, and of what the engine finds dead.
 *
 * @typedef {object} RecordedRun
 * @property {(state: NewState) => Promise<Program>} install
 * @property {PhysicalClock} clock
 * @property {(vatId: string) => string | undefined} findDead
 */

/**
 * @typedef {object} SimulationOptions
 * @property {SimulationStore} store  opened by the caller; `close` of the simulation closes it
 * @property {'current' | '2020-09'} [profile='current']  of a resumed state, the one it was made with
 * @property {boolean} [resume=false]  take up the state in the store; by default the store must be empty
 * @property {boolean} [lenient]  of a new state: whether objects of methods that nobody declared `Far` pass by reference between
 *   vats, as they did in 2020. Default: what the config says, and `false`, which refuses them as SwingSet does, if it says
 *   nothing. A resumed state keeps what it was made with. Under profile `2020-09` they always pass
 * @property {boolean} [endDiverging]  a vat that does something else than it did, when the state is resumed, is ended, as by
 *   a fault and as an input of the run; by default the state cannot be resumed then
 * @property {string} [cacheDir]  where compiled sources are kept
 * @property {Partial<VatObserver>} [observer]  told what vats print and which errors leave them
 * @property {Record<string, Record<string, any>>} [deviceEndowments]  what the host program gives to devices of the
 *   config, by their names
 * @property {(deviceName: string, data: string, number: number) => unknown} [onHandOut]  takes what devices hand
 *   out, once the block is committed. It has taken it when it returns, or when its promise is fulfilled; what it has not taken
 *   when the run is stopped, or killed, it is given again when the run is resumed, with the same number
 * @property {PhysicalClock} [clock]  physical time for reactors that ask for it; by default the system's, from the moment
 *   at which the run begins. What it shows is recorded as an input of the run
 * @property {RecordedRun} [recording]  repeat this one; there is no config then
 * @property {CrankObserver} [crankObserver]  watches cranks and commits; a `StopRun` that it throws ends the run
 * @property {OnObserverError} [onObserverError]  told what a callback of these options threw, which changes nothing of the
 *   run; default: a warning of the process, once for each callback
 * @property {(vatId: string) => ReactionObserver} [observeReactions]  watches the reactions of a vat that has any, on this thread;
 *   not those that are run again to resume it
 * @property {(kernel: Kernel) => void} [onKernel]  told of the kernel before anything runs
 * @property {EngineFlags} [engineFlags='collections']  which flags of V8 are set, for the whole process: `collections`, those
 *   under which what the engine finds dead is the same in every run; `speed` for more; `none` for a run whose activity hash
 *   need not repeat
 * @property {CallOptions} [calls]  bounds of `call()`: how many may wait, and how long
 * @property {Settle} [settle]  default: probed
 * @property {number | 'auto'} [workers]  so many threads beside the kernel's on which vats run; `auto` is one less than the cores,
 *   0 none. It changes how long a run takes, and nothing else. Default: what the config says, else none
 * @property {(parts: { kernel: Kernel, shelf: BundleShelf, watch: ReturnType<typeof watchVats> }) => Promise<VatPool>} [openPool]  in
 *   place of threads: other places for vats (packages/cluster)
 * @property {number} [workerDelays]  for tests: a seed of random waits in worker threads
 * @property {number} [lookahead]  how many items the kernel may begin early; for transports that overlap
 * @property {(transport: Transport, vatId: string) => Transport} [wrapTransport]  for tests and measurements
 * @property {Record<string, unknown>} [vatPowers]  for measurements: given to the vats beside their usual powers. What a
 *   vat learns from them is not recorded, so a run that depends on it cannot be resumed
 */

export {};
