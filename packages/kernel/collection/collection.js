// Object collection across vats. A vat reports in its `bringOutYourDead` which imports it does not reach, or not even
// recognise, any more. Then one step of the kernel judges each object that may have lost its last holder (holders.js),
// and tells the vats: an export that nobody reaches is dropped, one that nobody recognises is retired, and an import
// whose object is gone is retired. An object may be sent again before a queued verdict is taken, so it is judged again
// then.
//
// C-lists change seldom, so their holders are counted as they change. Queue, promises and the like change with each
// message, so they are searched once for each collection. Rings of objects through several vats are never found, since
// each vat reaches what the other holds for it.

import { compareIds, Fail, isAllocatedByVat, isObjectKref, RefMap } from '#model';

/** @import { Syscall } from '#model' */
/** @import { CList, Pair } from '../tables/clist.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { Flight } from '../crank/flight.js' */

/** A set of krefs. */
export class KrefSet {
  /** @type {RefMap<true>} */
  #krefs = new RefMap('kref');

  /** @param {string} kref  of any type; only objects are kept */
  add(kref) {
    if (isObjectKref(kref)) this.#krefs.set(kref, true);
  }

  /** @param {Iterable<string>} krefs */
  addAll(krefs) {
    for (const kref of krefs) this.add(kref);
  }

  /** @param {string} kref */
  has(kref) {
    return this.#krefs.get(kref) === true;
  }
}

/**
 * The messages by which a vat learns of dead objects.
 *
 * @typedef {'dropExports' | 'retireExports' | 'retireImports'} Verdict
 */

/**
 * The objects that something other than a c-list reaches.
 *
 * @param {KernelState} state
 * @returns {KrefSet}
 */
export const findHeldElsewhere = ({ vats, queue, promises, reactors, held }) => {
  const reachable = new KrefSet();
  // References that the host holds; the set leaves out those that are promises.
  reachable.addAll(held.keys());
  // A vat's parameters stay in its row, as in SwingSet, until an upgrade brings others.
  for (const [, row] of vats.vats.entries())
    if (row.state === 'running' && row.parameterSlots.length > 0)
      reachable.addAll(row.parameterSlots);
  for (const { target, message, kind, vatId } of queue.inOrder()) {
    if (kind === 'start' && vats.isRunning(vatId)) {
      // The maker of the vat gets its root when it has started.
      reachable.add(vats.clist(vatId).findKref('o+0') ?? '');
    } else if (message !== null) {
      reachable.add(target);
      reachable.addAll(message.methargs.slots);
    }
  }
  for (const { data } of reactors.underWay()) reachable.addAll(data.slots);
  for (const [, { parked, data }] of promises.table.entries()) {
    for (const { methargs } of parked) reachable.addAll(methargs.slots);
    if (data !== null) reachable.addAll(data.slots);
  }
  return reachable;
};

/**
 * Adds the objects that a vat's syscalls reach, in a crank that told it of objects.
 *
 * @param {KernelState} state
 * @param {readonly Syscall[]} syscalls  in krefs
 * @returns {boolean} whether `heldNow` is correct after them
 */
const addHeldElsewhere = ({ heldNow }, syscalls) => {
  for (const syscall of syscalls) {
    switch (syscall[0]) {
      case 'send':
        heldNow?.add(syscall[1]);
        heldNow?.addAll(syscall[2].slots);
        break;
      case 'subscribe':
      case 'dropImports':
      case 'retireImports':
      case 'retireExports':
      case 'vatstoreGet':
      case 'vatstoreSet':
      case 'vatstoreDelete':
      case 'vatstoreGetNextKey':
        break;
      default:
        return false;
    }
  }
  return true;
};

/**
 * Finds the verdicts on all suspects for each vat, in the order of the vats' numbers and then the objects'.
 *
 * @param {KernelState} state
 * @returns {{ vatId: string, verdict: Verdict, krefs: string[] }[]}
 */
export const judge = state => {
  const { vats, owners, holders } = state;
  if (holders === null) return [];
  state.heldNow = findHeldElsewhere(state);
  /** @type {Map<string, Record<Verdict, string[]>>} */
  const byVat = new Map();
  const tell = (
    /** @type {string} */ vatId,
    /** @type {Verdict} */ verdict,
    /** @type {string} */ kref,
  ) => {
    let told = byVat.get(vatId);
    if (told === undefined) {
      told = { dropExports: [], retireExports: [], retireImports: [] };
      byVat.set(vatId, told);
    }
    told[verdict].push(kref);
  };
  for (const kref of holders.takeSuspects()) {
    const owner = owners.get(kref);
    if (owner === undefined) {
      // A vat that reaches it may send it to those that only recognise it.
      if (holders.isReached(kref)) continue;
      const recognisers = holders.recognisersOf(kref);
      if (!state.heldNow.has(kref))
        for (const { clist } of recognisers)
          if (isOfVat(clist)) tell(idOf(clist), 'retireImports', kref);
      if (recognisers.length > 0) holders.suspect(kref);
      continue;
    }
    // An object of an ended vat is judged again when the vat's entries are deleted.
    const pair = vats.isRunning(owner) ? vats.clist(owner).findPairOf(kref) : undefined;
    if (pair === undefined) continue;
    const found = findVerdicts(state, pair);
    for (let i = 0; i < found.length; i += 1) tell(owner, found[i], kref);
    // Holders other than c-lists are not counted, so their end goes unnoticed: the object stays a suspect.
    if (found.length > 0 || state.heldNow.has(kref)) holders.suspect(kref);
  }
  const found = [];
  for (const vatId of [...byVat.keys()].sort(compareIds)) {
    const told = /** @type {Record<Verdict, string[]>} */ (byVat.get(vatId));
    for (const verdict of verdicts) {
      const krefs = told[verdict].sort(compareIds);
      for (let from = 0; from < krefs.length; from += mostTold)
        found.push({ vatId, verdict, krefs: krefs.slice(from, from + mostTold) });
    }
  }
  return found;
};

/** @param {CList} clist */
const idOf = clist => (clist.parts ?? Fail`a c-list is nobody's`).id;

/** @param {CList} clist */
const isOfVat = clist => clist.parts?.row !== undefined;

/** Objects that a vat is told of in one crank at most, so that a large collection does not delay other vats. */
const mostTold = 1_000;

/** The verdicts in the order in which a vat gets them. @type {readonly Verdict[]} */
const verdicts = ['dropExports', 'retireExports', 'retireImports'];

/** @param {string} kind  of an item */
const isVerdict = kind => verdicts.includes(/** @type {Verdict} */ (kind));

/** @type {Record<string, readonly Verdict[]>} */
const lists = {
  nothing: [],
  drop: ['dropExports'],
  dropAndRetire: ['dropExports', 'retireExports'],
  retire: ['retireExports'],
  retireImport: ['retireImports'],
};

/**
 * @param {KernelState} state  with `heldNow`
 * @param {Readonly<Pair>} pair
 * @returns {readonly Verdict[]}
 */
const findVerdicts = (state, { kref, vref, isReachable, clist }) => {
  const { owners, holders, heldNow } = state;
  if (!isObjectKref(kref) || holders === null) return lists.nothing;
  const isHeld = holders.isReached(kref) || heldNow?.has(kref) === true;
  // The owner of an import may have ended or have retired it: when nobody reaches it, it never comes back.
  if (!isAllocatedByVat(vref))
    return isReachable || isHeld || owners.has(kref) ? lists.nothing : lists.retireImport;
  if (isHeld) return lists.nothing;
  // The roots of the config's vats can be sent to from outside at any time.
  if (vref === 'o+0' && clist.parts?.row?.isStatic) return lists.nothing;
  if (holders.isRecognised(kref)) return isReachable ? lists.drop : lists.nothing;
  return isReachable ? lists.dropAndRetire : lists.retire;
};

/**
 * Filters the objects of a queued verdict by whether it still holds. An export is retired only when its vat knows that
 * nobody reaches it.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {Verdict} verdict
 * @param {readonly string[]} krefs
 * @returns {string[]}
 */
export const judgeAgain = (state, vatId, verdict, krefs) => {
  state.heldNow ??= findHeldElsewhere(state);
  const clist = state.vats.clist(vatId);
  return krefs.filter(kref => {
    const pair = clist.findPairOf(kref);
    return pair !== undefined && findVerdicts(state, pair)[0] === verdict;
  });
};

/**
 * Writes a verdict to the tables in the crank that tells the vat.
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
 * Deletes an object for its own vat and for the kernel.
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

/**
 * Whether `heldNow` is still correct after a crank: one that judged the suspects, or told a vat of objects and got no
 * syscall that matters.
 *
 * @param {KernelState} state
 * @param {Flight} flight
 */
export const isHeldNowKept = (state, { item, found, applied }) =>
  found.step === 'collect' ||
  (found.step === 'tell' && addHeldElsewhere(state, applied)) ||
  (found.step === 'nothing' && isVerdict(item.kind));
