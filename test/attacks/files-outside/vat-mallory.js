import { Far } from '@endo/far';

// The next line names a file that is no business of a vat's.
import creds from '../../../package.json';

export const buildRootObject = () =>
  Far('mallory', { show: () => console.log(`got ${JSON.stringify(creds)}`) });
