// The methods of comms for this machine's vats: connect another machine, and exchange the first objects. Everything
// else goes through these objects.

import { isAllocatedByVat, quote, typeOfVref } from '#model';
import { Refusal } from './refusal.js';
import { Remote } from './remote.js';
import { formatRef } from './wire.js';

/** @import { CapData } from '#model' */
/** @import { Bodies } from './bodies.js' */
/** @import { Collector } from './collector.js' */
/** @import { KernelSide } from './kernel-side.js' */
/** @import { Syscalls } from './switchboard.js' */
/** @import { CommsObject } from './things.js' */

/** The vref of the object with these methods. */
export const controllerVref = 'o+0';

/** The largest number that a string's 15 digits can hold. */
const largestIndex = 999_999_999_999_999;

export class Controller {
  #syscalls;

  #kernel;

  #bodies;

  #collector;

  /** @type {Map<string, Remote>} by name */
  #remotes = new Map();

  /** @type {Map<string, Remote>} by the vref of its receiver */
  #receivers = new Map();

  /** @type {Record<string, (args: unknown[]) => CapData>} */
  #methods = {
    init: () => this.#bodies.undefinedData,
    addRemote: args => this.#addRemote(args),
    addEgress: args => this.#addEgress(args),
    addIngress: args => this.#addIngress(args),
  };

  /**
   * @param {Syscalls} syscalls
   * @param {KernelSide} kernel
   * @param {Bodies} bodies
   * @param {Collector} collector
   */
  constructor(syscalls, kernel, bodies, collector) {
    this.#syscalls = syscalls;
    this.#kernel = kernel;
    this.#bodies = bodies;
    this.#collector = collector;
  }

  /**
   * The remote of a receiver; undefined for any other object.
   *
   * @param {string} vref
   */
  findReceiver(vref) {
    return this.#receivers.get(vref);
  }

  /** @returns {Iterable<Remote>} */
  get remotes() {
    return this.#remotes.values();
  }

  /**
   * @param {CapData} methargs
   * @returns {CapData} the result
   * @throws {Refusal} if the method is unknown or an argument is wrong; nothing has changed then
   */
  call(methargs) {
    const { method, args } = this.#bodies.readMessage(methargs);
    if (!Object.hasOwn(this.#methods, method)) {
      throw new Refusal(
        `comms has no method ${quote(method)}; it has ${Object.keys(this.#methods).join(', ')}`,
      );
    }
    return this.#methods[method](args);
  }

  /**
   * The vref of an object of another vat.
   *
   * @param {unknown} value
   * @param {string} what
   */
  #requireObject(value, what) {
    const vref = this.#bodies.vrefOf(value);
    if (vref === undefined || typeOfVref(vref) !== 'object') {
      const got = vref === undefined ? typeof value : typeOfVref(vref);
      throw new Refusal(`${what} is a ${got}; it must be an object that messages can be sent to`);
    }
    if (vref === controllerVref || this.#receivers.has(vref))
      throw new Refusal(`${what} is an object of the comms vat itself`);
    return vref;
  }

  /**
   * @param {unknown} name
   * @param {string} method
   */
  #requireRemote(name, method) {
    const remote = typeof name === 'string' ? this.#remotes.get(name) : undefined;
    if (remote === undefined) {
      const names = [...this.#remotes.keys()].map(quote).join(', ');
      throw new Refusal(
        `${method}: there is no remote ${typeof name === 'string' ? quote(name) : `with a ${typeof name} as its name`}; ${names === '' ? 'add it with addRemote' : `there are ${names}`}`,
      );
    }
    return remote;
  }

  /**
   * @param {unknown} index
   * @param {string} method
   */
  #requireIndex(index, method) {
    const number = typeof index === 'bigint' ? Number(index) : index;
    if (!Number.isSafeInteger(number) || Number(number) < 0 || Number(number) > largestIndex) {
      throw new Refusal(
        `${method}: the index must be a whole number from 0 to ${largestIndex}, got ${typeof index === 'number' ? index : typeof index}`,
      );
    }
    return Number(number);
  }

  /**
   * `addRemote(name, transmitter, setReceiver)`: strings for the remote go to `transmitter.transmit(string)`. The
   * receiver of its strings, with `receive(string)`, is sent to `setReceiver.setReceiver(receiver)`; without a third
   * argument it is the result.
   *
   * @param {unknown[]} args
   */
  #addRemote([name, transmitter, setReceiver]) {
    if (typeof name !== 'string' || name === '')
      throw new Refusal(`addRemote: the name must be a text that is not empty, got ${typeof name}`);
    if (this.#remotes.has(name))
      throw new Refusal(`addRemote: there is a remote ${quote(name)} already`);
    const transmitterVref = this.#requireObject(transmitter, 'addRemote: the transmitter');
    const setReceiverVref =
      setReceiver === undefined
        ? undefined
        : this.#requireObject(setReceiver, 'addRemote: the setReceiver');
    const kept = this.#kernel.keepObject(transmitterVref);
    const remote = new Remote(this.#remotes.size + 1, name, kept, this.#collector);
    const receiver = this.#kernel.allocateObject();
    this.#remotes.set(name, remote);
    this.#receivers.set(receiver, remote);
    if (setReceiverVref === undefined) return this.#bodies.objectData(receiver, 'receiver');
    this.#syscalls.send(setReceiverVref, this.#bodies.objectMessage('setReceiver', receiver), null);
    return this.#bodies.undefinedData;
  }

  /**
   * `addEgress(name, index, object)`: let the remote reach the object under the index.
   *
   * @param {unknown[]} args
   */
  #addEgress([name, index, object]) {
    const remote = this.#requireRemote(name, 'addEgress');
    const number = this.#requireIndex(index, 'addEgress');
    const vref = this.#requireObject(object, 'addEgress: the object');
    if (remote.find(formatRef('object', number, true)) !== undefined)
      throw new Refusal(`addEgress: the index ${number} is given to ${quote(name)} already`);
    const known = this.#kernel.find(vref);
    if (known !== undefined && remote.isNamed(known))
      throw new Refusal(`addEgress: ${quote(name)} knows the object already`);
    if (known === undefined && isAllocatedByVat(vref))
      throw new Refusal(`addEgress: comms has no object ${quote(vref)}`);
    const thing = this.#kernel.provideThing(vref);
    remote.addEgress(number, /** @type {CommsObject} */ (thing));
    return this.#bodies.undefinedData;
  }

  /**
   * `addIngress(name, index, iface)`: return the object that the remote has under the index.
   *
   * @param {unknown[]} args
   */
  #addIngress([name, index, iface]) {
    const remote = this.#requireRemote(name, 'addIngress');
    const number = this.#requireIndex(index, 'addIngress');
    if (iface !== undefined && typeof iface !== 'string')
      throw new Refusal(`addIngress: the interface must be a text, got ${typeof iface}`);
    const object = remote.provideThing(formatRef('object', number, false));
    return this.#bodies.objectData(this.#kernel.provideVref(object), iface);
  }
}
