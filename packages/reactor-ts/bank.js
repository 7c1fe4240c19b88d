/** @import { Reactor } from './reactor.js' */
/** @import { IOPort, WritablePort } from './port.js' */
/** @import { MultiPort, WritableMultiPort } from './multiport.js' */

/**
 * Reactors of one class, made with the same arguments. A member gets its index by `getBankIndex`.
 *
 * @template {Reactor} T
 * @template [S=any]
 */
export class Bank {
  /** @type {T[]} */
  #members = [];

  /** The index of the member that is being made, by container. @type {Map<Reactor, number>} */
  static initializationMap = new Map();

  /**
   * @param {Reactor} container
   * @param {number} width  the number of members, from 0
   * @param {new (...parameters: any[]) => T} type
   * @param {...any} parameters  including the container
   */
  constructor(container, width, type, ...parameters) {
    try {
      for (let i = 0; i < width; i += 1) {
        Bank.initializationMap.set(container, i);
        this.#members.push(new type(...parameters));
      }
    } finally {
      Bank.initializationMap.delete(container);
    }
  }

  get _kind() {
    return 'bank';
  }

  /** All members, in order; the bank's own list. @returns {T[]} */
  all() {
    return this.#members;
  }

  /**
   * One member.
   *
   * @param {number} index
   * @returns {T} `undefined` for an index that the bank does not have
   */
  get(index) {
    return this.#members[index];
  }

  /**
   * @template P
   * @param {(reactor: T) => P} selector
   * @returns {P[]} the selected ports of all members, in order; lists are joined
   */
  port(selector) {
    return /** @type {P[]} */ (
      this.#members.flatMap(member => /** @type {any} */ (selector(member)))
    );
  }

  /**
   * @template V
   * @param {IOPort<V>[]} ports  one of each member
   * @returns {WritablePort<V>[]} as those who may write them use them
   * @throws {Error} if there are more or fewer ports than members
   */
  writable(ports) {
    this.#insistAll(ports);
    return ports.map((port, i) => this.#members[i].writable(port));
  }

  /**
   * @template V
   * @param {MultiPort<V>[]} ports  one of each member
   * @returns {WritableMultiPort<V>[]} as those who may write them use them
   * @throws {Error} if there are more or fewer ports than members
   */
  allWritable(ports) {
    this.#insistAll(ports);
    return ports.map((port, i) => this.#members[i].allWritable(port));
  }

  toString() {
    return `bank(${this.#members.length})`;
  }

  /** @param {unknown[]} ports */
  #insistAll(ports) {
    if (ports.length === this.#members.length) return;
    throw new Error('Length of ports does not match length of reactors.');
  }
}
