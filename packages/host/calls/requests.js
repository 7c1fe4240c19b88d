// Prepares requests of a host program before they enter the run: arguments are read and checked at once.

import { quote, showInLine } from '#model';

/** @import { CallPowers, Entry } from './entry.js' */
/** @import { Handle, Handles } from './handles.js' */

/** @typedef {Pick<Entry, 'name' | 'vat' | 'method' | 'enter'>} Request */

export class Requests {
  #powers;

  #handles;

  #values;

  /**
   * @param {CallPowers} powers
   * @param {Handles} handles
   * @param {ReturnType<typeof import('./host-values.js').makeHostValues>} values
   */
  constructor(powers, handles, values) {
    this.#powers = powers;
    this.#handles = handles;
    this.#values = values;
  }

  /**
   * A message with a result for which the host waits.
   *
   * @param {string | Handle} target  a vat's name, for its root, or a handle
   * @param {string} method
   * @param {readonly unknown[]} args
   * @returns {Omit<Request, 'enter'> & { enter: () => string }}
   * @throws {UserError} if there is no such vat, the handle is not valid, or an argument cannot be passed
   */
  message(target, method, args) {
    const { kernel, requireVat } = this.#powers;
    if (typeof target === 'string') {
      const vatId = requireVat(target);
      const { name, data } = this.#values.encodeCall(target, method, args);
      return { name, vat: target, method, enter: () => kernel.queueToVatRoot(vatId, data) };
    }
    const { kref, iface } = this.#handles.require(
      target,
      'what the message goes to is no name of a vat and',
    );
    const subject = showInLine(iface.replace(/^Alleged: /, ''), 100);
    const { name, data } = this.#values.encodeCall(subject, method, args);
    return { name, vat: subject, method, enter: () => kernel.queueToTarget(kref, data) };
  }

  /**
   * A message whose result is released when it enters.
   *
   * @param {string | Handle} target
   * @param {string} method
   * @param {readonly unknown[]} args
   * @returns {Request}
   * @throws {UserError} as `message`
   */
  sendOnly(target, method, args) {
    const { enter, ...rest } = this.message(target, method, args);
    return { ...rest, enter: () => void this.#powers.kernel.release(enter()) };
  }

  /** @param {string} name @param {Handle} handle @returns {Request} @throws {UserError} if the handle is of no use */
  keep(name, handle) {
    this.#handles.require(handle, 'what keep() is given');
    return deed(`keep(${quote(name)})`, () => this.#handles.keep(name, handle));
  }

  /** @param {string} name @returns {Request} */
  forget(name) {
    return deed(`forget(${quote(name)})`, () => this.#handles.forget(name));
  }

  /** @param {string} name @param {(handle: Handle | undefined) => void} take @returns {Request} */
  find(name, take) {
    return deed(`find(${quote(name)})`, () => take(this.#handles.find(name)));
  }

  /** @param {Handle} handle @returns {Request} @throws {UserError} if the handle is of no use */
  release(handle) {
    this.#handles.require(handle, 'what release() is given');
    return deed('release()', () => this.#handles.release(handle));
  }
}

/** @param {string} name @param {() => void} act  between two blocks @returns {Request} */
const deed = (name, act) => ({ name, vat: '', method: '', enter: () => void act() });
