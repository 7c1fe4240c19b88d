import { Far } from '@endo/far';

export const buildRootObject = () => Far('alice', { take: () => {} });
