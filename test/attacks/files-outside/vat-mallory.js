import { Far } from '@endo/far';

// What the next line names is no business of a vat's.
import creds from '../../../package.json';

export const buildRootObject = () =>
  Far('mallory', { show: () => console.log(`got ${JSON.stringify(creds)}`) });
