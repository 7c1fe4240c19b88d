import { Far } from '@endo/far';

export const buildRootObject = () => Far('victim', { alive: () => 1, take: () => {} });
