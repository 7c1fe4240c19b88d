// Notes changed flags of V8, so that they can be reset at the end of the process: V8 accepts cached code only under the
// flags under which it was stored, and the next process begins with the defaults.

import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';

/** Flags that undo the changes, last change first. @type {string[]} */
const undoing = [];

/**
 * Set a flag for the rest of the process.
 *
 * @param {string} flag
 * @param {string} opposite
 */
export const setFlag = (flag, opposite) => {
  const before = cachedDataVersionTag();
  setFlagsFromString(flag);
  // A flag that had this value before need not be undone.
  if (cachedDataVersionTag() !== before) undoing.unshift(opposite);
};

/**
 * Undo all changes, at the end of the process. The runner finds it by its name (runner/open-modules.js).
 *
 * @param {() => void} beforeEach  called before each change is undone
 * @public
 */
export const takeFlagsBack = beforeEach => {
  for (const flag of undoing.splice(0)) {
    beforeEach();
    setFlagsFromString(flag);
  }
};
