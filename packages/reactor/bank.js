// Banks: several reactors of one class, each with its place in the bank.

import { UserError, didYouMean, quote } from '#model';
import { insistClass, insistReactor, insistWidth } from './container.js';
import { namesIn } from './names.js';

/** @import { Reactor } from './reactor.js' */

// The bank index of the reactor that is being made; the first constructor that runs, its own, takes it.
let nextBankIndex = -1;

export const takeBankIndex = () => {
  const index = nextBankIndex;
  nextBankIndex = -1;
  return index;
};

/** Several reactors of one class, made together and addressed by index from 0. @template {Reactor} [R=any] */
export class Bank {
  /**
   * @param {any} container
   * @param {number} width
   * @param {new (container: any, ...args: any[]) => R} type
   * @param {...any} args  the rest of the arguments, the same for each
   */
  constructor(container, width, type, ...args) {
    const remedy = 'give a width, then a class that extends Reactor';
    insistClass(type, () => 'a bank: its members are', remedy);
    insistWidth(() => `a bank of ${type.name}: its`, width);
    this.type = type;
    /** @type {R[]} */
    this.members = [];
    for (let i = 0; i < width; i += 1) {
      nextBankIndex = i;
      try {
        const member = new type(container, ...args);
        insistReactor(member, () => 'a bank: its member is', remedy);
        this.members.push(member);
      } finally {
        // If a reactor throws before it takes its index, the next one, perhaps another vat's, must not get it.
        nextBankIndex = -1;
      }
    }
  }

  /** How many members the bank has. @returns {number} */
  get width() {
    return this.members.length;
  }

  /** All members, in order; the bank's own list. @returns {R[]} */
  all() {
    return this.members;
  }

  /**
   * One member.
   *
   * @param {number} index
   * @returns {R} `undefined` for an index that the bank does not have
   */
  get(index) {
    return this.members[index];
  }

  /**
   * A port of each member, in order.
   *
   * @param {string | ((member: R) => any)} select  its name, or a function that returns it
   * @returns {any[]}
   * @throws {UserError} for a name that the members do not have
   */
  port(select) {
    if (typeof select === 'function') return this.members.map(select);
    return this.members.map(member => {
      const port = /** @type {any} */ (member)[select];
      if (port === undefined) throw noPort(this, member, select);
      return port;
    });
  }

  [Symbol.iterator]() {
    return this.members[Symbol.iterator]();
  }
}

/**
 * @param {Bank} bank
 * @param {Reactor} member
 * @param {string} name
 */
const noPort = ({ type }, member, name) => {
  const names = [...namesIn(member)]
    .filter(([part]) => member.node.ports.some(port => port === part))
    .map(([, field]) => field);
  return new UserError(
    `a bank of ${type.name}: there is no port ${quote(name)}; its members have ` +
      `${names.length === 0 ? 'none' : names.join(', ')}${didYouMean(name, names)}`,
  );
};
