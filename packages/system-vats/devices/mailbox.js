// The mailbox device: it holds strings for other machines until they are acknowledged, and passes on the strings that
// come from them. Its state is in the store. Each change is handed out, and the host's part
// (packages/host/device-hosts.js) carries it to the other machine.

import { Far } from '#vat';
import { insistCount, insistText } from './check-values.js';

/** @import { BuiltInTools } from './index.js' */

// Keys: `handler`; `a.PEER` how many of the peer's strings were taken; `k.PEER` how many of ours it has acknowledged;
// `m.PEER NUMBER` a held string, peer and number as JSON.

/** @param {BuiltInTools} tools */
export const buildRootDeviceNode = ({ SO, store, onInput, handOut, profile }) => {
  const messageKey = (/** @type {string} */ peer, /** @type {number} */ number) =>
    `m.${JSON.stringify([peer, number])}`;

  /** @param {unknown} change */
  const tell = change => handOut(JSON.stringify(change));

  const requireHandler = () => {
    const handler = store.get('handler');
    if (handler === undefined) throw Error('mailbox: no vat has called registerInboundHandler yet');
    return SO(handler);
  };

  /**
   * Pass all strings on: vattp skips those that it has taken.
   *
   * @type {(peer: string, messages: [number, string][], ack: number) => void}
   */
  const passOn = (peer, messages, ack) => {
    const handler = requireHandler();
    if (messages.length > 0) handler.deliverInboundMessages(peer, harden(messages));
    handler.deliverInboundAck(peer, ack);
  };

  /** As in 2020: pass on new strings only, and no acknowledgement of 0 messages. @type {typeof passOn} */
  const passOnNews = (peer, messages, ack) => {
    const taken = store.get(`a.${peer}`) ?? 0;
    const fresh = messages.filter(([number]) => number > taken);
    if (fresh.length > 0) requireHandler().deliverInboundMessages(peer, harden(fresh));
    if (ack > (store.get(`k.${peer}`) ?? 0)) {
      requireHandler().deliverInboundAck(peer, ack);
      store.set(`k.${peer}`, ack);
    }
  };

  const deliver = profile === '2020-09' ? passOnNews : passOn;

  /** Hand out the whole state, for a host without any. */
  const tellAll = () => {
    tell({ reset: true });
    for (let key = store.nextKey('a.'); key?.startsWith('a.'); key = store.nextKey(key))
      tell({ peer: key.slice(2), ack: store.get(key) });
    for (let key = store.nextKey('m.'); key?.startsWith('m.'); key = store.nextKey(key)) {
      const [peer, number] = JSON.parse(key.slice(2));
      tell({ peer, number, body: store.get(key) });
    }
  };

  onInput((/** @type {string} */ text) => {
    const input = JSON.parse(text);
    if (input.all === true) tellAll();
    else deliver(input.peer, input.messages, input.ack);
  });

  return Far('mailbox', {
    /** @param {object} handler  the vattp vat */
    registerInboundHandler(handler) {
      if (store.get('handler') !== undefined)
        throw Error('mailbox: an inbound handler is registered already');
      store.set('handler', handler);
    },

    /** @param {string} peer  @param {number} number  @param {string} body */
    add(peer, number, body) {
      insistText(peer, 'mailbox.add: the peer');
      const count = insistCount(number, 'mailbox.add: the number');
      insistText(body, 'mailbox.add: the body');
      store.set(messageKey(peer, count), body);
      tell({ peer, number: count, body });
    },

    /** @param {string} peer  @param {number} number */
    remove(peer, number) {
      insistText(peer, 'mailbox.remove: the peer');
      const count = insistCount(number, 'mailbox.remove: the number');
      store.delete(messageKey(peer, count));
      tell({ peer, remove: count });
    },

    /** @param {string} peer  @param {number} number */
    ackInbound(peer, number) {
      insistText(peer, 'mailbox.ackInbound: the peer');
      const count = insistCount(number, 'mailbox.ackInbound: the number');
      store.set(`a.${peer}`, count);
      tell({ peer, ack: count });
    },
  });
};
