// Turns an item into a delivery to a vat or a step of the kernel, for the reference kernel.

import { deliver, notify, start, tell } from './reference-deliveries.js';
import { destinationOf, rejectResult } from './reference-routing.js';
import { cleanUp, judge, judgeAgain } from './reference-ends.js';
import { beginIncarnation, reportFailedUpgrade } from './reference-upgrades.js';
import { inc, isRunning, listOf, must, park, queueAtOnce, queueControl, vrefOf } from './world.js';

/** @import { Reached } from './reference-deliveries.js' */
/** @import { Item, Message, World } from './world.js' */

/**
 * A crank that reaches no vat: its record and its action. `wakes`: a device that is called.
 *
 * @typedef {{ none: [string, string], act: () => void, wakes?: string }} Unreached
 */

/**
 * @param {World} w
 * @param {Item} item  taken
 * @returns {Reached | Unreached}
 */
export const stepOf = (w, item) => {
  const { kind, vatId, target, message } = item;
  const nothing = () => {};
  switch (kind) {
    case 'send':
      return stepOfSend(w, target, must(message ?? undefined));
    case 'notify': {
      if (!isRunning(w, vatId)) {
        const counter = w.profile === 'current' ? 'deadNotifies' : 'dispatches';
        return { none: ['ended', target], act: () => inc(w, counter) };
      }
      if (w.profile === 'current' && vrefOf(listOf(w, vatId), target) === undefined)
        return { none: ['told', target], act: () => inc(w, 'toldNotifies') };
      return notify(w, vatId, target);
    }
    case 'cleanUp':
      return {
        none: ['cleanUp', vatId],
        act: () => {
          cleanUp(w, vatId);
          if (w.vats.get(vatId)?.isEnding) queueControl(w, 'cleanUp', vatId);
        },
      };
    case 'wake':
      return { none: ['wake', target], act: nothing, wakes: target };
    case 'collect':
      return {
        none: ['collect', ''],
        act: () => {
          for (const { vatId: told, verdict, krefs } of judge(w))
            queueAtOnce(w, verdict, told, krefs);
        },
      };
    default:
      break;
  }
  if (!isRunning(w, vatId)) {
    const act = () => kind === 'upgrade' && reportFailedUpgrade(w, item);
    return { none: ['ended', vatId], act };
  }
  const reached = { vatId, brings: false, step: kind, result: null };
  if (kind === 'upgrade') beginIncarnation(w, item);
  if (kind === 'upgrade' || kind === 'start') return start(w, vatId, kind);
  if (kind === 'bringOutYourDead') {
    inc(w, 'dispatchBringOutYourDead');
    return { ...reached, delivery: [kind], vatDelivery: [kind] };
  }
  const krefs = judgeAgain(w, vatId, kind, target.split(' '));
  if (krefs.length === 0) return { none: ['held', vatId], act: nothing };
  return { ...reached, ...tell(w, vatId, kind, krefs) };
};

/**
 * @param {World} w
 * @param {string} addressed
 * @param {Message} message
 * @returns {Reached | Unreached}
 */
const stepOfSend = (w, addressed, message) => {
  const destination = destinationOf(w, addressed, message);
  if (destination.to === 'vat') return deliver(w, destination.vatId, destination.target, message);
  if (destination.to === 'nobody') {
    const act = () => rejectResult(w, message, destination.data);
    return { none: ['rejected', message.result ?? ''], act };
  }
  const { kpid } = destination;
  return { none: ['parked', kpid], act: () => park(w, kpid, message) };
};
