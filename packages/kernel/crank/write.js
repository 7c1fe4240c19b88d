// What a vat asked for, written to the tables. All of it has been decided (decide.js), so nothing of it can fail: what is
// not as it was decided is a bug. Effects are written in the order of the syscalls, and of each in the order target,
// arguments, result, which allocates identifiers, so that this order is in the activity hash.

import {
  decimal,
  Fail,
  isVref,
  typeOfVref,
  writeResolveTwice,
  writeSendTwice,
  writeSubscribeTwice,
  writeSyscallTwice,
} from '#model';
import { retireObject } from '../collection/collection.js';
import { figure } from '../tables/figures.js';
import { requestStop, sendOut } from '../reactors/ports.js';
import { settle, settledState } from './settlement.js';

/** @import { ByteWriter, CapData, Resolution, Syscall } from '#model' */
/** @import { Pair } from '../tables/clist.js' */
/** @import { PromiseRow } from '../tables/promises.js' */
/** @import { VatParts } from '../tables/vats.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { Decider, Name } from './decide.js' */

/** The activity hash and the vat's transcript. @typedef {{ inKrefs: ByteWriter, inVrefs: ByteWriter }} Both */

export class EffectWriter {
  #state;

  #at;

  /** @type {readonly Name[]} what was decided on */
  #used = [];

  /** How many of them have been written. */
  #next = 0;

  /** @param {KernelState} state */
  constructor(state) {
    this.#state = state;
    const find = (/** @type {string} */ name) => state.counters.find(name);
    this.#at = {
      objects: find('kernelObjects'),
      all: find('syscalls'),
      send: find('syscallSend'),
      subscribe: find('syscallSubscribe'),
      vatstoreGet: find('syscallVatstoreGet'),
      vatstoreSet: find('syscallVatstoreSet'),
      vatstoreDelete: find('syscallVatstoreDelete'),
      vatstoreGetNextKey: find('syscallVatstoreGetNextKey'),
      dropImports: find('syscallDropImports'),
      retireImports: find('syscallRetireImports'),
      retireExports: find('syscallRetireExports'),
      exit: find('syscallExit'),
      setPort: find('syscallSetPort'),
      requestStop: find('syscallRequestStop'),
    };
  }

  /**
   * What was decided last is written from now on, with `write`.
   *
   * @param {Decider} decided
   */
  begin({ used }) {
    this.#used = used;
    this.#next = 0;
  }

  /**
   * All that was decided on has been written.
   *
   * @param {Decider} decided
   */
  end({ usedCount }) {
    this.#next === usedCount || Fail`${this.#next} names were written, and ${usedCount} decided`;
  }

  /**
   * Write one syscall after the other.
   *
   * @param {VatParts} parts  of the vat
   * @param {Syscall} syscall  in vrefs
   * @param {Both | null} both  where to encode it, in both notations
   * @param {boolean} isTold  whether somebody wants to have it
   * @returns {Syscall | null} in krefs, if so
   */
  write(parts, syscall, both, isTold) {
    switch (syscall[0]) {
      case 'send':
        return this.#send(parts, syscall, both, isTold);
      case 'subscribe':
        return this.#subscribe(parts, syscall, both, isTold);
      case 'resolve':
        if (syscall[1].length === 1) return this.#resolveOne(parts, syscall[1][0], both, isTold);
        return encode(both, this.#resolve(parts, syscall[1]), syscall);
      default:
        return encode(both, this.#other(parts, syscall), syscall);
    }
  }

  /**
   * @param {VatParts} parts
   * @param {Syscall} syscall
   * @returns {Syscall} in krefs
   */
  #other(parts, syscall) {
    const { vatstore, counters } = this.#state;
    switch (syscall[0]) {
      case 'exit':
        // Its effect comes after the last syscall (apply.js).
        counters.inc(this.#at.exit);
        return ['exit', syscall[1], this.mapData(parts, syscall[2])];
      case 'vatstoreGet':
      case 'vatstoreGetNextKey':
        break;
      case 'vatstoreSet':
        vatstore.set(parts.id, syscall[1], syscall[2]);
        break;
      case 'vatstoreDelete':
        vatstore.delete(parts.id, syscall[1]);
        break;
      case 'dropImports':
      case 'retireImports':
      case 'retireExports':
        this.#count(syscall[0]);
        return [syscall[0], this.#letGo(parts, syscall[0], syscall[1])];
      case 'setPort': {
        const data = this.mapData(parts, syscall[2]);
        sendOut(this.#state, parts.id, syscall[1], data);
        this.#count('setPort');
        return data === syscall[2] ? syscall : ['setPort', syscall[1], data];
      }
      case 'requestStop':
        requestStop(this.#state, parts.id);
        break;
      default:
        throw Fail`${syscall[0]} is not written here`;
    }
    this.#count(syscall[0]);
    return syscall;
  }

  /** @param {Exclude<Syscall[0], 'resolve' | 'callNow' | 'exit'>} kind */
  #count(kind) {
    this.#state.counters.inc(this.#at.all);
    this.#state.counters.inc(this.#at[kind]);
  }

  /**
   * @param {VatParts} parts
   * @param {Extract<Syscall, ['send', ...any]>} syscall
   * @param {Both | null} both
   * @param {boolean} isTold
   * @returns {Syscall | null}
   */
  #send(parts, syscall, both, isTold) {
    const { counters, promises, queue } = this.#state;
    const pair = this.#nextPair(parts);
    const target = pair.kref;
    if (pair.promise === null && (pair.home === null || !pair.home.isListed))
      pair.home = this.#findHome(target) ?? null;
    const methargs = this.mapData(parts, syscall[2]);
    /** @type {PromiseRow | null} */
    let promise = null;
    let result = null;
    if (syscall[3] !== null) {
      // The right to decide goes with the message.
      promise = this.#nextPair(parts, '').promise ?? Fail`the result ${syscall[3]} is no promise`;
      if (promise.decider !== '') promises.setDecider(promise, '');
      result = promise.kref;
    }
    queue.addSend(target, { methargs, result }, promise, pair.home);
    counters.inc(this.#at.all);
    counters.inc(this.#at.send);
    if (both !== null) writeSendTwice(both, target, methargs, result, syscall);
    return isTold ? ['send', target, methargs, result] : null;
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
   * @param {Extract<Syscall, ['subscribe', ...any]>} syscall
   * @param {Both | null} both
   * @param {boolean} isTold
   * @returns {Syscall | null}
   */
  #subscribe(parts, syscall, both, isTold) {
    const { counters, promises, queue } = this.#state;
    const promise = this.#nextPair(parts).promise ?? Fail`${syscall[1]} is no promise`;
    if (promise.state === 'unresolved') promises.subscribe(promise, parts.id);
    else queue.addNotify(parts.id, promise);
    counters.inc(this.#at.all);
    counters.inc(this.#at.subscribe);
    if (both !== null) writeSubscribeTwice(both, promise.kref, syscall[1]);
    return isTold ? ['subscribe', promise.kref] : null;
  }

  /**
   * @param {VatParts} parts
   * @param {Resolution} resolution  in vrefs
   * @param {Both | null} both
   * @param {boolean} isTold
   * @returns {Syscall | null}
   */
  #resolveOne(parts, resolution, both, isTold) {
    const state = this.#state;
    const { counters, profile } = state;
    const pair = this.#nextPair(parts);
    const promise = pair.promise ?? Fail`${resolution[0]} is no promise`;
    const data = this.mapData(parts, resolution[2]);
    if (profile.retiresEntry(pair.kref, data)) parts.clist.deletePair(pair);
    const outcome = settledState(resolution[1], data);
    profile.countResolve(counters, [outcome]);
    settle(state, promise, outcome, data, parts.id);
    if (both !== null) writeResolveTwice(both, pair.kref, data, resolution);
    return isTold ? ['resolve', [[pair.kref, resolution[1], data]]] : null;
  }

  /**
   * Several promises settled at once. All are mapped before any is settled, for they may name each other.
   *
   * @param {VatParts} parts
   * @param {readonly Resolution[]} resolutions  in vrefs
   * @returns {Syscall} in krefs
   */
  #resolve(parts, resolutions) {
    const { profile, counters } = this.#state;
    /** @type {Pair[]} */
    const pairs = [];
    /** @type {Resolution[]} */
    const mapped = [];
    for (let i = 0; i < resolutions.length; i += 1) {
      const pair = this.#nextPair(parts);
      pairs.push(pair);
      mapped.push([pair.kref, resolutions[i][1], this.mapData(parts, resolutions[i][2])]);
    }
    for (let i = 0; i < pairs.length; i += 1)
      if (profile.retiresEntry(mapped[i][0], mapped[i][2])) parts.clist.deletePair(pairs[i]);
    const states = mapped.map(each => settledState(each[1], each[2]));
    profile.countResolve(counters, states);
    for (let i = 0; i < pairs.length; i += 1) {
      const promise = pairs[i].promise ?? Fail`${resolutions[i][0]} is no promise`;
      settle(this.#state, promise, states[i], mapped[i][2], parts.id);
    }
    return ['resolve', mapped];
  }

  /**
   * @param {VatParts} parts
   * @param {'dropImports' | 'retireImports' | 'retireExports'} kind
   * @param {readonly string[]} vrefs
   * @returns {string[]} krefs
   */
  #letGo({ clist }, kind, vrefs) {
    const krefs = [];
    for (let i = 0; i < vrefs.length; i += 1) {
      const pair = clist.findPair(vrefs[i]) ?? Fail`${vrefs[i]} is not in the c-list`;
      this.#next += 1;
      krefs.push(pair.kref);
      if (kind === 'dropImports') clist.setReachable(pair, false);
      else if (kind === 'retireImports') clist.deletePair(pair);
      else retireObject(this.#state, clist, pair);
    }
    return krefs;
  }

  /**
   * @param {VatParts} parts
   * @param {CapData} data  in vrefs
   * @returns {CapData} in krefs
   */
  mapData(parts, data) {
    const { slots } = data;
    if (slots.length === 0) return data;
    const krefs = [this.#nextPair(parts).kref];
    for (let i = 1; i < slots.length; i += 1) krefs.push(this.#nextPair(parts).kref);
    return { body: data.body, slots: krefs };
  }

  /**
   * The entry of the next name, which may be a new export.
   *
   * @param {VatParts} parts
   * @param {string} [decider]  of a new promise
   * @returns {Pair}
   */
  #nextPair(parts, decider = parts.id) {
    const name = this.#used[this.#next];
    this.#next += 1;
    const { pair } = name;
    if (pair !== undefined && pair.isListed && pair.isReachable) return pair;
    return this.#providePair(parts, name, decider);
  }

  /**
   * @param {VatParts} parts
   * @param {Name} name
   * @param {string} decider
   */
  #providePair(parts, name, decider) {
    const { clist } = parts;
    const pair = clist.findPair(name.vref) ?? exportNew(this.#state, parts, name.vref, decider);
    if (!pair.isReachable) clist.setReachable(pair, true);
    name.pair = pair;
    return pair;
  }
}

/**
 * @param {Both | null} both
 * @param {Syscall} inKrefs
 * @param {Syscall} inVrefs
 */
const encode = (both, inKrefs, inVrefs) => {
  if (both !== null) writeSyscallTwice(both, inKrefs, inVrefs);
  return inKrefs;
};

/**
 * A vat names something for the first time.
 *
 * @param {KernelState} state
 * @param {VatParts} parts
 * @param {string} vref
 * @param {string} decider  of a promise
 * @returns {Pair}
 */
const exportNew = (state, { id, clist }, vref, decider) => {
  isVref(vref) || Fail`a vat exports ${vref}`;
  if (typeOfVref(vref) === 'promise') {
    const promise = state.promises.add(decider);
    return clist.add(promise.kref, vref, promise);
  }
  const kref = `ko${decimal(state.figures.allocate(figure.nextObject))}`;
  state.owners.set(kref, id);
  state.counters.inc(state.counters.find('kernelObjects'));
  return clist.add(kref, vref, null);
};
