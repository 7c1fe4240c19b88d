// The state behind a swing-store: one of our stores, and the simulation that runs on it, if any. Cranks since the last
// commit are only in the simulation's kernel, so closing the store without a commit loses them.

import { loadStoredKernel } from '#host';
import { findStoredProfile } from '#kernel';
import { UserError } from '#model';
import { makeFirstCommitStore } from './first-commit-store.js';

/** @import { Simulation } from '#host' */
/** @import { Kernel } from '#kernel' */
/** @import { Store } from '#store' */

/** Prefix of the host program's own values, which are not part of the run. */
const hostPrefix = 'local.swingStore.';

export class StorageCell {
  /** @type {Simulation | undefined} the one that runs on the store now */
  #simulation;

  /** @type {{ kernel: Kernel, at: number } | undefined} a kernel loaded for reading, and `#commits` then */
  #loaded;

  #commits = 0;

  /** @type {Map<string, string | undefined>} the host's values since the last commit */
  #hostPuts = new Map();

  #isClosed = false;

  /** Writes to disk what was kept in memory until the first commit. */
  #settle = () => {};

  /**
   * @param {Store} store
   * @param {boolean} isDurable  whether commits outlive the process
   */
  constructor(store, isDurable) {
    this.store = store;
    this.isDurable = isDurable;
    if (isDurable && store.nextKey('', '') === undefined) {
      const held = makeFirstCommitStore(store);
      this.store = held.store;
      this.#settle = held.settle;
    }
  }

  #insistOpen() {
    if (this.#isClosed) throw new UserError('the swing-store is closed', { exitCode: 1 });
  }

  /** Whether a run has begun. */
  get isInitialised() {
    this.#insistOpen();
    return findStoredProfile(this.store) !== undefined;
  }

  /** A kernel with the present tables. @returns {Kernel | undefined} undefined before there is a run */
  get kernel() {
    if (this.#simulation !== undefined) return this.#simulation.kernel;
    if (this.#isClosed || !this.isInitialised) return undefined;
    if (this.#loaded?.at !== this.#commits)
      this.#loaded = { kernel: loadStoredKernel(this.store), at: this.#commits };
    return this.#loaded.kernel;
  }

  /**
   * Let a new simulation run on the store, after the present one has left.
   *
   * @param {() => Promise<Simulation>} make
   */
  async attach(make) {
    this.#insistOpen();
    await this.leave();
    const simulation = await make();
    this.#simulation = simulation;
    return simulation;
  }

  /**
   * Remove the simulation from the store. In a store in memory its cranks are committed; in a durable one uncommitted
   * cranks are lost, as after a crash.
   */
  async leave() {
    const simulation = this.#simulation;
    if (simulation === undefined) return;
    // Cranks of a run that an error stopped cannot be kept.
    if (!this.isDurable && simulation.kernel.state.brokenBy === undefined) await this.commit();
    this.#simulation = undefined;
    await simulation.leave();
  }

  /** @param {Simulation} simulation */
  isRunBy(simulation) {
    return this.#simulation === simulation;
  }

  /** Write everything since the last commit to the store, as one block. */
  async commit() {
    this.#insistOpen();
    const puts = this.#hostPuts;
    this.#hostPuts = new Map();
    if (this.#simulation === undefined) {
      if (puts.size > 0) this.store.commit({ puts });
    } else {
      const { kernel } = this.#simulation;
      puts.forEach((value, key) =>
        kernel.setHostValue(/** @type {`local.${string}`} */ (key), value),
      );
      await this.#simulation.commit();
    }
    this.#settle();
    this.#commits += 1;
    await this.store.flushed();
  }

  /** Commit the cranks so far, if the store is in memory. */
  commitCranks() {
    this.#insistOpen();
    if (this.isDurable || this.#simulation === undefined) return;
    this.#simulation.commitBlock();
    this.#commits += 1;
  }

  /** @param {string} key  of the host */
  getHostValue(key) {
    const place = hostPrefix + key;
    return this.#hostPuts.has(place) ? this.#hostPuts.get(place) : this.store.get(place);
  }

  /** @param {string} key @param {string | undefined} value */
  setHostValue(key, value) {
    this.#insistOpen();
    this.#hostPuts.set(hostPrefix + key, value);
  }

  /** Keys of the host's values, sorted. @returns {string[]} */
  hostKeys() {
    const keys = new Set([...this.store.entries(hostPrefix)].map(([key]) => key));
    this.#hostPuts.forEach((value, key) => {
      if (value === undefined) keys.delete(key);
      else keys.add(key);
    });
    return [...keys].map(key => key.slice(hostPrefix.length)).sort();
  }

  async close() {
    if (this.#isClosed) return;
    const simulation = this.#simulation;
    this.#simulation = undefined;
    await simulation?.leave();
    this.#isClosed = true;
    await this.store.close();
  }
}
