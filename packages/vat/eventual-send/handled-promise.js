// The class of promises that take messages, and presences, as vats and supervisors use them.

import { hardenForVat } from '../marshal/harden-data.js';
import { lendTo } from '../marshal/stand-in.js';
import { Handle, stampHandle } from './handles.js';
import { getRefusals } from './refusals.js';
import { coerceProp, ignore, noArgs, send, Settler, toPromise } from './send.js';

/** @import { Handler } from './handles.js' */
/** @import { Operation } from './send.js' */

/**
 * Makes a presence: without properties and not yet frozen. The promise that stands for it is made only when code needs
 * it, which is seldom.
 *
 * @param {Handler} handler
 * @param {object | null} prototype
 */
export const makePresence = (handler, prototype) => {
  const presence = Object.create(prototype);
  const own = new Handle();
  own.handler = handler;
  stampHandle(presence, own);
  return presence;
};

/**
 * Arguments are hardened when they are sent, where the profile does. A list of primitives only needs freezing.
 *
 * @param {any} args  iterable
 * @returns {any[]}  the list itself where nothing is hardened: it is read when its turn comes
 */
const takeArgs = args => {
  if (!getRefusals().hardens) return Array.isArray(args) ? args : [...args];
  const list = [...args];
  for (let i = 0; i < list.length; i += 1) hardenForVat(list[i]);
  Object.freeze(list);
  return list;
};

/**
 * The operation that a function of `HandledPromise` asks for; 2020 had two.
 *
 * @param {Operation} operation
 * @returns {Operation}
 */
const choose = operation => {
  if (getRefusals().isExact) return operation;
  return operation.startsWith('get') ? 'get' : 'applyMethod';
};

/**
 * The method of a call. In 2020 it could be anything: `undefined` and `null` call the target itself.
 *
 * @param {any} prop
 * @returns {PropertyKey | undefined}
 */
const takeProp = prop => (getRefusals().isExact ? coerceProp(prop) : (prop ?? undefined));

/**
 * Sends a message without a result.
 *
 * @param {any} target
 * @param {PropertyKey} method
 * @param {any[]} args  hardened
 */
export const sendOnly = (target, method, args) => {
  ignore(send(target, choose('applyMethodSendOnly'), method, args));
};

/** The words of 2020. */
const deprecatedHandler = 'resolveHandled no longer accepts a handler; use resolveWithPresence';

/** The settler of a promise with a handler of a vat's code. */
class LentSettler extends Settler {
  get keepsHandler() {
    return true;
  }
}

/**
 * A promise that takes messages: `executor(resolve, reject, resolveWithPresence)`, and a handler for the messages that
 * come before it is settled. It is the class `HandledPromise` of `@endo/eventual-send`.
 *
 * @type {any}
 */
export const HandledPromise = /** @type {any} */ (
  function HandledPromise(
    /** @type {(resolve: any, reject: any, resolveWithPresence: any) => void} */ executor,
    /** @type {Handler | undefined} */ pending,
  ) {
    const { isExact } = getRefusals();
    if (new.target === undefined) {
      const why = 'must be invoked with "new"';
      throw isExact ? TypeError(why) : Error(why);
    }
    // It has the prototype of promises, so its promises are made as those: for a class that V8 knows only by
    // `Reflect.construct` it makes a hidden class for each object (docs/v8-in-a-locked-down-realm.md).
    const handler = isExact ? pending : pending || undefined;
    const settler = new LentSettler(handler, new.target === HandledPromise ? Promise : new.target);
    executor(
      (/** @type {any} */ value, /** @type {unknown} */ deprecated) => {
        if (isExact || !deprecated) settler.resolve(value);
        else settler.reject(TypeError(deprecatedHandler));
      },
      (/** @type {any} */ reason) => settler.reject(reason),
      (/** @type {any} */ handler, /** @type {any} */ options) =>
        settler.resolveWithPresence(handler, options),
    );
    return settler.settled;
  }
);
HandledPromise.prototype = Promise.prototype;
Object.setPrototypeOf(HandledPromise, Promise);

const statics = {
  get(/** @type {any} */ target, /** @type {unknown} */ prop) {
    return send(target, 'get', coerceProp(prop), noArgs);
  },
  getSendOnly(/** @type {any} */ target, /** @type {unknown} */ prop) {
    ignore(send(target, choose('getSendOnly'), coerceProp(prop), noArgs));
  },
  applyFunction(/** @type {any} */ target, /** @type {any[]} */ args) {
    return send(target, choose('applyFunction'), undefined, takeArgs(args));
  },
  applyFunctionSendOnly(/** @type {any} */ target, /** @type {any[]} */ args) {
    ignore(send(target, choose('applyFunctionSendOnly'), undefined, takeArgs(args)));
  },
  applyMethod(/** @type {any} */ target, /** @type {unknown} */ prop, /** @type {any[]} */ args) {
    return send(target, 'applyMethod', takeProp(prop), takeArgs(args));
  },
  applyMethodSendOnly(
    /** @type {any} */ target,
    /** @type {unknown} */ prop,
    /** @type {any[]} */ args,
  ) {
    ignore(send(target, choose('applyMethodSendOnly'), takeProp(prop), takeArgs(args)));
  },
  resolve(/** @type {unknown} */ value) {
    return toPromise(value);
  },
};
for (const [name, value] of Object.entries(statics)) {
  Object.defineProperty(HandledPromise, name, { value: Object.freeze(value) });
}
Object.freeze(HandledPromise);
lendTo(HandledPromise);
