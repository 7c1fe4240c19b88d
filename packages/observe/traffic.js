// Counts the messages of a run: how many of which method were delivered to which vat, and who sent them. The sender of a
// message is the vat of the crank that queued it, which the queue's item names, also if the message waited for a promise.

import { methodNameOf } from '#kernel';

/** @import { CrankObserver, Kernel } from '#kernel' */

/**
 * Messages of one method from one vat to another.
 *
 * @typedef {object} CountedMessages
 * @property {string} from  a vat's name; `host` for inputs of the run, the bootstrap message too
 * @property {string} to  a vat's name
 * @property {string} method  "…" in place of what follows the 100th character
 * @property {number} count
 */

/**
 * @typedef {object} Traffic  its first two are options of `makeSimulation`
 * @property {CrankObserver} crankObserver
 * @property {(kernel: Kernel) => void} onKernel
 * @property {() => CountedMessages[]} messages  in the order in which each came first
 */

/** So many characters of a method's name, which a vat chooses, are kept. */
const longestMethod = 100;

/** So many kinds of messages are told apart; those behind count as one method, "…". */
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
        // A place below the first syscall's is the kernel's own or an input's.
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
