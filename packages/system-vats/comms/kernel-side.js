// Maps the objects and promises that comms knows to their vrefs, and back. The kernel allocates `o-` and `p-`, comms
// `o+` and `p+`.
//
// A settled promise leaves this vat's c-list in the kernel, and then this table too: a later mention gives it a new
// name and sends its outcome again. In 2020 a promise whose data refers to promises keeps its name forever.

import { Fail, isAllocatedByVat, typeOfVref, quote } from '#model';
import { Refusal } from './refusal.js';
import { Shared } from './collector.js';
import { CommsObject, CommsPromise } from './things.js';

/** @import { CapData } from '#model' */
/** @import { Collected, Collector } from './collector.js' */
/** @import { Syscalls } from './switchboard.js' */
/** @import { CommsData, Thing } from './things.js' */

/**
 * Rules that go with the profile's notation of bodies: whether a settled promise leaves the c-list, and whether comms
 * subscribes to a promise each time that the kernel names it, as SwingSet's does, or the first time only.
 *
 * @type {Record<string, { leaves: (data: CommsData) => boolean, subscribesAgain: boolean }>}
 */
const rulesOf = {
  smallcaps: { leaves: () => true, subscribesAgain: true },
  qclass: {
    leaves: ({ slots }) => !slots.some(slot => slot instanceof CommsPromise),
    subscribesAgain: false,
  },
};

export class KernelSide {
  #subscribe;

  #rules;

  #collector;

  #nextObject = 10;

  #nextPromise = 20;

  /** @type {Map<string, Thing>} */
  #things = new Map();

  /** @type {Map<Thing, string>} */
  #vrefs = new Map();

  /**
   * @param {string} wireName
   * @param {(vref: string) => void} subscribe
   * @param {Collector} collector
   */
  constructor(wireName, subscribe, collector) {
    this.#subscribe = subscribe;
    this.#rules = rulesOf[wireName];
    this.#collector = collector;
    this.shared = new Shared(collector, null);
  }

  /** An object that comms itself sends to: it is never given up. @param {string} vref */
  keepObject(vref) {
    let object = this.#things.get(vref);
    if (object === undefined) {
      // SwingSet gives it no number.
      object = new CommsObject(null, 0);
      this.#add(vref, object);
      this.shared.reach(object);
    }
    if (!(object instanceof CommsObject)) throw Fail`${vref} is no object`;
    this.#collector.hold([object]);
    return object;
  }

  /**
   * The kernel has given objects that may be of no use, with a message that was refused. They can be reached now, and are let
   * go of again unless somebody needs them.
   *
   * @param {readonly string[]} vrefs
   */
  noteUnused(vrefs) {
    for (const vref of vrefs) {
      const object = this.#things.get(vref);
      if (!(object instanceof CommsObject) || object.owner !== null) continue;
      this.shared.reach(object);
      this.#collector.suspect(object);
    }
  }

  /** Allocate the vref of a new export. */
  allocateObject() {
    this.#nextObject += 1;
    return `o+${this.#nextObject - 1}`;
  }

  /** @param {string} vref */
  find(vref) {
    return this.#things.get(vref);
  }

  /** @param {Thing} thing */
  isNamed(thing) {
    return this.#vrefs.has(thing);
  }

  /** @param {Thing} thing */
  requireVref(thing) {
    return this.#vrefs.get(thing) ?? Fail`the kernel has no name for a thing that it knows`;
  }

  /**
   * @param {string} vref
   * @param {Thing} thing
   */
  #add(vref, thing) {
    this.#things.set(vref, thing);
    this.#vrefs.set(thing, vref);
    if (thing instanceof CommsPromise) thing.names += 1;
    else this.shared.name(thing);
  }

  /** @param {CommsObject} object */
  #retire(object) {
    this.#things.delete(this.requireVref(object));
    this.#vrefs.delete(object);
    this.shared.unname(object);
  }

  /**
   * Checks that every reference can be passed to a remote.
   *
   * @param {readonly string[]} vrefs
   * @throws {Refusal}
   */
  insistPassable(vrefs) {
    for (const vref of vrefs) {
      if (this.#things.has(vref)) continue;
      if (typeOfVref(vref) === 'device')
        throw new Refusal(
          `a device cannot be passed to another machine; pass an object that uses it`,
        );
      // A promise of our own may be settled and still in the c-list of 2020, so only objects are refused.
      if (isAllocatedByVat(vref) && typeOfVref(vref) === 'object')
        throw new Refusal(
          `the comms vat's own object ${quote(vref)} cannot be passed to another machine`,
        );
    }
  }

  /**
   * The object or promise of a vref, made if it is new here. Subscribes to a promise that is new, or is named again: if
   * comms has settled it meanwhile, the kernel's answer comes in the order of SwingSet.
   *
   * @param {string} vref  of an object or a promise that can be passed
   * @param {ReadonlySet<string>} [settled]  promises whose outcomes come with the same delivery
   */
  provideThing(vref, settled) {
    const known = this.#things.get(vref);
    if (typeOfVref(vref) === 'object') {
      const object = /** @type {CommsObject} */ (known ?? this.#collector.makeObject(null));
      if (known === undefined) this.#add(vref, object);
      if (object.owner === null) this.shared.reach(object);
      return object;
    }
    const promise = known ?? new CommsPromise('kernel');
    if (known === undefined) this.#add(vref, promise);
    const isAsked = known === undefined || (this.#rules.subscribesAgain && !isAllocatedByVat(vref));
    if (isAsked && !settled?.has(vref)) this.#subscribe(vref);
    return promise;
  }

  /**
   * @param {CapData} data  that can be passed
   * @param {ReadonlySet<string>} [settled]
   * @returns {CommsData}
   */
  dataFromKernel({ body, slots }, settled) {
    return { body, slots: slots.map(vref => this.provideThing(vref, settled)) };
  }

  /**
   * The result promise of a message from the kernel; comms decides it from now on.
   *
   * @param {string} vref
   */
  takeResult(vref) {
    let promise = this.#things.get(vref);
    if (promise === undefined) {
      promise = new CommsPromise('comms');
      this.#add(vref, promise);
    }
    if (!(promise instanceof CommsPromise) || promise.outcome !== null)
      throw Fail`the result ${vref} is no open promise`;
    promise.decider = 'comms';
    promise.kernelIsSubscribed = true;
    return promise;
  }

  /**
   * The vref of a thing, allocated if it has none. The kernel becomes a subscriber of an unresolved promise, unless it
   * decides it.
   *
   * @param {Thing} thing
   */
  provideVref(thing) {
    let vref = this.#vrefs.get(thing);
    if (thing instanceof CommsObject) {
      if (vref === undefined) {
        vref = this.allocateObject();
        this.#add(vref, thing);
      }
      if (thing.owner !== null) this.shared.reach(thing);
      return vref;
    }
    if (vref === undefined) {
      vref = `p+${this.#nextPromise}`;
      this.#nextPromise += 1;
      this.#add(vref, thing);
    }
    if (thing.outcome === null && thing.decider !== 'kernel') thing.kernelIsSubscribed = true;
    return vref;
  }

  /**
   * @param {CommsData} data
   * @returns {CapData}
   */
  dataForKernel({ body, slots }) {
    return { body, slots: slots.map(thing => this.provideVref(thing)) };
  }

  /**
   * Let the kernel decide the result of a message that goes to it.
   *
   * @param {CommsPromise} promise
   */
  giveResult(promise) {
    const vref = this.provideVref(promise);
    promise.decider = 'kernel';
    promise.kernelIsSubscribed = false;
    return vref;
  }

  /**
   * Drop the vref of a settled promise, when kernel and comms both have its outcome.
   *
   * @param {CommsPromise} promise
   * @param {CommsData} data
   */
  settled(promise, data) {
    if (!this.#rules.leaves(data)) return;
    this.#things.delete(this.requireVref(promise));
    this.#vrefs.delete(promise);
    this.#collector.unname(promise);
  }

  /**
   * The kernel has collected objects.
   *
   * @param {'dropExports' | 'retireExports' | 'retireImports'} kind
   * @param {readonly string[]} vrefs  also of objects that remotes do not share
   */
  collected(kind, vrefs) {
    for (const vref of vrefs) {
      const object = this.#things.get(vref);
      if (!(object instanceof CommsObject)) continue;
      if (kind === 'dropExports') this.shared.drop(object);
      else this.#retire(object);
    }
  }

  /**
   * Tell the kernel of objects that nobody needs any more.
   *
   * @param {Collected} collected
   * @param {Syscalls} syscalls
   */
  collect({ dropExport, retireExport, retireImport }, syscalls) {
    const vrefsOf = (/** @type {Thing[]} */ objects) => objects.map(it => this.requireVref(it));
    syscalls.dropImports(vrefsOf(dropExport));
    syscalls.retireImports(vrefsOf(retireExport));
    syscalls.retireExports(vrefsOf(retireImport));
    for (const object of dropExport) this.shared.drop(object);
    for (const object of [...retireExport, ...retireImport]) this.#retire(object);
  }

  /** The number of names, for tests and measurements. */
  get nameCount() {
    return this.#things.size;
  }
}
