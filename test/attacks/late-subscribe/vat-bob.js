import { Far } from '@endo/far';

export const buildRootObject = () => Far('bob', { hi: i => `bob ${i}` });
