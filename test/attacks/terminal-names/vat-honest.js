import { Far } from '@endo/far';

const kept = [];

export const buildRootObject = () =>
  Far('honest', {
    keep(it) {
      kept.push(it);
    },
  });
