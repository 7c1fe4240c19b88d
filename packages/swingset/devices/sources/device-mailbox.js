// The device's half of a mailbox (../mailbox.js). The mailboxes themselves are the host's.

import { Far } from '@endo/far';

export const buildRootDeviceNode = ({ SO, getDeviceState, setDeviceState, endowments }) => {
  let { inboundHandler } = getDeviceState() ?? {};

  const isCount = value =>
    typeof value === 'bigint' ? value >= 0n : Number.isSafeInteger(value) && value >= 0;

  endowments.registerInboundCallback((peer, messages, ack) => {
    if (inboundHandler === undefined)
      throw Error(`mailbox: a message of ${peer} came before registerInboundHandler()`);
    if (typeof peer !== 'string')
      throw TypeError(`mailbox: a peer is a string, got ${typeof peer}`);
    for (const [number, body] of messages) {
      if (!isCount(number) || typeof body !== 'string')
        throw TypeError('mailbox: a message is [number, string]');
    }
    if (!isCount(ack)) throw TypeError('mailbox: an acknowledgement is a whole number from 0');
    if (messages.length > 0) SO(inboundHandler).deliverInboundMessages(peer, harden(messages));
    SO(inboundHandler).deliverInboundAck(peer, ack);
    return true;
  });

  return Far('root', {
    registerInboundHandler(handler) {
      if (inboundHandler !== undefined) throw Error('already registered');
      inboundHandler = handler;
      setDeviceState(harden({ inboundHandler }));
    },
    unregisterInboundHander() {
      inboundHandler = undefined;
      setDeviceState(harden({}));
    },
    add: (peer, number, body) => endowments.add(`${peer}`, number, `${body}`),
    remove: (peer, number) => endowments.remove(`${peer}`, number),
    ackInbound: (peer, number) => endowments.setAcknum(`${peer}`, number),
  });
};
