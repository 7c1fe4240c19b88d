// Notes changed flags of V8, so that they can be reset at the end of the process: V8 accepts cached code only under the
// flags under which it was stored, and the next process begins with the defaults.

import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';

/** The changes, last change first: the engine's number for its flags before, and flags of which one undoes it. @type {{ before: number, opposites: string[] }[]} */
const changes = [];

/**
 * Set a flag for the rest of the process.
 *
 * @param {string} flag
 * @param {string[]} opposites  with the engines' defaults, which cannot be read: one of them undoes the change
 */
export const setFlag = (flag, ...opposites) => {
  const before = cachedDataVersionTag();
  setFlagsFromString(flag);
  // A flag that had this value before need not be undone.
  if (cachedDataVersionTag() !== before) changes.unshift({ before, opposites });
};

/**
 * Undo all changes, at the end of the process. The runner finds it by its name (runner/open-modules.js).
 *
 * @param {() => void} beforeEach  called before each change is undone
 * @public
 */
export const takeFlagsBack = beforeEach => {
  for (const { before, opposites } of changes.splice(0)) {
    beforeEach();
    for (const flag of opposites) {
      setFlagsFromString(flag);
      if (cachedDataVersionTag() === before) break;
    }
  }
};
