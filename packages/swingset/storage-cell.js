// The state behind a swing-store: one of our stores, and the simulation that runs on it, if there is one. Cranks since the
// last commit are in the simulation's kernel alone, so a store that is closed without one forgets them.

import { loadStoredKernel } from '#host';
import { findStoredProfile } from '#kernel';
import { UserError } from '#model';

/** @import { Simulation } from '#host' */
/** @import { Kernel } from '#kernel' */
/** @import { Store } from '#store' */

/** Values of the host program's own; they are no part of the run. */
const hostPrefix = 'local.swingStore.';

export class StorageCell {
  /** @type {Simulation | undefined} that runs on the store now */
  #simulation;

  /** @type {{ kernel: Kernel, at: number } | undefined} of the store, to be looked at */
  #loaded;

  #commits = 0;

  /** @type {Map<string, string | undefined>} of the host, since the last commit */
  #hostPuts = new Map();

  #isClosed = false;

  /**
   * @param {Store} store
   * @param {boolean} isDurable  whether what is committed outlives the process
   */
  constructor(store, isDurable) {
    this.store = store;
    this.isDurable = isDurable;
  }

  #insistOpen() {
    if (this.#isClosed) throw new UserError('the swing-store is closed', { exitCode: 1 });
  }

  /** Whether a run has begun. */
  get isInitialised() {
    this.#insistOpen();
    return findStoredProfile(this.store) !== undefined;
  }

  /** The kernel whose tables are those of this moment. @returns {Kernel | undefined} undefined before there is a run */
  get kernel() {
    if (this.#simulation !== undefined) return this.#simulation.kernel;
    if (this.#isClosed || !this.isInitialised) return undefined;
    if (this.#loaded?.at !== this.#commits)
      this.#loaded = { kernel: loadStoredKernel(this.store), at: this.#commits };
    return this.#loaded.kernel;
  }

  /**
   * A simulation runs on the store from now on. What the one before it has done and not committed goes on: in a store that
   * lasts it has to be committed first.
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

  /** No simulation runs on the store any more. What is not committed in a store that lasts is lost, as after a crash. */
  async leave() {
    const simulation = this.#simulation;
    if (simulation === undefined) return;
    // Cranks of a run that was stopped by an error cannot be kept.
    if (!this.isDurable && simulation.kernel.state.brokenBy === undefined) await this.commit();
    this.#simulation = undefined;
    await simulation.leave();
  }

  /** @param {Simulation} simulation */
  isRunBy(simulation) {
    return this.#simulation === simulation;
  }

  /** Everything since the last commit goes to the store, as one block. */
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
    this.#commits += 1;
    await this.store.flushed();
  }

  /** Commits the cranks so far to a store in memory, which lives no longer than the simulation does. */
  settle() {
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
