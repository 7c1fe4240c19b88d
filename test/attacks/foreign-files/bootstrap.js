// A vat's source imports a file of the machine that nobody gave it; the bundler would read it, and the vat would say what
// stands in it. The test writes the vats: by relative path, absolute, by a link, with a query, as JSON and as source.
import { Far } from '@endo/far';

export const buildRootObject = () => Far('bootstrap', { bootstrap() {} });
