// The slog of a host program: what SwingSet's kernel tells its `slogSender` and `slogCallbacks`.

import { makeEntries } from './entries.js';
import { followCranks } from './follow.js';
import { makeSlogMethods } from './methods.js';

/** @import { Kernel } from '#kernel' */

/**
 * @param {object} options  of `makeSwingsetController`
 * @param {(entry: object) => void} [options.slogSender]
 * @param {Record<string, any>} [options.slogCallbacks]
 * @param {object} powers
 * @param {() => Kernel} powers.getKernel
 * @param {(vatId: string) => string} powers.managerOf
 */
export const makeHostSlog = ({ slogSender, slogCallbacks = {} }, { getKernel, managerOf }) => {
  const entries = makeEntries(slogSender);
  const isWanted = slogSender !== undefined || Object.keys(slogCallbacks).length > 0;
  return {
    ...entries,
    // Without a listener nothing is followed.
    cranks: isWanted
      ? followCranks(getKernel, makeSlogMethods(entries, slogCallbacks), managerOf)
      : undefined,
  };
};
