// Counts the messages of a run by sender, receiving vat and method. The sender of a message is the vat of the crank
// that queued it; the queue's item names that crank, also if the message was parked.

import { methodNameOf } from '#kernel';

/** @import { CrankObserver, Kernel } from '#kernel' */

/**
 * Messages of one method from one vat to another.
 *
 * @typedef {object} CountedMessages
 * @property {string} from  a vat's name; `host` for inputs of the run and the bootstrap message
 * @property {string} to  a vat's name
 * @property {string} method  cut after 100 characters, with "…"
 * @property {number} count
 */

/**
 * @typedef {object} Traffic  its first two parts are options of `makeSimulation`
 * @property {CrankObserver} crankObserver
 * @property {(kernel: Kernel) => void} onKernel
 * @property {() => CountedMessages[]} messages  in the order of their first occurrence
 */

/** Characters of a method's name that are kept, since a vat chooses it. */
const longestMethod = 100;

/** Kinds of messages that are counted separately; further methods count as "…". */
const mostKinds = 10_000;

/** @param {string} method */
const shorten = method =>
  method.length <= longestMethod ? method : `${method.slice(0, longestMethod)}…`;

/** @returns {Traffic} */
export const makeTraffic = () => {
  /** @type {Kernel | undefined} */
  let kernel;
  /** @type {Map<number, string>} the vat of each crank */
  const vatOf = new Map();
  /** @type {Map<string, CountedMessages>} */
  const counts = new Map();

  const nameOf = (/** @type {string} */ vatId) => kernel?.vatName(vatId) ?? vatId;

  /** @param {string} from @param {string} to @param {string} method */
  const count = (from, to, method) => {
    const key = JSON.stringify([from, to, method]);
    const known = counts.get(key);
    if (known !== undefined) known.count += 1;
    else if (counts.size < mostKinds || method === '…')
      counts.set(key, { from, to, method, count: 1 });
    else count(from, to, '…');
  };

  return Object.freeze({
    crankObserver: Object.freeze({
      /** @type {NonNullable<CrankObserver['begins']>} */
      begins({ vatId }, number) {
        vatOf.set(number, vatId);
      },
      /** @type {NonNullable<CrankObserver['delivered']>} */
      delivered({ vatId, item, plan }) {
        if (item.kind !== 'send' || item.message === null) return;
        if (plan?.kernelDelivery[0] !== 'message') return;
        // A negative index means that the kernel or an input queued the item.
        const sender = item.causePlace < 0 ? undefined : vatOf.get(item.causeNumber);
        const from = sender === undefined ? 'host' : nameOf(sender);
        count(from, nameOf(vatId), shorten(methodNameOf(item.message.methargs)));
      },
    }),
    onKernel(/** @type {Kernel} */ made) {
      kernel = made;
    },
    messages: () => [...counts.values()],
  });
};
