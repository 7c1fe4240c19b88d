// Checks and decodes bodies of messages and outcomes. Comms passes bodies on unchanged, but a vat that gets a body it
// cannot decode fails. So each body that comes from or goes to a remote is decoded once as a check. Only messages to
// comms itself are decoded for use.

import { errorData } from '#kernel';
import { typeOfVref } from '#model';
import { Far, Remotable, makeQclassMarshal, makeSmallcapsMarshal } from '#vat';
import { Refusal } from './refusal.js';
import { isPromiseRef } from './wire.js';

/** @import { CapData } from '#model' */
/** @import { Kernel } from '#kernel' */

/** @typedef {Kernel['profile']['wire']} Wire */

const makers = { smallcaps: makeSmallcapsMarshal, qclass: makeQclassMarshal };

/** The interface of a reference that nobody named one for: today's comms writes the missing name. @type {Record<string, string>} */
const unnamed = { smallcaps: 'undefined', qclass: 'remote' };

const open = harden(new Promise(() => {}));

/** @param {Wire} wire */
export const makeBodies = wire => {
  const make = makers[/** @type {keyof typeof makers} */ (wire.name)];

  const neverAsked = () => {
    throw Error('nothing is encoded here');
  };
  // Remotable() throws for an invalid interface name, on which the vat would fail, too.
  const checking = make(neverAsked, (slot, iface) =>
    slot === 'promise' ? open : Remotable(iface),
  );

  /** Stand-ins for the references of a message to comms. @type {WeakMap<object, string>} */
  const vrefs = new WeakMap();
  const reading = make(
    object => vrefs.get(object) ?? neverAsked(),
    (vref, iface) => {
      const isPromise = typeOfVref(vref) === 'promise';
      const standIn = isPromise ? harden(new Promise(() => {})) : Remotable(iface);
      vrefs.set(standIn, vref);
      return standIn;
    },
  );

  /**
   * @param {(data: CapData) => unknown} read
   * @param {string} body
   * @param {boolean[]} arePromises  of the slots
   */
  const check = (read, body, arePromises) => {
    const slots = arePromises.map(isPromise => (isPromise ? 'promise' : 'object'));
    try {
      read({ body, slots });
    } catch (error) {
      const { name } = /** @type {Error} */ (error);
      // The text of the error may quote the data.
      throw new Refusal(`a body is not readable as ${wire.name} (${name})`);
    }
  };

  return Object.freeze({
    /**
     * Check the body of a message, and return its method as a string.
     *
     * @param {string} body
     * @param {boolean[]} arePromises
     * @throws {Refusal}
     */
    checkMessage(body, arePromises) {
      let method;
      check(
        data => {
          ({ method } = checking.messageFromCapData(data));
        },
        body,
        arePromises,
      );
      return String(method);
    },

    /**
     * Check the body of a settled promise.
     *
     * @param {string} body
     * @param {boolean[]} arePromises
     * @throws {Refusal}
     */
    checkData(body, arePromises) {
      check(checking.fromCapData, body, arePromises);
    },

    /**
     * Decode a message to comms itself. `vrefOf` gives the vrefs of its references.
     *
     * @param {CapData} methargs
     * @throws {Refusal}
     */
    readMessage(methargs) {
      try {
        const { method, args } = reading.messageFromCapData(methargs);
        return { method: String(method), args };
      } catch {
        throw new Refusal(`a message to comms is not readable as ${wire.name}`);
      }
    },

    /** @param {unknown} value @returns {string | undefined} */
    vrefOf: value => vrefs.get(/** @type {object} */ (value)),

    /**
     * @param {string} method
     * @param {string} text
     * @returns {CapData}
     */
    textMessage: (method, text) => reading.messageToCapData(method, [text]),

    /**
     * @param {string} method
     * @param {string} vref
     * @returns {CapData}
     */
    objectMessage: (method, vref) => ({
      body: `${wire.start}[${wire.string(method)},[${wire.slot(0, unnamed[wire.name])}]]`,
      slots: [vref],
    }),

    /**
     * @param {string} vref
     * @param {string | undefined} iface
     * @returns {CapData}
     */
    objectData: (vref, iface) => {
      const standIn = Far((iface ?? unnamed[wire.name]).replace(/^Alleged: /, ''), {});
      vrefs.set(standIn, vref);
      return reading.toCapData(standIn);
    },

    undefinedData: Object.freeze({ body: wire.start + wire.undefined, slots: [] }),

    /** @param {string} message @returns {CapData} */
    error: message => errorData(wire, message),

    /**
     * The answer to a message to what is no object. Today's comms gives the error another name than the kernel does; that of
     * 2020 misspelt the key of errors, so vats got a record.
     *
     * @param {string} method
     * @returns {CapData}
     */
    undeliverable: method => {
      const message = `data is not callable, has no method ${method}`;
      const body =
        wire.name === 'qclass'
          ? JSON.stringify({ '@': 'error', name: 'TypeError', message })
          : wire.start + wire.error('TypeError', message);
      return { body, slots: [] };
    },
  });
};

/** @typedef {ReturnType<typeof makeBodies>} Bodies */

/** @param {readonly string[]} refs  of a string */
export const promisesAmong = refs => refs.map(isPromiseRef);
