// `@agoric/marshal` of 2020 (version 0.2.6), with `Far`, which came a little later.

import { Far, Remotable2020, makeQclassMarshal } from '../marshal/index.js';
import {
  findErrorConstructor2020,
  findInterface2020,
  insistRemotable2020,
  styleOf2020,
} from '../marshal/qclass-style.js';

const QCLASS = '@qclass';

/** The pass style of remotables in 2020. */
const REMOTE_STYLE = 'presence';

/**
 * @param {unknown} value
 * @throws {Error} if it does not pass by reference
 */
const mustPassByRemote = value => insistRemotable2020(value);
harden(mustPassByRemote);

/** @param {any} value */
const isObject = value => Object(value) === value;

/**
 * The interface of a declared object; `undefined` for every other value.
 *
 * @param {unknown} value
 */
export const getInterfaceOf = value => (isObject(value) ? findInterface2020(value) : undefined);
harden(getInterfaceOf);

/**
 * How a value would pass: the name of a primitive type, `null`, `copyRecord`, `copyArray`, `copyError`, `promise` or
 * `presence`. Only the value itself is examined, not its contents.
 *
 * @param {unknown} value
 * @returns {string}
 * @throws {Error} if it does not pass
 */
export const passStyleOf2020 = value => {
  if (value === null) return 'null';
  if (isObject(value)) {
    const style = styleOf2020(value);
    return style === 'remotable' ? REMOTE_STYLE : style;
  }
  if (typeof value === 'symbol') throw TypeError('Cannot pass symbols');
  return typeof value;
};
harden(passStyleOf2020);

/**
 * Equality of `Map` keys: NaN is NaN, and 0 is -0.
 *
 * @param {unknown} left
 * @param {unknown} right
 */
export const sameValueZero = (left, right) => left === right || Object.is(left, right);
harden(sameValueZero);

/**
 * @param {any} value
 * @param {Map<object, object>} copies
 * @returns {any}
 */
const copy = (value, copies) => {
  const style = passStyleOf2020(value);
  if (!isObject(value)) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (style === 'copyError') {
    const { name, message } = value;
    const constructor = /** @type {ErrorConstructor} */ (findErrorConstructor2020(name) ?? Error);
    const made = harden(constructor(message));
    copies.set(value, made);
    return made;
  }
  if (style !== 'copyArray' && style !== 'copyRecord') {
    throw TypeError(`Input value ${style} cannot be copied as it must be passed by reference`);
  }
  /** @type {any} */
  const made = style === 'copyArray' ? [] : {};
  copies.set(value, made);
  for (const [name, part] of Object.entries(value)) {
    Object.defineProperty(made, name, {
      value: copy(part, copies),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return made;
};

/**
 * A copy of data that shares nothing with it.
 *
 * @template T
 * @param {T} value  hardened
 * @returns {T}
 * @throws {TypeError} if it holds anything but data
 */
export const pureCopy = value => harden(copy(value, new Map()));
harden(pureCopy);

/**
 * A marshaller in the notation of 2020. Without functions of its own, slots are the references themselves.
 *
 * @param {(value: any) => any} [slotOf]
 * @param {(slot: any, iface: string | undefined) => any} [valueOf]
 */
export const makeMarshal = (slotOf = value => value, valueOf = slot => slot) => {
  const { toCapData, fromCapData } = makeQclassMarshal(slotOf, valueOf);
  /** @param {{ body: string, slots: any[] }} data */
  const unserialize = (data, cyclePolicy = 'forbidCycles') => {
    if (cyclePolicy !== 'forbidCycles') {
      throw TypeError(`cycle policy ${cyclePolicy}: data with cycles is not read; leave it out`);
    }
    return harden(fromCapData(data));
  };
  return harden({
    serialize: (/** @type {unknown} */ value) => harden(toCapData(value)),
    unserialize,
  });
};
harden(makeMarshal);

export const marshalShim2020 = {
  Far,
  QCLASS,
  REMOTE_STYLE,
  Remotable: Remotable2020,
  getErrorConstructor: findErrorConstructor2020,
  getInterfaceOf,
  makeMarshal,
  mustPassByPresence: mustPassByRemote,
  mustPassByRemote,
  passStyleOf: passStyleOf2020,
  pureCopy,
  sameValueZero,
};
