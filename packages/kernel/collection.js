// Object collection across vats. A vat says in its `bringOutYourDead` which imports it does not reach, or not even
// recognise, any more. Then one step of the kernel looks through everything that names objects, c-lists, queue and
// promises, and tells the vats: an export that nobody reaches is dropped, one that nobody recognises is retired, and
// an import whose object is gone is retired. What was queued for a vat is looked at again when it is taken, for the
// object may have been sent again meanwhile.
//
// Nothing is counted from message to message: to look through everything once in thousands of cranks is cheaper.
// Rings of objects through several vats are never found, since each vat reaches what the other holds for it.

import { compareIds, Fail, isAllocatedByVat, isObjectKref, RefMap } from '#model';

/** @import { CList, Pair } from './keepers/clist.js' */
/** @import { KernelState } from './state.js' */

/**
 * The objects that anyone but their own vat reaches, or only recognises: those may be among the reachable ones, too.
 *
 * @typedef {{ reachable: KrefSet, recognizable: KrefSet }} Held
 */

/** A set of krefs. */
class KrefSet {
  /** @type {RefMap<true>} */
  #krefs = new RefMap('kref');

  /** @param {string} kref */
  add(kref) {
    this.#krefs.set(kref, true);
  }

  /** @param {string} kref */
  has(kref) {
    return this.#krefs.get(kref) === true;
  }
}

/** What a vat is told of objects. @typedef {'dropExports' | 'retireExports' | 'retireImports'} Verdict */

/**
 * @param {KrefSet} held
 * @param {Iterable<string>} krefs
 */
const addAll = (held, krefs) => {
  for (const kref of krefs) if (isObjectKref(kref)) held.add(kref);
};

/**
 * @param {KernelState} state
 * @returns {Held}
 */
export const findHeld = ({ vats, queue, promises, reactors, held }) => {
  const reachable = new KrefSet();
  // What the host took hold of; results are among them, and no objects.
  if (held.size > 0) addAll(reachable, held.keys());
  /** Those that nobody else reaches, perhaps. */
  const recognizable = new KrefSet();
  for (const [vatId, row] of vats.vats.entries()) {
    // The roots of the config's vats can be sent to from outside at any time.
    if (row.state !== 'running') continue;
    const root = row.isStatic ? vats.clist(vatId).findKref('o+0') : undefined;
    if (root !== undefined) reachable.add(root);
    // Of a vat that has not started.
    addAll(reachable, row.parameterSlots);
    addImports(vats.clist(vatId), reachable, recognizable);
  }
  for (const deviceId of vats.devices.keys())
    addImports(vats.clist(deviceId), reachable, recognizable);
  for (const { target, message, kind, vatId } of queue.inOrder()) {
    if (kind === 'start' && vats.isRunning(vatId)) {
      // Whoever made the vat gets its root when it has started.
      addAll(reachable, [vats.clist(vatId).findKref('o+0') ?? '']);
    } else if (message !== null) {
      addAll(reachable, [target]);
      addAll(reachable, message.methargs.slots);
    }
  }
  for (const { data } of reactors.underWay()) addAll(reachable, data.slots);
  for (const [, { parked, data }] of promises.table.entries()) {
    for (const { methargs } of parked) addAll(reachable, methargs.slots);
    if (data !== null) addAll(reachable, data.slots);
  }
  return { reachable, recognizable };
};

/**
 * @param {CList} clist
 * @param {KrefSet} reachable
 * @param {KrefSet} recognizable
 */
const addImports = (clist, reachable, recognizable) => {
  const pairs = clist.pairs();
  // By index, for an iterator is not free in a locked-down realm.
  for (let i = 0; i < pairs.length; i += 1) {
    const { kref, vref, isReachable } = pairs[i];
    if (isAllocatedByVat(vref) || !isObjectKref(kref)) continue;
    if (isReachable) reachable.add(kref);
    else recognizable.add(kref);
  }
};

/**
 * What each vat is to be told, vats by their numbers, objects by theirs.
 *
 * @param {KernelState} state
 * @returns {{ vatId: string, verdict: Verdict, krefs: string[] }[]}
 */
export const judge = state => {
  const { vats } = state;
  state.heldNow ??= findHeld(state);
  const held = state.heldNow;
  const found = [];
  for (const vatId of vats.vatIds()) {
    if (!vats.isRunning(vatId)) continue;
    /** @type {Record<Verdict, string[]>} */
    const krefs = { dropExports: [], retireExports: [], retireImports: [] };
    const pairs = vats.clist(vatId).pairs();
    for (let i = 0; i < pairs.length; i += 1) {
      const told = findVerdicts(state, held, pairs[i]);
      for (let j = 0; j < told.length; j += 1) krefs[told[j]].push(pairs[i].kref);
    }
    for (const verdict of verdicts)
      if (krefs[verdict].length > 0)
        found.push({ vatId, verdict, krefs: krefs[verdict].sort(compareIds) });
  }
  return found;
};

/** In the order in which a vat is told. @type {readonly Verdict[]} */
const verdicts = ['dropExports', 'retireExports', 'retireImports'];

/** @param {string} kind  of an item */
export const isVerdict = kind => verdicts.includes(/** @type {Verdict} */ (kind));

/** @type {Record<string, readonly Verdict[]>} */
const lists = {
  nothing: [],
  drop: ['dropExports'],
  dropAndRetire: ['dropExports', 'retireExports'],
  retire: ['retireExports'],
  retireImport: ['retireImports'],
};

/**
 * @param {KernelState} state
 * @param {Held} held
 * @param {Readonly<Pair>} pair
 * @returns {readonly Verdict[]}
 */
const findVerdicts = (state, held, { kref, vref, isReachable }) => {
  if (!isObjectKref(kref)) return lists.nothing;
  // The owner of an import may have ended, or have retired it: then it will never come again.
  if (!isAllocatedByVat(vref))
    return isReachable || state.owners.has(kref) ? lists.nothing : lists.retireImport;
  if (held.reachable.has(kref)) return lists.nothing;
  if (held.recognizable.has(kref)) return isReachable ? lists.drop : lists.nothing;
  return isReachable ? lists.dropAndRetire : lists.retire;
};

/**
 * Of the objects that a vat was to be told of, those for which it is still true. An export is retired only when its vat
 * knows that nobody reaches it.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {Verdict} verdict
 * @param {readonly string[]} krefs
 * @returns {string[]}
 */
export const judgeAgain = (state, vatId, verdict, krefs) => {
  state.heldNow ??= findHeld(state);
  const held = state.heldNow;
  const clist = state.vats.clist(vatId);
  return krefs.filter(kref => {
    const pair = clist.findPairOf(kref);
    return pair !== undefined && findVerdicts(state, held, pair)[0] === verdict;
  });
};

/**
 * What a verdict changes in the tables, when the vat is told.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {Verdict} verdict
 * @param {readonly string[]} krefs  in the vat's c-list
 */
export const carryOut = (state, vatId, verdict, krefs) => {
  const clist = state.vats.clist(vatId);
  for (const kref of krefs) {
    const pair = clist.findPairOf(kref) ?? Fail`${kref} is not in the c-list`;
    if (verdict === 'retireExports') retireObject(state, clist, pair);
    else if (verdict === 'retireImports') clist.deletePair(pair);
    else clist.setReachable(pair, false);
  }
};

/**
 * An object is gone, for its own vat and for the kernel.
 *
 * @param {KernelState} state
 * @param {CList} clist  of its vat
 * @param {Readonly<Pair>} pair
 */
export const retireObject = (state, clist, pair) => {
  clist.deletePair(pair);
  state.owners.delete(pair.kref);
  state.counters.dec(state.counters.find('kernelObjects'));
};
