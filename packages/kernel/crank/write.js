// Writes effects to the tables. check-syscalls.js has checked them all, so none can fail: a difference from the check
// is a bug. They are written in the order of the syscalls: first the references that a syscall names for the first
// time, then its action.

import { decimal, Fail, syscallKinds, writeFields } from '#model';
import { retireObject } from '../collection/collection.js';
import { figure } from '../tables/figures.js';
import { byKernel } from '../tables/queue-item.js';
import { requestStop, sendOut } from '../reactors/ports.js';
import { settle, settledState } from './settlement.js';

/** @import { Both, ByteWriter, CapData, Resolution, Syscall } from '#model' */
/** @import { Pair } from '../tables/clist.js' */
/** @import { PromiseRow, SettledState } from '../tables/promise-row.js' */
/** @import { VatParts } from '../tables/vats.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { LettingGo, SyscallChecker } from './check-syscalls.js' */
/** @import { Effect } from './effect.js' */
/** @import { Flight } from './flight.js' */
/** @import { Name } from './names.js' */

export class EffectWriter {
  #state;

  /** Indexes of the counters of syscall kinds, by the kinds' bytes. */
  #at;

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
  write(parts, { first }, writer, both, flight) {
    const { counters, queue } = this.#state;
    let counted = 0;
    let place = 0;
    for (let effect = first; effect !== null; effect = effect.next, place += 1) {
      const { kind } = effect;
      // A device call was written when it was made.
      if (kind.name === 'callNow') continue;
      this.#enterAll(parts, effect);
      queue.causePlace = flight === null ? place : flight.applied.length;
      this.#act(parts, effect);
      if (kind.isInAll) counted += 1;
      counters.add(this.#at[kind.byte], 1);
      if (writer !== null) writeFields(writer, kind, effect.inVrefs);
      else if (both !== null) effect.encode(both);
      if (flight !== null) flight.addApplied(effect.inKrefs());
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
  writeCall(parts, { first }, flight) {
    const effect = first ?? Fail`no call of a device was checked`;
    const inKrefs = effect.inKrefs();
    this.#enterAll(parts, effect);
    const { counters } = this.#state;
    counters.add(counters.places.syscalls, 1);
    counters.add(this.#at[effect.kind.byte], 1);
    flight.addApplied(inKrefs);
    return /** @type {Extract<Syscall, ['callNow', ...any]>} */ (inKrefs);
  }

  /**
   * @param {VatParts} parts
   * @param {Effect} effect
   */
  #enterAll(parts, effect) {
    const { count } = effect;
    for (let at = 0; at < count; at += 1) this.#enter(parts, effect.name(at));
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
   * @param {Effect} effect
   */
  #act(parts, effect) {
    const state = this.#state;
    const { inVrefs, data, whole } = effect;
    switch (inVrefs[0]) {
      case 'send': {
        const { promises, queue } = state;
        const target = pairOf(effect.first);
        const { kref } = target;
        if (target.promise === null && (target.home === null || !target.home.isListed))
          target.home = this.#findHome(kref) ?? null;
        const named = effect.result;
        const promise = named === null ? null : promiseOf(named);
        // The recipient of the message decides its result.
        if (promise !== null && promise.decider !== '') promises.setDecider(promise, '');
        const methargs = data ?? Fail`a send has no message`;
        const result = promise === null ? null : promise.kref;
        queue.addSend(kref, { methargs, result }, promise, target.home);
        break;
      }
      case 'subscribe': {
        const promise = promiseOf(effect.first);
        if (promise.state === 'unresolved') state.promises.subscribe(promise, parts.id);
        else state.queue.addNotify(parts.id, promise);
        break;
      }
      case 'resolve':
        if (data !== null) this.#resolve(parts, effect.first, inVrefs[1][0][1], data);
        else if (whole !== null && whole[0] === 'resolve')
          this.#resolveAll(parts, effect, whole[1]);
        break;
      case 'vatstoreSet':
        state.vatstore.set(parts.id, inVrefs[1], inVrefs[2]);
        break;
      case 'vatstoreDelete':
        state.vatstore.delete(parts.id, inVrefs[1]);
        break;
      case 'dropImports':
      case 'retireImports':
      case 'retireExports':
      case 'abandonExports':
        this.#letGo(parts, effect, inVrefs[0]);
        break;
      case 'setPort':
        if (whole !== null && whole[0] === 'setPort')
          sendOut(state, state.reactors.requireOf(parts), whole[1], whole[2]);
        break;
      case 'requestStop':
        requestStop(state, state.reactors.requireOf(parts));
        break;
      default:
      // Reads have been answered; an exit comes after the last syscall (apply.js).
    }
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
   * Settles one promise.
   *
   * @param {VatParts} parts
   * @param {Name} name
   * @param {boolean} rejected
   * @param {CapData} data  in krefs
   */
  #resolve({ id, clist }, name, rejected, data) {
    const { profile, counters } = this.#state;
    const pair = pairOf(name);
    const promise = pair.promise ?? Fail`${pair.vref} is no promise`;
    const outcome = settledState(rejected, data);
    if (profile.retiresEntry(pair.kref, data)) clist.deletePair(pair);
    profile.countResolve(counters, [outcome]);
    settle(this.#state, promise, outcome, data, id);
  }

  /**
   * @param {VatParts} parts
   * @param {Effect} effect  names for each resolution the promise, then its data
   * @param {readonly Resolution[]} resolutions  in krefs
   */
  #resolveAll({ id, clist }, effect, resolutions) {
    const { profile, counters } = this.#state;
    const pairs = [];
    let at = 0;
    for (let i = 0; i < resolutions.length; i += 1) {
      pairs.push(pairOf(effect.name(at)));
      at += 1 + resolutions[i][2].slots.length;
    }
    /** @type {SettledState[]} */
    const outcomes = [];
    for (let i = 0; i < pairs.length; i += 1) {
      // Not taken apart as a tuple: that uses an iterator, which is slow in a locked-down realm.
      const resolution = resolutions[i];
      outcomes.push(settledState(resolution[1], resolution[2]));
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
   * @param {Effect} effect
   * @param {LettingGo} kind
   */
  #letGo({ clist }, effect, kind) {
    const { count } = effect;
    for (let at = 0; at < count; at += 1) {
      const pair = pairOf(effect.name(at));
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

/** @param {Name} name  that was entered */
const pairOf = ({ pair, vref }) => pair ?? Fail`${vref} is not in the c-list`;

/** @param {Name} name  of a promise, that was entered @returns {PromiseRow} */
const promiseOf = name => pairOf(name).promise ?? Fail`${name.vref} is no promise`;
