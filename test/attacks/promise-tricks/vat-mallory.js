import { E, Far } from '@endo/far';

const never = new Promise(() => {});
const explode = () => {
  throw Error('a trap');
};
const handler = {
  get: () => explode(),
  applyMethod: () => never,
  applyFunction: explode,
  getSendOnly: explode,
  applyMethodSendOnly: explode,
};

const kinds = [
  () =>
    new HandledPromise(
      (resolve, reject, resolveWithPresence) => resolveWithPresence(handler),
      handler,
    ),
  () => new HandledPromise(() => {}, handler),
  () => HandledPromise.resolve(never),
  () => new Promise(resolve => resolve({ then: explode })),
  () => ({ then: resolve => resolve({ then: again => again(1) }) }),
  () => {
    const promise = Promise.resolve().then(() => promise);
    return promise;
  },
  () => {
    let resolve;
    const promise = new Promise(given => {
      resolve = given;
    });
    resolve(harden([promise]));
    return promise;
  },
  () => Object.setPrototypeOf(Promise.resolve(1), null),
  () => Object.assign(Promise.resolve(1), { then: explode, extra: 1 }),
  () => new Proxy(Promise.resolve(1), {}),
  () => Object.create(Promise.prototype),
  () => new (class Mine extends Promise {})(resolve => resolve(1)),
  () => Promise.reject(Promise.reject(Error('a rejected reason'))),
  () => Promise.all([never, 1]),
  () => E(E(E({}).nothing()).more()).still(),
  () => {
    const loop = Far('loop', { again: () => E(loop).again() });
    return Promise.race([1, new Promise(() => {})]);
  },
  () => (async function* () {})(),
  () => Object.defineProperty(Promise.resolve(1), Symbol.toStringTag, { get: explode }),
];

export const buildRootObject = () =>
  Far('mallory', { count: () => kinds.length, make: kind => kinds[kind]() });
