import { Far } from '@endo/far';

export const buildRootObject = () =>
  Far('usual', { alive: () => 'lives', take: (...args) => args.length });
