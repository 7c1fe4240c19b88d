// Gives the host program the values that devices hand out, after the commit of their block.

import { types } from 'node:util';

/** @import { Kernel } from '#kernel' */
/** @import { makeObserverGuard } from '../observers.js' */
/** @import { SimulationOptions } from './options.js' */

/**
 * A value counts as taken when the host's callback has returned, or the promise that it returned is fulfilled.
 *
 * @param {Kernel} kernel
 * @param {ReturnType<typeof makeObserverGuard>['guard']} guard
 * @param {SimulationOptions['onHandOut']} onHandOut
 * @returns {() => void} gives the host the values that devices handed out in committed blocks
 */
export const makeHandOut = (kernel, guard, onHandOut) => {
  const handOut = guard(
    'onHandOut',
    onHandOut &&
      ((
        /** @type {string} */ deviceName,
        /** @type {string} */ data,
        /** @type {number} */ number,
      ) => {
        const taking = /** @type {unknown} */ (onHandOut(deviceName, data, number));
        if (types.isPromise(taking)) return taking.then(() => kernel.noteTaken(number));
        return kernel.noteTaken(number);
      }),
  );
  return () => {
    const handedOut = kernel.takeHandedOut();
    for (let i = 0; i < handedOut.length; i += 1) {
      const { deviceId, data, number } = handedOut[i];
      handOut?.(kernel.deviceName(deviceId), data, number);
    }
  };
};
