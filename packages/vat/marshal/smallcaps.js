// The marshaller of today's vats: smallcaps, byte for byte that of @endo/marshal.

import { decodeBody, decodeMessage } from './decode.js';
import { makeEncoder } from './encode.js';
import { formatSmallcapsError, makeErrorEncoder } from './errors.js';
import { hardenData } from './harden-data.js';
import { WrittenMessages } from './recent-messages.js';

/** @import { CapData } from '#model' */
/** @import { ErrorOptions } from './errors.js' */

const { freeze } = Object;
const { isArray } = Array;

/**
 * @typedef {object} MarshalOptions
 * @property {boolean} [isTrusted]  whether the capdata goes only to the kernel, so that it need not be frozen
 * @property {boolean} [lenient]  whether hardened objects of methods pass as remotables without being declared `Far`
 */

/**
 * @typedef {object} Marshal
 * @property {(value: unknown) => CapData} toCapData  of a hardened value; throws for what does not pass
 * @property {(value: unknown) => CapData} hardenToCapData  `toCapData(harden(value))`, with a faster `harden`
 * @property {(method: unknown, args: unknown[]) => CapData} messageToCapData  `toCapData(harden([method, args]))`,
 *   faster if the arguments are hardened; `args` must be a fresh array such as a rest parameter: only its elements are
 *   examined
 * @property {(data: CapData) => unknown} fromCapData  throws for a malformed body
 * @property {(data: CapData) => { method: unknown, args: unknown[] }} messageFromCapData  `args` is a fresh array
 */

/** @type {string[]} */
const noSlots = [];
freeze(noSlots);

/** @type {CapData} */
const undefinedData = freeze({ body: '#"#undefined"', slots: noSlots });

/**
 * @param {CapData} data
 * @returns {CapData}
 */
const insistData = data => {
  const { body, slots } = data;
  if (typeof body !== 'string' || !isArray(slots)) {
    throw Error(
      `capdata must be {body: string, slots: string[]}, got ${typeof body} and ${typeof slots}`,
    );
  }
  if (body[0] !== '#') {
    throw Error('the body is not smallcaps, which begins with "#"');
  }
  return data;
};

/**
 * @param {(value: object) => string} slotOf  the slot of a remotable or a promise; called in order of first appearance
 *   in the body, once for each, after the whole value was found passable
 * @param {(slot: string, iface: string | undefined) => unknown} valOf  the remotable or promise of a slot; called
 *   once for each slot that a body refers to
 * @param {MarshalOptions & ErrorOptions} [options]
 * @returns {Marshal}
 */
export const makeSmallcapsMarshal = (slotOf, valOf, options = {}) => {
  const { lenient = false, isTrusted = false } = options;
  const { encode, encodeHardened, encodeMessage } = makeEncoder(
    lenient,
    makeErrorEncoder(options, formatSmallcapsError),
  );

  /**
   * @param {import('./encode.js').Encoded} encoded
   * @returns {CapData}
   */
  const finish = ({ text, references }) => {
    let slots = noSlots;
    if (references !== undefined) {
      slots = [];
      for (const reference of references) slots.push(slotOf(reference));
      if (!isTrusted) freeze(slots);
    }
    const data = { body: `#${text}`, slots };
    // Freezing the capdata takes longer than making it.
    return isTrusted ? data : freeze(data);
  };

  const written = new WrittenMessages();

  /** Shared by all data without slots: a body that refers to one is refused before anything is noted. */
  const withoutSlots = freeze({ slots: noSlots, values: [], valOf, lenient });
  freeze(withoutSlots.values);

  /** @param {CapData} data */
  const startReading = ({ slots }) =>
    slots.length === 0 ? withoutSlots : { slots, values: [], valOf, lenient };

  return freeze({
    /** @param {unknown} value */
    toCapData: value => (value === undefined ? undefinedData : finish(encode(value))),

    /** @param {unknown} value */
    hardenToCapData: value =>
      value === undefined
        ? undefinedData
        : finish(encodeHardened(value) ?? encode(hardenData(value))),

    /**
     * @param {unknown} method
     * @param {unknown[]} args
     */
    messageToCapData: (method, args) => {
      if (typeof method !== 'string' || !isTrusted) return finish(encodeMessage(method, args));
      const last = written.of(method);
      const known = last.find(args);
      if (known !== undefined) return { body: known, slots: noSlots };
      const encoded = encodeMessage(method, args);
      const data = finish(encoded);
      if (encoded.references === undefined) last.note(args, data.body);
      return data;
    },

    /** @param {CapData} data */
    fromCapData: data => decodeBody(insistData(data).body, startReading(data)),

    /** @param {CapData} data */
    messageFromCapData: data => decodeMessage(insistData(data).body, startReading(data)),
  });
};
harden(makeSmallcapsMarshal);
