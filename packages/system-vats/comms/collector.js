// Finds the objects that a side can give up, as SwingSet's comms does. Each object has one owner, the kernel or a remote, and
// the other sides import it. What no importer can reach is dropped at its owner; what none has a name for is retired there;
// what its owner has retired is retired at all importers. What is in the data of a settled promise can be reached while
// the promise has a name.

import { compareTexts } from '#model';
import { CommsObject, CommsPromise } from './things.js';

/** @import { KernelSide } from './kernel-side.js' */
/** @import { Remote } from './remote.js' */
/** @import { Thing } from './things.js' */

/** A side: null is the kernel. @typedef {Remote | null} Side */

/**
 * Objects that a side is told of, in this order: its own, to drop and to retire, and those that it imported, to retire.
 *
 * @typedef {{ dropExport: CommsObject[], retireExport: CommsObject[], retireImport: CommsObject[] }} Collected
 */

/** The number of the first object, as in SwingSet. */
const firstNumber = 10;

/** In SwingSet's order: by their numbers, as texts. @template {{ number: number }} T @param {Iterable<T>} numbered @returns {T[]} */
export const inOrder = numbered =>
  [...numbered].sort((left, right) => compareTexts(String(left.number), String(right.number)));

export class Collector {
  #isOn;

  #next = firstNumber;

  /** Things that may be given up. @type {Set<Thing>} */
  #suspects = new Set();

  /** @param {boolean} isOn  whether anything is collected: in 2020 nothing was */
  constructor(isOn) {
    this.#isOn = isOn;
  }

  /** @param {Side} owner */
  makeObject(owner) {
    this.#next += 1;
    return new CommsObject(owner, this.#next - 1);
  }

  /** @param {Thing} thing */
  suspect(thing) {
    if (this.#isOn) this.#suspects.add(thing);
  }

  /** A settled promise mentions things. @param {readonly Thing[]} slots */
  hold(slots) {
    for (const thing of slots) {
      if (thing instanceof CommsPromise) thing.names += 1;
      else {
        thing.recognizers += 1;
        thing.reachers += 1;
      }
    }
  }

  /** @param {readonly Thing[]} slots */
  #release(slots) {
    for (const thing of slots) {
      if (thing instanceof CommsPromise) this.unname(thing);
      else {
        thing.recognizers -= 1;
        thing.reachers -= 1;
        if (thing.reachers === 0) this.suspect(thing);
      }
    }
  }

  /** A promise has lost a name. @param {CommsPromise} promise */
  unname(promise) {
    promise.names -= 1;
    if (promise.names === 0) this.suspect(promise);
  }

  /**
   * Find what can be given up, at the end of a delivery.
   *
   * @param {(side: Side) => Remote | KernelSide} tablesOf
   * @returns {Map<Side, Collected>}
   */
  find(tablesOf) {
    /** @type {Map<Side, Record<keyof Collected, Set<CommsObject>>>} */
    const found = new Map();
    const add = (
      /** @type {Side} */ side,
      /** @type {keyof Collected} */ what,
      /** @type {CommsObject} */ object,
    ) => {
      let own = found.get(side);
      if (own === undefined) {
        own = { dropExport: new Set(), retireExport: new Set(), retireImport: new Set() };
        found.set(side, own);
      }
      own[what].add(object);
    };
    while (this.#suspects.size > 0) {
      const suspects = this.#suspects;
      this.#suspects = new Set();
      for (const thing of suspects) {
        if (thing instanceof CommsPromise) {
          if (thing.names === 0 && thing.outcome !== null) this.#release(thing.outcome.data.slots);
          continue;
        }
        if (thing.reachers > 0) continue;
        const owner = tablesOf(thing.owner);
        if (owner.shared.isReached(thing)) add(thing.owner, 'dropExport', thing);
        if (!owner.isNamed(thing))
          for (const importer of thing.importers) add(importer, 'retireImport', thing);
        else if (thing.recognizers === 0) add(thing.owner, 'retireExport', thing);
      }
    }
    return new Map(
      [...found].map(([side, { dropExport, retireExport, retireImport }]) => [
        side,
        {
          dropExport: inOrder(dropExport),
          retireExport: inOrder(retireExport),
          retireImport: inOrder(retireImport),
        },
      ]),
    );
  }
}

/** The objects that one side can reach, of those that have a name there. */
export class Shared {
  #collector;

  #side;

  /** @type {Set<CommsObject>} */
  #reached = new Set();

  /** @param {Collector} collector @param {Side} side */
  constructor(collector, side) {
    this.#collector = collector;
    this.#side = side;
  }

  /** @param {CommsObject} object */
  isReached(object) {
    return this.#reached.has(object);
  }

  /** The side has a new name for an object. @param {CommsObject} object */
  name(object) {
    if (object.owner === this.#side) return;
    object.recognizers += 1;
    object.importers.add(this.#side);
  }

  /** The object goes to the side, or comes from it. @param {CommsObject} object  with a name there */
  reach(object) {
    if (this.#reached.has(object)) return;
    this.#reached.add(object);
    if (object.owner !== this.#side) object.reachers += 1;
  }

  /** @param {CommsObject} object */
  drop(object) {
    if (!this.#reached.delete(object) || object.owner === this.#side) return;
    object.reachers -= 1;
    if (object.reachers === 0) this.#collector.suspect(object);
  }

  /** The name is given up. @param {CommsObject} object */
  unname(object) {
    this.drop(object);
    if (object.owner !== this.#side) {
      object.recognizers -= 1;
      object.importers.delete(this.#side);
      if (object.recognizers > 0) return;
    }
    this.#collector.suspect(object);
  }
}
