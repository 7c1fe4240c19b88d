// The marshaller of vats of 2020-09-30: the notation and the rules of @agoric/marshal 0.2.6.

import { readError } from '#model';
import { insistFewArguments, insistShallow } from './depth.js';
import { hardenData } from './harden-data.js';
import { decodeElements2020, decodeTree, startReading2020 } from './qclass-decode.js';
import { encodeElements, encodeValue, startWalk2020 } from './qclass-encode.js';
import { insistPlainArray } from './qclass-style.js';
import { quoteText } from './text.js';

/** @import { CapData } from '#model' */
/** @import { ErrorOptions } from './errors.js' */
/** @import { Marshal } from './smallcaps.js' */

const { freeze } = Object;
const { isArray } = Array;

const undefinedBody = '{"@qclass":"undefined"}';

/** @type {string[]} */
const noSlots = [];
freeze(noSlots);

/** @type {CapData} */
const undefinedData = freeze({ body: undefinedBody, slots: noSlots });

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
  return data;
};

/**
 * The methods and promises are those of `makeSmallcapsMarshal`, except that slots are allocated as references are met,
 * even in values that turn out not to pass.
 *
 * @param {(value: object) => string} slotOf
 * @param {(slot: string, iface: string | undefined) => unknown} valOf  called for every reference in a body but
 *   repeated ones
 * @param {Pick<ErrorOptions, 'onError' | 'errorPolicy'>} [options]
 * @returns {Marshal}
 */
export const makeQclassMarshal = (slotOf, valOf, { onError, errorPolicy } = {}) => {
  /** @param {Error} error  had no id in that year */
  const encodeError = error => {
    const told = errorPolicy?.(error) ?? readError(error);
    const name = quoteText(told.name);
    const message = quoteText(told.message);
    onError?.(error, undefined);
    return `{"@qclass":"error","name":${name},"message":${message}}`;
  };

  /**
   * @param {string} body
   * @param {string[]} slots
   */
  const finish = (body, slots) => {
    freeze(slots);
    return freeze({ body, slots });
  };

  /** @param {unknown} value */
  const toCapData = value => {
    if (value === undefined) return undefinedData;
    const walk = startWalk2020(slotOf, encodeError);
    const body = encodeValue(value, '', walk);
    return finish(body, walk.slots);
  };

  /** @param {CapData} data */
  const fromCapData = data => {
    const { body, slots } = insistData(data);
    if (body === undefinedBody) return undefined;
    return decodeTree(JSON.parse(insistShallow(body)), startReading2020(slots, valOf));
  };

  /** @type {import('./smallcaps.js').Marshal['messageFromCapData']} */
  const messageFromCapData = data => {
    const { body, slots } = insistData(data);
    const tree = JSON.parse(insistShallow(body));
    if (!isArray(tree) || tree.length !== 2 || !isArray(tree[1])) {
      throw TypeError('the body of a message must be [method, [arguments]]');
    }
    insistFewArguments(tree[1]);
    const reading = startReading2020(slots, valOf);
    reading.objects.push(tree);
    reading.unfinished.add(tree);
    const method = decodeTree(tree[0], reading);
    return { method, args: decodeElements2020(tree[1], reading) };
  };

  return freeze({
    toCapData,
    fromCapData,

    /** @param {unknown} value */
    hardenToCapData: value => toCapData(hardenData(value)),

    /**
     * @param {unknown} method
     * @param {unknown[]} args
     */
    messageToCapData: (method, args) => {
      insistFewArguments(args);
      // Arguments are hardened when they leave the vat, and the list is examined as any array, before its elements are
      // asked for slots.
      hardenData(args);
      insistPlainArray(args);
      const walk = startWalk2020(slotOf, encodeError);
      // The pair and the list of arguments are the first two objects of the body. Nothing can refer to the pair, so any
      // object stands for it.
      walk.objects.push(walk, args);
      const body = `[${encodeValue(method, 0, walk)},${encodeElements(args, walk)}]`;
      return finish(body, walk.slots);
    },

    messageFromCapData,
  });
};
harden(makeQclassMarshal);
