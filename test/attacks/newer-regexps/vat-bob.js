import { Far } from '@endo/far';

export const buildRootObject = () => Far('bob', { take: texts => texts.length });
