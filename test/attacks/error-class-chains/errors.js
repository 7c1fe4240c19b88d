import { E, Far, passStyleOf } from '@endo/far';
import { makeMarshal } from '@endo/marshal';
import { Nat } from '@endo/nat';
import { Action, Reactor } from 'swingset-runner/reactor';

const deep = () => 1 + deep();

/** Each throws, if it can: what makes errors, in as many ways as there are. */
const ways = [
  () => new Action(),
  () => new Reactor().timer('x'),
  () => new Reactor().reaction({}),
  () => new Reactor().requestStop(),
  () => new Reactor().connect(1, 2),
  () =>
    passStyleOf({
      get x() {
        return 1;
      },
    }),
  () => makeMarshal().toCapData(harden({ f() {} })),
  () => makeMarshal().fromCapData({ body: 'x', slots: [] }),
  () => Nat(-1),
  () => E(undefined).foo(),
  () => Far('x', 5),
  () => harden(new Uint8Array(1)).foo(),
  () => new TextDecoder('x'),
  () => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])),
  () => new TextEncoder().encodeInto(1, 2),
  () => TextDecoder.prototype.decode.call({}),
  () => new URL('x'),
  () => new URLSearchParams([1]),
  () => new ArrayBuffer(2 ** 50),
  () => new Compartment().evaluate('('),
  () => new Compartment().importNow('x'),
  () => new Function('using a = new Proxy({}, { get: () => () => { throw 1; } }); throw 2;')(),
  () => new Function('x.y = 1;')(),
  () => assert.fail(),
  () => console.log.call(new Proxy({}, {}), new Proxy({}, { get: null.x })),
  () => Date.now(),
  () => deep(),
  () => JSON.parse('{'),
  () => decodeURIComponent('%'),
  () => new HandledPromise(1),
];

export const collectErrors = async () => {
  const errors = [];
  for (const way of ways) {
    try {
      // One after the other, so that each finds the realm as the last one left it.
      // eslint-disable-next-line no-await-in-loop
      await way();
    } catch (error) {
      if (Object(error) === error) errors.push(error);
    }
  }
  return errors;
};

/** The parts of errors: their classes and prototypes, and the properties of those. */
export const collectClasses = errors => {
  const found = new Set();
  const visit = value => {
    if (Object(value) !== value || found.has(value)) return;
    found.add(value);
    visit(Object.getPrototypeOf(value));
    for (const { value: inner, get, set } of Object.values(
      Object.getOwnPropertyDescriptors(value),
    )) {
      visit(inner);
      visit(get);
      visit(set);
    }
  };
  for (const error of errors) {
    visit(Object.getPrototypeOf(error));
    visit(error.constructor);
  }
  return [...found];
};
