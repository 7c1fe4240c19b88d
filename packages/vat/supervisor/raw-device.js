// A raw device, as SwingSet's `buildDevice(tools, endowments)`: it is called with references and capdata of its own,
// and answers `['ok', capdata]` or `['error', text]`. Its answers are read as plain data. As raw vats, it may write bodies in
// either notation.

import { translate } from '../marshal/translate.js';

/** @import { Answer, CapData } from '#model' */
/** @import { Notation } from '../marshal/translate.js' */
/** @import { KernelPowers } from './device-slots.js' */

/**
 * The tools that a raw device's `buildDevice` gets.
 *
 * @typedef {object} RawDeviceTools
 * @property {object} syscall
 * @property {(target: string, methargs: CapData) => void} syscall.sendOnly
 * @property {(key: string) => string | undefined} syscall.vatstoreGet
 * @property {(key: string, value: string) => void} syscall.vatstoreSet
 * @property {(key: string) => void} syscall.vatstoreDelete
 * @property {(name: string, args: CapData) => CapData} syscall.callKernelHook  calls a function of the host program
 */

/** @typedef {{ kind: 'refuse', message: string }} DeviceRefusal  an error whose text goes to the vat */

/**
 * @param {string} what
 * @param {unknown} value
 * @returns {string}
 */
const insistText = (what, value) => {
  if (typeof value === 'string' && value.isWellFormed()) return value;
  throw TypeError(`${what} must be a string without lone surrogates, got ${typeof value}`);
};

/**
 * @param {string} what
 * @param {any} value
 * @returns {CapData} a copy
 */
const insistCapData = (what, value) => {
  const { body, slots } = value ?? {};
  if (typeof body !== 'string' || !Array.isArray(slots))
    throw TypeError(`${what} must be capdata, { body, slots }, got ${typeof value}`);
  return {
    body: insistText(`the body of ${what}`, body),
    slots: slots.map(slot => insistText(`a slot of ${what}`, slot)),
  };
};

/**
 * @param {object} options
 * @param {string} options.name
 * @param {Notation} options.notation  of the profile
 * @param {KernelPowers} options.powers
 * @param {(tools: RawDeviceTools, endowments: Record<string, any>) => any} options.build
 * @param {Record<string, any>} options.endowments
 * @param {(error: unknown) => void} options.onError  called with what the device throws
 */
export const makeRawDevice = ({ name, notation, powers, build, endowments, onError }) => {
  /** @param {string} what @param {unknown} value */
  const readData = (what, value) => translate(insistCapData(what, value), notation);
  const syscall = harden({
    sendOnly: (/** @type {unknown} */ target, /** @type {unknown} */ methargs) =>
      powers.sendOnly(insistText('a target', target), readData('what a device sends', methargs)),
    vatstoreGet: (/** @type {unknown} */ key) => powers.get(insistText('a key', key)),
    vatstoreSet: (/** @type {unknown} */ key, /** @type {unknown} */ value) =>
      powers.set(insistText('a key', key), insistText('a value', value)),
    vatstoreDelete: (/** @type {unknown} */ key) => powers.delete(insistText('a key', key)),
    callKernelHook: (/** @type {unknown} */ hook, /** @type {unknown} */ args) =>
      powers.callHook(insistText('the name of a hook', hook), insistCapData('its arguments', args)),
  });
  const make = () => {
    const dispatch = build({ syscall }, endowments);
    if (typeof dispatch?.invoke === 'function') return dispatch;
    throw TypeError(`buildDevice of device ${name} must return an object with invoke()`);
  };
  let dispatch = make();

  /** @param {unknown} answer @returns {Extract<Answer, { kind: 'return' }> | DeviceRefusal} */
  const read = answer => {
    const [verdict, said] = Array.isArray(answer) && answer.length === 2 ? answer : [];
    if (verdict === 'ok') return { kind: 'return', data: readData('a result', said) };
    if (verdict === 'error') return { kind: 'refuse', message: insistText('an error', said) };
    throw TypeError(`invoke() of device ${name} must return ["ok", capdata] or ["error", text]`);
  };

  return Object.freeze({
    /**
     * @param {string} node
     * @param {string} method
     * @param {CapData} args
     * @returns {Extract<Answer, { kind: 'return' }> | DeviceRefusal}
     */
    invoke(node, method, args) {
      try {
        return read(dispatch.invoke(node, method, harden(args)));
      } catch (error) {
        onError(error);
        return { kind: 'refuse', message: 'device.invoke failed, see logs for details' };
      }
    },
    wake() {
      onError(Error(`raw device ${name} was woken, and waits for nothing`));
    },
    /** @param {string} _data */
    input(_data) {
      throw Error(`raw device ${name} takes nothing from the host`);
    },
    /** Called when a crank was dropped: builds the device anew from its store. */
    reset() {
      dispatch = make();
    },
  });
};
