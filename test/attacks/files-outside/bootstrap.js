// Mallory's source imports a file of the machine that lies outside of the vats' directory, here one that is sure to be there.
// A bundler that reads whatever an import names hands her each JSON file that the person who runs it can read, and quotes
// the first word of each other. The forms of paths, links and packages are in packages/host/test/vats/source-bounds.test.js.
import { Far } from '@endo/far';

export const buildRootObject = () => Far('bootstrap', { bootstrap() {} });
