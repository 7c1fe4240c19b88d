import { Far } from '@endo/far';

export const buildRootObject = () => Far('bob', { tell: () => console.log('still here') });
