// Comms over a network connection instead of a mailbox: the connection keeps the order and loses no string. Each side
// publishes objects under addresses and looks up the other's.

import { quote } from '#model';
import { E, Far } from '#vat';

/** The number of the first connection and address: today's, and that of SwingSet of 2020. @type {Record<string, number>} */
const firsts = { current: 1, '2020-09': 7 };

/** Each side exports this object to the other at the start; it has `lookup(address)`. */
const locatorIndex = 0;

/**
 * @param {string} profile  its name
 * @param {(text: string) => void} print  gets what comms refuses
 */
export const makeNetworkHosts = (profile, print) => {
  const first = firsts[profile];
  const nameFacet = (/** @type {string} */ facet, plain = facet) =>
    profile === 'current' ? `networkHostHandle ${facet}` : plain;
  let nextConnection = first;

  /**
   * @param {string} allegedName  of the other side
   * @param {any} comms
   * @param {any} [console]  an object whose `log` gets the connection's reports
   */
  return (allegedName, comms, console) => {
    if (typeof allegedName !== 'string')
      throw TypeError(`makeNetworkHost: the name must be a text, got ${typeof allegedName}`);
    const name = `connection-${nextConnection}`;
    nextConnection += 1;
    let nextAddress = first;
    /** @type {Map<string, unknown>} */
    const published = new Map();
    /** @type {any} */
    let receiver;
    let isOpen = false;
    let isClosed = false;
    /** @type {(locator: unknown) => void} */
    let foundLocator = () => {};
    const locator = new Promise(resolve => {
      foundLocator = resolve;
    });

    const host = Far(nameFacet('host'), {
      /** @param {unknown} object  @returns {string} the address at which the other side can look it up */
      publish(object) {
        const address = `/alleged-name/${allegedName}/egress/${nextAddress}`;
        nextAddress += 1;
        published.set(address, object);
        return address;
      },
      /** @param {string} address  that the other side has published */
      lookup: address => E(/** @type {any} */ (locator)).lookup(address),
    });

    const ownLocator = Far(nameFacet('localLocatorUnum', 'locator'), {
      /** @param {string} address */
      lookup: address => published.get(address),
    });

    const handler = Far(nameFacet('handler'), {
      /** @param {any} connection  with `send(string)` */
      async onOpen(connection) {
        if (isOpen) throw Error(`the host ${quote(name)} has a connection already`);
        isOpen = true;
        const transmitter = Far(nameFacet('commsTransmitter', 'transmitter'), {
          /** @param {string} text */
          transmit(text) {
            if (isClosed) throw Error(`the connection of ${quote(name)} is closed`);
            return E(connection).send(text);
          },
        });
        const setReceiver = Far(nameFacet('commsSetReceiver', 'setReceiver'), {
          /** @param {any} given */
          setReceiver(given) {
            receiver = given;
          },
        });
        await E(comms).addRemote(name, transmitter, setReceiver);
        await E(comms).addEgress(name, locatorIndex, ownLocator);
        foundLocator(E(comms).addIngress(name, locatorIndex));
      },
      /** Answers before comms has acted on the string, as in SwingSet. @param {any} _connection  @param {string} text */
      onReceive(_connection, text) {
        if (receiver === undefined || isClosed)
          throw Error(`the connection of ${quote(name)} is not open`);
        E(receiver)
          .receive(text)
          .catch((/** @type {Error} */ { message }) => print(message));
      },
      onClose() {
        // Promises that the other side decides stay unresolved: comms cannot end a remote.
        isClosed = true;
      },
      /** @param {unknown[]} what */
      infoMessage(...what) {
        if (console !== undefined) E(console).log('VatTP connection info:', ...what);
      },
    });

    return harden({ host, handler });
  };
};
