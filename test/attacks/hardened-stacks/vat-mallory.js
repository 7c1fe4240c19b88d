import { Far } from '@endo/far';

const limits = harden({ one: {}, two: {}, three: {}, four: {} });

const prototypes = {
  Error: Error.prototype,
  Object: Object.prototype,
  Function: Function.prototype,
  Promise: Promise.prototype,
  Array: Array.prototype,
  limits,
  none: null,
  fresh: {},
};

const ways = {
  itself: error => harden(error),
  within: error => harden({ list: [error] }),
  inherited: error => harden(Object.create(error)),
  proxy: error => harden(new Proxy(error, {})),
};

export const buildRootObject = () =>
  Far('mallory', {
    mark() {
      const changed = [];
      for (const [kind, prototype] of Object.entries(prototypes))
        for (const [way, hardenBy] of Object.entries(ways)) {
          const error = Object.setPrototypeOf(Error('shared'), prototype);
          hardenBy(error);
          try {
            Object.create(error).stack = 'a mark';
          } catch {
            // It is a value, which may not be overridden so.
          }
          const { get } = Object.getOwnPropertyDescriptor(error, 'stack');
          if (error.stack !== '' || get !== undefined) changed.push(`${kind} ${way}`);
        }
      console.log(`changed: ${changed.join(', ') || 'nothing'}`);
    },
  });
