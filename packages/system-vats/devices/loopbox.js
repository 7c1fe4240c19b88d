// The loopbox device: a mailbox whose other side is on the same machine. A message that a sender adds for a peer goes
// to the handler that is registered under the peer's name. In mode `queued` it waits until the host passes one message.

import { quote, UserError } from '#model';
import { Far } from '#vat';
import { insistText } from './check-values.js';

/** @import { DeviceTools } from '#vat' */

const modes = ['immediate', 'queued'];

const queueStart = 'q.';
/** Pads the number, so that keys sort as numbers do. @param {number} place */
const queueKey = place => `${queueStart}${String(place).padStart(16, '0')}`;

/**
 * Parameters: `senders`, names for which there are senders from the start; `deliverMode`, `immediate` (the default) or
 * `queued`.
 *
 * @param {DeviceTools} tools
 */
export const buildRootDeviceNode = tools => {
  const { SO, store, node, onNode, onInput, endowments, deviceParameters } = tools;
  const { senders = [], deliverMode = endowments.deliverMode ?? 'immediate' } = deviceParameters;
  if (!Array.isArray(senders) || senders.some(name => typeof name !== 'string'))
    throw new UserError('device loopbox: the parameter "senders" must be a list of texts');
  if (!modes.includes(deliverMode))
    throw new UserError(
      `device loopbox: the parameter "deliverMode" must be "immediate" or "queued", got ${quote(deliverMode)}`,
    );

  // Keys: `h.PEER` its handler; `n.SENDER PEER` messages so far, the names as JSON; `q.NUMBER` a waiting message,
  // `queued` the last such number.
  const countKey = (/** @type {string} */ sender, /** @type {string} */ peer) =>
    `n.${JSON.stringify([sender, peer])}`;

  /**
   * @param {string} peer
   * @param {string} sender
   * @param {number} number
   * @param {string} body
   */
  const deliver = (peer, sender, number, body) => {
    SO(store.get(`h.${peer}`)).deliverInboundMessages(sender, harden([[number, body]]));
  };

  onNode(sender =>
    Far('sender', {
      /**
       * @param {string} peer
       * @param {number} _number  the sender's; the loopbox has its own count
       * @param {string} body
       */
      add(peer, _number, body) {
        insistText(body, 'loopbox.add: the body');
        if (store.get(`h.${peer}`) === undefined)
          throw Error(`loopbox.add: nobody is registered as ${quote(peer)}`);
        const number = (store.get(countKey(sender, peer)) ?? 0) + 1;
        store.set(countKey(sender, peer), number);
        if (deliverMode === 'immediate') {
          deliver(peer, sender, number, body);
          return;
        }
        const place = (store.get('queued') ?? 0) + 1;
        store.set('queued', place);
        store.set(queueKey(place), harden([peer, sender, number, body]));
      },
      remove(/** @type {string} */ _peer, /** @type {number} */ _number) {},
      ackInbound(/** @type {string} */ _peer, /** @type {number} */ _number) {},
    }),
  );

  onInput(() => {
    const key = store.nextKey(queueStart);
    if (key === undefined || !key.startsWith(queueStart)) return;
    const [peer, sender, number, body] = store.get(key);
    store.delete(key);
    deliver(peer, sender, number, body);
  });

  return Far('loopbox', {
    /**
     * @param {string} name
     * @param {object} handler  with `deliverInboundMessages(sender, [[number, body]])`
     */
    registerInboundHandler(name, handler) {
      insistText(name, 'loopbox.registerInboundHandler: the name');
      if (store.get(`h.${name}`) !== undefined)
        throw Error(`loopbox: ${quote(name)} is registered already`);
      store.set(`h.${name}`, handler);
    },

    /** @param {string} name  one of `senders` */
    getSender(name) {
      if (!senders.includes(name)) {
        throw Error(
          `loopbox: there is no sender ${quote(name)}; name it in "loopboxSenders" of the config, or call makeSender`,
        );
      }
      return node(name);
    },

    /** As in 2020: a sender that the config need not name. @param {string} name */
    makeSender: name => node(insistText(name, 'loopbox.makeSender: the name')),
  });
};
