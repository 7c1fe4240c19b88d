import { Far } from '@endo/far';

export const buildRootObject = () => Far('root', { hello: () => 'hello' });
