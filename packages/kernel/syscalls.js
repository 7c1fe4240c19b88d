// One syscall of a vat, checked and written to the tables. Targets, arguments and results are mapped to krefs in
// that order, which allocates identifiers, so the order is part of the activity hash. A vat that asks for
// something it does not hold is at fault: the crank is dropped and the vat ended (crank/apply.js).

import {
  decimal,
  Fail,
  isAllocatedByVat,
  isDeviceKref,
  isObjectKref,
  isVref,
  quote,
  typeOfVref,
} from '#model';
import { figure } from './figures.js';
import { findTextProblem } from './keepers/vatstore.js';
import { findSizeProblem, quoteShort } from './limits.js';
import { retireObject } from './collection.js';
import { requestStop, sendOut } from './ports.js';
import { settle, settledState } from './settlement.js';
import { VatFault } from './vat-fault.js';

/** @import { CapData, Resolution, Syscall } from '#model' */
/** @import { CList, Pair } from './keepers/clist.js' */
/** @import { KernelState } from './state.js' */

/**
 * @param {string} text
 * @param {'key' | 'value'} what
 */
const insistText = (text, what) => {
  const problem = findTextProblem(text, what);
  if (problem !== undefined) throw new VatFault(problem);
};

/**
 * Whether each stands behind the one before, longer ones behind shorter ones, as vats name them by their numbers: then all
 * are different.
 *
 * @param {readonly string[]} vrefs
 */
const ascends = vrefs => {
  for (let i = 1; i < vrefs.length; i += 1) {
    const before = vrefs[i - 1];
    const vref = vrefs[i];
    if (vref.length < before.length || (vref.length === before.length && vref <= before))
      return false;
  }
  return true;
};

/**
 * @param {readonly string[]} vrefs
 * @param {'drop' | 'retire'} what
 */
const insistDifferent = (vrefs, what) => {
  if (ascends(vrefs) || new Set(vrefs).size === vrefs.length) return;
  const seen = new Set();
  const twice = vrefs.find(vref => seen.size === seen.add(vref).size);
  throw new VatFault(
    `cannot ${what} ${quoteShort(/** @type {string} */ (twice))} twice in one call`,
  );
};

/** So many promises are compared with each other; of more there is a set. */
const fewPromises = 8;

/** @param {Resolution} resolution  in krefs */
const stateOf = resolution => settledState(resolution[1], resolution[2]);

/** The place of every counter that syscalls use, looked up once. */
export class SyscallApplier {
  #state;

  #at;

  /** @param {KernelState} state */
  constructor(state) {
    this.#state = state;
    const find = (/** @type {string} */ name) => state.counters.find(name);
    this.#at = {
      objects: find('kernelObjects'),
      all: find('syscalls'),
      send: find('syscallSend'),
      subscribe: find('syscallSubscribe'),
      callNow: find('syscallCallNow'),
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
   * @param {string} vatId
   * @param {CList} clist  the vat's
   * @param {Syscall} syscall  in vrefs
   * @returns {Syscall} in krefs, as it was applied
   * @throws {VatFault} nothing of the crank may be kept
   */
  apply(vatId, clist, syscall) {
    switch (syscall[0]) {
      case 'send':
        return this.#send(vatId, clist, syscall[1], syscall[2], syscall[3]);
      case 'subscribe':
        return this.#subscribe(vatId, clist, syscall[1]);
      case 'resolve':
        return this.#resolve(vatId, clist, syscall[1]);
      case 'exit':
        // Its effect comes after the last syscall (crank/apply.js).
        this.#state.counters.inc(this.#at.exit);
        return ['exit', syscall[1], this.#mapData(vatId, clist, syscall[2])];
      case 'vatstoreGet':
        return this.#count(this.#at.vatstoreGet, syscall);
      case 'vatstoreGetNextKey':
        return this.#count(this.#at.vatstoreGetNextKey, syscall);
      case 'vatstoreSet':
        insistText(syscall[1], 'key');
        insistText(syscall[2], 'value');
        this.#state.vatstore.set(vatId, syscall[1], syscall[2]);
        return this.#count(this.#at.vatstoreSet, syscall);
      case 'vatstoreDelete':
        insistText(syscall[1], 'key');
        this.#state.vatstore.delete(vatId, syscall[1]);
        return this.#count(this.#at.vatstoreDelete, syscall);
      case 'callNow':
        throw Fail`callNow is applied when it is called`;
      case 'dropImports':
        return this.#dropImports(clist, syscall[1]);
      case 'retireImports':
        return this.#retireImports(clist, syscall[1]);
      case 'retireExports':
        return this.#retireExports(clist, syscall[1]);
      case 'setPort':
        return this.#setPort(vatId, clist, syscall);
      case 'requestStop':
        requestStop(this.#state, vatId);
        return this.#count(this.#at.requestStop, syscall);
      default:
        throw new VatFault(`no such syscall: ${quote(/** @type {any} */ (syscall)[0])}`);
    }
  }

  /**
   * @param {number} at
   * @param {Syscall} syscall
   */
  #count(at, syscall) {
    this.#state.counters.inc(this.#at.all);
    this.#state.counters.inc(at);
    return syscall;
  }

  /**
   * The kref of a reference that a vat uses. One that the vat allocated and the kernel has not seen is a new
   * export; any other that is not in the c-list is a fault.
   *
   * @param {string} vatId
   * @param {CList} clist
   * @param {string} vref
   */
  mapOut(vatId, clist, vref) {
    return this.#findOut(vatId, clist, vref).kref;
  }

  /**
   * The same, as the entry of the c-list.
   *
   * @param {string} vatId
   * @param {CList} clist
   * @param {string} vref
   * @returns {Pair}
   */
  #findOut(vatId, clist, vref) {
    const known = clist.findPair(vref);
    if (known !== undefined) {
      if (!known.isReachable) this.#reach(clist, known);
      return known;
    }
    if (!isVref(vref))
      throw new VatFault(`${quoteShort(vref)} is not a vref; a vref is like "o+1" or "p-60"`);
    if (!isAllocatedByVat(vref))
      throw new VatFault(`${quoteShort(vref)} is not in the vat's c-list`);
    const type = typeOfVref(vref);
    if (type === 'device') throw new VatFault(`a vat cannot export the device ${quoteShort(vref)}`);
    if (type === 'object') return clist.add(this.#exportObject(vatId), vref, null);
    const promise = this.#state.promises.add(vatId);
    return clist.add(promise.kref, vref, promise);
  }

  /**
   * An export goes out again after its vat was told that nobody reaches it; an import that was dropped is no longer
   * the vat's to use.
   *
   * @param {CList} clist
   * @param {Pair} pair
   */
  #reach(clist, pair) {
    if (!isAllocatedByVat(pair.vref))
      throw new VatFault(
        `${quote(pair.vref)} was dropped by the vat, which cannot use it any more`,
      );
    clist.setReachable(pair, true);
  }

  /** @param {string} vatId */
  #exportObject(vatId) {
    const kref = `ko${decimal(this.#state.figures.allocate(figure.nextObject))}`;
    this.#state.owners.set(kref, vatId);
    this.#state.counters.inc(this.#at.objects);
    return kref;
  }

  /**
   * @param {string} vatId
   * @param {CList} clist
   * @param {CapData} data
   * @returns {CapData}
   */
  #mapData(vatId, clist, data) {
    const { slots } = data;
    const problem = findSizeProblem(data.body, 'a body');
    if (problem !== undefined) throw new VatFault(problem);
    if (slots.length === 0) return data;
    return { body: data.body, slots: slots.map(vref => this.mapOut(vatId, clist, vref)) };
  }

  /**
   * An unresolved promise that the vat decides.
   *
   * @param {string} vatId
   * @param {CList} clist
   * @param {string} vref
   */
  #mapDecided(vatId, clist, vref) {
    const { promise } = this.#findOut(vatId, clist, vref);
    if (promise === null) throw new VatFault(`${quoteShort(vref)} is not a promise`);
    const { state, decider } = promise;
    if (state !== 'unresolved')
      throw new VatFault(`promise ${quoteShort(vref)} is settled already`);
    if (decider !== vatId)
      throw new VatFault(`promise ${quoteShort(vref)} is not this vat's to decide`);
    return promise;
  }

  /**
   * @param {string} vatId
   * @param {CList} clist
   * @param {string} targetVref
   * @param {CapData} vatMethargs
   * @param {string | null} resultVref
   * @returns {Syscall}
   */
  #send(vatId, clist, targetVref, vatMethargs, resultVref) {
    const { counters, promises, queue } = this.#state;
    const target = this.mapOut(vatId, clist, targetVref);
    if (isDeviceKref(target))
      throw new VatFault(`messages cannot be sent to the device ${quoteShort(targetVref)}`);
    const methargs = this.#mapData(vatId, clist, vatMethargs);
    const promise = resultVref === null ? null : this.#mapDecided(vatId, clist, resultVref);
    // The right to decide goes with the message.
    if (promise !== null) promises.setDecider(promise, '');
    const result = promise === null ? null : promise.kref;
    queue.addSend(target, { methargs, result }, promise);
    counters.inc(this.#at.all);
    counters.inc(this.#at.send);
    return ['send', target, methargs, result];
  }

  /**
   * @param {string} vatId
   * @param {CList} clist
   * @param {string} vref
   * @returns {Syscall}
   */
  #subscribe(vatId, clist, vref) {
    const { counters, promises, queue } = this.#state;
    const { promise } = this.#findOut(vatId, clist, vref);
    if (promise === null)
      throw new VatFault(`cannot subscribe to ${quoteShort(vref)}, which is not a promise`);
    if (promise.state === 'unresolved') promises.subscribe(promise, vatId);
    else queue.addNotify(vatId, promise);
    counters.inc(this.#at.all);
    counters.inc(this.#at.subscribe);
    return ['subscribe', promise.kref];
  }

  /**
   * Several promises settled at once. All are mapped before any is settled, for they may name each other.
   *
   * @param {string} vatId
   * @param {CList} clist
   * @param {Resolution[]} resolutions
   * @returns {Syscall}
   */
  #resolve(vatId, clist, resolutions) {
    const { profile, counters, promises } = this.#state;
    // Nearly always it is one promise. Loops by index: in a locked-down realm each step of an iterator, also of one that
    // takes a tuple apart, is a call and an object.
    const mapped =
      resolutions.length === 0 ? [] : [this.#mapResolution(vatId, clist, resolutions[0])];
    const seen =
      mapped.length > 0 && resolutions.length > fewPromises ? new Set([mapped[0][0]]) : null;
    for (let i = 1; i < resolutions.length; i += 1) {
      const resolution = this.#mapResolution(vatId, clist, resolutions[i]);
      const [kref] = resolution;
      if (seen === null ? mapped.some(other => other[0] === kref) : seen.has(kref)) {
        throw new VatFault(
          `promise ${quoteShort(resolutions[i][0])} is settled twice in one resolve`,
        );
      }
      seen?.add(kref);
      mapped.push(resolution);
    }
    for (let i = 0; i < mapped.length; i += 1)
      if (profile.retiresEntry(mapped[i][0], mapped[i][2])) clist.delete(mapped[i][0]);
    const states = mapped.map(stateOf);
    profile.countResolve(counters, states);
    for (let i = 0; i < mapped.length; i += 1)
      settle(this.#state, promises.require(mapped[i][0]), states[i], mapped[i][2], vatId);
    return ['resolve', mapped];
  }

  /**
   * @param {string} vatId
   * @param {CList} clist
   * @param {Extract<Syscall, ['setPort', ...any]>} syscall
   * @returns {Syscall}
   */
  #setPort(vatId, clist, syscall) {
    const data = this.#mapData(vatId, clist, syscall[2]);
    sendOut(this.#state, vatId, syscall[1], data);
    this.#state.counters.inc(this.#at.all);
    this.#state.counters.inc(this.#at.setPort);
    return data === syscall[2] ? syscall : ['setPort', syscall[1], data];
  }

  /**
   * @param {string} vatId
   * @param {CList} clist
   * @param {Resolution} resolution  in vrefs
   * @returns {Resolution} in krefs
   */
  #mapResolution(vatId, clist, resolution) {
    const { kref } = this.#mapDecided(vatId, clist, resolution[0]);
    return [kref, resolution[1], this.#mapData(vatId, clist, resolution[2])];
  }

  /**
   * @param {CList} clist
   * @param {string[]} vrefs
   * @returns {Syscall}
   */
  #dropImports(clist, vrefs) {
    insistDifferent(vrefs, 'drop');
    const pairs = vrefs.map(vref => {
      const pair = clist.findPair(vref);
      if (pair === undefined || !isObjectKref(pair.kref) || isAllocatedByVat(vref))
        throw new VatFault(`cannot drop ${quoteShort(vref)}, which is not an import of the vat`);
      if (!pair.isReachable)
        throw new VatFault(`cannot drop ${quoteShort(vref)}, which was dropped before`);
      return pair;
    });
    for (const pair of pairs) clist.setReachable(pair, false);
    this.#state.counters.inc(this.#at.all);
    this.#state.counters.inc(this.#at.dropImports);
    return ['dropImports', pairs.map(({ kref }) => kref)];
  }

  /**
   * @param {CList} clist
   * @param {string[]} vrefs
   * @returns {Syscall}
   */
  #retireExports(clist, vrefs) {
    insistDifferent(vrefs, 'retire');
    const pairs = vrefs.map(vref => {
      const pair = clist.findPair(vref);
      if (pair === undefined || !isObjectKref(pair.kref) || !isAllocatedByVat(vref))
        throw new VatFault(`cannot retire ${quoteShort(vref)}, which is not an export of the vat`);
      if (pair.isReachable)
        throw new VatFault(`cannot retire ${quoteShort(vref)}, which others still reach`);
      return pair;
    });
    for (const pair of pairs) retireObject(this.#state, clist, pair);
    this.#state.counters.inc(this.#at.all);
    this.#state.counters.inc(this.#at.retireExports);
    return ['retireExports', pairs.map(({ kref }) => kref)];
  }

  /**
   * @param {CList} clist
   * @param {string[]} vrefs
   * @returns {Syscall}
   */
  #retireImports(clist, vrefs) {
    insistDifferent(vrefs, 'retire');
    // One that was not dropped before is dropped with it.
    const pairs = vrefs.map(vref => {
      const pair = clist.findPair(vref);
      if (pair === undefined || !isObjectKref(pair.kref) || isAllocatedByVat(vref))
        throw new VatFault(`cannot retire ${quoteShort(vref)}, which is not an import of the vat`);
      return pair;
    });
    for (const pair of pairs) clist.deletePair(pair);
    this.#state.counters.inc(this.#at.all);
    this.#state.counters.inc(this.#at.retireImports);
    return ['retireImports', pairs.map(({ kref }) => kref)];
  }
}
