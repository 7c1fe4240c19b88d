import { E, Far, passStyleOf } from '@endo/far';
import { makeMarshal } from '@endo/marshal';

const calls = bob => [
  () => E(bob).noise('x', harden([1, 2, { a: Far('y', {}) }])),
  () => E(bob).noise(new Promise(() => {})),
  () => passStyleOf(harden([{ a: 1 }, Far('z', { m() {} })])),
  () => harden([[[[{}]]]]),
  () => Far('deep', { m() {} }),
  () => new URL('http://a.b/c?d=e').searchParams.get('d'),
  () => console.log('%s %o', { a: [1, { b: new Map([[1, 2]]) }] }, Error('x')),
  () => assert.fail(assert.details`x ${1}`),
  () => new Compartment().evaluate('1+1'),
  () => HandledPromise.applyMethod(Promise.resolve(bob), 'noise', [1]),
  () => new TypeError('mine'),
  () => E.sendOnly(bob).noise(Error('e')),
  () => makeMarshal().toCapData(harden([1n, { a: undefined }])),
  () => new TextDecoder().decode(new TextEncoder().encode('ü')),
  () => new Date(0).toString() + new Intl.Nothing(),
  () => Promise.reject(Error('nobody listens')),
];

export const buildRootObject = () =>
  Far('mallory', {
    attack(number, bob) {
      const list = calls(bob);
      const call = list[number % list.length];
      const dive = depth => (depth > 0 ? dive(depth - 1) : call());
      let deepest = 0;
      const probe = () => {
        deepest += 1;
        probe();
      };
      try {
        probe();
      } catch {
        // That is how deep it is.
      }
      // How deep a call still works differs between machines, and is not what this is about: no result is answered.
      for (let step = 0; step < 40; step += 1) {
        try {
          const made = dive(Math.floor(deepest * (1.2 - step / 50)));
          if (made instanceof Promise) made.catch(() => {});
        } catch {
          // The end of the stack.
        }
      }
    },
  });
