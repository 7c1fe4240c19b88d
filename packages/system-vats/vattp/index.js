// The vattp vat: it carries strings between comms and a mailbox device, in order and exactly once. It numbers outgoing
// strings, takes incoming ones by their numbers and acknowledges them; the device only stores.

import { quote } from '#model';
import { E, Far } from '#vat';
import { makeNetworkHosts } from './network-host.js';

/**
 * @typedef {object} Remote
 * @property {string} name
 * @property {boolean} isAdded
 * @property {number} sent  strings given to the mailbox, numbered from 1
 * @property {number} removed  acknowledged strings, removed from the mailbox
 * @property {number} taken  number of the last string that came in
 * @property {any} receiver
 * @property {string[]} waiting  taken, not yet acknowledged for lack of a receiver
 */

/**
 * The number of a string or an acknowledgement; today's devices give bigints.
 *
 * @param {unknown} value
 * @param {string} what
 */
const insistNumber = (value, what) => {
  const number = Number(value);
  if (!['number', 'bigint'].includes(typeof value) || !Number.isSafeInteger(number) || number < 0)
    throw TypeError(`${what} must be a whole number from 0, got ${typeof value}`);
  return number;
};

/**
 * @param {unknown} name
 * @returns {asserts name is string}
 */
function insistName(name) {
  if (typeof name !== 'string' || name === '')
    throw TypeError(`the name of a remote must be a text that is not empty, got ${typeof name}`);
}

/**
 * @param {unknown} messages
 * @returns {[number, string][]}
 */
const insistMessages = messages => {
  if (!Array.isArray(messages))
    throw TypeError(`messages must be a list of [number, string], got ${typeof messages}`);
  return messages.map(message => {
    if (!Array.isArray(message) || typeof message[1] !== 'string')
      throw TypeError('a message must be [number, string]');
    return [insistNumber(message[0], 'the number of a message'), message[1]];
  });
};

/**
 * The interfaces of today's objects say which kind of durable object has them, those of 2020 had none.
 *
 * @param {{ D: (device: any) => any, profile?: string, print?: (text: string) => void }} powers  `profile`: its name, `current` if
 *   it is left out
 */
export const buildRoot = ({ D, profile = 'current', print = () => {} }) => {
  const nameFacet = (/** @type {string} */ facet) =>
    profile === 'current' ? `mailboxHandle ${facet}` : facet;
  /** @type {any} */
  let mailbox;

  /** @type {Map<string, Remote>} */
  const remotes = new Map();

  const requireMailbox = () => {
    if (mailbox === undefined)
      throw Error('vattp has no mailbox device; call registerMailboxDevice(device) first');
    return D(mailbox);
  };

  /** @param {string} name */
  const provideRemote = name => {
    const known = remotes.get(name);
    if (known !== undefined) return known;
    const remote = {
      name,
      isAdded: false,
      sent: 0,
      removed: 0,
      taken: 0,
      receiver: undefined,
      waiting: [],
    };
    remotes.set(name, remote);
    return remote;
  };

  /**
   * Give the waiting strings to comms.
   *
   * @param {Remote} remote
   * @returns {Promise<unknown>} rejected if comms refuses one
   */
  const passOn = async remote => {
    const { name, receiver, waiting, taken } = remote;
    if (receiver === undefined || waiting.length === 0) return;
    remote.waiting = [];
    requireMailbox().ackInbound(name, taken);
    await Promise.all(waiting.map(text => E(receiver).receive(text)));
  };

  return Far(profile === 'current' ? 'vat-tp handler' : 'vattp', {
    /** @param {any} device  with the methods of a mailbox: `add`, `remove`, `ackInbound` */
    registerMailboxDevice(device) {
      mailbox = device;
    },

    /**
     * @param {string} name  the mailbox's name of the other machine
     * @returns {{ transmitter: object, setReceiver: object }} for `addRemote` of comms
     */
    addRemote(name) {
      insistName(name);
      const remote = provideRemote(name);
      if (remote.isAdded) throw Error(`vattp has a remote ${quote(name)} already`);
      remote.isAdded = true;
      const transmitter = Far(nameFacet('transmitter'), {
        /** @param {string} text */
        transmit(text) {
          if (typeof text !== 'string')
            throw TypeError(`transmit takes a string, got ${typeof text}`);
          requireMailbox().add(name, remote.sent + 1, text);
          remote.sent += 1;
        },
      });
      const setReceiver = Far(nameFacet('setReceiver'), {
        /** @param {any} receiver */
        setReceiver(receiver) {
          if (remote.receiver !== undefined)
            throw Error(`the receiver of ${quote(name)} can be set only once`);
          if (Object(receiver) !== receiver)
            throw TypeError(`a receiver must be an object, got ${typeof receiver}`);
          remote.receiver = receiver;
          return passOn(remote);
        },
      });
      return harden({ transmitter, setReceiver });
    },

    /**
     * Take strings of another machine. They may come in any portions and repeatedly; each is taken once, in its turn.
     *
     * @param {string} name
     * @param {[number, string][]} messages
     */
    async deliverInboundMessages(name, messages) {
      insistName(name);
      const remote = provideRemote(name);
      // A mailbox delivers all unacknowledged strings, so a missing number never comes: SwingSet's loopbox counts a
      // sender's strings for all peers together.
      const inOrder = insistMessages(messages).sort(([left], [right]) => left - right);
      for (const [number, text] of inOrder) {
        if (number <= remote.taken) continue;
        remote.taken = number;
        remote.waiting.push(text);
      }
      await passOn(remote);
    },

    /**
     * The other machine has taken `ack` strings: remove them from the mailbox.
     *
     * @param {string} name
     * @param {number} ack
     */
    deliverInboundAck(name, ack) {
      insistName(name);
      const number = insistNumber(ack, 'an acknowledgement');
      const remote = provideRemote(name);
      if (number > remote.sent) {
        throw RangeError(
          `${quote(name)} acknowledges ${number} strings; ${remote.sent} were sent to it`,
        );
      }
      for (; remote.removed < number; remote.removed += 1)
        requireMailbox().remove(name, remote.removed + 1);
    },

    makeNetworkHost: makeNetworkHosts(profile, print),
  });
};
