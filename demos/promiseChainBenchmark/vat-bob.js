// Makes a chain of promises, one link ahead of what it has resolved: each link's value is [number, next link].

import { Far } from '@endo/far';

export const buildRootObject = () => {
  let resolveLink;
  let count = 0;

  const makeLink = () =>
    new Promise(resolve => {
      resolveLink = resolve;
    });

  return Far('bob', {
    init() {
      return makeLink();
    },

    gen() {
      const resolve = resolveLink;
      resolve(harden([count, makeLink()]));
      count += 1;
    },
  });
};
