import { Far } from '@endo/far';

export const buildRootObject = () => Far('honest', { hello: () => 'hello' });
