// `controller.dump()`: the tables in SwingSet's form.

import { compareIds, compareTexts } from '#model';
import { countObjects } from './reference-counts.js';
import { madeVats, readClist, readPromise, readQueues } from './tables.js';

/** @import { State } from './tables.js' */

/** Order of ids: by kind, and by number within a kind. @param {string} left @param {string} right */
const compareNaturally = (left, right) => {
  const split = (/** @type {string} */ text) => /^(\D*)(\d*)(.*)$/.exec(text) ?? ['', '', '', ''];
  const [, leftKind, leftNumber, leftRest] = split(left);
  const [, rightKind, rightNumber, rightRest] = split(right);
  return (
    compareTexts(leftKind, rightKind) ||
    Number(leftNumber) - Number(rightNumber) ||
    compareTexts(leftRest, rightRest)
  );
};

/** @param {[string, string, string]} left @param {[string, string, string]} right */
const compareEntries = (left, right) =>
  compareNaturally(left[0], right[0]) ||
  compareNaturally(left[1], right[1]) ||
  compareNaturally(left[2], right[2]);

/**
 * @param {State} state
 * @param {(vatId: string) => unknown[]} readTranscript
 */
export const dumpTables = (state, readTranscript) => {
  const { vats, owners, promises } = state;
  /** @type {[string, string, string][]} */
  const kernelTable = [];
  for (const id of [...madeVats(state), ...vats.deviceIds()])
    for (const { kref, vref } of readClist(state, id)) kernelTable.push([kref, id, vref]);
  const objects = [];
  for (const [kref, { reachable, recognizable }] of countObjects(state))
    objects.push([kref, owners.get(kref), reachable, recognizable]);
  const kpids = [...promises.table.keys()].sort(compareIds);
  const { acceptance, run, gcActions, reap } = readQueues(state);
  return {
    vatTables: madeVats(state).map(vatID => ({
      vatID,
      state: { transcript: readTranscript(vatID) },
    })),
    kernelTable: kernelTable.sort(compareEntries),
    promises: kpids.map(id => ({ id, ...readPromise(state, id) })),
    objects,
    gcActions,
    reapQueue: reap,
    runQueue: run,
    acceptanceQueue: acceptance,
  };
};
