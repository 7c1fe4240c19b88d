// Flags of V8 that were changed in this process, so that its end can take them back: V8 takes compiled code only under the
// flags under which it was kept, and the next process begins without them.

import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';

/** Flags that undo the changes, the last first. @type {string[]} */
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
  // A flag that was like that already stays so.
  if (cachedDataVersionTag() !== before) undoing.unshift(opposite);
};

/** To be called when nothing runs any more. The runner finds it by its name (runner/packed/index.js). @public */
export const takeFlagsBack = () => {
  for (const flag of undoing.splice(0)) setFlagsFromString(flag);
};
