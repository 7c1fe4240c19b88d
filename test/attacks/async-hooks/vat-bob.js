import { Far } from '@endo/far';

export const buildRootObject = () => Far('bob', { give: () => 'honest' });
