// Finds a vat's dead references when it is asked for them. The findings of the engine's collection are an argument, and
// are the same in a replay; the rest follows from them and from the store. A virtual object is dead if it is not in
// memory, not named by virtual data, and not reached by another vat; deleting one may make others dead, and so on.
//
// This may release objects in memory, which the next collection finds: then the vat asks for another one.

import { isImportVref, isVirtualVref, kindOf } from './vrefs.js';

/** @import { Dead } from '../supervisor/references.js' */
/** @import { VirtualParts } from './virtual-data.js' */

/**
 * The dead references to report to the kernel.
 *
 * @typedef {{ dropped: string[], retired: string[], retiredExports: string[], isFreed: boolean }} LetGo `isFreed`:
 *   whether something in memory was released
 */

/**
 * @param {VirtualParts} parts
 * @param {string} vref  of an object that is gone, or the base reference of its facets
 * @returns {boolean} whether something in memory was released
 */
const ceaseRecognition = ({ kinds, references, recognizers }, vref) => {
  let isFreed = false;
  for (const one of isVirtualVref(vref) ? kinds.vrefsOf(vref) : [vref]) {
    isFreed = references.forgetRecognized(one) || isFreed;
    isFreed = recognizers.forget(one) || isFreed;
  }
  return isFreed;
};

/**
 * Deletes an object from the store.
 *
 * @param {VirtualParts} parts
 * @param {string} baseRef
 * @returns {{ recognized: string[], isFreed: boolean }} vrefs by which other vats still recognise it, and whether
 *   something in memory was released
 */
const deleteObject = (parts, baseRef) => {
  const { counts, kinds } = parts;
  const { recognized } = counts.exportStatusOf(baseRef);
  let isFreed = kinds.require(kindOf(baseRef)).deleteStored(baseRef);
  counts.forget(baseRef);
  isFreed = ceaseRecognition(parts, baseRef) || isFreed;
  return { recognized, isFreed };
};

/**
 * @param {VirtualParts} parts
 * @param {Dead} dead  references that are gone from memory
 * @returns {LetGo}
 */
export const letGo = (parts, dead) => {
  const { references, counts, recognizers } = parts;
  const told = new Set(references.forgetGone(dead));
  const suspects = counts.suspects;
  for (const list of [dead.dropped, dead.retiredExports, dead.representatives])
    for (const vref of list) suspects.add(vref);

  /** @type {Set<string>} */
  const dropped = new Set();
  /** @type {Set<string>} */
  const retiredExports = new Set();
  let isFreed = false;
  while (suspects.size > 0) {
    for (const vref of [...suspects].sort()) {
      suspects.delete(vref);
      if (references.has(vref)) continue;
      if (isVirtualVref(vref)) {
        if (counts.isReached(vref)) continue;
        const deleted = deleteObject(parts, vref);
        for (const one of deleted.recognized) retiredExports.add(one);
        isFreed ||= deleted.isFreed;
      } else if (isImportVref(vref)) {
        if (counts.get(vref) === 0) dropped.add(vref);
      } else {
        if (told.has(vref)) retiredExports.add(vref);
        isFreed = ceaseRecognition(parts, vref) || isFreed;
      }
    }
  }

  const maybeRetired = new Set([...recognizers.suspects, ...dead.retired, ...dropped]);
  recognizers.suspects.clear();
  const retired = [...maybeRetired].filter(
    vref =>
      isImportVref(vref) &&
      (dropped.has(vref) || !(references.has(vref) || counts.get(vref) > 0)) &&
      !references.isRecognized(vref) &&
      !recognizers.has(vref),
  );
  return {
    dropped: [...dropped].sort(),
    retired: retired.sort(),
    retiredExports: [...retiredExports].sort(),
    isFreed,
  };
};
