// Describes an item of the queue for a person who wants to know why a run goes on.

import { quote } from '#model';
import { route } from '../crank/routing.js';
import { methodNameOf } from '../crank/wire.js';

/** @import { Item } from '../tables/queue-item.js' */
/** @import { KernelState } from '../tables/state.js' */

/**
 * @param {KernelState} state
 * @param {Item} item
 * @returns {string} the vat and the method, or the kind of item
 */
export const describeItem = (state, item) => {
  const { vats } = state;
  const vat = (/** @type {string} */ vatId) => `vat ${quote(vats.require(vatId).name)}`;
  const found = route(state, item);
  switch (found.step) {
    case 'deliver':
      return `${vat(found.vatId)}, method ${quote(methodNameOf(found.message.methargs))}`;
    case 'notify':
      return `${vat(found.vatId)}, to be told of promise ${item.target}`;
    case 'start':
      return `${vat(found.vatId)}, to be started`;
    case 'upgrade':
      return `${vat(found.vatId)}, to be upgraded`;
    case 'wake':
      return `device ${quote(vats.devices.get(found.deviceId)?.name)}, to be woken`;
    case 'cleanUp':
      return `${vat(found.vatId)}, which has ended, to be cleared away`;
    case 'react':
      return `${vat(found.vatId)}, its reactors`;
    case 'bringOutYourDead':
      return `${vat(found.vatId)}, to be asked for its dead references`;
    case 'tell':
      return `${vat(found.vatId)}, to be told of objects that nobody reaches`;
    case 'collect':
      return 'object collection';
    default:
      return item.message === null
        ? `promise ${item.target}, of which nobody needs to be told`
        : `a message to ${item.target}, method ${quote(methodNameOf(item.message.methargs))}`;
  }
};
