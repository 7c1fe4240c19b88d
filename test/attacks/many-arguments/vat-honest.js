import { Far } from '@endo/far';

const countAll = (...args) => args.length;

export const buildRootObject = () =>
  Far('honest', {
    count: (...args) => countAll(...args),
  });
