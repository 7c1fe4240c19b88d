// Writes effects to the tables. check-syscalls.js has checked them all, so none can fail: a difference from the check
// is a bug. They are written in the order of the syscalls: first the references that a syscall names for the first
// time, then its action.

import { decimal, Fail, syscallKinds, writeFields, writeSyscallTwice } from '#model';
import { retireObject } from '../collection/collection.js';
import { figure } from '../tables/figures.js';
import { byKernel } from '../tables/queue-item.js';
import { requestStop, sendOut } from '../reactors/ports.js';
import { settle, settledState } from './settlement.js';

/** @import { Both, ByteWriter, Resolution, Syscall } from '#model' */
/** @import { Pair } from '../tables/clist.js' */
/** @import { PromiseRow } from '../tables/promise-row.js' */
/** @import { VatParts } from '../tables/vats.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { LettingGo, SyscallChecker } from './check-syscalls.js' */
/** @import { Flight } from './flight.js' */
/** @import { Name } from './names.js' */

export class EffectWriter {
  #state;

  /** Indexes of the counters of syscall kinds, by the kinds' bytes. */
  #at;

  /** @type {readonly Name[]} the references that the effects name */
  #used = [];

  /** @param {KernelState} state */
  constructor(state) {
    this.#state = state;
    this.#at = syscallKinds.map(({ counter }) => state.counters.find(counter));
  }

  /**
   * @param {VatParts} parts  of the vat
   * @param {SyscallChecker} checked
   * @param {ByteWriter | null} writer  where to encode effects that name nothing
   * @param {Both | null} both  where to encode effects in both notations
   * @param {Flight | null} flight  gets the effects in krefs
   */
  write(parts, { effects, count, used }, writer, both, flight) {
    this.#used = used;
    const { counters, queue } = this.#state;
    let counted = 0;
    for (let i = 0; i < count; i += 1) {
      const { kind, inVrefs, inKrefs, firstUsed, endUsed } = effects[i];
      // A device call was written when it was made.
      if (kind.name === 'callNow') continue;
      for (let at = firstUsed; at < endUsed; at += 1) this.#enter(parts, used[at]);
      queue.causePlace = flight === null ? i : flight.applied.length;
      this.#act(parts, inKrefs, firstUsed, endUsed);
      if (kind.isInAll) counted += 1;
      counters.add(this.#at[kind.byte], 1);
      if (writer !== null) writeFields(writer, kind, inKrefs);
      else if (both !== null) writeSyscallTwice(both, kind, inKrefs, inVrefs);
      if (flight !== null) flight.addApplied(inKrefs);
    }
    queue.causePlace = byKernel;
    if (counted > 0) counters.add(counters.places.syscalls, counted);
  }

  /**
   * Enters what the arguments of a device call name for the first time.
   *
   * @param {VatParts} parts
   * @param {SyscallChecker} checked
   * @param {Flight} flight
   */
  writeCall(parts, { effects, used }, flight) {
    const { kind, inKrefs, endUsed } = effects[0];
    for (let at = 0; at < endUsed; at += 1) this.#enter(parts, used[at]);
    const { counters } = this.#state;
    counters.add(counters.places.syscalls, 1);
    counters.add(this.#at[kind.byte], 1);
    flight.addApplied(inKrefs);
    return /** @type {Extract<Syscall, ['callNow', ...any]>} */ (inKrefs);
  }

  /**
   * Makes a named reference reachable for the vat; it may be a new export.
   *
   * @param {VatParts} parts
   * @param {Name} name
   */
  #enter(parts, name) {
    const known = name.pair;
    if (known !== undefined && known.isListed && known.isReachable) return;
    const { clist } = parts;
    const pair = clist.findPair(name.vref) ?? exportNew(this.#state, parts, name);
    pair.kref === name.kref || Fail`${name.vref} is ${pair.kref}, and was to be ${name.kref}`;
    // An import that was dropped is only named, not reached again.
    if (!pair.isReachable && name.isReachable) clist.setReachable(pair, true);
    name.pair = pair;
  }

  /**
   * @param {VatParts} parts
   * @param {Syscall} effect  in krefs
   * @param {number} firstUsed
   * @param {number} endUsed
   */
  #act(parts, effect, firstUsed, endUsed) {
    const state = this.#state;
    switch (effect[0]) {
      case 'send': {
        const { promises, queue } = state;
        const target = this.#pairOf(firstUsed);
        if (target.promise === null && (target.home === null || !target.home.isListed))
          target.home = this.#findHome(effect[1]) ?? null;
        const promise = effect[3] === null ? null : this.#promiseOf(endUsed - 1);
        // The recipient of the message decides its result.
        if (promise !== null && promise.decider !== '') promises.setDecider(promise, '');
        queue.addSend(effect[1], { methargs: effect[2], result: effect[3] }, promise, target.home);
        break;
      }
      case 'subscribe': {
        const promise = this.#promiseOf(firstUsed);
        if (promise.state === 'unresolved') state.promises.subscribe(promise, parts.id);
        else state.queue.addNotify(parts.id, promise);
        break;
      }
      case 'resolve':
        this.#resolve(parts, effect[1], firstUsed);
        break;
      case 'vatstoreSet':
        state.vatstore.set(parts.id, effect[1], effect[2]);
        break;
      case 'vatstoreDelete':
        state.vatstore.delete(parts.id, effect[1]);
        break;
      case 'dropImports':
      case 'retireImports':
      case 'retireExports':
      case 'abandonExports':
        this.#letGo(parts, effect[0], firstUsed, endUsed);
        break;
      case 'setPort':
        sendOut(state, state.reactors.requireOf(parts), effect[1], effect[2]);
        break;
      case 'requestStop':
        requestStop(state, state.reactors.requireOf(parts));
        break;
      default:
      // Reads have been answered; an exit comes after the last syscall (apply.js).
    }
  }

  /** @param {number} at  in `used` */
  #pairOf(at) {
    return this.#used[at].pair ?? Fail`${this.#used[at].vref} is not in the c-list`;
  }

  /** @param {number} at  in `used` @returns {PromiseRow} */
  #promiseOf(at) {
    return this.#pairOf(at).promise ?? Fail`${this.#used[at].vref} is no promise`;
  }

  /**
   * The entry of an object in the c-list of its own vat.
   *
   * @param {string} kref
   */
  #findHome(kref) {
    const { vats, owners } = this.#state;
    const vatId = owners.get(kref);
    return vatId === undefined ? undefined : vats.findParts(vatId)?.clist.findPairOf(kref);
  }

  /**
   * @param {VatParts} parts
   * @param {readonly Resolution[]} resolutions  in krefs
   * @param {number} firstUsed  index in `used`: for each resolution the promise, then its data
   */
  #resolve({ id, clist }, resolutions, firstUsed) {
    const { profile, counters } = this.#state;
    if (resolutions.length === 0) {
      profile.countResolve(counters, []);
      return;
    }
    // The list begins with the first pair: a list that grows from empty reserves 17 elements.
    const pairs = [this.#pairOf(firstUsed)];
    let at = firstUsed;
    for (let i = 1; i < resolutions.length; i += 1) {
      at += 1 + resolutions[i - 1][2].slots.length;
      pairs.push(this.#pairOf(at));
    }
    const outcomes = [settledState(resolutions[0][1], resolutions[0][2])];
    for (let i = 0; i < pairs.length; i += 1) {
      // Not taken apart as a tuple: that uses an iterator, which is slow in a locked-down realm.
      const resolution = resolutions[i];
      if (i > 0) outcomes.push(settledState(resolution[1], resolution[2]));
      if (profile.retiresEntry(resolution[0], resolution[2])) clist.deletePair(pairs[i]);
    }
    profile.countResolve(counters, outcomes);
    for (let i = 0; i < pairs.length; i += 1) {
      const promise = pairs[i].promise ?? Fail`${pairs[i].vref} is no promise`;
      settle(this.#state, promise, outcomes[i], resolutions[i][2], id);
    }
  }

  /**
   * @param {VatParts} parts
   * @param {LettingGo} kind
   * @param {number} firstUsed
   * @param {number} endUsed
   */
  #letGo({ clist }, kind, firstUsed, endUsed) {
    for (let at = firstUsed; at < endUsed; at += 1) {
      const pair = this.#pairOf(at);
      if (kind === 'dropImports') clist.setReachable(pair, false);
      else if (kind === 'retireImports') clist.deletePair(pair);
      else retireObject(this.#state, clist, pair);
    }
  }
}

/**
 * Adds an export to a vat's c-list.
 *
 * @param {KernelState} state
 * @param {VatParts} parts
 * @param {Name} name
 * @returns {Pair}
 */
const exportNew = (state, { id, clist }, { vref, isPromise }) => {
  if (isPromise) {
    const promise = state.promises.add(id);
    return clist.add(promise.kref, vref, promise);
  }
  const kref = `ko${decimal(state.figures.allocate(figure.nextObject))}`;
  state.owners.set(kref, id);
  state.counters.inc(state.counters.find('kernelObjects'));
  return clist.add(kref, vref, null);
};
