// The demos of this package, where a directory is looked for that is not there.

import { fileURLToPath } from 'node:url';

export const demosDir = fileURLToPath(new URL('../demos', import.meta.url));
