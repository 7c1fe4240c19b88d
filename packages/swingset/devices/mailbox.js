// The host's part of a mailbox: it keeps numbered messages for each peer until the peer acknowledges them.

import { fileURLToPath } from 'node:url';
import { insistCallback, insistCount } from './check.js';

/** @typedef {{ outbox: Map<bigint, string>, ack: bigint }} Peer */

/** @typedef {{ has: (peer: string) => boolean, get: (peer: string) => any, set: (peer: string, value: any) => unknown }} PeerMap */

/** @param {PeerMap} state @param {string} peer @returns {Peer} */
const providePeer = (state, peer) => {
  if (!state.has(peer)) state.set(peer, { outbox: new Map(), ack: 0n });
  return state.get(peer);
};

/**
 * Make the mailboxes, with the methods by which the device changes them.
 *
 * @param {PeerMap} [state]
 * @returns the methods that the device calls: `add`, `remove`, `setAcknum`
 */
export const buildMailboxStateMap = (state = new Map()) =>
  harden({
    /** @param {unknown} peer @param {unknown} number @param {unknown} body */
    add(peer, number, body) {
      providePeer(state, `${peer}`).outbox.set(insistCount(number, 'add'), `${body}`);
    },
    /** @param {unknown} peer @param {unknown} number */
    remove(peer, number) {
      providePeer(state, `${peer}`).outbox.delete(insistCount(number, 'remove'));
    },
    /** @param {unknown} peer @param {unknown} number */
    setAcknum(peer, number) {
      providePeer(state, `${peer}`).ack = insistCount(number, 'setAcknum');
    },
  });

/**
 * Export mailboxes as JSON data, messages sorted by number.
 *
 * @param {Map<string, Peer>} state
 * @returns {Record<string, { inboundAck: number, outbox: [number, string][] }>}
 */
export const exportMailboxData = state =>
  harden(
    Object.fromEntries(
      [...state].map(([peer, { outbox, ack }]) => [
        peer,
        {
          inboundAck: Number(ack),
          outbox: [...outbox]
            .map(([number, body]) => /** @type {[number, string]} */ ([Number(number), body]))
            .sort(([left], [right]) => left - right),
        },
      ]),
    ),
  );

/**
 * Make mailboxes from exported data.
 *
 * @param {Record<string, { inboundAck: number, outbox: [number, string][] }>} data
 * @returns {Map<string, Peer>}
 */
export const makeEphemeralMailboxStorage = data =>
  new Map(
    Object.entries(data).map(([peer, { inboundAck, outbox }]) => [
      peer,
      {
        outbox: new Map(
          outbox.map(([number, body]) => [insistCount(number, 'a message'), `${body}`]),
        ),
        ack: insistCount(inboundAck, 'inboundAck'),
      },
    ]),
  );

/**
 * Make the host's part of a mailbox: it delivers strings of peers; strings for peers are in the state.
 *
 * @param {ReturnType<typeof buildMailboxStateMap>} state
 * @returns `srcPath`, `endowments`, and `deliverInbound(peer, messages, ack)`, which throws a UserError before the device
 *   is made
 */
export const buildMailbox = state => {
  /** @type {((peer: string, messages: unknown, ack: unknown) => unknown) | undefined} */
  let inbound;
  return {
    srcPath: fileURLToPath(new URL('sources/device-mailbox.js', import.meta.url)),
    endowments: {
      registerInboundCallback(/** @type {any} */ callback) {
        inbound = callback;
      },
      add: state.add,
      remove: state.remove,
      setAcknum: state.setAcknum,
    },
    /**
     * Queue the messages of a peer.
     *
     * @param {string} peer
     * @param {[number | bigint, string][]} messages
     * @param {number | bigint} ack  the number of our messages that the peer has taken
     * @returns {boolean} whether the run has cranks to do
     */
    deliverInbound: (peer, messages, ack) =>
      Boolean(insistCallback(inbound, 'mailbox')(peer, messages, ack)),
  };
};
