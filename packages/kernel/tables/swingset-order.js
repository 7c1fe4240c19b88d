// The order in which subscribers of a promise are notified under `current`: SwingSet's. It sorts the ids of vats as
// strings (`v10` before `v2`) and numbers the vats of a config in its own order: the bootstrap vat, its own vats, the
// others by name. This kernel numbers them as the config does, so each static vat is sorted by the number that SwingSet
// would give it.

import { compareTexts } from '#model';

/** @import { VatKeeper } from './vats.js' */

/** SwingSet's own vats, in the order in which it adds them. */
const ownVats = ['vatAdmin', 'comms', 'vattp', 'timer'];

export class SwingsetOrder {
  #vats;

  /** @type {string | undefined} */
  #bootstrapVat;

  get bootstrapVat() {
    return this.#bootstrapVat;
  }

  /** @type {Map<string, string> | undefined} SwingSet's ids of static vats, by their ids here */
  #ids;

  /** @param {VatKeeper} vats */
  constructor(vats) {
    this.#vats = vats;
  }

  /** Sets the vat that is sent `bootstrap`; the state stores it (state.js). @param {string} vatId */
  setBootstrapVat(vatId) {
    this.#bootstrapVat = vatId;
    this.#ids = undefined;
  }

  /**
   * @param {readonly string[]} vatIds
   * @returns {string[]}
   */
  sort(vatIds) {
    const ids = (this.#ids ??= this.#number());
    // Vats created in the run are numbered behind those of the config, as in SwingSet.
    const idOf = (/** @type {string} */ vatId) => ids.get(vatId) ?? vatId;
    return [...vatIds].sort((left, right) => compareTexts(idOf(left), idOf(right)));
  }

  /** Static vats keep their rows for good, so this is done once. */
  #number() {
    const named = this.#vats
      .vatIds()
      .map(vatId => ({ vatId, ...this.#vats.require(vatId) }))
      .filter(({ isStatic }) => isStatic);
    const place = (/** @type {{ vatId: string, name: string }} */ { vatId, name }) => {
      if (vatId === this.#bootstrapVat) return -1;
      const own = ownVats.indexOf(name);
      return own < 0 ? ownVats.length : own;
    };
    named.sort((left, right) => place(left) - place(right) || compareTexts(left.name, right.name));
    return new Map(named.map(({ vatId }, i) => [vatId, `v${i + 1}`]));
  }
}
