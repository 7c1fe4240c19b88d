// The supervisor of the vats of 2020-09-30, with the order of syscalls of that liveslots and its rules for forgetting
// promises:
//
//   a send     serialises its arguments (following new promises among them), allocates the result, sends, subscribes
//   a delivery calls the method in the next job; when its result settles, the result is settled with the kernel
//   a settled promise is forgotten if it became an object, or if its data names no promise ("easy")
//
// An error inside the supervisor does not end the vat: that kernel logged it and went on.

import { ChurnMap, findSoleSlot, isErrorLike, typeOfVref } from '#model';
import { makeHandledPromiseKit, refusals2020, send } from '../eventual-send/index.js';
import { makeQclassMarshal } from '../marshal/index.js';
import { insistRemotable2020 } from '../marshal/qclass-style.js';
import { makeD } from './devices.js';
import { makePowers2020 } from './powers-2020.js';
import { makeLife } from './life.js';
import { makeImport } from './make-import.js';
import { References } from './references.js';
import { Remote2020 } from './remote.js';
import { SyscallBuffer } from './syscall-buffer.js';

/** @import { CapData, Delivery, Resolution } from '#model' */
/** @import { Refusal, SupervisorOptions } from './supervisor-options.js' */
/** @import { PromiseKit } from './held.js' */

/** The body for a promise that was fulfilled to an object, as that kernel wrote it: without its interface. */
const presenceBody = '{"@qclass":"slot","index":0}';

/**
 * @typedef {object} State2020
 * @property {string | null} fault  why the kernel ends the vat after this crank
 * @property {boolean} isBuilding  whether `buildRootObject` is being called
 */

/** The reason that that kernel gave for each vat that it ended for a fault of the vat's own. */
const faultOf2020 = 'clist violation: prepare to die';

/**
 * Says why a message with a method that is no string ends the vat. That liveslots made text of the method first, and
 * what that throws only rejects the message.
 *
 * @param {any} method
 * @param {(error: unknown) => void} onSentError
 * @param {State2020} state  gets the fault
 * @returns {Error}  for the sender
 */
const refuseMethod = (method, onSentError, state) => {
  void `${method}`;
  const what =
    method === undefined ? 'without a name, as for a function' : `that is a ${typeof method}`;
  onSentError(TypeError(`a message to another vat has a method ${what}; that ends a vat of 2020`));
  state.fault = faultOf2020;
  return Error('syscall suffered error, shutdown commencing');
};

/**
 * @param {unknown} built  what `buildRootObject` returned
 * @param {NonNullable<SupervisorOptions['onRefused']>} onRefused
 */
const insistRoot = (built, onRefused) => {
  try {
    insistRemotable2020(built);
  } catch (error) {
    onRefused(error, { kind: 'root', value: built });
    throw error;
  }
};

/**
 * The powers of one vat.
 *
 * @param {unknown} vatParameters
 * @param {unknown} D
 * @param {(isFailure: boolean, info: unknown) => void} exit
 */
const makeOwnPowers = (vatParameters, D, exit) => ({
  vatParameters,
  D,
  exitVat: (/** @type {unknown} */ info) => exit(false, info),
  exitVatWithFailure: (/** @type {unknown} */ info) => exit(true, info),
});

/** @param {SupervisorOptions} options */
export const make2020Supervisor = ({
  vatId,
  buildRoot,
  makeRoot,
  vatPowers,
  isStatic = true,
  usesPassStyle = false,
  onRoot,
  onSentError,
  errorPolicy,
  onRefused = () => {},
}) => {
  const syscalls = new SyscallBuffer({ printsNames: true, sharesPrototype: !usesPassStyle });
  const references = new References();

  /** @type {State2020} */
  const state = { fault: null, isBuilding: false };

  /** @type {ChurnMap<string, PromiseKit>} promises that the kernel will settle for this vat */
  const awaited = new ChurnMap();

  const slotOf = (/** @type {any} */ value) => {
    const known = references.findVref(value);
    if (known !== undefined) return known;
    let vref;
    if (value instanceof Promise) {
      vref = references.allocatePromise();
      value.then(settler(vref, false), settler(vref, true));
    } else {
      vref = references.allocateExport();
    }
    references.register(vref, value);
    return vref;
  };

  /** @param {string} vref */
  const awaitPromise = vref => {
    const kit = makeHandledPromiseKit(new Remote2020(vref, queueMessage));
    awaited.set(vref, kit);
    return kit.settled;
  };

  const valueOf = (/** @type {string} */ vref, /** @type {string | undefined} */ iface) => {
    const known = references.findValue(vref);
    if (known !== undefined) return known;
    let value;
    if (typeOfVref(vref) === 'promise') {
      if (vref.startsWith('p+')) throw Error(`I don't remember allocating ${vref}`);
      value = awaitPromise(vref);
      syscalls.subscribe(vref);
    } else {
      value = makeImport(vref, iface, new Remote2020(vref, queueMessage));
    }
    references.register(vref, value);
    return value;
  };

  const marshal = makeQclassMarshal(slotOf, valueOf, { onError: onSentError });

  /**
   * @param {PropertyKey | undefined} method
   * @param {any[]} args
   */
  const encodeMessage = (method, args) => {
    try {
      // Only the arguments went through the marshaller; `queueMessage` refuses a method that is no string.
      return marshal.messageToCapData(typeof method === 'string' ? method : '', args);
    } catch (error) {
      onRefused(error, { kind: 'arguments', value: args, method });
      throw error;
    }
  };

  /**
   * @param {string} target
   * @param {PropertyKey | undefined} method
   * @param {any[]} args
   * @param {Promise<unknown> | undefined} returned
   */
  const queueMessage = (target, method, args, returned) => {
    const methargs = encodeMessage(method, args);
    const result = references.allocatePromise();
    const promise = awaitPromise(result);
    if (typeof method !== 'string') throw refuseMethod(method, onSentError, state);
    syscalls.send(target, methargs, result);
    syscalls.subscribe(result);
    references.register(result, returned ?? promise);
    return promise;
  };

  /**
   * @param {string} vref
   * @param {CapData} data
   */
  const forgetIfEasy = (vref, data) => {
    if (data.slots.some(slot => typeOfVref(slot) === 'promise')) return;
    awaited.delete(vref);
    references.forget(vref);
  };

  /**
   * @param {unknown} value
   * @param {Omit<Refusal, 'value'>} refusal
   */
  const encodeSettled = (value, refusal) => {
    try {
      return marshal.hardenToCapData(value);
    } catch (error) {
      onRefused(error, { ...refusal, value });
      throw error;
    }
  };

  /**
   * Makes the callback for a promise that this vat decides. It tells the kernel, and settles the vat's own promise,
   * since the kernel does not notify the vat that settled it.
   *
   * @param {string} vref
   * @param {boolean} rejected
   * @param {unknown} [object]  the object whose method's result it is, if it is one
   * @param {unknown} [method]
   */
  const settler = (vref, rejected, object, method) => (/** @type {unknown} */ value) => {
    try {
      const plain = encodeSettled(value, { kind: rejected ? 'reason' : 'result', object, method });
      const sole = rejected ? undefined : findSoleSlot(plain);
      const isObject = sole !== undefined && typeOfVref(sole) === 'object';
      // That liveslots took every reference for an object's, and failed at a device's before it told the kernel. Only the
      // system's own vats give out bundles, which that kernel did not have.
      if (sole !== undefined && !isObject && makeRoot === undefined)
        throw TypeError('a vat of 2020 cannot fulfill a promise to a device');
      const data = isObject ? { body: presenceBody, slots: plain.slots } : plain;
      syscalls.resolve([[vref, rejected, data]]);
      const kit = awaited.get(vref);
      if (rejected) kit?.reject(value);
      else kit?.resolve(value);
      forgetIfEasy(vref, data);
    } catch (error) {
      // A value that cannot be passed leaves the promise unsettled, as it did in that kernel; so does a device.
      onSentError(error);
    }
  };

  const exit = (/** @type {boolean} */ isFailure, /** @type {unknown} */ info) => {
    const data = marshal.hardenToCapData(info);
    // That vat was connected to its kernel once it was built, and the engine said so.
    if (state.isBuilding) throw TypeError('vatSyscallHandler is not a function');
    syscalls.exit(isFailure, data);
  };

  /**
   * @param {CapData} parametersData
   * @param {(built: object) => void} begun
   */
  const start = async (parametersData, begun) => {
    // Parameters came from a JSON config and were never marshalled: an empty object stays one.
    const parameters = harden(JSON.parse(parametersData.body));
    const D = makeD(references, syscalls, marshal);
    const powers = harden({
      ...makePowers2020(isStatic),
      ...vatPowers,
      ...makeOwnPowers(parameters, D, exit),
    });
    // A promise is a root like any other object of methods: if it is hardened.
    state.isBuilding = true;
    const built = buildRoot(powers, parameters);
    state.isBuilding = false;
    insistRoot(built, onRefused);
    begun(/** @type {object} */ (built));
  };

  /**
   * @param {string} target
   * @param {CapData} methargs
   * @param {string | null} result
   */
  const deliverMessage = (target, methargs, result) => {
    const object = references.findValue(target);
    if (object === undefined) throw Error(`no target ${target}`);
    const { method, args } = marshal.messageFromCapData(methargs);
    const outcome = send(object, 'applyMethod', /** @type {PropertyKey} */ (method), args);
    if (result === null) outcome.catch(error => (isErrorLike(error) ? onSentError(error) : {}));
    else
      outcome.then(settler(result, false, object, method), settler(result, true, object, method));
  };

  /** @param {Resolution} resolution */
  const deliverNotify = ([vref, rejected, data]) => {
    const kit = awaited.get(vref);
    if (!kit) throw Error(`unknown promiseID ${vref}`);
    const sole = rejected ? undefined : findSoleSlot(data);
    if (rejected) kit.reject(marshal.fromCapData(data));
    else kit.resolve(sole === undefined ? marshal.fromCapData(data) : valueOf(sole, undefined));
    forgetIfEasy(vref, data);
  };

  /** @param {Delivery} delivery */
  const dispatch = delivery => {
    try {
      if (delivery[0] === 'message') deliverMessage(delivery[1], delivery[2], delivery[3]);
      else if (delivery[0] === 'notify') delivery[1].forEach(deliverNotify);
      else throw Error(`a vat of 2020 takes no ${delivery[0]}`);
    } catch (error) {
      onSentError(error);
    }
  };

  const root = makeRoot?.({ vatId, D: makeD(references, syscalls, marshal) });
  return makeLife(
    { root, onRoot, onSentError, errorPolicy },
    { syscalls, refusals: refusals2020, references, start, dispatch, findFault: () => state.fault },
  );
};
