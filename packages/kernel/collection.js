// Object collection across vats. A vat says in its `bringOutYourDead` which imports it does not reach, or not even
// recognise, any more. Then one step of the kernel looks through everything that names objects, c-lists, queue and
// promises, and tells the vats: an export that nobody reaches is dropped, one that nobody recognises is retired, and
// an import whose object is gone is retired. What was queued for a vat is looked at again when it is taken, for the
// object may have been sent again meanwhile.
//
// Nothing is counted from message to message: to look through everything once in thousands of cranks is cheaper.
// Rings of objects through several vats are never found, since each vat reaches what the other holds for it.

import { compareIds, isAllocatedByVat, isObjectKref } from '#model';

/** @import { CList } from './keepers/clist.js' */
/** @import { KernelState } from './state.js' */

/** What a vat is told of objects. @typedef {'dropExports' | 'retireExports' | 'retireImports'} Verdict */

/**
 * @param {Set<string>} held
 * @param {Iterable<string>} krefs
 */
const addAll = (held, krefs) => {
  for (const kref of krefs) if (isObjectKref(kref)) held.add(kref);
};

/**
 * The objects that anyone but their own vat reaches, or recognises.
 *
 * @param {KernelState} state
 * @returns {{ reachable: Set<string>, recognizable: Set<string> }} krefs; what is reachable is recognizable
 */
export const findHeld = ({ vats, queue, promises }) => {
  /** @type {Set<string>} */
  const reachable = new Set();
  /** @type {Set<string>} */
  const recognizable = new Set();
  for (const [vatId, row] of vats.vats.entries()) {
    // The roots of the config's vats can be sent to from outside at any time.
    const root = row.isStatic ? vats.clist(vatId).findKref('o+0') : undefined;
    addAll(reachable, root === undefined ? row.parameterSlots : [root, ...row.parameterSlots]);
    if (row.state === 'running') addImports(vats.clist(vatId), reachable, recognizable);
  }
  for (const deviceId of vats.devices.keys())
    addImports(vats.clist(deviceId), reachable, recognizable);
  for (const { target, message, kind } of queue.inOrder()) {
    if (kind !== 'send' || message === null) continue;
    addAll(reachable, [target]);
    addAll(reachable, message.methargs.slots);
  }
  for (const [, { parked, data }] of promises.table.entries()) {
    for (const { methargs } of parked) addAll(reachable, methargs.slots);
    if (data !== null) addAll(reachable, data.slots);
  }
  for (const kref of reachable) recognizable.add(kref);
  return { reachable, recognizable };
};

/**
 * @param {CList} clist
 * @param {Set<string>} reachable
 * @param {Set<string>} recognizable
 */
const addImports = (clist, reachable, recognizable) => {
  for (const { kref, vref, isReachable } of clist.pairs()) {
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
  const held = findHeld(state);
  const found = [];
  for (const vatId of vats.vatIds()) {
    if (!vats.isRunning(vatId)) continue;
    /** @type {Record<Verdict, string[]>} */
    const krefs = { dropExports: [], retireExports: [], retireImports: [] };
    for (const { kref, vref } of vats.clist(vatId).pairs()) {
      if (!isObjectKref(kref)) continue;
      for (const verdict of findVerdicts(state, held, vatId, kref, isAllocatedByVat(vref)))
        krefs[verdict].push(kref);
    }
    for (const verdict of verdicts)
      if (krefs[verdict].length > 0)
        found.push({ vatId, verdict, krefs: krefs[verdict].sort(compareIds) });
  }
  return found;
};

/** In the order in which a vat is told. @type {readonly Verdict[]} */
const verdicts = ['dropExports', 'retireExports', 'retireImports'];

/**
 * @param {KernelState} state
 * @param {ReturnType<typeof findHeld>} held
 * @param {string} vatId
 * @param {string} kref
 * @param {boolean} isExport
 * @returns {Verdict[]}
 */
const findVerdicts = (state, held, vatId, kref, isExport) => {
  const isReachable = state.vats.clist(vatId).isReachable(kref);
  // The owner of an import may have ended, or have retired it: then it will never come again.
  if (!isExport) return isReachable || state.owners.has(kref) ? [] : ['retireImports'];
  if (held.reachable.has(kref)) return [];
  /** @type {Verdict[]} */
  const found = isReachable ? ['dropExports'] : [];
  if (!held.recognizable.has(kref)) found.push('retireExports');
  return found;
};

/**
 * Of the objects that a vat was to be told of, those for which it is still true.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {Verdict} verdict
 * @param {readonly string[]} krefs
 * @returns {string[]}
 */
export const judgeAgain = (state, vatId, verdict, krefs) => {
  const held = findHeld(state);
  const clist = state.vats.clist(vatId);
  return krefs.filter(kref => {
    const vref = clist.findVref(kref);
    return (
      vref !== undefined &&
      findVerdicts(state, held, vatId, kref, isAllocatedByVat(vref)).includes(verdict)
    );
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
    const pair = clist.findPair(clist.requireVref(kref));
    if (verdict === 'retireExports') retireObject(state, clist, kref);
    else if (verdict === 'retireImports') clist.delete(kref);
    else if (pair !== undefined) clist.setReachable(pair, false);
  }
};

/**
 * An object is gone, for its own vat and for the kernel.
 *
 * @param {KernelState} state
 * @param {CList} clist  of its vat
 * @param {string} kref
 */
export const retireObject = (state, clist, kref) => {
  clist.delete(kref);
  state.owners.delete(kref);
  state.counters.dec(state.counters.find('kernelObjects'));
};
