// Bodies that throw anything at all: the vat ends, alone, whatever was thrown.

import { Reactor } from 'swingset-runner/reactor';

const fail = () => {
  throw Error('a trap');
};

const thrown = {
  undefined: () => undefined,
  null: () => null,
  symbol: () => Symbol('boo'),
  bigint: () => 5n,
  function: () => fail,
  bare: () => Object.create(null),
  message: () => Object.defineProperty(Error('x'), 'message', { get: fail }),
  stack: () => Object.defineProperty(Error('x'), 'stack', { get: fail }),
  proxy: () => new Proxy({}, { get: fail, getPrototypeOf: fail, getOwnPropertyDescriptor: fail }),
  frozen: () => Object.freeze(Error('x\u001b[2J\nbob: tick 99')),
  toString: () => ({ toString: fail, valueOf: fail, [Symbol.toPrimitive]: fail }),
  thenable: () => ({ then: fail }),
  reject: () => Promise.reject(Error('rejected')),
  nested: () => ({ cause: { cause: new Proxy({}, { get: fail }) } }),
  array: () => Array.from({ length: 100 }, () => Symbol('many')),
  late: () => Object.assign(Error('x'), { toString: fail, name: { toString: fail } }),
  own: () => Object.setPrototypeOf(Error('x'), null),
};

class Mallory extends Reactor {
  out = this.output();
  tick = this.timer(0, '1 ms');
  r = this.reaction({ triggers: this.tick, effects: this.out }, () => {
    this.out.set('honest');
    if (this.util.getElapsedLogicalTime() === 0) return undefined;
    if (this.trick.endsWith('Returned')) return thrown[this.trick.slice(0, -8)]();
    throw thrown[this.trick]();
  });
}

export const buildReactor = (_powers, { trick }) => {
  const mallory = new Mallory();
  mallory.trick = trick;
  return mallory;
};
